import { parseArgs } from "node:util";
import { HOUR_MS } from "@intents/domain/durations.ts";
import { type Figures, runDay } from "./day.ts";

const DAYS_A_MONTH = 30;
/** List prices of us-east-1 in November 2026, in USD. */
const prices = { writes: 0.625e-6, reads: 0.125e-6, requests: 0.4e-6, calls: 0.2e-6, gigabyteSeconds: 0.0000133334 };
/** Memory of a function in GB, and how long it is taken to run for a sweep and for a question, in seconds. */
const work = { gigabytes: 1, sweep: 0.05, question: 0.25 };

const { values } = parseArgs({
  options: {
    payments: { type: "string", default: "10000" },
    /** The hours in which payments begin. */
    hours: { type: "string", default: "24" },
    settle: { type: "string", default: "48" },
    seed: { type: "string", default: "1" },
  },
});
const plan = {
  payments: Number(values.payments),
  overMs: Number(values.hours) * HOUR_MS,
  settleMs: Number(values.settle) * HOUR_MS,
  seed: Number(values.seed),
};

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

function report({ payments, latenciesMs, questions, messages, times, capacity }: Figures): object {
  const asked = payments.map((payment) => payment.times.length);
  const polls = asked.reduce((sum, count) => sum + count, 0);
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  const mean = sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length;
  const polling = [capacity.tick, capacity.sweep, capacity.question];
  const reads = polling.reduce((sum, { read }) => sum + read, 0);
  const cursorWrites = capacity.sweep.write;
  // Ten messages are sent by a request; each is received and deleted by one of its own, as questions are.
  const requests = messages * 2.1;
  const calls = times.tick + times.sweep + times.question + times.news;
  const seconds = times.sweep * work.sweep + (times.question + times.news) * work.question;
  const cost =
    cursorWrites * prices.writes +
    reads * prices.reads +
    requests * prices.requests +
    calls * prices.calls +
    seconds * work.gigabytes * prices.gigabyteSeconds;
  return {
    payments: payments.length,
    pollsPerPayment: polls / payments.length,
    questions: questions.count,
    paymentsPerQuestion: questions.asked / questions.count,
    writesOfQuietQuestions: capacity.question.write,
    cursorWrites,
    readsPerPoll: reads / polls,
    messages,
    latencySeconds: { mean: mean / 1000, p99: percentile(sorted, 0.99) / 1000, max: (sorted.at(-1) ?? 0) / 1000 },
    usdOfPolling: cost,
    // The cost of a day's payments while they wait. Days overlap, so a month has `DAYS_A_MONTH` of them.
    usdOfPollingAMonth: cost * DAYS_A_MONTH,
  };
}

process.stdout.write(`${JSON.stringify(report(await runDay(plan)), null, 2)}\n`);
