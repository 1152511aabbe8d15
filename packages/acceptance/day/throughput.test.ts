import { expect, test } from "vitest";
import { paymentsPerSecond, pollsOf } from "./throughput.ts";

const MINUTE = 60_000;
const settings = { pollIntervalMs: 30_000, recoveryAfterMs: 30 * MINUTE };
/** A rail that takes 2 s for each answer: about 100 payments, or about one, of which ten are asked about side by side. */
const bulk = { answerSeconds: 2, askedMeanwhile: 100 };
const single = { answerSeconds: 2, askedMeanwhile: 10 };

const rows = [
  // settles after, polls of a payment, payments/s: bulk and 30 at once, single and 30 at once, bulk and 2 at once
  { settle: "20 minutes", settleMs: 20 * MINUTE, polls: 27, bulk30: 55.6, single30: 5.56, bulk2: 3.71 },
  { settle: "an hour", settleMs: 60 * MINUTE, polls: 52, bulk30: 28.9, single30: 2.89, bulk2: 1.92 },
  { settle: "two days", settleMs: 2880 * MINUTE, polls: 261.8, bulk30: 5.73, single30: 0.57, bulk2: 0.38 },
];

test.each(rows)(
  "a rail that answers in 2 s keeps up with so many payments a second that settle after $settle",
  ({ settleMs, polls, bulk30, single30, bulk2 }) => {
    const exact = pollsOf(settleMs, settings);
    expect(exact).toBeCloseTo(polls, 1);
    expect(paymentsPerSecond({ ...bulk, atOnce: 30 }, exact)).toBeCloseTo(bulk30, 1);
    expect(paymentsPerSecond({ ...single, atOnce: 30 }, exact)).toBeCloseTo(single30, 1);
    expect(paymentsPerSecond({ ...bulk, atOnce: 2 }, exact)).toBeCloseTo(bulk2, 1);
  },
);
