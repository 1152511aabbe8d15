import type { Money } from "../amounts/money.ts";
import type { Payee } from "../parties/payee.ts";
import type { Recipient } from "../scenarios/draft.ts";

/** The payees that recipients name, as far as they are known. */
export type PayeeCurrencies = ReadonlyMap<number, Pick<Payee, "currencyCode">>;

/** The amounts that a recipient states. A stated currency is that of the one amount that stands beside it. */
export function statedMoney(
  { connectorPayeeId, role, amount = {} }: Recipient,
  payees: PayeeCurrencies,
): Readonly<{ payerAmount?: Money; payeeAmount?: Money }> {
  const { payerAmount, payeeAmount, currency } = amount;
  const own = role === "tenant" ? undefined : payees.get(connectorPayeeId ?? 0)?.currencyCode;
  const payer = toMoney(payerAmount, payeeAmount === undefined ? currency : undefined);
  const payee = toMoney(payeeAmount, own ?? (payerAmount === undefined ? currency : undefined));
  return { ...(payer !== undefined && { payerAmount: payer }), ...(payee !== undefined && { payeeAmount: payee }) };
}

/** An amount beside its currency; undefined where either is missing. */
export const toMoney = (amount: string | undefined, currency: string | undefined): Money | undefined =>
  amount === undefined || currency === undefined ? undefined : { amount, currency };
