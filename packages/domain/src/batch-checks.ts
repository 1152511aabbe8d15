import { transferTo } from "./bulk.ts";
import { legAmounts } from "./leg-amounts.ts";
import { addAmounts, compareAmounts } from "./money.ts";
import type { IntentDraft } from "./payment-intent.ts";
import { methodsFrom } from "./payment-methods.ts";
import type { Check, Facts, Finding } from "./requirements.ts";
import type { ScenarioRule } from "./scenario-rules.ts";

/** What submit checks of a batch only: it makes its own quotes, and must fit in one item. */
export const batchChecks: readonly Check[] = [takesNoProofs, fitsOneItem, fitsTheRail].map(bulkOnly);

function bulkOnly(check: Check): Check {
  return (intent, facts, rule) => (rule.executes === "bulk" ? check(intent, facts, rule) : []);
}

/** A proof for each recipient would not fit in the one transaction of a claim. */
function takesNoProofs({ recipients = [] }: IntentDraft): Finding[] {
  return recipients.flatMap(({ purposeProofDocumentId }, index): Finding[] => {
    if (purposeProofDocumentId === undefined) return [];
    const at = `recipients.${index}.purposeProofDocumentId`;
    return [{ path: "recipients.*.purposeProofDocumentId", at, reason: "A batch takes no proofs" }];
  });
}

/** UTF-8 bytes. DynamoDB's 400 KB per item must also hold how each of 500 recipients ended (H11). */
const BATCH_BYTES_MAX = 190_000;

function fitsOneItem({ recipients = [] }: IntentDraft): Finding[] {
  const bytes = new TextEncoder().encode(JSON.stringify(recipients)).length;
  return bytes > BATCH_BYTES_MAX ? ["recipients.size"] : [];
}

/** Every recipient is a payment of its own, within the rail's limits. */
function fitsTheRail(intent: IntentDraft, facts: Facts, rule: ScenarioRule): Finding[] {
  const countryCode = intent.instructions?.manualPayment?.countryCode;
  if (countryCode === undefined) return [];
  if (methodsFrom(countryCode).length === 0) {
    const reason = `No payment can be made from ${countryCode}`;
    return [{ path: "instructions.manualPayment.countryCode", reason }];
  }
  return (intent.recipients ?? []).flatMap((recipient, index): Finding[] => {
    const payee = recipient.connectorPayeeId === undefined ? undefined : facts.payees.get(recipient.connectorPayeeId);
    if (payee === undefined) return [];
    const transfer = transferTo(payee, countryCode, facts);
    if (!transfer.ok) {
      const { reason } = transfer.failure;
      return [{ path: "recipients.*.connectorPayeeId", at: `recipients.${index}.connectorPayeeId`, reason }];
    }
    if (recipient.amount?.payeeAmount === undefined) return [];
    const { fee, minAmount, maxAmount, fromCurrency } = transfer.value;
    const amounts = legAmounts(recipient, rule, transfer.value, payee);
    const cost = amounts && addAmounts(fee, amounts.payerAmount);
    if (cost !== undefined && compareAmounts(cost, minAmount) >= 0 && compareAmounts(cost, maxAmount) <= 0) return [];
    const reason =
      cost === undefined
        ? "More decimals than its currency has"
        : `It costs ${cost} ${fromCurrency} with the fee, and the rail takes ${minAmount} to ${maxAmount}`;
    return [{ path: "recipients.*.amount.payeeAmount", at: `recipients.${index}.amount.payeeAmount`, reason }];
  });
}
