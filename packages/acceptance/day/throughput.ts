import { nextAskMs, type PointSettings } from "@intents/domain/intents/points.ts";
import type { Watch } from "@intents/domain/intents/watch.ts";

/** A rail, and how many questions it is asked at once. */
export type Lane = Readonly<{
  atOnce: number;
  /** How long the rail takes for an answer, in seconds, and how many payments are asked about meanwhile. */
  answerSeconds: number;
  askedMeanwhile: number;
}>;

/** How often a rail is asked about a payment that settles `settleMs` after it began, as it had said it would. */
export function pollsOf(settleMs: number, settings: PointSettings): number {
  const about: Omit<Watch, "seed"> = {
    ...{ executionId: "e", startedMs: 0, expectedMs: settleMs, isCheckout: false, isHolding: false },
  };
  const counts = Array.from({ length: 100 }, (_, payment) => {
    let polls = 1;
    for (let atMs = 0; atMs < settleMs; polls++) {
      atMs = nextAskMs({ ...about, seed: String(payment) }, atMs, settings);
    }
    return polls - 1;
  });
  return counts.reduce((sum, count) => sum + count, 0) / counts.length;
}

/** The payments a second that a lane asks about as often as they are due, while they begin at an even pace. */
export const paymentsPerSecond = ({ atOnce, answerSeconds, askedMeanwhile }: Lane, polls: number): number =>
  (atOnce * askedMeanwhile) / answerSeconds / polls;
