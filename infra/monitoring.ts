import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { Aws, Duration, Stack } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { FilterPattern, type LogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

type Watched = Readonly<{
  api: RestApi;
  functions: ReadonlyMap<string, ServiceFunction>;
  /** The function that asks rails how payments stand, and the one that the schedule drives. */
  poller: ServiceFunction;
  dispatcher: ServiceFunction;
  /** The function that copies audit and ledger, where the stage keeps copies. */
  copier: ServiceFunction | undefined;
  mainTable: Table;
  queue: Queue;
  deadLetters: Queue;
  /** The API's log, a line of JSON for each request. */
  accessLogs: LogGroup;
  /** The names of the firewalls' metrics: before the API, and before CloudFront. */
  firewalls: readonly string[];
}>;

/** An alarm goes off when its metric is above `above` in each of `periods` times five minutes, one unless stated. */
type AlarmRow = Readonly<{ id: string; says: string; metric: IMetric; above: number; periods?: number }>;

const period = Duration.minutes(5);
const sum = { period, statistic: "Sum" };

/** The alarms, and a dashboard of the same metrics. Subscribers of the topic are told of alarms. */
export class Monitoring extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    this.topic = alarmTopic(this);
    const action = new SnsAction(this.topic);
    const board = new Dashboard(this, "Dashboard", { defaultInterval: Duration.days(1) });
    const serviceWide = [
      ...serviceRows(watched),
      ...outcomeRows(this, watched.poller, outcomes),
      ...dispatchRows(this, watched),
      ...(watched.copier === undefined ? [] : historyRows(this, watched.copier)),
      ...attackRows(this, watched.accessLogs),
      ...watched.firewalls.map(blockRow),
    ];
    const byStore = storeRows(watched);
    const byFunction = [...watched.functions].flatMap(([name, made]) => functionRows(name, made));
    for (const { id: alarmId, says, metric, above, periods = 1 } of [...serviceWide, ...byStore, ...byFunction]) {
      const alarm = new Alarm(this, alarmId, {
        alarmDescription: says,
        metric,
        threshold: above,
        evaluationPeriods: periods,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(action);
    }
    const { api } = watched;
    board.addWidgets(
      graph("Requests, and those refused", [api.metricCount(sum), api.metricClientError(sum)]),
      graph(
        "Latency",
        ["p50", "p90", "p99"].map((statistic) => api.metricLatency({ period, statistic })),
      ),
      ...serviceWide.map(({ says, metric }) => graph(says, [metric])),
      graph(
        "Throttles of the main table and its indexes",
        byStore.map(({ metric }) => metric),
      ),
      graph(
        "Faults and refused calls of functions",
        byFunction.map(({ metric }) => metric),
      ),
    );
  }
}

const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 12 });

const serviceRows = ({ api, queue, deadLetters }: Watched): AlarmRow[] => [
  { id: "ServerErrors", says: "Answers of 5xx", metric: api.metricServerError(sum), above: 5 },
  {
    id: "Latency",
    says: "Slowest hundredth of requests, in milliseconds",
    metric: api.metricLatency({ period, statistic: "p99" }),
    above: 3000,
    periods: 3,
  },
  {
    id: "DeadLetters",
    says: "Messages that failed five times: read the log, then redrive them",
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
    above: 0,
  },
  {
    id: "OldestMessage",
    says: "Age of the oldest message, in seconds: polling does not keep up",
    metric: queue.metricApproximateAgeOfOldestMessage({ period }),
    above: 600,
  },
];

/** Throttles of the main table and of its indexes, whose back-pressure would delay commits (H29). */
const storeRows = ({ mainTable }: Watched): AlarmRow[] =>
  [undefined, ...mainTableSchema.indexes.map(({ name }) => name)].flatMap((index) =>
    ["ReadThrottleEvents", "WriteThrottleEvents"].map((metricName) => ({
      id: `${metricName}-${index ?? "table"}`,
      says: `${metricName} of ${index === undefined ? "the main table" : `the index ${index}`}`,
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

const functionRows = (name: string, { handler }: ServiceFunction): AlarmRow[] => [
  // Lambda counts every wrong key as an error of the authorizer; its faults are found in the API's log.
  ...(name === "authorizer"
    ? []
    : [{ id: `Errors-${name}`, says: `Faults of ${name}`, metric: handler.metricErrors(sum), above: 0 }]),
  { id: `Throttles-${name}`, says: `Refused calls of ${name}`, metric: handler.metricThrottles(sum), above: 0 },
];

/** The outcomes in the poller's log of single payments that a person has to look into. */
const outcomes = [
  { id: "RequiresRecovery", outcome: "lost_track", says: "Intents that now require recovery: ask the rail" },
  { id: "RailMissing", outcome: "rail_missing", says: "Payments of a rail that is not configured: configure it again" },
  { id: "PollsFailing", outcome: "polls_failing", says: "Questions to a rail that failed ten times or more in a row" },
  { id: "Unanswered", outcome: "unanswered", says: "Payments that a rail's answers leave out or garble", periods: 3 },
];

/** What a function logs that a person has to look into. */
type Outcome = Readonly<{ id: string; outcome: string; says: string; periods?: number }>;

const historyRows = (scope: Construct, copier: ServiceFunction): AlarmRow[] => [
  ...outcomeRows(scope, copier, [
    {
      id: "HistoryChanged",
      outcome: "history_changed",
      says: "Entries of audit or ledger that somebody changed or removed: operator ledger verify",
    },
  ]),
  {
    id: "HistoryBehind",
    says: "Age of the oldest entry without a copy, in milliseconds: after a day it stays without one",
    metric: copier.handler.metric("IteratorAge", { period, statistic: "Maximum" }),
    above: 3_600_000,
  },
];

const outcomeRows = (scope: Construct, { logGroup }: ServiceFunction, rows: readonly Outcome[]): AlarmRow[] =>
  rows.map(({ id, outcome, says, periods = 1 }) => {
    const filter = new MetricFilter(scope, `${id}Logged`, {
      logGroup,
      filterPattern: FilterPattern.stringValue("$.outcome", "=", outcome),
      metricNamespace: Stack.of(scope).stackName,
      metricName: id,
      metricValue: "1",
      defaultValue: 0,
    });
    return { id, says, metric: filter.metric(sum), above: 0, periods };
  });

const statusOf = (status: number) => FilterPattern.stringValue("$.status", "=", String(status));

/**
 * What an attack looks like in the API's log. One caller with a wrong key, or a few, stay below: the limits are per five
 * minutes, and far above what mistakes make.
 */
const attacks = [
  { id: "WrongKeys", says: "Answers of 401: somebody tries keys", pattern: statusOf(401), above: 200 },
  { id: "Forbidden", says: "Answers of 403: somebody tries what a key may not do", pattern: statusOf(403), above: 200 },
  { id: "RateLimited", says: "Answers of 429: somebody asks far too often", pattern: statusOf(429), above: 2_000 },
  {
    id: "AuthorizerFaults",
    says: "Keys that could not be checked: faults of the authorizer",
    pattern: FilterPattern.stringValue("$.responseType", "=", "AUTHORIZER_*"),
    above: 0,
  },
];

const attackRows = (scope: Construct, logGroup: LogGroup): AlarmRow[] =>
  attacks.map(({ id, says, pattern: filterPattern, above }) => {
    const filter = new MetricFilter(scope, `${id}Logged`, {
      ...{ logGroup, filterPattern },
      metricNamespace: Stack.of(scope).stackName,
      metricName: id,
      metricValue: "1",
      defaultValue: 0,
    });
    return { id, says, metric: filter.metric(sum), above };
  });

/** Requests that a firewall blocked. Metrics of CloudFront's name no region. */
const blockRow = (firewall: string, index: number): AlarmRow => ({
  id: index === 0 ? "Blocked" : "BlockedAtEdge",
  says: `Requests that the firewall ${firewall} blocked`,
  metric: new Metric({
    namespace: "AWS/WAFV2",
    metricName: "BlockedRequests",
    dimensionsMap: { WebACL: firewall, Rule: "ALL", ...(index === 0 && { Region: Aws.REGION }) },
    ...sum,
  }),
  above: 1_000,
});

/** What the dispatcher's log tells: how far the sweeps of what waits for rails are behind, and rails that are missing. */
function dispatchRows(scope: Construct, { dispatcher: { logGroup } }: Watched): AlarmRow[] {
  const metricNamespace = Stack.of(scope).stackName;
  const behind = new MetricFilter(scope, "SweepsBehindLogged", {
    logGroup,
    filterPattern: FilterPattern.exists("$.behindSeconds"),
    metricNamespace,
    metricName: "SweepsBehind",
    metricValue: "$.behindSeconds",
  });
  const unswept = new MetricFilter(scope, "RailUnsweptLogged", {
    logGroup,
    filterPattern: FilterPattern.stringValue("$.outcome", "=", "rail_missing"),
    metricNamespace,
    metricName: "RailUnswept",
    metricValue: "1",
    defaultValue: 0,
  });
  return [
    {
      id: "SweepsBehind",
      says: "Seconds by which questions to a rail are behind: it fails, or polling does not keep up",
      metric: behind.metric({ period, statistic: "Maximum" }),
      above: 300,
      periods: 3,
    },
    {
      id: "RailUnswept",
      says: "Rails that hold payments and are not configured: configure them again",
      metric: unswept.metric(sum),
      above: 0,
    },
  ];
}

/** The topic of alarms. It has no key: alarms cannot use AWS's own, and their texts hold no personal data. */
function alarmTopic(scope: Construct): Topic {
  const topic = new Topic(scope, "Alarms", { enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
  );
  return topic;
}
