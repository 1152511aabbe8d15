import type { Payee } from "../parties/payee.ts";
import type { Recipient } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import { costOf, settlementOf } from "./pricing.ts";
import type { QuoteVariant } from "./quote.ts";
import { readAmount, sidesOf } from "./stated-amounts.ts";

/** Both sides of one recipient's leg. */
export type LegAmounts = Readonly<{ payerAmount: string; payeeAmount: string; payeeCurrency: string }>;

/**
 * The amounts of a leg: the caller fixed one of them, and the other follows from the quote's rate. The tenant's own leg
 * is in the payer's currency and is not converted (SPEC, behaviour rule 11). Undefined while the fixed amount is
 * missing, or would have to be rounded.
 */
export function legAmounts(
  recipient: Recipient,
  rule: Pick<ScenarioRule, "fixes">,
  variant: QuoteVariant,
  payee: Payee,
): LegAmounts | undefined {
  const { field, exact, currencies } = readAmount(recipient, rule, payee, sidesOf(variant));
  const payeeCurrency = currencies.payeeAmount;
  if (exact === undefined || payeeCurrency === undefined) return undefined;
  return field === "payerAmount"
    ? { payerAmount: exact, payeeAmount: settlementOf(variant, exact, payee.id, payeeCurrency), payeeCurrency }
    : { payerAmount: costOf(variant, exact, payee.id, payeeCurrency), payeeAmount: exact, payeeCurrency };
}
