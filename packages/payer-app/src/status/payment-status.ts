import type { KnownPayment } from "../api/wire.ts";
import type { MessageKey } from "../messages/en.ts";

/** The status of a payment, as a payer sees it. */
export type Shown = Readonly<{
  sign: "good" | "bad" | "waiting";
  title: MessageKey;
  text: MessageKey;
  /** Whether the status is final. */
  final: boolean;
  /** Whether the payer may begin a new payment, because nothing was paid. */
  again: boolean;
  /** Whether the payer may have sent money for a payment that has ended without it. */
  asksSenders: boolean;
}>;

/** The facts of a payment that decide what its payer reads. */
type ShownPayment = Pick<KnownPayment, "status" | "paymentMethod" | "nextAction" | "held" | "money" | "underReview">;

type Name =
  | "lookedInto"
  | "returned"
  | "received"
  | "completed"
  | "failed"
  | "cancelled"
  | "partial"
  | "checking"
  | "transfer"
  | "processing";

/** The texts of each status. Every status that is not listed counts as under way. */
const names: Readonly<Record<string, Name>> = {
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  partially_completed: "partial",
  requires_recovery: "checking",
};

const signs: Readonly<Partial<Record<Name, Shown["sign"]>>> = {
  completed: "good",
  failed: "bad",
  cancelled: "bad",
  partial: "bad",
  returned: "bad",
};

/** The texts that tell where the money is, whatever the status was. Money on its way says no more than the status. */
function nameOf({ status, paymentMethod, money, underReview }: ShownPayment): Name {
  const ofStatus = names[status];
  if (underReview) return "lookedInto";
  if (money === "returned") return money;
  if (ofStatus) {
    // An operator has found out that the money arrived after all, or never moved.
    if (money === "delivered") return "completed";
    if (ofStatus === "completed" && money === "failed") return money;
    // An accepted payment tells where its money is: where it does not, its recipients differ, whatever the status was.
    return ofStatus !== "checking" && paymentMethod && !money ? "partial" : ofStatus;
  }
  if (money === "received") return money;
  return paymentMethod === "bank_transfer" ? "transfer" : "processing";
}

/** The shown status of a payment. */
export function shownOf(payment: ShownPayment): Shown {
  const name = nameOf(payment);
  const sign = signs[name] ?? "waiting";
  const canPayAgain = name === "failed" || name === "cancelled";
  const isAsked = name === "transfer" && promiseOf(payment)?.isMade === false;
  return {
    sign,
    title: `${name}Title`,
    text: isAsked ? "promiseFirst" : `${name}Text`,
    final: sign !== "waiting",
    again: canPayAgain,
    // The rail calls a transfer off whose money may be on its way.
    asksSenders: canPayAgain && payment.paymentMethod === "bank_transfer",
  };
}

/** The promise to make a transfer that keeps a link: whether its payer made it, and the end of the hold without it. */
export type TransferPromise = Readonly<{ isMade: boolean; until: string; dueDate: string }>;

/** The promise that a payer is asked for; undefined where the payment keeps no link or is not made by a transfer. */
export function promiseOf({
  held,
  nextAction,
}: Pick<ShownPayment, "held" | "nextAction">): TransferPromise | undefined {
  if (!held || nextAction?.type !== "bank_transfer") return undefined;
  const { dueDate } = nextAction;
  return { isMade: held.until.slice(0, 10) >= dueDate, until: held.until, dueDate };
}

const FIRST_MS = 1_500;
const GROWTH = 1.4;
const LONGEST_MS = 30_000;

/** The wait before the `asked`th poll, up to a fifth more or less at random; `random` is in [0, 1). */
export const pollDelayMs = (asked: number, random: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * GROWTH ** asked) * (0.8 + 0.4 * random);
