import type { BatchLeg } from "../batches/batch.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import {
  type CorrectedOutcome,
  type Correction,
  correctedStates,
  type UncorrectedEnd,
  uncorrectedEnds,
} from "../money-state/correction.ts";
import type { MoneyState } from "../money-state/money-state.ts";
import { mayBePaidAgain } from "../money-state/reissuable.ts";
import type { PaymentLeg } from "../rails/rail.ts";
import type { SplitRole } from "../scenarios/scenario.ts";
import { splitRoleOf } from "../scenarios/split-role.ts";
import { accountOf, type LedgerEntry } from "./ledger.ts";

/** A recipient of an execution that a reconciliation record is about, with the amounts of the order that the rail took. */
export type CorrectedRecipient = Pick<Correction, "executionId" | "order" | "payerAmount" | "payeeAmount"> &
  Readonly<{
    splitRole: SplitRole;
    /** The rail reported that the payer's money came in: the books owe it to the payer, wherever the payment ends. */
    isReceived?: boolean;
  }>;

/** How a recipient stands in the books before a correction: by its execution, or by its newest correction. */
export const standings = [...uncorrectedEnds, "arrived", "cameBack", "neverMoved"] as const;
export type Standing = (typeof standings)[number];

/** Where the books have the money: with nobody, with the payee, or back from there. */
type Place = "nobody" | "payee" | "back";

const placeOf = {
  released: "nobody",
  failed: "nobody",
  cancelled: "nobody",
  settled: "payee",
  arrived: "payee",
  cameBack: "back",
  neverMoved: "nobody",
} as const satisfies Record<Standing, Place>;

type Side = "receivable" | "settled" | "returned";
type Booking = Readonly<{ debit: Side; credit: Side }>;

/** Bookings for money of one place that is found at another: the difference, and never more. */
const bookings: Readonly<Record<Place, Readonly<Record<Place, Booking | undefined>>>> = {
  nobody: {
    nobody: undefined,
    payee: { debit: "receivable", credit: "settled" },
    back: { debit: "receivable", credit: "returned" },
  },
  payee: {
    nobody: { debit: "settled", credit: "receivable" },
    payee: undefined,
    back: { debit: "settled", credit: "returned" },
  },
  back: {
    nobody: { debit: "returned", credit: "receivable" },
    payee: { debit: "returned", credit: "settled" },
    back: undefined,
  },
};

/**
 * A correction's effect on a recipient: the entry, the state of its money, whether its commission is earned or taken
 * back, and whether it may be paid again.
 */
export type CorrectionRow = Readonly<{
  books?: Booking;
  state: MoneyState;
  commission?: "earned" | "taken back";
  mayBePaidAgain: boolean;
}>;

/** The row of the table for a recipient that stands so, and an operator's outcome. */
export function correctionRow(standing: Standing, outcome: CorrectedOutcome): CorrectionRow {
  const [before, after] = [placeOf[standing], placeOf[outcome]];
  const books = bookings[before][after];
  const isWith = (place: Place) => place === "payee";
  return {
    ...(books !== undefined && { books }),
    state: correctedStates[outcome],
    ...(isWith(before) !== isWith(after) && { commission: isWith(after) ? "earned" : "taken back" }),
    mayBePaidAgain: mayBePaidAgain(correctedStates[outcome]),
  };
}

/** The entries of a correction, whose number they carry: a later one books the difference from the one before. */
export function bookCorrection(
  { executionId, order, splitRole, isReceived, payerAmount: { amount, currency } }: CorrectedRecipient,
  { standing, outcome, number, at }: Pick<Correction, "outcome" | "number" | "at"> & Readonly<{ standing: Standing }>,
): LedgerEntry[] {
  const { books } = correctionRow(standing, outcome);
  if (books === undefined) return [];
  const accounts = {
    receivable: isReceived ? "owed_back" : "payer_receivable",
    settled: `settled:${accountOf(splitRole)}`,
    returned: `returned:${accountOf(splitRole)}`,
  } as const;
  const id = `${executionId}#${order}#corrected-${number}`;
  const sides = { debit: accounts[books.debit], credit: accounts[books.credit] };
  return [{ id, event: "corrected", ...sides, amount, currency, at }];
}

/** The entries of all corrections of a payment, by how its recipients stood before the first of each. */
export function bookCorrections(
  corrections: readonly Correction[],
  intent: PaymentIntent,
  legs: readonly BatchLeg[],
): LedgerEntry[] {
  const last = new Map<string, Correction>();
  return corrections
    .toSorted((one, other) => one.number - other.number)
    .flatMap((correction) => {
      const splitRole = splitRoleOf(intent.recipients, correction.order);
      const recipient = { ...correction, splitRole, isReceived: isReceived(intent, legs, correction) };
      const name = `${correction.executionId} ${correction.order}`;
      const standing = last.get(name)?.outcome ?? uncorrectedEnd(intent, legs, correction);
      last.set(name, correction);
      return bookCorrection(recipient, { ...correction, standing });
    });
}

type About = Pick<Correction, "executionId" | "order">;

/** How a recipient stands that was not corrected yet: one of an execution that the payment does not list was released. */
export function uncorrectedEnd(
  { executions, bulkProgress }: PaymentIntent,
  legs: readonly BatchLeg[],
  { executionId, order }: About,
): UncorrectedEnd {
  if (bulkProgress !== undefined) {
    const leg = legs.find((one) => one.order === order);
    if (leg?.executionId !== executionId) return "released";
    return leg.status === "cleared" ? "settled" : leg.status === "cancelled" ? "cancelled" : "failed";
  }
  const execution = executions.find((one) => one.executionId === executionId);
  const leg = execution?.legs.find((one) => one.order === order);
  if (leg === undefined) return "released";
  return leg.status === "cleared" ? "settled" : execution?.status === "cancelled" ? "cancelled" : "failed";
}

/** Whether the rail has reported that the payer's money for a recipient came in. */
export function isReceived(
  { executions, bulkProgress }: PaymentIntent,
  legs: readonly BatchLeg[],
  { executionId }: Pick<About, "executionId">,
): boolean {
  if (bulkProgress === undefined) {
    return executions.some((one) => one.executionId === executionId && one.receivedAt !== undefined);
  }
  const leg = legs.find((one) => one.executionId === executionId);
  return leg !== undefined && (leg.receivedAtMs !== undefined || leg.isOwedBack === true);
}

/** The recipients of an order for a rail. */
export const recipientsOf = (
  { recipients }: Pick<PaymentIntent, "recipients">,
  executionId: string,
  { payerCurrency, legs }: Readonly<{ payerCurrency: string; legs: readonly PaymentLeg[] }>,
): CorrectedRecipient[] =>
  legs.map(({ order, payerAmount, payeeAmount, payeeCurrency }) => ({
    executionId,
    order,
    splitRole: splitRoleOf(recipients, order),
    payerAmount: { amount: payerAmount, currency: payerCurrency },
    payeeAmount: { amount: payeeAmount, currency: payeeCurrency },
  }));
