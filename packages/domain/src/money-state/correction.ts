import type { Money } from "../amounts/money.ts";
import type { MoneyState } from "./money-state.ts";

/** The state of a recipient's money after a correction, by what an operator found out about it. */
export const correctedStates = {
  /** The payee has it, whatever was told before. */
  arrived: "delivered",
  /** The payee had it, and the whole amount came back. */
  cameBack: "returned",
  /** It was told to have moved, and never did. */
  neverMoved: "failed",
} as const satisfies Record<string, MoneyState>;

export type CorrectedOutcome = keyof typeof correctedStates;

/** The end of a recipient in its execution, before any correction; the payment does not list a `released` execution. */
export const uncorrectedEnds = ["released", "failed", "cancelled", "settled"] as const;
export type UncorrectedEnd = (typeof uncorrectedEnds)[number];

/**
 * A correction of one recipient's money, made when an operator closes a record about it. It changes no status; it says
 * what `describeMoney` tells from then on. Of several about one recipient the one with the highest `number` counts. The fee
 * stays as it was.
 */
export type Correction = Readonly<{
  /** Counts the corrections of a payment from 1; the ledger's entries of the correction carry it in their ids. */
  number: number;
  /** When it was made, in ISO 8601. */
  at: string;
  /**
   * The execution that moved the money, of a batch the recipient's own (`<execution>:<order>`). A draft whose submission
   * was released has no such execution: the rail accepted it late.
   */
  executionId: string;
  /** The recipient, by the `order` of its leg in that execution. */
  order: number;
  /** The recipient's end before the first correction; absent in corrections of earlier versions. */
  before?: UncorrectedEnd;
  outcome: CorrectedOutcome;
  /** The record that was closed with it. */
  recordId: string;
  /** The recipient's amounts in the order that the rail took; the fee is not in them. */
  payerAmount: Money;
  payeeAmount: Money;
}>;

/** The correction that counts of each recipient. */
export function newestCorrections(corrections: readonly Correction[]): Correction[] {
  const newest = new Map<string, Correction>();
  for (const correction of corrections.toSorted((one, other) => one.number - other.number)) {
    newest.set(`${correction.executionId} ${correction.order}`, correction);
  }
  return [...newest.values()];
}
