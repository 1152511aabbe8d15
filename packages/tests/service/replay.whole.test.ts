import { readdirSync } from "node:fs";
import { join } from "node:path";
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
import { noteGrants } from "./used-grants.ts";

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
    const [by = ""] = name.split("/");
    const [policy, asked] = [policies[by] ?? [], calls.flatMap(askedOf)];
    noteGrants(by, asked);
    expect(asked.filter((call) => !isAllowed(policy, call))).toEqual([]);
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
