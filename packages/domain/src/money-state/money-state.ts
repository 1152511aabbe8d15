import { addAmounts, type Money } from "../amounts/money.ts";

/**
 * Where the money of one recipient, or a fee, is (Decision 030):
 *
 * - `planned`: no rail has accepted the payment, so that nobody owes anything;
 * - `owed`: a rail has accepted it, and the payer is to send the money;
 * - `received`: the rail tells that the payer's money came in, and delivery is pending;
 * - `delivered`: the rail tells that the payee has it;
 * - `failed`: it was declined, cancelled or never moved;
 * - `returned`: it had been delivered, and came back.
 */
export const moneyStates = ["planned", "owed", "received", "delivered", "failed", "returned"] as const;
export type MoneyState = (typeof moneyStates)[number];

/** The money of one recipient, or a fee, as it stands now. A side is absent while it is not known. */
export type MoneyPart = Readonly<{
  part: "recipient" | "fee";
  state: MoneyState;
  /** The recipient's `order`; a fee has one in a batch, where each recipient has a fee. */
  order?: number;
  /** The execution that moves it: of a batch, the recipient's own (`<execution>:<order>`); absent while it is planned. */
  executionId?: string;
  /** The cost to the payer; of a recipient, without the fee. */
  payerAmount?: Money;
  /** The amount for the payee; a fee has none. */
  payeeAmount?: Money;
  /** Present where it failed after the payer's money had come in, so that it is owed back to the payer. */
  isOwedBack?: true;
  /** When it came back, in ISO 8601; present exactly while it is `returned`. */
  returnedAt?: string;
}>;

/** Sums of parts, one for each currency: both sides of the recipients' parts, and the fees in the payer's currency. */
export type MoneySums = Readonly<Record<"payerAmount" | "payeeAmount" | "fee", readonly Money[]>>;

/** The sums of a payment's parts by their state, without the states in which nothing is. */
export type MoneyByState = Readonly<Partial<Record<MoneyState, MoneySums>>>;

export function sumByState(parts: readonly MoneyPart[]): MoneyByState {
  const byState = Map.groupBy(parts, ({ state }) => state);
  return Object.fromEntries(
    moneyStates.flatMap((state) => {
      const some = byState.get(state);
      return some === undefined ? [] : [[state, sumParts(some)]];
    }),
  );
}

export function sumParts(parts: readonly MoneyPart[]): MoneySums {
  const recipients = parts.filter(({ part }) => part === "recipient");
  const fees = parts.filter(({ part }) => part === "fee");
  return {
    payerAmount: sumMoney(recipients.flatMap(({ payerAmount }) => payerAmount ?? [])),
    payeeAmount: sumMoney(recipients.flatMap(({ payeeAmount }) => payeeAmount ?? [])),
    fee: sumMoney(fees.flatMap(({ payerAmount }) => payerAmount ?? [])),
  };
}

/** One sum for each currency, in the order in which the currencies first come. */
export function sumMoney(all: readonly Money[]): Money[] {
  return [...Map.groupBy(all, ({ currency }) => currency)].map(([currency, some]) => ({
    currency,
    amount: addAmounts(...some.map(({ amount }) => amount)),
  }));
}
