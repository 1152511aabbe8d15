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
  const field = fixedField(recipient, fixes);
  const stated = field === undefined ? undefined : recipient.amount?.[field];
  if (stated === undefined) return undefined;
  if (field === "payerAmount") {
    if (!fitsMinorUnits(stated, variant.fromCurrency)) return undefined;
    const payerAmount = toFixedMinor(stated, variant.fromCurrency);
    return { payerAmount, payeeAmount: settlementOf(variant, payerAmount, payee.id, payeeCurrency), payeeCurrency };
  }
  if (!fitsMinorUnits(stated, payeeCurrency)) return undefined;
  const payeeAmount = toFixedMinor(stated, payeeCurrency);
  return { payerAmount: costOf(variant, payeeAmount, payee.id, payeeCurrency), payeeAmount, payeeCurrency };
}

/** Which amount of a recipient the caller fixed; undefined for shares, whose amounts the payer decides. */
export function fixedField(
  { amount }: Recipient,
  fixes: ScenarioRule["fixes"],
): "payerAmount" | "payeeAmount" | undefined {
  if (fixes === "portionBps") return undefined;
  if (fixes !== "whichever_is_stated") return fixes;
  return amount?.payeeAmount === undefined ? "payerAmount" : "payeeAmount";
}
