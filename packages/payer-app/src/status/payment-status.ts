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
}>;

const waiting = { sign: "waiting", final: false, again: false } as const;
const transfer: Shown = { ...waiting, title: "transferTitle", text: "transferText" };
const processing: Shown = { ...waiting, title: "processingTitle", text: "processingText" };

const ended: Readonly<Record<string, Shown>> = {
  completed: { sign: "good", title: "completedTitle", text: "completedText", final: true, again: false },
  failed: { sign: "bad", title: "failedTitle", text: "failedText", final: true, again: true },
  cancelled: { sign: "bad", title: "cancelledTitle", text: "cancelledText", final: true, again: true },
  partially_completed: { sign: "bad", title: "partialTitle", text: "partialText", final: true, again: false },
  requires_recovery: { ...waiting, title: "checkingTitle", text: "checkingText" },
};

/** The shown status of an intent. Every status that is not listed counts as under way. */
export const shownOf = (paymentStatus: string | undefined, byTransfer: boolean): Shown =>
  ended[paymentStatus ?? ""] ?? (byTransfer ? transfer : processing);

const FIRST_MS = 1_500;
const GROWTH = 1.4;
const LONGEST_MS = 30_000;

/** The wait before the `asked`th poll, up to a fifth more or less at random; `random` is in [0, 1). */
export const pollDelayMs = (asked: number, random: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * GROWTH ** asked) * (0.8 + 0.4 * random);
