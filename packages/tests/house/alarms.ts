import { alarmTexts } from "@intents/infra/alarm-texts.ts";
import { resourcesOf, synthesize } from "@intents/infra/synth-fixture.ts";

/** The stage whose alarms are tried: canaries add to them. */
export const made = synthesize("production", { canary: "true" });
export const NAMESPACE = "payment-intents-production";

export type Alarm = Readonly<{
  MetricName: string;
  Namespace: string;
  Statistic: string;
  Threshold: number;
  EvaluationPeriods: number;
  ComparisonOperator: "GreaterThanThreshold" | "LessThanThreshold";
  TreatMissingData: "breaching" | "notBreaching";
  AlarmDescription: string;
}>;

/** The name of an alarm in its row: CDK leaves out hyphens, and ends ids with a hash. */
const nameOf = (id: string): string => id.replace(/[\dA-F]{8}$/, "");

export const alarms = new Map(
  resourcesOf(made.monitoring, "AWS::CloudWatch::Alarm").map(([id, alarm]) => [nameOf(id), alarm as Alarm]),
);
export const isOurs = ({ Namespace }: Alarm): boolean => Namespace === NAMESPACE;

/** The alarms that a text is about: one, or a family of them. */
export const alarmsOf = (name: string): Alarm[] =>
  [...alarms].flatMap(([known, alarm]) =>
    known.startsWith(name.replace(/-…$/, "").replaceAll("-", "")) ? [alarm] : [],
  );

/** The table of docs/operate.md, and the alarms that no test sets off. */
export function alarmTable(): string {
  const rows = Object.entries(alarmTexts).map(
    ([name, { means, look, act }]) => `| \`${name}\` | ${means} | ${look} | ${act} |`,
  );
  const untried = Object.keys(alarmTexts).filter((name) => !alarmsOf(name).some(isOurs));
  return [
    "| alarm | means | look | then |\n|---|---|---|---|",
    ...rows,
    `\nNo test has set off these alarms on AWS's own metrics, which takes an account: ${untried.map((name) => `\`${name}\``).join(", ")}. All others are set off\nin \`packages/tests/house/alarms.test.ts\`.`,
  ].join("\n");
}
