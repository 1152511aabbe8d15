import { inOrder, type Recipient } from "../scenarios/draft.ts";
import type { MoneyPart, MoneyState } from "./money-state.ts";

/** Whether money in this state may be paid again: the payee has none of it, and nothing moves it any more. */
export const mayBePaidAgain = (state: MoneyState): boolean => state === "failed" || state === "returned";

/** The recipients of a payment that may be paid again, by their `order`. */
export function payableAgain(parts: readonly MoneyPart[]): ReadonlySet<number> {
  const recipients = parts.filter(({ part }) => part === "recipient");
  const byOrder = Map.groupBy(recipients, ({ order = 0 }) => order);
  return new Set(
    [...byOrder].filter(([, some]) => some.every(({ state }) => mayBePaidAgain(state))).map(([order]) => order),
  );
}

/** How much of a payment may be paid again. */
export type Reissuable = Readonly<{
  /** The number of recipients that may be. */
  recipients: number;
  /** How many of them are of one payee, for each payee that has money of this payment. */
  perPayee: ReadonlyMap<string, number>;
}>;

export function reissuableOf(recipients: readonly Recipient[], parts: readonly MoneyPart[]): Reissuable {
  const payable = payableAgain(parts);
  const byPayee = [...Map.groupBy(inOrder(recipients), payeeOf)];
  const perPayee = byPayee.flatMap(([payee, some]): [string, number][] => {
    const open = some.filter(({ order }) => payable.has(order)).length;
    return open === some.length ? [] : [[payee, open]];
  });
  return { recipients: payable.size, perPayee: new Map(perPayee) };
}

/** The places of recipients whose payee has its money already, from the payment that is paid again. */
export function paidAlready(recipients: readonly Recipient[], { perPayee }: Reissuable): number[] {
  const byPayee = Map.groupBy(recipients.keys(), (index) => payeeOf(recipients[index] ?? {}));
  return [...byPayee].flatMap(([payee, places]) => places.slice(perPayee.get(payee) ?? places.length));
}

/** A tenant's leg has no payee; a payment has one at most. */
const payeeOf = ({ connectorPayeeId, role }: Pick<Recipient, "connectorPayeeId" | "role">): string =>
  String(connectorPayeeId ?? role);
