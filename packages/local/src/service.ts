import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { isServedIn, type Route } from "@intents/contract/route.ts";
import { routes as allRoutes } from "@intents/contract/routes.ts";
import { runningFile } from "@intents/deployment/running-file.ts";
import { parseSettings, toText } from "@intents/deployment/settings.ts";
import { STORED_FORMAT } from "@intents/deployment/stored-format.ts";
import { mainTableSchema, railTableSchema, windowTableSchema } from "@intents/deployment/table-schema.ts";
import { DAY_MS, HOUR_MS } from "@intents/domain/durations.ts";
import { type BundleFolders, ensureBundles, projectFolders } from "@intents/infra/bundle.ts";
import { openTable, type Table } from "@intents/storage/table/table.ts";
import { freePort, LOCAL_ADDRESS, portProblem } from "./free-port.ts";
import { openFunctions } from "./functions.ts";
import { type Answered, createGateway } from "./gateway/gateway.ts";
import { awsEnvironment, foreignVariables, localDefaults, parseLocalSettings } from "./local-settings.ts";
import { StartFailure } from "./start-failure.ts";
import { claimDataFolder } from "./stores/data-folder.ts";
import { startDynamoDb, useDynamoDb } from "./stores/dynamodb.ts";
import { startS3AndSqs } from "./stores/s3-and-sqs.ts";
import { drawSecret, toOwnLink } from "./stores/secret.ts";
import { createTables } from "./stores/tables.ts";
import { startEventSource } from "./triggers/event-source.ts";
import { startSchedule } from "./triggers/schedule.ts";

export type ServiceOptions = Readonly<{
  /** The environment of this process. It is completed in place, because functions find their settings in it. */
  env: NodeJS.ProcessEnv;
  /** Stores the demo data, before the first request. */
  seed: (table: Table) => Promise<void>;
  /** Called with one line about each fault while the service runs. */
  report: (problem: string) => void;
  /** Called with each request that was answered. */
  answered?: ((request: Answered) => void) | undefined;
  /** Whether npx may fetch a DynamoDB for a platform for which the workspace has none; it is not, unless told. */
  fetches?: boolean;
  folders?: BundleFolders;
  routes?: Readonly<Record<string, Route>>;
}>;

export type Service = Readonly<{
  url: string;
  /** The place of the data: a folder, or "memory". */
  dataDir: string;
  /** The running parts, described for people. */
  parts: readonly string[];
  /** Resolves with the reason if a part of it ends by itself. */
  ended: Promise<string>;
  /** Takes no further request, answers those that have arrived within 10 seconds, and ends everything. */
  stop: () => Promise<void>;
}>;

type Stop = () => Promise<void> | void;

const TICK_MS = 1_000;
const FINISH_MS_MAX = 10_000;

/** Starts the whole service on this machine. Throws StartFailure or InvalidSettings, and leaves nothing running then. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const stops: Stop[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    return { ...(await startParts(options, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts part by part. Each part adds its stop to `stops` as soon as it runs. */
async function startParts(options: ServiceOptions, stops: Stop[]): Promise<Omit<Service, "stop">> {
  const { env, report, answered, seed, fetches = false, folders = projectFolders, routes = allRoutes } = options;
  const local = parseLocalSettings(env);
  const port = await freePort(local.PORT);
  const url = `http://${LOCAL_ADDRESS}:${port}`;
  const defaults = { BASE_URL: url, PAYER_APP_URL: env["BASE_URL"] ?? url, ...localDefaults };
  for (const [name, value] of Object.entries(defaults)) env[name] ??= value;
  const settings = parseSettings(env);

  const data = local.DATA_DIR === "memory" ? undefined : claimDataFolder(local.DATA_DIR);
  if (data !== undefined) stops.push(data.release);
  const fileIn = (name: string) => (data === undefined ? undefined : join(data.path, name));

  const tables = {
    [settings.TABLE_NAME]: mainTableSchema,
    [settings.WINDOW_TABLE_NAME]: windowTableSchema,
    [settings.RAIL_TABLE_NAME]: railTableSchema,
  };
  const secret = drawSecret();
  const openStore = async () => {
    const { DYNAMODB_ENDPOINT: external, DYNAMODB_LOCAL: jars } = local;
    const fallbacks = { secret, jars, tell: fetches ? report : undefined };
    const store =
      external === undefined ? await startDynamoDb(fileIn("dynamodb.db"), fallbacks) : useDynamoDb(external);
    stops.push(store.stop);
    await createTables(store.endpoint, tables, secret).catch((error: unknown) => {
      if (error instanceof StartFailure) throw error;
      throw new StartFailure(`${store.description} does not work: ${String(error)}`);
    });
    return store;
  };
  const openS3AndSqs = async () => {
    const stores = await startS3AndSqs(fileIn("s3-and-sqs"), [settings.BUCKET_NAME], secret);
    stops.push(stores.stop);
    return stores;
  };
  const openStores = async () => {
    const [dynamoDb, { endpoint, queue, lanes, webhooks }] = await allOrFirstFault([openStore(), openS3AndSqs()]);
    const addresses = {
      dynamodb: dynamoDb.endpoint,
      s3AndSqs: endpoint,
      queueUrl: queue.url,
      laneUrls: urlsOf(lanes),
      webhookUrls: urlsOf(webhooks),
    };
    const stores = awsEnvironment({ ...addresses, secret });
    Object.assign(env, stores);
    for (const name of foreignVariables) delete env[name];
    await seed(openTable(settings.TABLE_NAME));
    return { dynamoDb, queue, lanes, webhooks, stores };
  };
  const [{ dynamoDb, queue, lanes, webhooks, stores }] = await allOrFirstFault([openStores(), ensureBundles(folders)]);

  const functions = openFunctions(folders.dist);
  const hostnames = [settings.BASE_URL, settings.PAYER_APP_URL].map((address) => new URL(address).hostname);
  const served = Object.fromEntries(Object.entries(routes).filter(([, route]) => isServedIn(settings.STAGE, route)));
  const gateway = createGateway({
    routes: served,
    functions,
    toLocation: (link) => toOwnLink(link, secret),
    hostnames,
    report,
    answered,
  });
  await listen(gateway.server, port);
  stops.push(
    announce(port, { ...settings, ...stores, STORED_FORMAT }),
    startSchedule({ functions, name: "dispatch-due", everyMs: TICK_MS, report }).stop,
    startSchedule({ functions, name: "dispatch-due", everyMs: HOUR_MS, report, input: { hourly: true } }).stop,
    startSchedule({ functions, name: "daily", everyMs: DAY_MS, report }).stop,
    startEventSource({ functions, name: "advance-intent", queue, report, secret }).stop,
    ...lanes.map(
      (lane) => startEventSource({ functions, name: "advance-intent", queue: lane, report, secret, batchMax: 1 }).stop,
    ),
    ...twice(webhooks).map(
      (each) => startEventSource({ functions, name: "deliver-webhooks", queue: each, report, secret }).stop,
    ),
    () => gateway.finish(FINISH_MS_MAX),
  );
  const parts = [dynamoDb.description, "S3 and SQS (fauxqs)", "gateway and Lambda functions", "schedule, every second"];
  return { url, dataDir: data?.path ?? "memory", parts, ended: dynamoDb.ended };
}

/** Two instances serve each queue of webhooks, as deployed: a receiver that hangs keeps no other waiting. */
const twice = <Each>(all: readonly Each[]): Each[] => [...all, ...all];

/** Writes the settings and the addresses of the stores to a file, for this user's commands alone. */
function announce(port: number, settings: object): Stop {
  const file = runningFile(port);
  const lines = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, toText(value)]],
  );
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(Object.fromEntries(lines)), { mode: 0o600, flag: "wx" });
  return () => rmSync(file, { force: true });
}

const urlsOf = (queues: readonly Readonly<{ url: string }>[]): string => queues.map(({ url }) => url).join(" ");

/** Waits for all parts even when one has failed, so that every part that has started can be stopped. */
async function allOrFirstFault<Parts extends readonly unknown[]>(
  parts: readonly [...{ [Index in keyof Parts]: Promise<Parts[Index]> }],
): Promise<Parts> {
  await Promise.allSettled(parts);
  return Promise.all(parts) as Promise<unknown> as Promise<Parts>;
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, LOCAL_ADDRESS);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new StartFailure(portProblem(port, error));
  }
}
