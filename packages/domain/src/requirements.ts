import { amountChecks } from "./amount-checks.ts";
import { batchChecks } from "./batch-checks.ts";
import type { Permission } from "./caller.ts";
import type { ConnectorDescription } from "./connector.ts";
import type { DocumentHolder, PaymentDocument } from "./document.ts";
import { type ExchangeRates, referenceRates } from "./exchange-rates.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { pathsOf, valueAt } from "./intent-path.ts";
import { documentChecks, manualPaymentChecks } from "./manual-payment-checks.ts";
import type { PartyDetails } from "./party.ts";
import { partyChecks } from "./party-checks.ts";
import type { Payee } from "./payee.ts";
import type { IntentDraft, PaymentIntent, Scenario } from "./payment-intent.ts";
import { methodsFrom } from "./payment-methods.ts";
import type { Quote } from "./quote.ts";
import type { RailDescription } from "./rails.ts";
import { maxRecipientsOf, recipientChecks } from "./recipient-checks.ts";
import { type RequirementPath, type RequirementText, requirementTexts } from "./requirement-texts.ts";
import { findRule, type RuleStatus, type ScenarioRule } from "./scenario-rules.ts";
import { splitRolesOf } from "./split-role.ts";

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
    /** What is stated and has no effect, by its dotted paths. */
    ignored: readonly string[];
  }>;
  requirements: readonly Requirement[];
}>;

/** A check gives the paths that it finds wanting, with reasons of their own where the general ones say too little. */
export type Check = (intent: IntentDraft, facts: Facts, rule: ScenarioRule) => readonly Finding[];
export type Finding = RequirementPath | (Readonly<{ path: RequirementPath; at?: string }> & Partial<RequirementText>);

/** Judges an intent as it stands: the one function behind requirements, dry-run and submit. */
export function evaluateIntent(intent: IntentDraft, facts: Facts): Evaluation {
  const found = findRule(intent);
  if (!("rule" in found))
    return toEvaluation(intent, facts, undefined, [toRequirement({ path: found.blockedBy, example: found.example })]);
  return toEvaluation(intent, facts, found.rule, checkAll(intent, facts, found.rule));
}

/** Judges a stored intent. One that is no draft any more can only be refused, whatever it has or lacks (Decision 004). */
export function dryRun(intent: PaymentIntent, facts: Facts): Evaluation {
  if (intent.status === "draft") return evaluateIntent(intent, facts);
  const found = findRule(intent);
  const reason = `Only a draft can be submitted, and this intent is ${intent.status}`;
  return toEvaluation(intent, facts, "rule" in found ? found.rule : undefined, [
    toRequirement({ path: "status", reason }),
  ]);
}

function toEvaluation(
  intent: IntentDraft,
  facts: Facts,
  rule: ScenarioRule | undefined,
  requirements: readonly Requirement[],
): Evaluation {
  const { provider, action, version, maxRecipients, acceptedLimitations } = facts.connector;
  const { recipientRoles = [], splitRoles = [] } = rule ?? {};
  return {
    rule: { status: statusOf(rule, facts), missingRequirements: requirements.map(({ path }) => path) },
    connector: { provider, action, version },
    limits: { maxRecipients: maxRecipientsOf(rule, maxRecipients) },
    controls: {
      acceptedLimitations,
      allowedRecipientRoles: recipientRoles,
      allowedSplitRoles: splitRolesOf(recipientRoles, splitRoles),
      ignored: rule === undefined ? [] : ignoredFields(intent, rule),
    },
    requirements,
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
  ...partyChecks,
  ...recipientChecks,
  corridorChecks,
  ...batchChecks,
  reissueChecks,
  ...manualPaymentChecks.map(quotedOnly),
  amountChecks,
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
  const { path, at, ...said } = finding;
  return { path: at ?? path, ...requirementTexts[path], ...said };
}

/** The fields that the rule's row asks for and the intent lacks, in the row's order. */
function missingFields(intent: IntentDraft, _facts: Facts, rule: ScenarioRule): Finding[] {
  const nobody: Finding[] = (intent.recipients ?? []).length === 0 ? ["recipients"] : [];
  const missing = rule.requires.flatMap((path) =>
    pathsOf(intent, path)
      .filter((at) => !isPresent(intent, at))
      .map((at): Finding => ({ path, at })),
  );
  return [...nobody, ...missing];
}

const isPresent = (intent: IntentDraft, path: string): boolean =>
  valueAt(intent, path) !== undefined || (path === "payer.partyId" && intent.payer.details !== undefined);

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
