import { referenceRates } from "../amounts/exchange-rates.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { isTerminal } from "../intents/statuses.ts";
import { paidAlready } from "../money-state/reissuable.ts";
import type { Permission } from "../parties/caller.ts";
import { methodsFrom } from "../quotes/payment-methods.ts";
import type { RailDescription } from "../rails/description.ts";
import type { RailOffer } from "../rails/rail.ts";
import type { IntentDraft } from "../scenarios/draft.ts";
import { findRule, type RuleStatus, type ScenarioRule } from "../scenarios/rules.ts";
import type { RecipientRole, Scenario, SplitRole } from "../scenarios/scenario.ts";
import { splitRolesOf } from "../scenarios/split-role.ts";
import { requirementTexts } from "../scenarios/texts.ts";
import { amountChecks } from "./amount-checks.ts";
import { batchChecks } from "./batch-checks.ts";
import { documentChecks } from "./document-checks.ts";
import type { Check, Facts, Finding, Requirement } from "./finding.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { partyChecks } from "./party-checks.ts";
import { pathsOf, valueAt } from "./path.ts";
import { manualPaymentChecks } from "./quote-checks.ts";
import { maxRecipientsOf, recipientChecks } from "./recipient-checks.ts";

/** The judgement that requirements and dry-run answer with, and that submit goes by. */
export type Evaluation = Readonly<{
  rule: Readonly<{ status: RuleStatus; missingRequirements: readonly string[] }>;
  connector: Pick<RailOffer, "provider" | "action" | "version">;
  limits: Readonly<{ maxRecipients: number }>;
  controls: Readonly<{
    acceptedLimitations: readonly string[];
    allowedRecipientRoles: readonly RecipientRole[];
    allowedSplitRoles: readonly SplitRole[];
    /** The dotted paths of stated fields that have no effect. */
    ignored: readonly string[];
  }>;
  requirements: readonly Requirement[];
}>;

/** Judges an intent as it stands: the one function behind requirements, dry-run and submit. */
export function evaluateIntent(intent: IntentDraft, facts: Facts): Evaluation {
  const found = findRule(intent);
  if (!("rule" in found))
    return toEvaluation(intent, facts, undefined, [toRequirement({ path: found.blockedBy, example: found.example })]);
  return toEvaluation(intent, facts, found.rule, checkAll(intent, facts, found.rule));
}

/** Judges a stored intent. An intent that is no longer a draft is refused for its status alone (Decision 004). */
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
  const { provider, action, version, maxRecipients, acceptedLimitations } = facts.offer;
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

/** The requirements of a scenario before there is any data: the judgement of an intent with nothing filled in. */
export function previewRequirements(
  scenario: Scenario,
  permissions: readonly Permission[],
  { rail, describe }: Readonly<{ rail: RailDescription; describe(asked: Scenario): RailOffer }>,
): Evaluation {
  const found = findRule(scenario);
  const recipients = "rule" in found ? found.rule.previewRoles.map((role) => ({ role })) : [];
  const none = { payees: new Map(), parties: new Map(), documents: new Map() };
  const nothing = { tenantId: "", nowMs: 0, rates: referenceRates, ...none };
  const { rule, requirements, ...judged } = evaluateIntent(
    { ...scenario, recipients, termsAccepted: true },
    { ...nothing, permissions, rail, offer: describe(scenario) },
  );
  const copied: readonly string[] = ("rule" in found && found.rule.copies) || [];
  const left = requirements.filter(({ path }) => !copied.includes(path));
  return { ...judged, rule: { ...rule, missingRequirements: left.map(({ path }) => path) }, requirements: left };
}

function statusOf(rule: ScenarioRule | undefined, facts: Facts): RuleStatus {
  if (rule === undefined) return "blocked";
  return rule.permission === undefined || facts.permissions.includes(rule.permission) ? "enabled" : "contract_gated";
}

const checks: readonly Check[] = [
  missingFields,
  ...partyChecks,
  ...recipientChecks,
  corridorChecks,
  ...batchChecks,
  reissueChecks,
  reviewChecks,
  arrivalChecks,
  ...manualPaymentChecks.map(quotedOnly),
  amountChecks,
  ...documentChecks,
];

/** The check for payments with a quote only: a batch makes its own, and a link has none before somebody pays it. */
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

/** A link locked to a country must be payable from there: once published it cannot be recalled (SPEC, Limits). */
function corridorChecks({ instructions }: IntentDraft, _facts: Facts, rule: ScenarioRule): Finding[] {
  const { payFromCountryCode, lockedFields = [] } = instructions?.paymentLink ?? {};
  if (rule.executes !== "link" || !lockedFields.includes("pay_from_country")) return [];
  const canPay = payFromCountryCode !== undefined && methodsFrom(payFromCountryCode).length > 0;
  return canPay ? [] : ["instructions.paymentLink.payFromCountryCode"];
}

/**
 * Nothing is paid while an operator looks into whether it was paid before: neither the draft itself, which a rail may have
 * accepted late, nor an intent that it pays again.
 */
function reviewChecks(_intent: unknown, { beside, reissued }: Facts): Finding[] {
  const { underReview } = beside ?? {};
  const own: Finding[] =
    underReview === undefined
      ? []
      : [
          {
            path: "underReview",
            reason: `The rail may have taken this payment; it is under review since ${underReview.since}`,
          },
        ];
  if (reissued?.underReview === undefined) return own;
  const { id, since } = reissued.underReview;
  const reason = `The money of ${id} may have arrived; it is under review since ${since}`;
  return [...own, { path: "instructions.reissue.paymentIntentId", reason }];
}

/** A payee that has its money is not paid again: neither by the draft itself, nor by a recipient of a reissue. */
function arrivalChecks({ recipients = [] }: IntentDraft, { beside, reissued }: Facts): Finding[] {
  const isPaid = beside?.corrections?.some(({ outcome }) => outcome === "arrived") === true;
  const own: Finding[] = isPaid ? [{ path: "status", reason: "The rail has paid this draft after all" }] : [];
  const again = new Set(reissued?.chain.flatMap((paid) => paidAlready(recipients, paid.again)));
  const reason = "This recipient has the money of the payment that is paid again";
  return [
    ...own,
    ...[...again].map(
      (index): Finding => ({
        path: "recipients.*.connectorPayeeId",
        at: `recipients.${index}.connectorPayeeId`,
        reason,
      }),
    ),
  ];
}

/** Whether nothing is missing but the end of a review, so that the very same submit may succeed later. */
export function waitsForReview(facts: Facts, requirements: readonly Requirement[]): boolean {
  const waited = reviewChecks(undefined, facts).map(toRequirement);
  const isWaited = ({ path, reason }: Requirement) => waited.some((one) => one.path === path && one.reason === reason);
  return requirements.length > 0 && requirements.every(isWaited);
}

/**
 * A reissue names an intent in a final status, of which money failed or came back. No other reissue pays it. It states
 * every amount.
 */
function reissueChecks({ instructions, recipients = [] }: IntentDraft, facts: Facts, rule: ScenarioRule): Finding[] {
  if (rule.fixes !== "whichever_is_stated") return [];
  const { status, by, chain = [] } = facts.reissued ?? {};
  const named = instructions?.reissue?.paymentIntentId !== undefined;
  const path = "instructions.reissue.paymentIntentId";
  const isOver = status !== undefined && isTerminal(status);
  const isPaid = chain[0]?.again.recipients === 0;
  const isTaken = by !== undefined && by !== facts.holder?.intentId;
  const problem = status === undefined ? "No intent has this id" : `The intent is ${status}`;
  const findings: Finding[] = [];
  if (named && !isOver) findings.push({ path, reason: problem });
  if (isOver && isPaid) findings.push({ path, reason: "No money of the intent has failed or come back" });
  if (isOver && isTaken) findings.push({ path, reason: `The intent is paid again already, by ${by}` });
  const unstated = recipients.flatMap(({ amount }, index): Finding[] => {
    const isStated = amount?.payerAmount !== undefined || amount?.payeeAmount !== undefined;
    return isStated ? [] : [{ path: "recipients.*.amount.payerAmount", at: `recipients.${index}.amount.payerAmount` }];
  });
  return [...findings, ...unstated];
}
