import { type Decimal, fitsMinorUnits, toFixedMinor } from "../amounts/money.ts";
import type { Payee } from "../parties/payee.ts";
import type { Recipient } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import type { QuoteVariant } from "./quote.ts";

/** The two sides of a leg: what the payer gives, and what the payee gets. */
export type AmountField = "payerAmount" | "payeeAmount";

/**
 * The currency of what the payer gives, and that of the tenant's own leg, which is never converted (SPEC, behaviour
 * rule 11). A currency is undefined while it is not known before somebody pays.
 */
export type Sides = Readonly<{ payer: string | undefined; tenant: string | undefined }>;

/** The currencies that a variant gives: the payer's, in which the tenant's leg is as well. */
export const sidesOf = ({ fromCurrency }: QuoteVariant): Sides => ({ payer: fromCurrency, tenant: fromCurrency });

/** The amount of one recipient, read by the mode of its scenario. */
export type StatedAmount = Readonly<{
  /** The amount that the mode fixes; undefined for shares, whose amounts the payer decides. */
  field: AmountField | undefined;
  /** The currency of each side. */
  currencies: Readonly<Record<AmountField, string | undefined>>;
  /** The currency of the fixed amount, which a stated `currency` must be. */
  currency: string | undefined;
  /** The amount stated in `field`, as it was written. */
  written: Decimal | undefined;
  /** The same amount with the decimals of its currency: zeros are dropped or added, and nothing is ever rounded. */
  exact: Decimal | undefined;
}>;

/** Reads the amount of a recipient whose payee is known, in the same way for every mode. */
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
  // A share is a part of what the payees get.
  const currency = currencies[field ?? "payeeAmount"];
  const written = field === undefined ? undefined : recipient.amount?.[field];
  const isExact = written !== undefined && currency !== undefined && fitsMinorUnits(written, currency);
  return { field, currencies, currency, written, exact: isExact ? toFixedMinor(written, currency) : undefined };
}

/** The amount of a recipient that the caller fixed; undefined for shares, whose amounts the payer decides. */
export function fixedField({ amount }: Recipient, fixes: ScenarioRule["fixes"]): AmountField | undefined {
  if (fixes === "portionBps") return undefined;
  if (fixes !== "whichever_is_stated") return fixes;
  return amount?.payeeAmount === undefined ? "payerAmount" : "payeeAmount";
}

/** The amount on the other side of the leg. */
export const otherField = (field: AmountField): AmountField =>
  field === "payerAmount" ? "payeeAmount" : "payerAmount";
