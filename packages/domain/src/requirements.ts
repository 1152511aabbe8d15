import { batchChecks } from "./batch-checks.ts";
import type { Permission } from "./caller.ts";
import type { ConnectorDescription } from "./connector.ts";
import type { DocumentHolder, PaymentDocument } from "./document.ts";
import { type ExchangeRates, referenceRates } from "./exchange-rates.ts";
import { documentChecks, manualPaymentChecks } from "./manual-payment-checks.ts";
import type { PartyDetails } from "./party.ts";
import type { Payee } from "./payee.ts";
import type { IntentDraft, PaymentIntent, Recipient, Scenario } from "./payment-intent.ts";
import { methodsFrom } from "./payment-methods.ts";
import type { Quote } from "./quote.ts";
import type { RailDescription } from "./rails.ts";
import { type RequirementPath, type RequirementText, requirementTexts } from "./requirement-texts.ts";
import { findRule, type RuleStatus, type ScenarioRule } from "./scenario-rules.ts";
import { tenantPayeeId } from "./tenant.ts";

/** One thing that keeps an intent from being submitted. `path` is a dotted path, or the name of a check. */
export type Requirement = RequirementText & Readonly<{ path: string }>;

/** What is known of the things an intent names; what is not in here does not exist for this tenant. */
export type Facts = Readonly<{
  tenantId: string;
  permissions: readonly Permission[];
  connector: ConnectorDescription;
  /** The rail that the payment would go to. */
  rail: RailDescription;
  nowMs: number;
  /** What a payment without a quote of its own is priced by. */
  rates: ExchangeRates;
  quote?: Quote;
  payees: ReadonlyMap<number, Payee>;
  parties: ReadonlyMap<string, PartyDetails>;
  documents: ReadonlyMap<string, PaymentDocument>;
  /** The intent that is to be paid again, when one is named. */
  reissued?: Pick<PaymentIntent, "status"> & Readonly<{ by?: string }>;
  /** The intent itself, when there is one: what it has reserved or consumed is its own. */
  holder?: DocumentHolder;
}>;

/** The answer of requirements and dry-run, and what submit judges by. */
export type Evaluation = Readonly<{
  rule: Readonly<{ status: RuleStatus; missingRequirements: readonly string[] }>;
  connector: Pick<ConnectorDescription, "provider" | "action" | "version">;
  limits: Readonly<{ maxRecipients: number }>;
  controls: Readonly<{
    acceptedLimitations: readonly string[];
    allowedRecipientRoles: readonly string[];
    allowedSplitRoles: readonly string[];
  }>;
  requirements: readonly Requirement[];
}>;

/** A check gives the paths that it finds wanting, with reasons of their own where the general ones say too little. */
export type Check = (intent: IntentDraft, facts: Facts, rule: ScenarioRule) => readonly Finding[];
export type Finding = RequirementPath | Readonly<{ path: RequirementPath; at?: string; reason?: string }>;

/** Judges an intent as it stands: the one function behind requirements, dry-run and submit. */
export function evaluateIntent(intent: IntentDraft, facts: Facts): Evaluation {
  const found = findRule(intent);
  const rule = "rule" in found ? found.rule : undefined;
  const findings = "rule" in found ? checkAll(intent, facts, found.rule) : [toRequirement(found.blockedBy)];
  const { provider, action, version, maxRecipients, acceptedLimitations } = facts.connector;
  return {
    rule: { status: statusOf(rule, facts), missingRequirements: findings.map(({ path }) => path) },
    connector: { provider, action, version },
    limits: { maxRecipients },
    controls: {
      acceptedLimitations,
      allowedRecipientRoles: rule?.recipientRoles ?? [],
      allowedSplitRoles: rule?.splitRoles ?? [],
    },
    requirements: findings,
  };
}

/** What a scenario will ask for, before there is any data: the same judgement of an intent with nothing filled in. */
export function previewRequirements(
  scenario: Scenario,
  permissions: readonly Permission[],
  { rail, describe }: Readonly<{ rail: RailDescription; describe(asked: Scenario): ConnectorDescription }>,
) {
  const found = findRule(scenario);
  const recipients = "rule" in found ? found.rule.previewRoles.map((role) => ({ role })) : [];
  const none = { payees: new Map(), parties: new Map(), documents: new Map() };
  const nothing = { tenantId: "", nowMs: 0, rates: referenceRates, ...none };
  return evaluateIntent(
    { ...scenario, recipients, termsAccepted: true },
    { ...nothing, permissions, rail, connector: describe(scenario) },
  );
}

function statusOf(rule: ScenarioRule | undefined, facts: Facts): RuleStatus {
  if (rule === undefined) return "blocked";
  return rule.gate === undefined || facts.permissions.includes(rule.gate) ? "enabled" : "contract_gated";
}

const checks: readonly Check[] = [
  missingFields,
  unknownParties,
  recipientChecks,
  shareChecks,
  currencyChecks,
  corridorChecks,
  ...batchChecks,
  reissueChecks,
  ...manualPaymentChecks.map(quotedOnly),
  ...documentChecks,
];

/** A batch makes its own quotes, and a link has none before somebody pays it. */
function quotedOnly(check: Check): Check {
  return (intent, facts, rule) => (rule.executes === "quoted_payment" ? check(intent, facts, rule) : []);
}

function checkAll(intent: IntentDraft, facts: Facts, rule: ScenarioRule): Requirement[] {
  const byPath = new Map<string, Requirement>();
  for (const check of checks) {
    for (const finding of check(intent, facts, rule)) {
      const requirement = toRequirement(finding);
      if (!byPath.has(requirement.path)) byPath.set(requirement.path, requirement);
    }
  }
  return [...byPath.values()];
}

function toRequirement(finding: Finding): Requirement {
  if (typeof finding === "string") return { path: finding, ...requirementTexts[finding] };
  const { path, at, reason } = finding;
  return { path: at ?? path, ...requirementTexts[path], ...(reason !== undefined && { reason }) };
}

/** The fields that the rule's row asks for and the intent lacks, in the row's order. */
function missingFields(intent: IntentDraft, _facts: Facts, rule: ScenarioRule): Finding[] {
  const recipients = intent.recipients ?? [];
  const missing: Finding[] = recipients.length === 0 ? ["recipients"] : [];
  for (const path of rule.requires) {
    if (!path.includes("*")) {
      if (!isPresent(intent, path)) missing.push(path);
      continue;
    }
    recipients.forEach((_, index) => {
      const at = path.replace("*", String(index));
      if (!isPresent(intent, at)) missing.push({ path, at });
    });
  }
  return missing;
}

function isPresent(intent: IntentDraft, path: string): boolean {
  if (path === "payer.partyId" && intent.payer.details !== undefined) return true;
  return path.split(".").reduce<unknown>(fieldOf, intent) !== undefined;
}

const fieldOf = (node: unknown, key: string): unknown =>
  typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined;

/** A party id that nobody has; inline details win over it, so that it then does not matter (DESIGN 17). */
function unknownParties(intent: IntentDraft, facts: Facts): Finding[] {
  const named = [
    { path: "payer.partyId" as const, party: intent.payer },
    { path: "subject.partyId" as const, party: intent.subject },
  ];
  return named
    .filter(
      ({ party }) => party?.partyId !== undefined && party.details === undefined && !facts.parties.has(party.partyId),
    )
    .map(({ path }) => ({ path, reason: "No student or payer has this id" }));
}

function recipientChecks(intent: IntentDraft, facts: Facts, rule: ScenarioRule): Finding[] {
  const recipients = intent.recipients ?? [];
  const findings = recipients.flatMap((recipient, index): Finding[] => [
    ...(recipient.role !== undefined && !rule.recipientRoles.includes(recipient.role)
      ? [{ path: "recipients.*.role" as const, at: `recipients.${index}.role` }]
      : []),
    ...(recipient.splitRole !== undefined && !rule.splitRoles.includes(recipient.splitRole)
      ? [{ path: "recipients.*.splitRole" as const, at: `recipients.${index}.splitRole` }]
      : []),
    ...payeeFindings(recipient, facts, rule, `recipients.${index}.connectorPayeeId`),
  ]);
  const orders = recipients.map((recipient, index) => recipient.order ?? index);
  if (new Set(orders).size < orders.length) findings.push("recipients.order");
  if (recipients.length > facts.connector.maxRecipients) findings.push("recipients.maxRecipients");
  return findings;
}

function payeeFindings({ role, connectorPayeeId }: Recipient, facts: Facts, rule: ScenarioRule, at: string): Finding[] {
  const path = "recipients.*.connectorPayeeId";
  if (connectorPayeeId === undefined) return [];
  if (!facts.payees.has(connectorPayeeId)) return [{ path, at }];
  const isTenant = role === "tenant" && rule.recipientRoles.includes("tenant");
  if (!isTenant || connectorPayeeId === tenantPayeeId(facts.tenantId)) return [];
  return [{ path, at, reason: "The tenant's leg is paid to the tenant itself: paymentAccess.tenantId" }];
}

/** Shares are checked once all are there: what is missing is said field by field. */
function shareChecks(intent: IntentDraft, _facts: Facts, rule: ScenarioRule): Finding[] {
  if (!rule.requires.includes("recipients.*.amount.portionBps")) return [];
  const shares = (intent.recipients ?? []).flatMap(({ amount }) => amount?.portionBps ?? []);
  const complete = shares.length > 0 && shares.length === intent.recipients?.length;
  return complete && shares.reduce((sum, share) => sum + share, 0) !== 10_000 ? ["recipients.portionBpsSum"] : [];
}

/**
 * A link has one display currency (DESIGN 17), and links and batches pay every recipient in the payee's own. The
 * tenant's leg of a link is in the link's currency, whatever that is (Decision 018), and who has no role yet may be it.
 */
function currencyChecks(intent: IntentDraft, facts: Facts, rule: ScenarioRule): Finding[] {
  if (rule.executes === "quoted_payment") return [];
  const recipients = intent.recipients ?? [];
  const currencies = new Set(recipients.flatMap(({ amount }) => amount?.currency ?? []));
  if (rule.executes === "link" && currencies.size > 1) return ["recipients.currency"];
  return recipients.flatMap(({ role, amount, connectorPayeeId }, index): Finding[] => {
    const payee = connectorPayeeId === undefined ? undefined : facts.payees.get(connectorPayeeId);
    const isTenant = role === "tenant" || role === undefined;
    if (isTenant || payee === undefined || (amount?.currency ?? payee.currencyCode) === payee.currencyCode) return [];
    const at = `recipients.${index}.amount.currency`;
    return [{ path: "recipients.*.amount.currency", at, reason: `The payee is paid in ${payee.currencyCode}` }];
  });
}

/** A link that holds its payers to a country can be paid from there; it could not be called back (SPEC, Limits). */
function corridorChecks({ instructions }: IntentDraft, _facts: Facts, rule: ScenarioRule): Finding[] {
  const { payFromCountryCode, lockedFields = [] } = instructions?.paymentLink ?? {};
  if (rule.executes !== "link" || !lockedFields.includes("pay_from_country")) return [];
  const canPay = payFromCountryCode !== undefined && methodsFrom(payFromCountryCode).length > 0;
  return canPay ? [] : ["instructions.paymentLink.payFromCountryCode"];
}

/** What failed or was cancelled may be paid again, with the amounts that it had. */
function reissueChecks({ instructions, recipients = [] }: IntentDraft, facts: Facts, rule: ScenarioRule): Finding[] {
  if (rule.fixes !== "whichever_is_stated") return [];
  const { status, by } = facts.reissued ?? {};
  const named = instructions?.reissue?.paymentIntentId !== undefined;
  const path = "instructions.reissue.paymentIntentId";
  const isOver = status === "failed" || status === "cancelled";
  const isTaken = by !== undefined && by !== facts.holder?.intentId;
  const problem = status === undefined ? "No intent has this id" : `The intent is ${status}`;
  const findings: Finding[] = [];
  if (named && !isOver) findings.push({ path, reason: problem });
  if (named && isOver && isTaken) findings.push({ path, reason: `The intent is paid again already, by ${by}` });
  const unstated = recipients.flatMap(({ amount }, index): Finding[] => {
    const isStated = amount?.payerAmount !== undefined || amount?.payeeAmount !== undefined;
    return isStated ? [] : [{ path: "recipients.*.amount.payerAmount", at: `recipients.${index}.amount.payerAmount` }];
  });
  return [...findings, ...unstated];
}
