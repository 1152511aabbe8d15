import { METRICS_NAMESPACE } from "@intents/deployment/metrics.ts";
import { alarmTextOf, alarmTexts } from "@intents/infra/alarm-texts.ts";
import { resourcesOf } from "@intents/infra/synth-fixture.ts";
import { afterAll, describe, expect, test, vi } from "vitest";
import {
  logAdvanced,
  logAsked,
  logChanged,
  logDispatched,
  logFound,
  logOverdue,
  logUncopied,
} from "../../../functions/runtime/log-lines.ts";
import { type Alarm, alarms, alarmsOf, isOurs, made, NAMESPACE } from "./alarms.ts";

// Each alarm on a figure of ours is set off by the lines that functions log when its fault happens. The tests of
// packages/execution hold which fault leads to which outcome; here the outcome meets the template.

vi.stubEnv(METRICS_NAMESPACE, NAMESPACE);
afterAll(() => vi.unstubAllEnvs());

type Line = Readonly<Record<string, unknown>>;
type Log = Parameters<typeof logDispatched>[0];
type Filter = Readonly<{
  FilterPattern: string;
  LogGroupName: unknown;
  MetricTransformations: readonly Readonly<{ MetricName: string; MetricNamespace: string; MetricValue: string }>[];
}>;

const filters = resourcesOf(made.monitoring, "AWS::Logs::MetricFilter").map(([, filter]) => filter as Filter);

/** The lines that `say` logs, with the fields that a logger adds. */
function linesOf(say: (log: Log) => void): Line[] {
  const lines: Line[] = [];
  const at =
    (level: string): Log["info"] =>
    (message, fields) =>
      void lines.push({ level, message, ...fields });
  say({ info: at("INFO"), warn: at("WARN"), error: at("ERROR") });
  return lines;
}

/** Whether a line matches a filter's pattern: a field that is a text, begins with one, or is there at all. */
function matches(pattern: string, line: Line): boolean {
  const [, field = "", text = ""] = /^\{ \$\.(\w+) = "(.*)" \}$/.exec(pattern) ?? [];
  if (field === "") throw new Error(`The pattern ${pattern} is of another kind`);
  const value = line[field];
  return value !== undefined && (text.endsWith("*") ? String(value).startsWith(text.slice(0, -1)) : value === text);
}

/** The values that the lines of `log` give an alarm's metric, by filters of that log or as a metric of their own. */
function valuesOf({ MetricName, Namespace }: Alarm, log: string, lines: readonly Line[]): number[] {
  const logged = filters
    .filter(({ LogGroupName }) => JSON.stringify(LogGroupName).includes(log.replaceAll("-", "")))
    .flatMap(({ FilterPattern, MetricTransformations: [to] }) => {
      if (to?.MetricName !== MetricName || to.MetricNamespace !== Namespace) return [];
      const matching = lines.filter((line) => matches(FilterPattern, line));
      return matching.map((line) => Number(to.MetricValue.startsWith("$.") ? line[to.MetricValue.slice(2)] : 1));
    });
  const embedded = lines.flatMap((line) => {
    const { CloudWatchMetrics = [] } = (line["_aws"] ?? {}) as { CloudWatchMetrics?: { Namespace: string }[] };
    const isNamed = CloudWatchMetrics.some((metric) => metric.Namespace === Namespace);
    return isNamed && MetricName in line ? [Number(line[MetricName])] : [];
  });
  return [...logged, ...embedded];
}

const statistics: Readonly<Record<string, (values: readonly number[]) => number>> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Maximum: (values) => Math.max(...values),
  SampleCount: (values) => values.length,
};

/** Whether an alarm goes off when each of so many periods has brought `lines`, after periods that brought nothing. */
function goesOff(alarm: Alarm, log: string, lines: readonly Line[], periods = alarm.EvaluationPeriods): boolean {
  const values = valuesOf(alarm, log, lines);
  if (values.length === 0) return alarm.TreatMissingData === "breaching";
  const value = statistics[alarm.Statistic]?.(values) ?? Number.NaN;
  const isBeyond =
    alarm.ComparisonOperator === "GreaterThanThreshold" ? value > alarm.Threshold : value < alarm.Threshold;
  return isBeyond && periods >= alarm.EvaluationPeriods;
}

const asked = { tenantId: "1001", id: "intent", executionId: "execution" } as Parameters<
  typeof logAsked
>[3]["news"][number]["asked"];
type News = Parameters<typeof logAsked>[3]["news"][number]["outcome"];
const news = (...outcomes: readonly News[]) => ({
  outcome: "applied" as const,
  news: outcomes.map((outcome) => ({ asked, outcome })),
});
const entry = { PK: "AUDIT#1001", SK: "1" };
const dispatch =
  (behindMs: number, missing: readonly string[] = []) =>
  (log: Log) =>
    logDispatched(log, behindMs, missing);
const ask = (counts: Parameters<typeof logAsked>[3]) => (log: Log) => logAsked(log, "http there", 2, counts);
const advance = (outcome: string) => (log: Log) => logAdvanced(log, { tenantId: "1001", intentId: "i", outcome });
const quiet = () => undefined;
const about = { what: "a shard without a tick", about: "3" };

/** By alarm: the log, a fault in it, and what happens every day. */
const faults: readonly (readonly [alarm: string, log: string, fault: (log: Log) => void, calm: (log: Log) => void])[] =
  [
    ["RequiresRecovery", "advance-intent", ask(news("applied", "lost_track")), ask(news("applied"))],
    ["RequiresRecovery", "advance-intent", advance("lost_track"), advance("recovered")],
    ["RailMissing", "advance-intent", ask({ ...news("rail_missing"), outcome: "rail_missing" }), ask(news())],
    ["RailMissing", "advance-intent", advance("rail_missing"), advance("applied")],
    ["PollsFailing", "advance-intent", ask({ outcome: "polls_failing", news: [] }), ask(news())],
    ["FailedAlone", "advance-intent", ask(news("failed_alone")), ask(news("applied"))],
    ["Unanswered", "advance-intent", ask(news("unanswered")), ask(news("applied"))],
    ["OverdueTimers", "advance-intent", (log) => logOverdue(log, 1, 0), (log) => logOverdue(log, 0, 0)],
    ["Heartbeat", "dispatch-due", quiet, dispatch(0)],
    ["SweepsBehind", "dispatch-due", dispatch(301_000), dispatch(300_000)],
    ["RailUnswept", "dispatch-due", dispatch(0, ["http gone"]), dispatch(0)],
    ["Unattended", "dispatch-due", (log) => logFound(log, about), dispatch(0)],
    ["Unattended", "daily", (log) => logFound(log, about), quiet],
    ["HistoryChanged", "copy-history", (log) => logChanged(log, entry, "MODIFY"), quiet],
    ["HistoryUncopied", "copy-history", (log) => logUncopied(log, "entry", new Error("refused")), quiet],
  ];

test.each(faults)("%s goes off by what %s logs, for as long as its periods say, and not otherwise", (...row) => {
  const [name, log, fault, calm] = row;
  const alarm = alarms.get(name) as Alarm;
  expect(goesOff(alarm, log, linesOf(fault))).toBe(true);
  expect(goesOff(alarm, log, linesOf(calm))).toBe(false);
  if (alarm.EvaluationPeriods > 1) expect(goesOff(alarm, log, linesOf(fault), alarm.EvaluationPeriods - 1)).toBe(false);
});

const [[, stage]] = resourcesOf(made.api, "AWS::ApiGateway::Stage") as [
  [string, { AccessLogSetting: { Format: string } }],
];
const answered = (fields: Line): Line => ({ ...(JSON.parse(stage.AccessLogSetting.Format) as Line), ...fields });
const attacks = [
  ["WrongKeys", { status: "401" }, 200],
  ["Forbidden", { status: "403" }, 200],
  ["RateLimited", { status: "429" }, 2_000],
  ["AuthorizerFaults", { responseType: "AUTHORIZER_FAILURE" }, 0],
] as const;

test.each(attacks)("%s goes off by answers of the API with %j, above %i of them", (name, fields, most) => {
  const alarm = alarms.get(name) as Alarm;
  const line = answered(fields);
  // The API's log has no field that was not in its format.
  expect(Object.keys(line)).toEqual(Object.keys(answered({})));
  const answers = (count: number) => Array<Line>(count).fill(line);
  expect(goesOff(alarm, "AccessLogs", answers(most + 1))).toBe(true);
  expect(goesOff(alarm, "AccessLogs", answers(most))).toBe(false);
  expect(goesOff(alarm, "AccessLogs", Array<Line>(most + 1).fill(answered({ status: "200" })))).toBe(false);
});

const own = [...alarms].filter(([, alarm]) => isOurs(alarm));
const ofFaults = own.flatMap(([name, alarm]) => (name.startsWith("Faults") ? [[name, alarm] as const] : []));

test.each(ofFaults)("%s goes off by an error in its function's log", (name, alarm) => {
  const log = name.replace(/^Faults/, "Function");
  expect(goesOff(alarm, log, [{ level: "ERROR" }])).toBe(true);
  expect(goesOff(alarm, log, [{ level: "WARN" }])).toBe(false);
});

/** The alarms that are about single payments. */
const aboutPayments = ["RequiresRecovery", "RailMissing", "FailedAlone", "Unanswered"];

test.each(faults.filter(([name]) => aboutPayments.includes(name)))(
  "%s is about a payment, which the line of %s names, and its steps ask for it",
  (name, _, fault) => {
    const { look, act } = alarmTextOf(name);
    expect(linesOf(fault)).toContainEqual(
      expect.objectContaining({ tenantId: "1001", intentId: expect.any(String), outcome: expect.any(String) }),
    );
    expect(`${look} ${act}`).toMatch(/`operator (find|intents [\w-]+) <payment>/);
  },
);

test("no alarm on a figure of ours is left out", () => {
  const tried = new Set([...[...faults, ...attacks].map(([name]) => name), ...ofFaults.map(([name]) => name)]);
  expect(own.map(([name]) => name).filter((name) => !tried.has(name))).toEqual([]);
  expect(ofFaults.length).toBeGreaterThan(2);
});

describe("what an alarm tells", () => {
  test("is what it means, where to look and what to do, in at most the 1,024 characters that CloudWatch takes", () => {
    for (const [name, { AlarmDescription }] of alarms) {
      expect(AlarmDescription, name).toMatch(/^.+\.\nLook: .+\.\nThen: .+\.$/);
      expect(AlarmDescription.length, name).toBeLessThanOrEqual(1_024);
    }
    expect(() => alarmTextOf("Unknown")).toThrow("has no text");
  });

  test("is told of alarms that there are", () => {
    expect(Object.keys(alarmTexts).filter((name) => alarmsOf(name).length === 0)).toEqual([]);
  });
});
