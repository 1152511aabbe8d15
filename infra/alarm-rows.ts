import type { MetricName } from "@intents/deployment/metrics.ts";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { Aws, Duration } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { type IMetric, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, type LogGroup, MetricFilter, type MetricFilterProps } from "aws-cdk-lib/aws-logs";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";
import type { KeptIn } from "./stateful-stack.ts";

export type Watched = Readonly<{
  /** The namespace of the deployment's own metrics. */
  namespace: string;
  api: RestApi;
  functions: ReadonlyMap<string, ServiceFunction>;
  /** The function that asks rails how payments stand, and the one that the schedule drives. */
  poller: ServiceFunction;
  dispatcher: ServiceFunction;
  /** The function that matches books and cleans up, once a day. */
  daily: ServiceFunction;
  /** The function that copies audit and ledger, where the stage keeps copies. */
  copier: ServiceFunction | undefined;
  mainTable: KeptIn;
  queue: Queue;
  deadLetters: Queue;
  /** The API's log, a line of JSON for each request. */
  accessLogs: LogGroup;
  /** The names of the firewalls' metrics: before the API, and before CloudFront. */
  firewalls: readonly string[];
}>;

/**
 * An alarm goes off when its metric is above `above` in each of `periods` of its periods, one unless stated; or when it is
 * below `below`, or nobody reports it at all. A metric has periods of five minutes, unless it says otherwise. An alarm may
 * be for one region alone: elsewhere there is nothing that it could watch.
 */
export type AlarmRow = Readonly<{ id: string; metric: IMetric; periods?: number; onlyIn?: string }> &
  Readonly<{ above: number } | { below: number }>;

export const period = Duration.minutes(5);
export const sum = { period, statistic: "Sum" };

/** The alarms about the service as a whole, which the dashboard shows one by one. */
export const serviceWideRows = (scope: Construct, watched: Watched): AlarmRow[] => [
  ...serviceRows(watched),
  ...outcomeRows(scope, watched, watched.poller, outcomes),
  ...dispatchRows(scope, watched),
  dailyRow(watched),
  unattendedRow(scope, watched),
  ...(watched.copier === undefined ? [] : historyRows(scope, watched, watched.copier)),
  ...attackRows(scope, watched),
  ...watched.firewalls.map(blockRow),
];

/** Throttles of the main table and of its indexes, whose back-pressure would delay commits (H29). */
export const storeRows = ({ mainTable }: Watched): AlarmRow[] =>
  [undefined, ...mainTableSchema.indexes.map(({ name }) => name)].flatMap((index) =>
    ["ReadThrottleEvents", "WriteThrottleEvents"].map((metricName) => ({
      id: `${metricName}-${index ?? "table"}`,
      metric: new Metric({
        namespace: "AWS/DynamoDB",
        metricName,
        dimensionsMap: {
          TableName: mainTable.tableName,
          ...(index !== undefined && { GlobalSecondaryIndexName: index }),
        },
        ...sum,
      }),
      above: 0,
    })),
  );

export const functionRows = (scope: Construct, watched: Watched): AlarmRow[] =>
  [...watched.functions].flatMap(([name, made]) => [...callRows(name, made), ...faultRows(scope, watched, name, made)]);

/** The alarms by which a function goes back to the version before. */
export const alarmsOfCanary = (name: string): string[] => [`Errors-${name}`, `Faults-${name}`];

/** Faults that a function has answered or handed back as failed messages, which Lambda does not count as errors. */
const faultRows = (scope: Construct, watched: Watched, name: string, made: ServiceFunction): AlarmRow[] => {
  if (made.alias === undefined) return [];
  const { logGroup } = made;
  const filterPattern = FilterPattern.stringValue("$.level", "=", "ERROR");
  const metric = lines(scope, watched, `Faults-${name}`, { logGroup, filterPattern }).metric(sum);
  return [{ id: `Faults-${name}`, metric, above: 0 }];
};

const callRows = (name: string, { handler }: ServiceFunction): AlarmRow[] => [
  // Lambda counts every wrong key as an error of the authorizer; its faults are found in the API's log.
  ...(name === "authorizer" ? [] : [{ id: `Errors-${name}`, metric: handler.metricErrors(sum), above: 0 }]),
  { id: `Throttles-${name}`, metric: handler.metricThrottles(sum), above: 0 },
];

const serviceRows = ({ api, queue, deadLetters, namespace }: Watched): AlarmRow[] => [
  { id: "ServerErrors", metric: api.metricServerError(sum), above: 5 },
  { id: "Latency", metric: api.metricLatency({ period, statistic: "p99" }), above: 3000, periods: 3 },
  { id: "DeadLetters", metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period }), above: 0 },
  { id: "OldestMessage", metric: queue.metricApproximateAgeOfOldestMessage({ period }), above: 600 },
  {
    id: "OverdueTimers",
    metric: new Metric({ namespace, metricName: "OverdueTimers" satisfies MetricName, ...sum }),
    above: 0,
    periods: 2,
  },
];

/** The lines of a log that match a pattern, as a metric: their number, or the value that they tell. */
const lines = (
  scope: Construct,
  { namespace }: Watched,
  id: string,
  props: Pick<MetricFilterProps, "filterPattern"> &
    Readonly<{ logGroup: LogGroup; metricValue?: string; metricName?: string }>,
): MetricFilter =>
  new MetricFilter(scope, `${id}Logged`, {
    metricNamespace: namespace,
    metricName: id,
    ...(props.metricValue === undefined && { metricValue: "1", defaultValue: 0 }),
    ...props,
  });

/** The outcomes in the poller's log of single payments that a person has to look into. */
const outcomes = [
  { id: "RequiresRecovery", outcome: "lost_track" },
  { id: "RailMissing", outcome: "rail_missing" },
  { id: "PollsFailing", outcome: "polls_failing" },
  { id: "FailedAlone", outcome: "failed_alone", every: Duration.minutes(20) },
  {
    id: "Unanswered",
    outcome: "unanswered",
    periods: 3,
    // Old payments are asked about up to 18 minutes apart: a shorter period may have no line of one that is left out.
    every: Duration.minutes(20),
  },
];

/** A logged outcome that a person must look into; `every`: the metric's period, five minutes unless stated. */
type Outcome = Readonly<{ id: string; outcome: string; periods?: number; every?: Duration }>;

const outcomeRows = (
  scope: Construct,
  watched: Watched,
  { logGroup }: ServiceFunction,
  rows: readonly Outcome[],
): AlarmRow[] =>
  rows.map(({ id, outcome, periods = 1, every = period }) => {
    const filterPattern = FilterPattern.stringValue("$.outcome", "=", outcome);
    const metric = lines(scope, watched, id, { logGroup, filterPattern }).metric({ ...sum, period: every });
    return { id, metric, above: 0, periods };
  });

const historyRows = (scope: Construct, watched: Watched, copier: ServiceFunction): AlarmRow[] => [
  ...outcomeRows(scope, watched, copier, [
    { id: "HistoryChanged", outcome: "history_changed" },
    { id: "HistoryUncopied", outcome: "history_uncopied" },
  ]),
  {
    id: "HistoryBehind",
    metric: copier.handler.metric("IteratorAge", { period, statistic: "Maximum" }),
    above: 3_600_000,
  },
];

const statusOf = (status: number) => FilterPattern.stringValue("$.status", "=", String(status));

/** Signs of attacks in the API's log. A few callers with wrong keys stay far below the limits, per five minutes. */
const attacks = [
  { id: "WrongKeys", pattern: statusOf(401), above: 200 },
  { id: "Forbidden", pattern: statusOf(403), above: 200 },
  { id: "RateLimited", pattern: statusOf(429), above: 2_000 },
  { id: "AuthorizerFaults", pattern: FilterPattern.stringValue("$.responseType", "=", "AUTHORIZER_*"), above: 0 },
];

const attackRows = (scope: Construct, watched: Watched): AlarmRow[] =>
  attacks.map(({ id, pattern: filterPattern, above }) => {
    const logGroup = watched.accessLogs;
    return { id, metric: lines(scope, watched, id, { logGroup, filterPattern }).metric(sum), above };
  });

/** Requests that a firewall blocked. Metrics of CloudFront's name no region. */
const blockRow = (firewall: string, index: number): AlarmRow => ({
  ...(index === 0 ? { id: "Blocked" } : { id: "BlockedAtEdge", onlyIn: "us-east-1" }),
  metric: new Metric({
    namespace: "AWS/WAFV2",
    metricName: "BlockedRequests",
    dimensionsMap: { WebACL: firewall, Rule: "ALL", ...(index === 0 && { Region: Aws.REGION }) },
    ...sum,
  }),
  above: 1_000,
});

/** Rows from the dispatcher's log: its heartbeat, the delay of the sweeps for waiting payments, and missing rails. */
function dispatchRows(scope: Construct, watched: Watched): AlarmRow[] {
  const { logGroup } = watched.dispatcher;
  const behind = lines(scope, watched, "SweepsBehind", {
    logGroup,
    filterPattern: FilterPattern.exists("$.behindSeconds"),
    metricValue: "$.behindSeconds",
  });
  const filterPattern = FilterPattern.stringValue("$.outcome", "=", "rail_missing");
  return [
    { id: "Heartbeat", metric: behind.metric({ period, statistic: "SampleCount" }), below: 1 },
    { id: "SweepsBehind", metric: behind.metric({ period, statistic: "Maximum" }), above: 300, periods: 3 },
    {
      id: "RailUnswept",
      metric: lines(scope, watched, "RailUnswept", { logGroup, filterPattern }).metric(sum),
      above: 0,
    },
  ];
}

/** The day's run, of which any 30 hours have one. A failed one is repeated, and told by `Errors-daily`. */
const dailyRow = ({ daily }: Watched): AlarmRow => ({
  id: "DailyHeartbeat",
  metric: daily.handler.metricInvocations({ ...sum, period: Duration.hours(6) }),
  periods: 5,
  below: 1,
});

/** Work that nobody looks after: the dispatcher finds it once an hour, the daily function once a day. */
function unattendedRow(scope: Construct, watched: Watched): AlarmRow {
  const id = "Unattended";
  const matching = { filterPattern: FilterPattern.stringValue("$.outcome", "=", "unattended"), metricName: id };
  lines(scope, watched, `${id}Daily`, { ...matching, logGroup: watched.daily.logGroup });
  const hourly = lines(scope, watched, id, { ...matching, logGroup: watched.dispatcher.logGroup });
  return { id, metric: hourly.metric({ ...sum, period: Duration.hours(1) }), above: 0 };
}
