import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { routes } from "@intents/contract/routes.ts";
import { projectFolders } from "@intents/infra/bundle.ts";
import { isAllowed } from "@intents/infra/judge-fixture.ts";
import { EVENTS, readEventFile } from "@intents/local/events/event.ts";
import {
  isExpected,
  openStage,
  outcomeOf,
  type Replay,
  replayEvent,
  replaySetup,
  type Stage,
} from "@intents/local/events/stage.ts";
import { openReplayStores } from "@intents/local/events/stores.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askedOf, readPolicies } from "./granted.ts";

const files = readdirSync(EVENTS, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
const functions = readdirSync(projectFolders.functions).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? []);

/** The beginnings of the required events' names: one for each route, and for each function without routes. */
const wanted = functions.flatMap((name) => {
  const served = Object.entries(routes).filter(([, { group }]) => group === name);
  return served.length > 0 ? served.map(([route]) => `${name}/${route}.`) : `${name}/`;
});
const messages = ["advance-intent/shard.", "advance-intent/timer."];

describe("events/", () => {
  test.each([...wanted, ...messages])("holds %s", (start) => {
    expect(files.filter((file) => file.startsWith(start))).not.toEqual([]);
  });

  test.each(files)("%s belongs to its folder's function, and to a route where that serves any", (file) => {
    expect(wanted.filter((start) => file.startsWith(start))).toHaveLength(1);
    expect(file.startsWith(`${readEventFile(join(EVENTS, file)).function}/`)).toBe(true);
  });
});

describe("on one throw-away store", () => {
  const environment = { ...process.env };
  let stage: Stage;
  const policies = readPolicies();

  beforeAll(async () => {
    process.env["RATE_LIMIT_PER_SECOND"] = "100000";
    stage = openStage(await openReplayStores({ env: process.env, port: "0", throwAway: true }));
  });
  afterAll(async () => {
    await stage.stores.stop();
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
  });

  const replay = async (name: string): Promise<Replay> => {
    const file = readEventFile(join(EVENTS, name));
    const replayed = await replayEvent(stage, file, await replaySetup(stage, file.setup ?? []));
    expect(file).toHaveProperty("expect");
    if (!isExpected(file, replayed)) throw new Error(`${name} came to ${outcomeOf(replayed)}`);
    return replayed;
  };

  test.each(files)("%s gets the answer that its file expects, by calls that its function is granted", async (name) => {
    const { calls } = await replay(name);
    expect(calls.every(({ status }) => status < 500)).toBe(true);
    const policy = policies[name.split("/")[0] ?? ""] ?? [];
    expect(calls.flatMap(askedOf).filter((call) => !isAllowed(policy, call))).toEqual([]);
  });

  test("a timer's message holds the lease that is stored, so that it is acted upon", async () => {
    expect((await replay("advance-intent/timer.json")).log.join()).toContain('"outcome":"expired"');
  });

  test("a sweep's message finds a payment that its rail is to be asked about, and sends the question", async () => {
    const { calls } = await replay("advance-intent/sweep.json");
    expect(calls).toContainEqual(expect.objectContaining({ store: "SQS", command: "SendMessageBatch" }));
  });

  test("a question's message asks about the payment, and completes it", async () => {
    const { log } = await replay("advance-intent/question.json");
    expect(log.join()).toContain('"news":1');
  });

  test("the calls name their store, their command and the keys of every item, and what DynamoDB charges", async () => {
    const { calls } = await replay("documents/uploadDocument.json");
    const described = calls.map(({ store, command, targets }) => [store, command, ...targets].join(" "));
    expect(described).toContainEqual(
      expect.stringMatching(/^S3 PutObject payment-intent-documents tmp\/1001\/[\w-]{36}$/),
    );
    expect(described).toContainEqual(
      expect.stringMatching(/^DynamoDB \w+ payment-intents T#1001#DOCUMENT#[\w-]{36} DOCUMENT/),
    );
    expect(calls.reduce((sum, { capacityUnits = 0 }) => sum + capacityUnits, 0)).toBeGreaterThan(0);
  });

  test("a placeholder that no setup gives a value to is named", async () => {
    const file = { function: "payees", event: { path: "/v2/payees/{{createPayee.id}}" } };
    await expect(replayEvent(stage, file, { createQuote: {} })).rejects.toThrow(
      "{{createPayee.id}} stands for nothing: known are createQuote, apiKey, unique, nowMs",
    );
  });

  test("no recorded call contains an email address", async () => {
    const { calls } = await replay("parties/createStudent.json");
    expect(calls.length).toBeGreaterThan(0);
    expect(JSON.stringify(calls)).not.toContain("@");
  });
});

describe("the command", () => {
  const REPLAY = fileURLToPath(new URL("../../local/src/events/replay.ts", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "replay-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (...args: string[]) => {
    const env = { ...process.env, BASE_URL: undefined };
    const { status, stdout, stderr } = spawnSync(process.execPath, [REPLAY, ...args], { encoding: "utf8", env });
    return { status, stdout, stderr };
  };
  const fileOf = (content: string): string => {
    const path = join(folder, "one.json");
    writeFileSync(path, content);
    return path;
  };

  test.each([
    ["a file that is not there", () => join(folder, "none.json"), "none.json cannot be read: ENOENT"],
    ["what is not JSON", () => fileOf("{"), "one.json is not JSON"],
    [
      "JSON that is no event file",
      () => fileOf('{ "function": "payees", "evnt": {} }'),
      "one.json is not an event file: event:",
    ],
    [
      "a function that is not there",
      () => fileOf('{ "function": "nobody", "event": {} }'),
      "there is no such function",
    ],
  ])("refuses %s with one line and exit code 1", (_, path, problem) => {
    const { status, stdout, stderr } = run(path(), "--throw-away");
    expect({ status, stdout, lines: stderr.trim().split("\n").length }).toEqual({ status: 1, stdout: "", lines: 1 });
    expect(stderr).toContain(problem);
  });

  test.each([
    ["what the file expects", { expect: { statusCode: 404 } }, 0, "404"],
    ["nothing in particular", {}, 0, "404"],
    ["not what the file expects", { expect: { statusCode: 200 } }, 1, 'Not as expected: {"statusCode":200}'],
  ])("exits by the answer: %s", (_, expected, status, said) => {
    const { event } = readEventFile(join(EVENTS, "fallback/notFound.json"));
    const made = run(fileOf(JSON.stringify({ function: "fallback", ...expected, event })), "--throw-away");
    expect(made).toMatchObject({ status, stderr: "", stdout: expect.stringContaining(said) });
  });

  test("takes an event alone for a function that is named, and exits with 1 when that throws", () => {
    const { event } = readEventFile(join(EVENTS, "fallback/notFound.json"));
    const bare = fileOf(JSON.stringify(event));
    expect(run(bare, "--throw-away").stderr).toMatch(/^[^\n]*an event alone needs --function NAME[^\n]*\n$/);
    expect(run(bare, "--function", "fallback", "--throw-away")).toMatchObject({ status: 0, stderr: "" });
    const thrown = run(fileOf("{}"), "--function", "advance-intent", "--throw-away");
    expect(thrown).toMatchObject({ status: 1, stderr: "" });
    expect(thrown.stdout).toMatch(/^Threw .*Error/m);
    expect(thrown.stdout).not.toContain("Not as expected");
  });

  test("records a request without its secrets, and replays what it recorded", () => {
    const out = join(folder, "recorded", "event.json");
    const secrets = ["--key", "demo:demo-secret", "--header", "Idempotency-Key: key-of-mine"];
    const body = '{"phone":"+5511987654321","city":"{{unique}}"}';
    const path = "/v2/students/{{createStudent._id}}";
    const made = run(
      "--record",
      "PUT",
      path,
      "--body",
      body,
      ...secrets,
      "--setup",
      "parties/createStudent.json",
      "--out",
      out,
      "--throw-away",
    );
    expect(made).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(out)).toBe(true);

    const file = readEventFile(out);
    expect(file).toMatchObject({
      function: "parties",
      setup: ["parties/createStudent.json"],
      expect: { statusCode: 200 },
      event: {
        path,
        pathParameters: { id: "{{createStudent._id}}" },
        body: { city: "{{unique}}" },
        isBase64Encoded: false,
      },
    });
    expect(JSON.stringify(file)).not.toMatch(/demo-secret|key-of-mine/);

    const replayed = run(out, "--throw-away");
    expect(replayed).toMatchObject({ status: 0, stderr: "" });
    expect(replayed.stdout).toMatch(/^parties on a throw-away store.*\n\n200\n/);
    expect(replayed.stdout).toContain('"phone": "+5511987654321"');
    expect(replayed.stdout).toContain('"route":"PUT /v2/students/{id}"');
    expect(replayed.stdout).toMatch(/DynamoDB \w+ +payment-intents T#1001#STUDENT#/);
  });
});
