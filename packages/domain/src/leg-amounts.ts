import { fitsMinorUnits, toFixedMinor } from "./money.ts";
import type { Payee } from "./payee.ts";
import type { Recipient } from "./payment-intent.ts";
import { costOf, settlementOf } from "./pricing.ts";
import type { QuoteVariant } from "./quote.ts";
import type { ScenarioRule } from "./scenario-rules.ts";

/** What one recipient's leg moves: what the payer pays for it, and what the payee gets. */
export type LegAmounts = Readonly<{ payerAmount: string; payeeAmount: string; payeeCurrency: string }>;

/**
 * A leg by the field that the caller fixed: everything else follows from the quote's rate. The tenant's own leg is in
 * the payer's currency and is not converted (SPEC, behaviour rule 11). Undefined while that field is missing, or has
 * more decimals than its currency.
 */
export function legAmounts(
  recipient: Recipient,
  { fixes }: Pick<ScenarioRule, "fixes">,
  variant: QuoteVariant,
  payee: Payee,
): LegAmounts | undefined {
  const payeeCurrency = recipient.role === "tenant" ? variant.fromCurrency : payee.currencyCode;
  if (!fitsItsCurrency(recipient, fixes, variant.fromCurrency, payeeCurrency)) return undefined;
  const { payerAmount, payeeAmount } = recipient.amount ?? {};
  if (fixes === "payerAmount" && payerAmount !== undefined) {
    const paid = toFixedMinor(payerAmount, variant.fromCurrency);
    return { payerAmount: paid, payeeAmount: settlementOf(variant, paid, payee.id, payeeCurrency), payeeCurrency };
  }
  if (fixes === "payeeAmount" && payeeAmount !== undefined) {
    const received = toFixedMinor(payeeAmount, payeeCurrency);
    return { payerAmount: costOf(variant, received, payee.id, payeeCurrency), payeeAmount: received, payeeCurrency };
  }
  return undefined;
}

/** Whether the amount that the caller fixed has no more decimals than its currency. */
function fitsItsCurrency(
  { amount }: Recipient,
  fixes: ScenarioRule["fixes"],
  payerCurrency: string,
  payeeCurrency: string,
): boolean {
  if (fixes === "portionBps") return true;
  const stated = amount?.[fixes];
  return stated === undefined || fitsMinorUnits(stated, fixes === "payerAmount" ? payerCurrency : payeeCurrency);
}
