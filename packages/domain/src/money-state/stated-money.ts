import type { Money } from "../amounts/money.ts";
import type { Payee } from "../parties/payee.ts";
import type { IntentDraft, Recipient } from "../scenarios/draft.ts";

/** The payees that recipients name, as far as they are known. */
export type PayeeCurrencies = ReadonlyMap<number, Pick<Payee, "currencyCode">>;

/** The currencies that a draft leaves out: those of its payees, and the payer's in its quote. */
export type UnstatedCurrencies = Readonly<{ payees: PayeeCurrencies; quotedCurrency?: string }>;

/** The quote that alone knows in which currency a draft states what its payer pays; undefined where none does. */
export function quoteOfAmounts({ recipients = [], instructions }: Pick<IntentDraft, "recipients" | "instructions">) {
  const { quoteId, selectedQuoteVariantId: variantId } = instructions?.manualPayment ?? {};
  const isOpen = recipients.some(({ amount }) => amount?.payerAmount !== undefined && amount.currency === undefined);
  return isOpen && quoteId !== undefined && variantId !== undefined ? { quoteId, variantId } : undefined;
}

/** The amounts that a recipient states. A stated currency is that of the one amount that stands beside it. */
export function statedMoney(
  { connectorPayeeId, role, amount = {} }: Recipient,
  { payees, quotedCurrency }: UnstatedCurrencies,
): Readonly<{ payerAmount?: Money; payeeAmount?: Money }> {
  const { payerAmount, payeeAmount, currency } = amount;
  const own = role === "tenant" ? undefined : payees.get(connectorPayeeId ?? 0)?.currencyCode;
  const payer = toMoney(payerAmount, (payeeAmount === undefined ? currency : undefined) ?? quotedCurrency);
  const payee = toMoney(payeeAmount, own ?? (payerAmount === undefined ? currency : undefined));
  return { ...(payer !== undefined && { payerAmount: payer }), ...(payee !== undefined && { payeeAmount: payee }) };
}

/** An amount beside its currency; undefined where either is missing. */
export const toMoney = (amount: string | undefined, currency: string | undefined): Money | undefined =>
  amount === undefined || currency === undefined ? undefined : { amount, currency };
