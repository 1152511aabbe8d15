import { pathsOf, valueAt } from "./intent-path.ts";
import type { IntentDraft } from "./payment-intent.ts";
import type { ScenarioRule } from "./scenario-rules.ts";
import { fixedField } from "./stated-amounts.ts";

/** What each way to pay has no use for (`*`: each recipient). The documents that a field names are spent all the same. */
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

/** The dotted paths that an intent states and that nothing follows from, so that nobody relies on them (Decision 004). */
export function ignoredFields(intent: IntentDraft, rule: ScenarioRule): string[] {
  const patterns = [...unusedBy[rule.executes]];
  if (rule.fixes !== "whichever_is_stated") patterns.push("instructions.reissue");
  // One reference applies to all payees of a link (SPEC, link connector constraints); theirs stand where it has none.
  const isShared = intent.instructions?.paymentLink?.reference !== undefined;
  if (rule.executes === "link" && isShared) patterns.push("recipients.*.reference");
  const paths = patterns.flatMap((pattern) => pathsOf(intent, pattern));
  return [...paths, ...unusedAmounts(intent, rule)].filter((path) => valueAt(intent, path) !== undefined);
}

/** The amount beside the fixed one is held against a quote, where there is one; shares count where they are asked for. */
function unusedAmounts({ recipients = [] }: IntentDraft, rule: ScenarioRule): string[] {
  const usesShares = rule.requires.includes("recipients.*.amount.portionBps");
  return recipients.flatMap((recipient, index) => {
    const unused = (["payerAmount", "payeeAmount"] as const).filter(
      (field) => rule.executes !== "quoted_payment" && field !== fixedField(recipient, rule.fixes),
    );
    return [...unused, ...(usesShares ? [] : ["portionBps"])].map((field) => `recipients.${index}.amount.${field}`);
  });
}
