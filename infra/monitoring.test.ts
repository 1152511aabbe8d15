import { describe, expect, test } from "vitest";
import { additions, type Made, resourcesOf, synthesize } from "./synth-fixture.ts";

const stages = [
  ["sandbox", synthesize("sandbox")],
  ["production", synthesize("production", additions)],
] as const;

const alarmsOf = ({ monitoring }: Made) => resourcesOf(monitoring, "AWS::CloudWatch::Alarm");
const alarmNamed = (made: Made, name: string) => alarmsOf(made).find(([id]) => id.startsWith(name))?.[1];

/** An old payment is asked about every 15 minutes, give or take 20 %: `packages/domain/src/polling/points.test.ts`. */
const LONGEST_WAIT_SECONDS = 1.2 * 15 * 60;

describe.each(stages)("%s", (stage, made) => {
  const alarms = alarmsOf(made);

  test("tells somebody of everything that needs a person", () => {
    const metrics = new Set(alarms.map(([, { MetricName }]) => MetricName));
    for (const metric of [
      ...["5XXError", "Latency", "ApproximateNumberOfMessagesVisible", "ApproximateAgeOfOldestMessage"],
      ...["ReadThrottleEvents", "WriteThrottleEvents", "Errors", "Throttles", "RequiresRecovery"],
      ...["Unanswered", "SweepsBehind", "RailUnswept", "OverdueTimers", "Unattended"],
    ]) {
      expect(metrics).toContain(metric);
    }
    // A single wrong key is an error of the authorizer for Lambda, and nothing for a person.
    expect(alarms.filter(([id]) => id.includes("Errorsauthorizer"))).toEqual([]);
    const thresholds = Object.fromEntries(alarms.map(([, { MetricName, Threshold }]) => [MetricName, Threshold]));
    expect(thresholds).toMatchObject({ WrongKeys: 200, Forbidden: 200, RateLimited: 2_000, AuthorizerFaults: 0 });
    for (const status of [401, 403, 429])
      made.monitoring.hasResourceProperties("AWS::Logs::MetricFilter", { FilterPattern: `{ $.status = "${status}" }` });
    const blocks = alarms.filter(([, { MetricName }]) => MetricName === "BlockedRequests");
    expect(blocks.map(([, { Dimensions }]) => JSON.stringify(Dimensions)).toSorted()).toEqual([
      expect.stringContaining(`"Value":"payment-intents-${stage}"`),
      expect.stringContaining(`"Value":"payment-intents-${stage}-edge"`),
    ]);
    for (const outcome of ["lost_track", "polls_failing"])
      made.monitoring.hasResourceProperties("AWS::Logs::MetricFilter", {
        FilterPattern: `{ $.outcome = "${outcome}" }`,
      });
    made.monitoring.resourceCountIs("AWS::CloudWatch::Dashboard", 1);
  });

  test("tells that the schedule stands still when five minutes have brought no dispatch, not even a word of one", () => {
    expect(alarmNamed(made, "Heartbeat")).toMatchObject({
      ...{ MetricName: "SweepsBehind", Namespace: `payment-intents-${stage}`, Statistic: "SampleCount" },
      ...{ Period: 300, EvaluationPeriods: 1, Threshold: 1, ComparisonOperator: "LessThanThreshold" },
      TreatMissingData: "breaching",
    });
    made.monitoring.hasResourceProperties("AWS::Logs::MetricFilter", {
      FilterPattern: '{ $.behindSeconds = "*" }',
      MetricTransformations: [{ MetricName: "SweepsBehind", MetricValue: "$.behindSeconds" }],
    });
    // No other alarm goes off because nothing happens, but that of the day's run.
    const silent = alarms.filter(([id]) => !/^(Daily)?Heartbeat/.test(id));
    for (const [id, { TreatMissingData }] of silent) expect(TreatMissingData, id).toBe("notBreaching");
  });

  test("tells that the daily rule stands still when 30 hours have brought no run", () => {
    expect(alarmNamed(made, "DailyHeartbeat")).toMatchObject({
      ...{ MetricName: "Invocations", Statistic: "Sum", Period: 21_600, EvaluationPeriods: 5 },
      ...{ Threshold: 1, ComparisonOperator: "LessThanThreshold", TreatMissingData: "breaching" },
      Dimensions: [{ Name: "FunctionName", Value: expect.anything() }],
    });
    expect(JSON.stringify(alarmNamed(made, "DailyHeartbeat")?.["Dimensions"])).toContain("daily");
  });

  test("watches CloudFront's firewall where there is one", () => {
    const conditions = Object.entries(made.monitoring.findResources("AWS::CloudWatch::Alarm"))
      .filter(([, { Condition }]) => Condition !== undefined)
      .map(([id, { Condition }]) => [id.replace(/[\dA-F]{8}$/, ""), made.monitoring.findConditions(String(Condition))]);
    expect(conditions).toEqual([["BlockedAtEdge", expect.objectContaining({})]]);
    expect(JSON.stringify(conditions)).toContain('{"Fn::Equals":[{"Ref":"AWS::Region"},"us-east-1"]}');
  });

  test("tells of a payment that its rail leaves out, however rarely an old one is asked about", () => {
    const { Period, EvaluationPeriods, Threshold } = alarmNamed(made, "Unanswered") ?? {};
    expect({ EvaluationPeriods, Threshold }).toEqual({ EvaluationPeriods: 3, Threshold: 0 });
    // A period longer than the longest wait, by a minute for the question to be worked on, has a line at any age.
    expect(Period).toBeGreaterThanOrEqual(LONGEST_WAIT_SECONDS + 60);
  });

  test("reports its own metrics under its own name, to which the functions that report them are told", () => {
    const own = alarms.filter(([, { Namespace }]) => !/^AWS\//.test(String(Namespace)));
    expect(own.length).toBeGreaterThan(10);
    for (const [id, { Namespace }] of own) expect(Namespace, id).toBe(`payment-intents-${stage}`);
    for (const [id, { Environment }] of resourcesOf(made.api, "AWS::Lambda::Function"))
      expect(Environment, id).toMatchObject({
        Variables: { POWERTOOLS_METRICS_NAMESPACE: `payment-intents-${stage}` },
      });
  });

  test("tells every alarm to the stage's topic, and to all whom the deployer names", () => {
    const named = stage === "production";
    for (const [id, { AlarmActions }] of alarms)
      expect(AlarmActions, id).toEqual([
        { Ref: expect.stringMatching(/^Alarms/) },
        ...(named ? [additions.alarmTopicArn] : []),
      ]);
    const subscribers = resourcesOf(made.monitoring, "AWS::SNS::Subscription").map(([, subscriber]) => subscriber);
    expect(subscribers).toEqual(
      named ? [{ Endpoint: "on-call@example.com", Protocol: "email", TopicArn: expect.anything() }] : [],
    );
    // Publishers who are no alarms of this account are refused.
    const [[, policy]] = resourcesOf(made.monitoring, "AWS::SNS::TopicPolicy") as [[string, object]];
    expect(JSON.stringify(policy)).toContain('"aws:SourceAccount"');
  });
});
