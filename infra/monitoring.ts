import { mainTableSchema } from "@intents/storage/table-schema.ts";
import { Duration, Stack, Validations } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import {
  type Alarm,
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

/** An alarm goes off when its metric is above `above` in so many periods of five minutes, one unless stated. */
type AlarmRow = Readonly<{ id: string; metric: IMetric; above: number; periods?: number; says: string }>;

const period = Duration.minutes(5);
const sum = { period, statistic: "Sum" };

/** What somebody has to be told, and the same on one page. Whom to tell: subscribe to the topic. */
export class Monitoring extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    this.topic = alarmTopic(this);
    const rows = [...serviceRows(watched), ...storeRows(watched), this.recoveryRow(watched.poller)];
    const alarms = rows.map((row) => this.alarm(row));
    const functions = [...watched.functions].map(([name, { handler }]) => this.alarm(functionRow(name, handler)));
    const board = new Dashboard(this, "Dashboard", { defaultInterval: Duration.days(1) });
    for (const { metric, says } of rows) board.addWidgets(new GraphWidget({ title: says, left: [metric], width: 12 }));
    board.addWidgets(
      new GraphWidget({ title: "Requests", left: [watched.api.metricCount(sum), watched.api.metricClientError(sum)], width: 12 }),
      new GraphWidget({ title: "Faults by function", left: functions.map(({ metric }) => metric), width: 12 }),
    );
    for (const alarm of [...alarms, ...functions]) alarm.addAlarmAction(new SnsAction(this.topic));
  }

  private alarm({ id, metric, above, periods = 1, says }: AlarmRow): Alarm {
    return metric.createAlarm?.(this, id, { }) as Alarm;
  }
}
