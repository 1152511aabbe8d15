import { fixedField } from "../quotes/stated-amounts.ts";
import type { IntentDraft } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import { pathsOf, valueAt } from "./path.ts";

/** The fields that each way to pay ignores (`*`: each recipient). A document that such a field names is still spent. */
const unusedBy: Record<ScenarioRule["executes"], readonly string[]> = {
  quoted_payment: ["name", "instructions.paymentLink", "recipients.*.purpose"],
  bulk: [
    "name",
    "instructions.paymentLink",
    "instructions.manualPayment.quoteId",
    "instructions.manualPayment.selectedQuoteVariantId",
    "instructions.manualPayment.quotePayoutOrderConfirmed",
  ],
  link: ["subject", "instructions.manualPayment", "recipients.*.purpose"],
};

/** The dotted paths of stated fields without effect; callers are told, so as not to rely on them (Decision 004). */
export function ignoredFields(intent: IntentDraft, rule: ScenarioRule): string[] {
  const patterns = [...unusedBy[rule.executes]];
  if (rule.fixes !== "whichever_is_stated") patterns.push("instructions.reissue");
  // A link's reference applies to all its payees (SPEC, link connector constraints); without one, theirs are used.
  const isShared = intent.instructions?.paymentLink?.reference !== undefined;
  if (rule.executes === "link" && isShared) patterns.push("recipients.*.reference");
  const paths = patterns.flatMap((pattern) => pathsOf(intent, pattern));
  return [...paths, ...unusedAmounts(intent, rule)].filter((path) => valueAt(intent, path) !== undefined);
}

/** The amount beside the fixed one is used where a quote can check it, and shares where the rule requires them. */
function unusedAmounts({ recipients = [] }: IntentDraft, rule: ScenarioRule): string[] {
  const usesShares = rule.requires.includes("recipients.*.amount.portionBps");
  return recipients.flatMap((recipient, index) => {
    const unused = (["payerAmount", "payeeAmount"] as const).filter(
      (field) => rule.executes !== "quoted_payment" && field !== fixedField(recipient, rule.fixes),
    );
    return [...unused, ...(usesShares ? [] : ["portionBps"])].map((field) => `recipients.${index}.amount.${field}`);
  });
}
