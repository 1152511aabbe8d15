import { type MetricName, metrics } from "@intents/deployment/metrics.ts";
import { Aws, CfnCondition, Duration, Fn, NestedStack } from "aws-cdk-lib";
import {
  Alarm,
  CfnAlarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import { type AlarmRow, functionRows, period, serviceWideRows, storeRows, sum, type Watched } from "./alarm-rows.ts";
import { alarmTextOf } from "./alarm-texts.ts";
import type { Deployment } from "./deployment.ts";

/**
 * The alarms, and a dashboard of the same metrics. Each alarm is told to the stage's own topic, with whom the deployer
 * has subscribed to it, and to a topic of the deployer's. A stack within the API's, whose resources are counted apart.
 */
export class Monitoring extends NestedStack {
  readonly topic: Topic;
  readonly alarms: ReadonlyMap<string, Alarm>;

  constructor(
    scope: Construct,
    id: string,
    { deployment, ...watched }: Watched & Readonly<{ deployment: Deployment }>,
  ) {
    super(scope, id, { description: "Payment intents: alarms and dashboard" });
    this.topic = alarmTopic(this);
    const { alarmEmail, alarmTopicArn } = deployment;
    if (alarmEmail !== undefined) this.topic.addSubscription(new EmailSubscription(alarmEmail));
    const topics: ITopic[] = [this.topic];
    if (alarmTopicArn !== undefined) topics.push(Topic.fromTopicArn(this, "Deployers", alarmTopicArn));
    const serviceWide = serviceWideRows(this, watched);
    const byStore = storeRows(watched);
    const byFunction = functionRows(this, watched);
    const rows = [...serviceWide, ...byStore, ...byFunction];
    this.alarms = new Map(rows.map((row) => [row.id, alarmOf(this, row)]));
    for (const { id, onlyIn } of rows) if (onlyIn !== undefined) keepTo(onlyIn, this.alarms.get(id));
    for (const alarm of this.alarms.values()) alarm.addAlarmAction(...topics.map((topic) => new SnsAction(topic)));
    const { api } = watched;
    new Dashboard(this, "Dashboard", { defaultInterval: Duration.days(1) }).addWidgets(
      graph("Requests, and those refused", [api.metricCount(sum), api.metricClientError(sum)]),
      graph(
        "Latency",
        ["p50", "p90", "p99"].map((statistic) => api.metricLatency({ period, statistic })),
      ),
      ...figures.map(([name, says, statistic]) => graph(says, [byDimensions(watched.namespace, name, statistic)])),
      ...serviceWide.map(({ id, metric }) => graph(`${id}: ${alarmTextOf(id).means}`, [metric])),
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

/** The figures of the business that the dashboard shows, each by its dimensions. */
const figures = [
  ["Submits", "Payments that rails accepted", "Sum"],
  ["SettleSeconds", "Seconds from submit to settlement, of half of the payments", "p50"],
  ["Refusals", "Requests that were refused, by code", "Sum"],
] as const satisfies readonly (readonly [MetricName, string, string])[];

/** A metric in as many lines as its dimensions have values. */
const byDimensions = (namespace: string, name: MetricName, statistic: string): IMetric =>
  new MathExpression({
    expression: `SEARCH('{"${[namespace, ...metrics[name].by].join('","')}"} MetricName="${name}"', '${statistic}', 300)`,
    label: "",
    period,
  });

const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 12 });

/** The text of an alarm as CloudWatch sends it: links have no meaning there. */
function descriptionOf(id: string): string {
  const { means, look, act } = alarmTextOf(id);
  return `${means}.\nLook: ${look}.\nThen: ${act}.`.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, "$1 (docs/$2)");
}

const alarmOf = (scope: Construct, { id, metric, periods = 1, ...limit }: AlarmRow): Alarm =>
  new Alarm(scope, id, {
    alarmDescription: descriptionOf(id),
    metric,
    evaluationPeriods: periods,
    ...("above" in limit
      ? {
          threshold: limit.above,
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          treatMissingData: TreatMissingData.NOT_BREACHING,
        }
      : {
          threshold: limit.below,
          comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
          treatMissingData: TreatMissingData.BREACHING,
        }),
  });

/** Makes an alarm in one region alone. */
function keepTo(region: string, alarm: Alarm | undefined): void {
  if (!(alarm?.node.defaultChild instanceof CfnAlarm)) throw new Error("There is no alarm for one region alone");
  const isThere = new CfnCondition(alarm, "IsThere", { expression: Fn.conditionEquals(Aws.REGION, region) });
  alarm.node.defaultChild.cfnOptions.condition = isThere;
}

/** The topic of alarms. It has no key: alarms cannot use AWS's own, and their texts hold no personal data. */
function alarmTopic(scope: Construct): Topic {
  const topic = new Topic(scope, "Alarms", { enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": NestedStack.of(scope).account } },
    }),
  );
  return topic;
}
