import { metrics } from "@intents/deployment/metrics.ts";
import { realRails } from "@intents/deployment/real-rails.ts";
import { parseSettings } from "@intents/deployment/settings.ts";
import { askTimes } from "@intents/domain/polling/points.ts";
import { sweepsOf } from "@intents/execution/polling/tick.ts";
import { resourcesOf, synthesize } from "@intents/infra/synth-fixture.ts";
import { budgets, type OperationName } from "./budgets.ts";

const DAYS = 30;
const MINUTES = DAYS * 1_440;

/** List prices of us-east-1 in November 2026, in USD. */
const USD = {
  ...{ apiRequest: 3.5e-6, inspectedRequest: 0.6e-6, trace: 5e-6, queueRequest: 0.4e-6 },
  ...{ lambdaRequest: 0.2e-6, lambdaGbSecond: 13.3334e-6, readUnit: 0.125e-6, writeUnit: 0.625e-6 },
  /** A payment's documents, log lines and backups, kept for their time. */
  keptPayment: 0.000133,
} as const;

/** The properties of all resources of a type, in the templates of production. */
type All = (type: string) => readonly Readonly<Record<string, unknown>>[];

const FIREWALL = "AWS::WAFv2::WebACL";
/** The resources that cost something by the month: USD for each, and their number. */
const resources: readonly (readonly [name: string, usd: number, count: (all: All) => number])[] = [
  ["alarms", 0.1, (all) => all("AWS::CloudWatch::Alarm").length],
  ["metrics, more by currency and code", 0.3, (all) => loggedMetrics(all).size + Object.keys(metrics).length],
  ["dashboard", 3, (all) => all("AWS::CloudWatch::Dashboard").length],
  // Deployers make the rails' secrets.
  ["secrets", 0.4, (all) => all("AWS::SecretsManager::Secret").length + realRails.length],
  ["firewalls", 5, (all) => all(FIREWALL).length],
  ["rules of firewalls", 1, (all) => all(FIREWALL).flatMap(({ Rules }) => Rules).length],
  // Lambda keeps five connections to an empty queue, and asks by each every 20 s.
  ["queues, asked even if empty", 15 * MINUTES * USD.queueRequest, (all) => polledQueues(all).length],
];

const loggedMetrics = (all: All) =>
  new Set(all("AWS::Logs::MetricFilter").map((filter) => /"MetricName":"\w+"/.exec(JSON.stringify(filter))?.[0]));
const polledQueues = (all: All) =>
  all("AWS::Lambda::EventSourceMapping").filter(({ StartingPosition }) => StartingPosition === undefined);

type Times = Readonly<Partial<Record<OperationName, number>>>;

/** The requests by which a tenant makes a payment and looks after it. */
const requestsOfAPayment: Times = {
  ...{ "a student is added": 1, "a document is uploaded": 2, "a quote is made": 1, "a draft is made": 1 },
  ...{ "a dry run": 1, "a submit": 1, "a payment is read": 7, "a page of ten drafts": 1 },
};
const requests = Object.values(requestsOfAPayment).reduce((sum, count) => sum + count, 0);

/** Reads of no operation: 416 sweeps read a watch of 200 bytes, and the daily function compares for three days. */
const WAITING_READS = 10.4 + 10.5;
/** The daily sweep of documents scans the records of every stored payment. */
const SCANNED_READS = 3;

const unitsUsd = (times: Times): number =>
  Object.entries(times).reduce((sum, [name, count]) => {
    const { reads, writes } = budgets[name as OperationName];
    return sum + count * (reads * USD.readUnit + writes * USD.writeUnit);
  }, 0);

const settings = parseSettings({});
const pollIntervalMs = 1_000 * settings.POLL_INTERVAL_SECONDS;
const SETTLEMENT_MS = 2 * 86_400_000;

/** How often a rail is asked about a payment, on average, while the payment is young or later. */
function pollsOf(age: "near" | "far"): number {
  const watch = { executionId: "e", startedMs: 0, expectedMs: SETTLEMENT_MS, isCheckout: false, isHolding: false };
  const points = { pollIntervalMs, recoveryAfterMs: 1_000 * settings.RECOVERY_AFTER_SECONDS };
  const span = { age, afterMs: 0, untilMs: SETTLEMENT_MS };
  const seeds = Array.from({ length: 100 }, (_, seed) => String(seed));
  return seeds.flatMap((seed) => askTimes({ ...watch, seed }, span, 0, points)).length / seeds.length;
}
const polls = { near: pollsOf("near"), far: pollsOf("far") };

/** The questions of one payment: payments that are due within 2 s, or later within 20 s, share one, 100 at most. */
function questionsOf(perDay: number): number {
  const shared = (count: number, seconds: number) =>
    count / Math.min(Math.max((perDay / 86_400) * count * seconds, 1), 100);
  return shared(polls.near, 2) + shared(polls.far, 20);
}

/** A message is sent, received and deleted. */
const MESSAGE_REQUESTS = 3;
const REQUEST_SECONDS = 0.06;
/** A question waits for a rail, which answers that quickly. */
const QUESTION_SECONDS = 0.25;

/** All operations of one payment. */
const workOf = (perDay: number): Times => ({
  ...requestsOfAPayment,
  "a poll without news": questionsOf(perDay),
  "a poll that completes a payment": 1,
});

type Row = readonly [name: string, usd: (perDay: number) => number];

/** The bill of production: the name of each row, and its USD a month by payments a day. */
export function bill(): Row[] {
  const { data, api, monitoring, paths } = synthesize("production");
  const templates = [data, api, monitoring, ...paths];
  const all: All = (type) => templates.flatMap((template) => resourcesOf(template, type).map(([, made]) => made));
  const memoryGb = Math.max(...all("AWS::Lambda::Function").map(({ MemorySize }) => Number(MemorySize))) / 1_024;
  const traced = all("AWS::ApiGateway::Stage").filter(({ TracingEnabled }) => TracingEnabled === true).length;
  const lambdaUsd = (seconds: number) => USD.lambdaRequest + seconds * memoryGb * USD.lambdaGbSecond;
  const shards = settings.TIMER_SHARDS;
  const aheadMs = 1_000 * settings.DISPATCH_AHEAD_SECONDS;
  const sweeps =
    realRails.length * sweepsOf("rail", 0, { pollIntervalMs, aheadMs, watchShards: settings.WATCH_SHARDS }).length;
  const minuteUsd =
    (shards + sweeps) * MESSAGE_REQUESTS * USD.queueRequest +
    (shards + sweeps + 1) * lambdaUsd(REQUEST_SECONDS) +
    unitsUsd({ "a tick of the schedule": 1, "a shard of no timers": shards, "a sweep of no payments": sweeps });
  const questionUsd = MESSAGE_REQUESTS * USD.queueRequest + lambdaUsd(QUESTION_SECONDS);
  const each = (usd: Row[1]) => (perDay: number) => DAYS * perDay * usd(perDay);
  const rows: Row[] = [
    ...resources.map(([name, usd, count]): Row => [`${count(all)} ${name}`, () => count(all) * usd]),
    [`the schedule: ${shards} shards and ${sweeps} sweeps a minute`, () => MINUTES * minuteUsd],
    [
      `API Gateway and its firewall: ${requests} requests for each payment`,
      each(() => requests * (USD.apiRequest + USD.inspectedRequest)),
    ],
    [
      "X-Ray, of one request a second",
      (perDay) => traced * USD.trace * Math.min(DAYS * perDay * requests, 60 * MINUTES),
    ],
    ["functions that answer", each(() => requests * lambdaUsd(REQUEST_SECONDS))],
    [
      `questions to rails: ${Math.round(polls.near + polls.far)} polls, shared (SQS, Lambda)`,
      each((perDay) => questionsOf(perDay) * questionUsd),
    ],
    ["DynamoDB", each((perDay) => unitsUsd(workOf(perDay)) + WAITING_READS * USD.readUnit)],
    ["the daily scan, for each month of payments", each(() => DAYS * SCANNED_READS * USD.readUnit)],
    ["S3, logs, backups", each(() => USD.keptPayment)],
  ];
  return [...rows, ["**in all**", (perDay) => rows.reduce((sum, [, usd]) => sum + usd(perDay), 0)]];
}
