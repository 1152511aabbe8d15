import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { routes } from "@intents/contract/routes.ts";
import { projectFolders } from "@intents/infra/bundle.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { listenHere } from "../free-port.ts";
import { createGateway } from "../gateway/gateway.ts";
import { EVENTS, type EventFile, fillText, Unreplayable } from "./event.ts";
import { toEventText, toRecordable } from "./recordable.ts";
import { type Replay, replayEvent, replaySetup, type Stage } from "./stage.ts";

/** A request to record as an event file. Path and body may have placeholders, whose values come from `setup`. */
export type Wanted = Readonly<{
  method: string;
  path: string;
  /** `demo`, `basic`, `none`, or an X-API-Key. */
  key: string;
  type: string;
  /** The body itself, JSON or not, or `@` and the name of a file that holds it. */
  body?: string;
  /** Lines such as `Idempotency-Key: one`. */
  header?: readonly string[];
  setup?: readonly string[];
  out?: string;
}>;

type Recorded = Readonly<{ path: string; file: EventFile; replay: Replay }>;

/** Gets the event of a request from the gateway, writes it to a file, and replays that file. Throws Unreplayable. */
export async function recordEvent(stage: Stage, wanted: Wanted): Promise<Recorded> {
  const { setup = [] } = wanted;
  const body = bodyOf(wanted);
  const values = { ...(await replaySetup(stage, setup)), unique: randomUUID() };
  const { name, event } = await catchEvent(stage, { ...wanted, path: fillText(wanted.path, values) }, body);
  const path = pathFor(name, event, wanted.out);
  const recorded = toRecordable(event, wanted.path, values);
  const replay = await replayEvent(stage, { function: name, event: recorded }, values);
  const { statusCode } = (replay.answer ?? {}) as Partial<{ statusCode: number }>;
  if (statusCode === undefined) throw new Unreplayable(`${name} did not answer: ${String(replay.fault)}`);
  const file: EventFile = {
    function: name,
    ...(setup.length > 0 && { setup: [...setup] }),
    expect: { statusCode },
    event: recorded,
  };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, toEventText(file));
  return { path: relative(projectFolders.root, path), file, replay };
}

function bodyOf({ body }: Wanted): Buffer<ArrayBuffer> | null {
  if (body === undefined || !body.startsWith("@")) return body === undefined ? null : Buffer.from(body);
  try {
    return readFileSync(body.slice(1));
  } catch (error) {
    throw new Unreplayable(`${body.slice(1)} cannot be read: ${String((error as NodeJS.ErrnoException).code)}`);
  }
}

type Caught = Readonly<{ name: string; event: APIGatewayProxyEvent }>;

/** Sends the request to a gateway of its own, which asks the real authorizer but stops before the function. */
async function catchEvent(stage: Stage, wanted: Wanted, body: Buffer<ArrayBuffer> | null): Promise<Caught> {
  const caught: Caught[] = [];
  const problems: string[] = [];
  const invoke = async (name: string, event: unknown): Promise<unknown> => {
    if (name === "authorizer") return stage.functions.invoke(name, event);
    caught.push({ name, event: structuredClone(event) as APIGatewayProxyEvent });
    return { statusCode: 200, body: "" };
  };
  const { server, finish } = createGateway({ routes, functions: { invoke }, report: (line) => problems.push(line) });
  const url = await listenHere(server);
  try {
    const { method, path } = wanted;
    const headers = headersOf(wanted, body !== null);
    const response = await fetch(url + path, { method, body, headers });
    const [only] = caught;
    if (only !== undefined) return only;
    throw new Unreplayable(
      `The gateway itself answered ${response.status}: ${[await response.text(), ...problems].join(" ")}`,
    );
  } finally {
    await finish(0);
  }
}

function headersOf({ key, type, header = [] }: Wanted, hasBody: boolean): [string, string][] {
  const apiKey = key.includes(":") ? key : `${key}:${key}-secret`;
  return [
    ...(key === "none" ? [] : [["X-API-Key", apiKey] as [string, string]]),
    ...(hasBody ? [["Content-Type", type] as [string, string]] : []),
    ...header.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  ];
}

function pathFor(name: string, { httpMethod, resource }: APIGatewayProxyEvent, out: string | undefined): string {
  if (out !== undefined) return out;
  const [route] = Object.entries(routes).find(([, { on }]) => on === `${httpMethod} ${resource}`) ?? [];
  if (route === undefined) throw new Unreplayable(`${httpMethod} ${resource} is no route: name the file with --out`);
  const path = join(EVENTS, name, `${route}.json`);
  if (existsSync(path))
    throw new Unreplayable(`${relative(projectFolders.root, path)} is there: name a file with --out`);
  return path;
}
