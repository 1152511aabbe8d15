import type { StoreCall } from "./calls.ts";
import type { EventFile } from "./event.ts";
import { isExpected, outcomeOf, type Replay } from "./stage.ts";

/** The report of a replay for people: the answer, the log and the store calls. */
export function replayReport(file: EventFile, stores: string, replay: Replay): string {
  const { calls, log, durationMs } = replay;
  const callsMs = calls.reduce((sum, call) => sum + call.durationMs, 0);
  const units = calls.reduce((sum, { capacityUnits = 0 }) => sum + capacityUnits, 0);
  return [
    `${file.function} on ${stores}: ${durationMs.toFixed(0)} ms`,
    ...(file.expect === undefined || isExpected(file, replay)
      ? []
      : [`Not as expected: ${JSON.stringify(file.expect)}`]),
    "",
    ...answerLines(replay),
    "",
    `Log: ${log.length} lines`,
    ...log.map((line) => `  ${line}`),
    "",
    `Store calls: ${calls.length}, ${callsMs.toFixed(0)} ms, ${units} capacity units`,
    ...calls.flatMap(callLines),
    "",
  ].join("\n");
}

type Answer = Readonly<{
  statusCode: number;
  headers?: Readonly<Record<string, unknown>>;
  body?: string;
  isBase64Encoded?: boolean;
}>;

function answerLines(replay: Replay): string[] {
  const { answer, fault } = replay;
  if (fault !== undefined) return [`Threw ${outcomeOf(replay)}`];
  if (typeof answer !== "object" || answer === null || !("statusCode" in answer))
    return [JSON.stringify(answer, hideSecret, 2)];
  const { statusCode, headers = {}, body = "", isBase64Encoded = false } = answer as Answer;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  const bytes = `(${Buffer.byteLength(body, "base64")} bytes)`;
  return [String(statusCode), ...lines, "", isBase64Encoded ? bytes : pretty(body)];
}

/** Hides the value by which API Gateway counts a key's use, in the authorizer's answer. */
const hideSecret = (name: string, value: unknown): unknown => (name === "usageIdentifierKey" ? "***" : value);

const pretty = (body: string): string => (/^[[{]/.test(body) ? JSON.stringify(JSON.parse(body), null, 2) : body);

function callLines({ store, command, targets, status, durationMs, capacityUnits }: StoreCall): string[] {
  const name = `${store} ${command}`.padEnd(30);
  const cost = capacityUnits === undefined ? "" : `${capacityUnits} CU`;
  const [first = "", ...rest] = targets;
  const refused = status < 300 ? "" : ` (${status})`;
  return [
    `  ${durationMs.toFixed(1).padStart(6)} ms ${cost.padStart(7)}  ${name}${first}${refused}`,
    ...rest.map((target) => `${" ".repeat(51)}${target}`),
  ];
}
