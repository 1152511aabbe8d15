import { SHARDS_MAX } from "@intents/deployment/settings.ts";
import { budgets, type OperationName } from "./budgets.ts";

/** List prices of us-east-1 in November 2026, in USD. */
const PRICES = {
  apiRequest: 3.5e-6,
  lambdaRequest: 0.2e-6,
  lambdaGbSecond: 13.3334e-6,
  queueRequest: 0.4e-6,
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
  /** Firewalls, CloudFront's secrets, alarms and the dashboard; the shards of timers, and sweeps of one rail. */
  fixedPerMonth: 24,
  schedulePerMonth: 6.6,
  /** A payment's documents, log lines and backups, kept for their time. */
  keptPerPayment: 0.000133,
} as const;

const LAMBDA_GB = 1;
const REQUEST_SECONDS = 0.06;
/** A question waits for a rail, which answers that quickly. */
const MESSAGE_SECONDS = 0.25;
/** Sent, received and deleted. */
const QUEUE_REQUESTS = 3;
const DAYS = 30;
const DAY_SECONDS = 86_400;

/**
 * How often a rail is asked about one payment over two days, while it is young and later; how many seconds of such points
 * make one question, of at most 100 payments; and what the sweeps read of one payment meanwhile.
 */
const asking = [
  { polls: 38, gridSeconds: 2 },
  { polls: 224, gridSeconds: 20 },
] as const;
const QUESTION_MAX = 100;
const SWEPT_READS = 10.4;

/** The read units of an hourly check: an empty one of each shard that there may be, and the cursors. */
const CHECK_READS = (SHARDS_MAX.timers + SHARDS_MAX.watches) / 2 + 4;
/** The daily check reads a payment, of up to 8 KB, on each day on which it has not ended. */
const WAITING_DAYS = 2;
const WAITING_READS = 2;

type Times = Readonly<Partial<Record<OperationName, number>>>;

/** One payment as its tenant makes it, and looks after it; each is a request. */
export const requestsOfAPayment: Times = {
  "a student is added": 1,
  "a document is uploaded": 2,
  "a quote is made": 1,
  "a draft is made": 1,
  "a draft is tried": 1,
  "a submit with a key": 1,
  "a payment": 7,
  "the newest payments": 1,
};

/** The service's own work on a payment, over two days of settlement and three days of comparison. */
export const workOnAPayment: Times = {
  "a payment that has not ended is asked about": asking.reduce((sum, { polls }) => sum + polls, 0),
  "a payment completes": 1,
  "ten payments are compared with their rail": 0.3,
};

/** The questions of one payment, as far as they are its own: payments that begin about the same time share them. */
export const questionsOf = (paymentsPerDay: number): number =>
  asking.reduce((sum, { polls, gridSeconds }) => {
    const together = (paymentsPerDay / DAY_SECONDS) * polls * gridSeconds;
    return sum + polls / Math.min(Math.max(together, 1), QUESTION_MAX);
  }, 0);

const countOf = (times: Times): number => Object.values(times).reduce((sum, count) => sum + count, 0);

const unitsOf = (unit: "reads" | "writes", paymentsPerDay: number): number =>
  Object.entries({
    ...requestsOfAPayment,
    ...workOnAPayment,
    "a payment that has not ended is asked about": questionsOf(paymentsPerDay),
  } as Record<OperationName, number>).reduce(
    (sum, [name, count]) => sum + budgets[name as OperationName][unit] * count,
    unit === "reads" ? SWEPT_READS : 0,
  );

/** One payment in units of all kinds, where there are so many a day. */
export const aPayment = (paymentsPerDay: number) => ({
  requests: countOf(requestsOfAPayment),
  messages: questionsOf(paymentsPerDay),
  reads: unitsOf("reads", paymentsPerDay),
  writes: unitsOf("writes", paymentsPerDay),
});
/** The read units of one poll, where there are so many payments a day. */
export const readsOfAPoll = (paymentsPerDay: number): number =>
  (SWEPT_READS + questionsOf(paymentsPerDay) * budgets["a payment that has not ended is asked about"].reads) /
  asking.reduce((sum, { polls }) => sum + polls, 0);

type Payment = ReturnType<typeof aPayment>;
const { requests, writes, reads } = aPayment(10_000);

/** The lines of a month's bill: what it is for, and what a payment, or the month, costs in USD. */
export const billLines: readonly Readonly<{
  name: string;
  perMonth?: number;
  perPayment?: (payment: Payment) => number;
}>[] = [
  { name: "firewalls, CloudFront's secrets, alarms, dashboard", perMonth: PRICES.fixedPerMonth },
  { name: "the schedule: 64 shards and 6 sweeps a minute (Lambda, SQS, DynamoDB)", perMonth: PRICES.schedulePerMonth },
  {
    name: `looking for work that nobody looks after (${CHECK_READS} read units an hour, ${WAITING_READS} a day for a payment)`,
    perMonth: 24 * DAYS * (CHECK_READS * PRICES.readUnit + PRICES.lambdaRequest + LAMBDA_GB * PRICES.lambdaGbSecond),
    perPayment: () => WAITING_DAYS * WAITING_READS * PRICES.readUnit,
  },
  { name: `API Gateway (${requests} requests)`, perPayment: (payment) => payment.requests * PRICES.apiRequest },
  {
    name: `Lambda (ARM, 1,024 MB; ${requests} × 60 ms, and a question of ${MESSAGE_SECONDS} s)`,
    perPayment: (payment) =>
      (payment.requests + payment.messages) * PRICES.lambdaRequest +
      (payment.requests * REQUEST_SECONDS + payment.messages * MESSAGE_SECONDS) * LAMBDA_GB * PRICES.lambdaGbSecond,
  },
  {
    name: `SQS (${QUEUE_REQUESTS} requests for each question)`,
    perPayment: ({ messages }) => QUEUE_REQUESTS * messages * PRICES.queueRequest,
  },
  {
    name: `DynamoDB (${Math.round(writes)} write and, at 10,000 a day, ${Math.round(reads)} read units)`,
    perPayment: (payment) => payment.writes * PRICES.writeUnit + payment.reads * PRICES.readUnit,
  },
  { name: "S3, logs, backups", perPayment: () => PRICES.keptPerPayment },
];

/** A month of so many payments a day, in USD. */
export const costOf = (
  { perMonth = 0, perPayment = () => 0 }: (typeof billLines)[number],
  paymentsPerDay: number,
): number => perMonth + perPayment(aPayment(paymentsPerDay)) * paymentsPerDay * DAYS;
