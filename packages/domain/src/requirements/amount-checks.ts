import { fitsLimits } from "../quotes/pricing.ts";
import type { IntentDraft } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import { judgeBatch } from "./batch-checks.ts";
import type { Facts, Finding } from "./finding.ts";
import { type JudgedRecipient, judgeRecipients } from "./judged-recipients.ts";
import { linkLimits } from "./link-checks.ts";

/** Judges the amounts of an intent: each by itself, and all together against the rail's limits. */
export function amountChecks(intent: IntentDraft, facts: Facts, rule: ScenarioRule): readonly Finding[] {
  const judged = judgeRecipients(intent, facts, rule);
  const findings = judged.flatMap((one) => one.findings);
  return [
    ...(rule.executes === "link" ? inOneCurrency(intent, findings) : findings),
    ...limitsOf[rule.executes](judged, intent, facts),
  ];
}

/** A link has one display currency (DESIGN 17). Where several are stated, nobody can say which of them is wrong. */
function inOneCurrency({ recipients = [] }: IntentDraft, findings: readonly Finding[]): readonly Finding[] {
  const currencies = new Set(recipients.flatMap(({ amount }) => amount?.currency ?? []));
  if (currencies.size < 2) return findings;
  const isCurrency = (finding: Finding) =>
    typeof finding !== "string" && finding.path === "recipients.*.amount.currency";
  return ["recipients.currency", ...findings.filter((finding) => !isCurrency(finding))];
}

type Limits = (judged: readonly JudgedRecipient[], intent: IntentDraft, facts: Facts) => readonly Finding[];

/** Holds a payment against the rail's limits, once every leg of it is known. */
const limitsOf: Record<ScenarioRule["executes"], Limits> = {
  quoted_payment: (judged) => {
    const legs = judged.flatMap(({ leg }) => leg ?? []);
    const [first] = legs;
    if (first === undefined || legs.length < judged.length) return [];
    const sent = legs.map(({ amounts }) => amounts.payerAmount);
    return fitsLimits(first.variant, sent) ? [] : ["recipients.totalAmount"];
  },
  bulk: judgeBatch,
  // The payer's country and method are known only when a payer of the link asks for a quote.
  link: (judged, intent, facts) =>
    judged.some(({ findings }) => findings.length > 0) ? [] : linkLimits(intent, facts),
};
