import { type Decimal, fitsMinorUnits, toFixedMinor } from "./money.ts";
import type { Payee } from "./payee.ts";
import type { Recipient } from "./payment-intent.ts";
import type { QuoteVariant } from "./quote.ts";
import type { ScenarioRule } from "./scenario-rules.ts";

/** The two sides of a leg: what the payer gives, and what the payee gets. */
export type AmountField = "payerAmount" | "payeeAmount";

/**
 * The currency of what the payer gives, and that of the tenant's own leg, which is never converted (SPEC, behaviour
 * rule 11). Undefined is what nobody knows before somebody pays.
 */
export type Sides = Readonly<{ payer: string | undefined; tenant: string | undefined }>;

/** By a variant, be it of a quote or of a batch's transfer, the payer's currency is known, and the tenant's leg is in it. */
export const sidesOf = ({ fromCurrency }: QuoteVariant): Sides => ({ payer: fromCurrency, tenant: fromCurrency });

/** What the amount of one recipient says by the mode of its scenario. */
export type StatedAmount = Readonly<{
  /** Which amount the mode fixes; undefined for shares, whose amounts the payer decides. */
  field: AmountField | undefined;
  /** The currency of each side. */
  currencies: Readonly<Record<AmountField, string | undefined>>;
  /** The currency of what the mode fixes, which is that of a `currency` stated beside it. */
  currency: string | undefined;
  /** What was stated in `field`, as it was written. */
  written: Decimal | undefined;
  /** The same with the decimals of its currency: zeros are dropped or added, and nothing is ever rounded. */
  exact: Decimal | undefined;
}>;

/** Reads the amount of a recipient whose payee is known: one field, one side and one currency, in every mode. */
export function readAmount(
  recipient: Recipient,
  { fixes }: Pick<ScenarioRule, "fixes">,
  payee: Payee,
  sides: Sides,
): StatedAmount {
  const field = fixedField(recipient, fixes);
  const currencies = {
    payerAmount: sides.payer,
    payeeAmount: recipient.role === "tenant" ? sides.tenant : payee.currencyCode,
  };
  // A share is one of what the payees get.
  const currency = currencies[field ?? "payeeAmount"];
  const written = field === undefined ? undefined : recipient.amount?.[field];
  const isExact = written !== undefined && currency !== undefined && fitsMinorUnits(written, currency);
  return { field, currencies, currency, written, exact: isExact ? toFixedMinor(written, currency) : undefined };
}

/** Which amount of a recipient the caller fixed; undefined for shares, whose amounts the payer decides. */
export function fixedField({ amount }: Recipient, fixes: ScenarioRule["fixes"]): AmountField | undefined {
  if (fixes === "portionBps") return undefined;
  if (fixes !== "whichever_is_stated") return fixes;
  return amount?.payeeAmount === undefined ? "payerAmount" : "payeeAmount";
}

/** The amount on the other side of the leg. */
export const otherField = (field: AmountField): AmountField =>
  field === "payerAmount" ? "payeeAmount" : "payerAmount";
