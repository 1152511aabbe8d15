import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { projectFolders } from "@intents/infra/bundle.ts";
import { findTimer } from "@intents/storage/polling/timers.ts";
import { openTable } from "@intents/storage/table/table.ts";
import { type Functions, openFunctions } from "../functions.ts";
import type { StoreCall } from "./calls.ts";
import { answerName, type EventFile, readEventFile, setupPath, toEvent, Unreplayable, type Values } from "./event.ts";
import type { ReplayStores } from "./stores.ts";

/** The outcome of one run of a function. */
export type Replay = Readonly<{
  /** The answer as Lambda passes it on: `null` for none. */
  answer: unknown;
  /** The error that the function threw instead of answering. */
  fault?: unknown;
  log: readonly string[];
  calls: readonly StoreCall[];
  durationMs: number;
}>;

export type Stage = Readonly<{ functions: Functions; stores: ReplayStores }>;

/** The bundled functions on `stores`. */
export const openStage = (stores: ReplayStores): Stage => ({ functions: openFunctions(projectFolders.dist), stores });

/** Setups that need setups of their own may be nested so deep. */
const SETUP_DEPTH_MAX = 8;

/**
 * Replays the files `names` below events/ after their own setup, each once, and adds their answers to `known`. A file
 * whose name is known already is left out. Throws Unreplayable when an answer is not the expected one.
 */
export async function replaySetup(
  stage: Stage,
  names: readonly string[],
  known: Values = {},
  depth = 0,
): Promise<Values> {
  if (depth > SETUP_DEPTH_MAX) throw new Unreplayable(`The setup goes round in circles: ${names.join(", ")}`);
  let values = known;
  for (const name of names) {
    if (Object.hasOwn(values, answerName(name))) continue;
    const file = readEventFile(setupPath(name));
    values = await replaySetup(stage, file.setup ?? [], values, depth + 1);
    const replay = await replayEvent(stage, file, values);
    if (!isExpected(file, replay)) throw new Unreplayable(`The setup ${name} came to ${outcomeOf(replay)}`);
    values = { ...values, [answerName(name)]: dataOf(replay.answer) };
  }
  return values;
}

/** Runs the event of `file`, with its placeholders filled, on its function. Throws Unreplayable. */
export async function replayEvent(stage: Stage, file: EventFile, values: Values): Promise<Replay> {
  const event = toEvent(file.event, { ...values, ...builtIn(), ...(await timerIn(file, values)) });
  stage.stores.takeCalls();
  const startedMs = performance.now();
  const { outcome, log } = await withLog(() => stage.functions.invoke(file.function, event));
  const durationMs = performance.now() - startedMs;
  return { ...outcome, log, calls: stage.stores.takeCalls(), durationMs };
}

/** Values for every replay: the demo's key, a text that is new each time, for an Idempotency-Key, and the time. */
const builtIn = (): Values => ({ apiKey: "demo:demo-secret", unique: randomUUID(), nowMs: Date.now() });
const TENANT = "1001";

/** Values of a timer's message, which is obeyed only with the stored lease of the intent that the setup has made. */
async function timerIn(file: EventFile, values: Values): Promise<Values> {
  const { createPaymentIntent: intent } = values;
  if (!JSON.stringify(file.event).includes("{{timer.") || intent === undefined) return {};
  const table = openTable(process.env["TABLE_NAME"] ?? "");
  const timer = await findTimer(table, TENANT, String((intent as Values)["id"]));
  table.client.destroy();
  return { timer };
}

/** Whether the answer contains what the file expects. */
export function isExpected({ expect }: EventFile, { answer, fault }: Replay): boolean {
  if (fault !== undefined) return false;
  if (expect === undefined || expect === null) return expect === undefined || answer === null;
  return Object.entries(expect).every(([name, value]) => isDeepStrictEqual((answer as Values | null)?.[name], value));
}

/** The outcome in a few words, for a line of its own. */
export function outcomeOf({ answer, fault }: Replay): string {
  if (fault !== undefined) return String(fault);
  const { statusCode, body } = (answer ?? {}) as Partial<{ statusCode: number; body: string }>;
  return statusCode === undefined ? JSON.stringify(answer) : `${statusCode} ${statusCode < 400 ? "" : body}`.trim();
}

/** The part of an answer that placeholders may use: for a request, the value under `data`. */
export function dataOf(answer: unknown): unknown {
  const { body } = (answer ?? {}) as Partial<{ body: string }>;
  if (body === undefined || !body.startsWith("{")) return answer;
  return (JSON.parse(body) as { data: unknown }).data;
}

type Outcome = Pick<Replay, "answer" | "fault">;

/** Runs `run`, and collects the lines that functions meanwhile log to the standard streams. */
async function withLog(run: () => Promise<unknown>): Promise<{ outcome: Outcome; log: string[] }> {
  const written: string[] = [];
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  for (const { stream } of streams) {
    stream.write = (chunk: string | Uint8Array) => {
      written.push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
      return true;
    };
  }
  const outcome = await run().then(
    (answer = null): Outcome => ({ answer }),
    (fault: unknown): Outcome => ({ answer: null, fault }),
  );
  for (const { stream, write } of streams) stream.write = write;
  return { outcome, log: written.join("").split("\n").filter(Boolean) };
}
