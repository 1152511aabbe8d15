import { mainTableSchema } from "@intents/storage/table-schema.ts";
import { Duration, Stack } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { FilterPattern, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

type Watched = Readonly<{
  api: RestApi;
  functions: ReadonlyMap<string, ServiceFunction>;
  /** The function that polls payments. */
  poller: ServiceFunction;
  mainTable: Table;
  queue: Queue;
  deadLetters: Queue;
}>;

/** An alarm goes off when its metric is above `above` in each of `periods` times five minutes, one unless stated. */
type AlarmRow = Readonly<{ id: string; says: string; metric: IMetric; above: number; periods?: number }>;

const period = Duration.minutes(5);
const sum = { period, statistic: "Sum" };

/** Tells somebody what has to be told, and shows the same on one page. Whom: those who subscribe to the topic. */
export class Monitoring extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    this.topic = alarmTopic(this);
    const action = new SnsAction(this.topic);
    const board = new Dashboard(this, "Dashboard", { defaultInterval: Duration.days(1) });
    const rows = [...serviceRows(watched), ...storeRows(watched), recoveryRow(this, watched.poller)];
    const functionRows = [...watched.functions].map(([name, { handler }]) => functionRow(name, handler.functionName));
    for (const { id: alarmId, says, metric, above, periods = 1 } of [...rows, ...functionRows]) {
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
      graph("Requests, and those refused", api.metricCount(sum), api.metricClientError(sum)),
      graph("Latency", ...["p50", "p90", "p99"].map((statistic) => api.metricLatency({ period, statistic }))),
      ...rows.map(({ says, metric }) => graph(says, metric)),
      graph("Faults and throttles by function", ...functionRows.map(({ metric }) => metric)),
    );
  }
}

const graph = (title: string, ...left: IMetric[]) => new GraphWidget({ title, left, width: 12 });

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

/** Throttles of the main table and of its indexes, whose back-pressure would hold up commits (H29). */
const storeRows = ({ mainTable }: Watched): AlarmRow[] =>
  [undefined, ...mainTableSchema.indexes.map(({ name }) => name)].map((index) => ({
    id: `Throttles${index ?? "Table"}`,
    says: `Throttled reads and writes of ${index === undefined ? "the main table" : `the index ${index}`}`,
    metric: added("AWS/DynamoDB", index ?? "table", ["ReadThrottleEvents", "WriteThrottleEvents"], {
      TableName: mainTable.tableName,
      ...(index !== undefined && { GlobalSecondaryIndexName: index }),
    }),
    above: 0,
  }));

const functionRow = (name: string, functionName: string): AlarmRow => ({
  id: `Function-${name}`,
  says: `Faults and throttles of ${name}`,
  metric: added("AWS/Lambda", name, ["Errors", "Throttles"], { FunctionName: functionName }),
  above: 0,
});

/** The sum of two metrics of one thing, as a line of that name. */
function added(namespace: string, of: string, metricNames: readonly string[], dimensionsMap: Record<string, string>) {
  // A graph's ids have to differ from line to line.
  const metrics = metricNames.map((metricName): [string, Metric] => [
    `${metricName}_${of}`.replace(/\W/g, "_").replace(/^./, (letter) => letter.toLowerCase()),
    new Metric({ namespace, metricName, dimensionsMap, ...sum }),
  ]);
  const expression = metrics.map(([id]) => id).join(" + ");
  return new MathExpression({ expression, label: of, period, usingMetrics: Object.fromEntries(metrics) });
}

/** Payments that nobody can follow any more: an operator has to ask the rail. */
function recoveryRow(scope: Construct, poller: ServiceFunction): AlarmRow {
  const filter = new MetricFilter(scope, "LostTrack", {
    logGroup: poller.logGroup,
    filterPattern: FilterPattern.stringValue("$.outcome", "=", "lost_track"),
    metricNamespace: Stack.of(scope).stackName,
    metricName: "RequiresRecovery",
    metricValue: "1",
    defaultValue: 0,
  });
  return { id: "RequiresRecovery", says: "Intents that now require recovery", metric: filter.metric(sum), above: 0 };
}

/** Not encrypted by a key: alarms cannot use AWS's own, and what they say is nobody's data. */
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
