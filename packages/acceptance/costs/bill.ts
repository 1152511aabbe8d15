import { budgets, type OperationName } from "./budgets.ts";

/** List prices of us-east-1 in November 2026, in USD. */
const PRICES = {
  apiRequest: 3.5e-6,
  lambdaRequest: 0.2e-6,
  lambdaGbSecond: 13.3334e-6,
  queueRequest: 0.4e-6,
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
  /** Firewalls, CloudFront's secrets, alarms and the dashboard; the shards of timers, looked at every minute. */
  fixedPerMonth: 24,
  schedulePerMonth: 6,
  /** A payment's documents, log lines and backups, kept for their time. */
  keptPerPayment: 0.000133,
} as const;

const LAMBDA_GB = 1;
const REQUEST_SECONDS = 0.06;
const MESSAGE_SECONDS = 0.03;
/** Sent, received and deleted. */
const QUEUE_REQUESTS = 3;
const DAYS = 30;

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

/** What the service does for it over two days of settlement. */
export const workOnAPayment: Times = {
  "a due timer is leased and sent": 251,
  "a payment that has not ended is asked about": 250,
  "a payment completes": 1,
};

const countOf = (times: Times): number => Object.values(times).reduce((sum, count) => sum + count, 0);

const unitsOf = (unit: "reads" | "writes"): number =>
  [requestsOfAPayment, workOnAPayment]
    .flatMap((times) => Object.entries(times) as [OperationName, number][])
    .reduce((sum, [name, count]) => sum + budgets[name][unit] * count, 0);

/** One payment in units of all kinds. */
export const aPayment = {
  requests: countOf(requestsOfAPayment),
  messages: workOnAPayment["a due timer is leased and sent"] ?? 0,
  reads: unitsOf("reads"),
  writes: unitsOf("writes"),
};

/** The lines of a month's bill: what it is for, and what a payment, or the month, costs in USD. */
export const billLines: readonly Readonly<{ name: string; perMonth?: number; perPayment?: number }>[] = [
  { name: "firewalls, CloudFront's secrets, alarms, dashboard", perMonth: PRICES.fixedPerMonth },
  { name: "the schedule: 64 shards a minute (Lambda, SQS, DynamoDB)", perMonth: PRICES.schedulePerMonth },
  { name: `API Gateway (${aPayment.requests} requests)`, perPayment: aPayment.requests * PRICES.apiRequest },
  {
    name: `Lambda (ARM, 1,024 MB; ${aPayment.requests} × 60 ms + ${aPayment.messages} × 30 ms)`,
    perPayment:
      (aPayment.requests + aPayment.messages) * PRICES.lambdaRequest +
      (aPayment.requests * REQUEST_SECONDS + aPayment.messages * MESSAGE_SECONDS) * LAMBDA_GB * PRICES.lambdaGbSecond,
  },
  {
    name: `SQS (${QUEUE_REQUESTS} requests for each of ${aPayment.messages} messages)`,
    perPayment: QUEUE_REQUESTS * aPayment.messages * PRICES.queueRequest,
  },
  {
    name: `DynamoDB (${Math.round(aPayment.writes)} write and ${Math.round(aPayment.reads)} read units)`,
    perPayment: aPayment.writes * PRICES.writeUnit + aPayment.reads * PRICES.readUnit,
  },
  { name: "S3, logs, backups", perPayment: PRICES.keptPerPayment },
];

/** A month of so many payments a day, in USD. */
export const costOf = ({ perMonth = 0, perPayment = 0 }: (typeof billLines)[number], paymentsPerDay: number): number =>
  perMonth + perPayment * paymentsPerDay * DAYS;
