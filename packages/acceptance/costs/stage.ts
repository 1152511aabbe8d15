import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { routes } from "@intents/contract/routes.ts";
import { mainTableSchema, railTableSchema, windowTableSchema } from "@intents/deployment/table-schema.ts";
import { nextAskMs } from "@intents/domain/intents/points.ts";
import { toAsked } from "@intents/execution/asking/sweep.ts";
import { placeOf, type Run } from "@intents/execution/run.ts";
import { listenHere } from "@intents/local/free-port.ts";
import type { Functions } from "@intents/local/functions.ts";
import { createGateway } from "@intents/local/gateway/gateway.ts";
import { awsEnvironment, localDefaults } from "@intents/local/local-settings.ts";
import { seed } from "@intents/local/seed.ts";
import { startDynamoDb } from "@intents/local/stores/dynamodb.ts";
import { startS3AndSqs } from "@intents/local/stores/s3-and-sqs.ts";
import { createTables } from "@intents/local/stores/tables.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findTimer, leaseTimer } from "@intents/storage/intents/timers.ts";
import { listWatches, type Watched } from "@intents/storage/intents/watches.ts";
import { type Message, toBody } from "@intents/storage/queue/queue.ts";
import { type Table, tableOf } from "@intents/storage/table/table.ts";
import type { Context } from "aws-lambda";
import { vi } from "vitest";
import { type Client, openClient } from "../service/client.ts";
import { type Counted, watchStores } from "./watch.ts";

/** The tenant of the demo's key, whose requests are counted. */
export const TENANT = "1001";

const START_MS = Date.UTC(2026, 10, 20, 9);
/** Longer than anything that a container remembers is kept. */
const FORGOTTEN_MS = 400_000;
/** The rate windows of a second that lie between two requests, so that no request is paid by the one before it. */
const WINDOW_MS = 2_000;
/** Each question to a rail moves the clock, so that later events have later times. */
const QUESTION_MS = 10;
const ADDRESS = "https://api.example.com";
const SOURCE = new URL("../../../functions/", import.meta.url).pathname;

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** One thing that the service does for somebody. `prepare` makes what it needs, and gives what is counted. */
export type Operation = Readonly<{
  /** The route that does it, by its name in the contract; none for what the service does by itself. */
  route?: string;
  prepare: (stage: Stage) => Promise<() => Promise<unknown>>;
}>;

/** The service in this process, to be used and counted. */
export type Stage = Readonly<{
  client: Client;
  table: Table;
  run: Run;
  /** The clock stands still but for this. */
  moveClock: (ms: number) => void;
  /** An intent's timer, or the message that it is due, at its time. */
  timerOf: (id: string) => Promise<{ tenantId: string; id: string; dueAtMs: number }>;
  messageFor: (id: string) => Promise<Message>;
  /** The question to its rail about a payment, or about recipients of a batch, those with these orders. */
  questionFor: (id: string, ...orders: readonly number[]) => Promise<Message>;
  /** The message by which a batch was woken whose recipients have news. */
  wokenFor: (id: string) => Promise<Message>;
  /** The function that acts on messages. */
  advance: (message: Message) => Promise<unknown>;
  /** Does what an intent waits for, until nothing is left to do. */
  settle: (id: string) => Promise<void>;
  /** Counts an operation's cost. A request runs in a warm container and a fresh rate window. */
  count: (operation: Operation) => Promise<Counted>;
  stop: () => Promise<void>;
}>;

/**
 * The service in this process, from its sources: gateway and functions on stores of their own, all of whose calls are
 * counted. The clock stands still between its moves, and nothing happens by itself.
 */
export async function openStage(): Promise<Stage> {
  vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
  const names = { main: "payment-intents", windows: "windows", rail: "sandbox-rail" };
  const [store, files] = await Promise.all([
    startDynamoDb(undefined),
    startS3AndSqs(undefined, [localDefaults.BUCKET_NAME]),
  ]);
  Object.assign(process.env, {
    ...{ STAGE: "sandbox", BASE_URL: ADDRESS, PAYER_APP_URL: ADDRESS, LOG_LEVEL: "SILENT" },
    ...{ TABLE_NAME: names.main, WINDOW_TABLE_NAME: names.windows, RAIL_TABLE_NAME: names.rail },
    ...{ BUCKET_NAME: localDefaults.BUCKET_NAME, RATE_LIMIT_BUDGET_MS: "100000" },
    ...awsEnvironment({
      ...{ dynamodb: store.endpoint, s3AndSqs: files.endpoint, queueUrl: files.queue.url },
      laneUrls: files.lanes.map(({ url }) => url).join(" "),
    }),
  });
  Object.assign(globalThis, {
    OPENAPI_DOCUMENT: "{}",
    PAGE_NAMES: { payer: pageNames, home: pageNames },
    PAGE_ASSETS: [{ name: pageNames.script, contentType: "text/javascript", text: "" }],
  });
  const schemas = { [names.main]: mainTableSchema, [names.windows]: windowTableSchema };
  await createTables(store.endpoint, { ...schemas, [names.rail]: railTableSchema });
  const client = new DynamoDBClient({});
  const table = tableOf(client, names.main);
  await seed(table);

  const watch = watchStores(new DynamoDBClient({}), schemas);
  const { run } = (await import(/* @vite-ignore */ `${SOURCE}runtime/run.ts`)) as { run: Run };
  const moveClock = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
  for (const rail of run.rails) watch.watchRail(rail, () => moveClock(QUESTION_MS));
  const functions: Functions = {
    invoke: async (name, event) => {
      const { handler } = (await import(/* @vite-ignore */ `${SOURCE}${name}.ts`)) as { handler: Handler };
      return handler(event, { getRemainingTimeInMillis: () => 28_000 } as Context);
    },
  };
  const gateway = createGateway({ routes, functions, report: tell });
  const caller = openClient(await listenHere(gateway.server));

  /** Everything that a container keeps for a while is read anew, but for the rate window of the request. */
  const warm = async (): Promise<void> => {
    moveClock(FORGOTTEN_MS);
    await caller.must("GET", "/v2/users/me");
    // Only what changes something asks whether its tenant is suspended, before it is refused for its form.
    await caller.call("POST", "/v2/payees", { body: {} });
    moveClock(WINDOW_MS);
  };

  /** An intent's timer, at the time that it is due. */
  async function timerOf(id: string) {
    const timer = await findTimer(table, TENANT, id);
    if (timer === undefined) throw new Error(`${id} waits for nothing`);
    moveClock(Math.max(0, timer.dueAtMs - Date.now()));
    return { tenantId: TENANT, id, dueAtMs: timer.dueAtMs };
  }

  /** The message of an intent's timer, at the time that it is due. */
  async function messageFor(id: string): Promise<Message> {
    const lease = await leaseTimer(table, await timerOf(id), Date.now());
    if (lease === undefined) throw new Error(`The timer of ${id} is not due`);
    return { kind: "timer", ...lease };
  }

  const watchesOf = (id: string) => listWatches(table, { tenantId: TENANT, id });

  async function toQuestion(id: string, watches: readonly Watched[]): Promise<Message> {
    const found = await findIntent(table, TENANT, id);
    if (!found.ok || watches.length === 0) throw new Error(`${id} waits for no rail`);
    const { rail } = placeOf(run, found.value);
    const about = watches.map((watch) => toAsked(run, watch));
    return { kind: "question", rail, shard: 0, age: "near", fromMs: Date.now(), about };
  }

  const questionFor = async (id: string, ...orders: readonly number[]): Promise<Message> => {
    const watches = await watchesOf(id);
    return toQuestion(
      id,
      orders.length === 0 ? watches : watches.filter(({ order }) => order !== undefined && orders.includes(order)),
    );
  };

  const advance = (message: Message): Promise<unknown> => functions.invoke("advance-intent", toEvent(message));

  async function settle(id: string): Promise<void> {
    for (;;) {
      const [watch, ...others] = await watchesOf(id);
      if (watch === undefined) {
        if ((await findTimer(table, TENANT, id)) === undefined) return;
        await advance(await messageFor(id));
      } else {
        moveClock(nextAskMs(watch, Date.now(), run.settings) - Date.now());
        await advance(await toQuestion(id, [watch, ...others]));
      }
    }
  }

  const opened: Stage = {
    client: caller,
    ...{ table, run, moveClock, timerOf, messageFor, questionFor, advance, settle },
    wokenFor: async (id: string): Promise<Message> => {
      const leaseMs = (await findTimer(table, TENANT, id))?.dueAtMs ?? 0;
      return { kind: "timer", tenantId: TENANT, id, leaseMs };
    },
    count: async ({ route, prepare }: Operation): Promise<Counted> => {
      const operation = await prepare(opened);
      if (route !== undefined) await warm();
      return watch.count(operation);
    },
    stop: async () => {
      await gateway.finish(1_000);
      vi.useRealTimers();
      await Promise.all([store.stop(), files.stop()]);
    },
  };
  return opened;
}

const pageNames = { script: "script", style: "style" };

const toEvent = (message: Message) => ({ Records: [{ messageId: "message", body: toBody(message) }] });

/** The gateway answers 500 then, at which the caller fails. */
const tell = (problem: string): void => void process.stderr.write(`${problem}\n`);
