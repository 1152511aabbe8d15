import type { ExecutionKey, Rail, StatusAnswer } from "@intents/domain/rails/rail.ts";

/** When a payment settles, and when its rail was asked about it. */
export type DayPayment = { readonly settlesAtMs: number; times: number[] };

/** A rail in memory, which settles each payment at its time and remembers when it was asked. */
export function openDayRail(now: () => number) {
  const payments = new Map<string, DayPayment>();
  const questions = { count: 0, asked: 0 };
  const answerTo = ({ executionId }: ExecutionKey): StatusAnswer => {
    const payment = payments.get(executionId);
    if (payment === undefined) return { kind: "not_found" };
    payment.times.push(now());
    if (now() < payment.settlesAtMs) return { kind: "pending" };
    return { kind: "settled", legs: [{ order: 0, outcome: "cleared" }] };
  };
  const unused = () => Promise.reject(new Error("The day's rail is only asked how payments stand"));
  const rail: Rail = {
    rail: {
      ...{ name: "day", address: "here", remembersMs: 29 * 86_400_000, maxUsd: "2000000", questionMax: 100 },
      corridors: "all",
    },
    describe: () => ({ provider: "day", action: "pay", version: "1", maxRecipients: 1, acceptedLimitations: [] }),
    status: async (tenantId, executionId) => answerTo({ tenantId, executionId }),
    statuses: async (asked) => {
      questions.count += 1;
      questions.asked += asked.length;
      return asked.map(answerTo);
    },
    ...{ execute: unused, cancel: unused, fund: unused, list: unused },
  };
  return { rail, payments, questions };
}
