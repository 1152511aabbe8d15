import { join } from "node:path";
import { openClient } from "@intents/acceptance/service/client.ts";
import { sampleBody } from "@intents/acceptance/service/collections.ts";
import { openOperator } from "@intents/acceptance/service/operator-fixture.ts";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { awsEnvironment } from "@intents/local/local-settings.ts";
import { startDynamoDb } from "@intents/local/stores/dynamodb.ts";
import { createTables } from "@intents/local/stores/tables.ts";
import { addApiKey, findApiKey } from "@intents/storage/parties/tenants.ts";
import { type Row, toRow } from "./figures.ts";
import { type Load, throughputOf } from "./load.ts";
import { interleave, KEY, type Plan } from "./plan.ts";
import { environmentOf, type Server, startServer, startService } from "./processes.ts";
import { recordCalls } from "./sample-calls.ts";

const INTENTS = "/v2/payment-intents";

/** Create and retrieve through the whole local service, against a bare server that sends a store the same requests. */
export async function measureThroughput({ dist, rounds, wants }: Plan): Promise<Row[]> {
  const service = await startService(dist);
  const bare = await startBareServer(dist);
  const { id } = await newIntent(service);
  const creates = { method: "POST", path: INTENTS, body: sampleBody, status: 201 } as const;
  const retrieves = { method: "GET", path: `${INTENTS}/${id}`, status: 200 } as const;
  const rowOf = async (name: string, load: Omit<Load, "url">) => {
    const { ours, baseline } = await interleave(rounds, {
      ours: () => throughputOf({ url: service.url, ...load }, [KEY]),
      baseline: () => throughputOf({ url: bare.url, ...load }, [KEY]),
    });
    return toRow({ name, unit: "per second", ours, baseline, goal: { atLeast: 0.7 } });
  };
  const rows = [
    ...(wants("create") ? [await rowOf("create", creates)] : []),
    ...(wants("retrieve") ? [await rowOf("retrieve", retrieves)] : []),
  ];
  await Promise.all([service.stop(), bare.stop()]);
  return rows;
}

async function startBareServer(dist: string): Promise<Server> {
  const store = await startDynamoDb(undefined);
  const calls = await recordCalls();
  await createTables(store.endpoint, { [String(calls.retrieve.TableName)]: mainTableSchema });
  const server = await startServer(join(dist, "bare-server/index.cjs"), {
    ...awsEnvironment({ dynamodb: store.endpoint, s3AndSqs: "", queueUrl: "" }),
    SAMPLE_CALLS: JSON.stringify(calls),
  });
  const stop = async () => {
    await server.stop();
    await store.stop();
  };
  return { ...server, stop };
}

const newIntent = (service: Server) =>
  openClient(service.url).must<Readonly<{ id: string }>>("POST", INTENTS, { body: JSON.parse(sampleBody) });

/** Keys that ask in turn, so that each stays below its limit on any machine. */
const KEYS = 32;

/** Keys that are like the demo's, and have its secret. */
async function addKeys(service: Server): Promise<[string, ...string[]]> {
  const { table } = openOperator(service.url);
  const demo = await findApiKey(table, "demo");
  if (demo === undefined) throw new Error("The service has no demo key");
  const clients = Array.from({ length: KEYS - 1 }, (_, index) => `load-${index}`);
  await Promise.all(clients.map((clientId) => addApiKey(table, { ...demo, clientId })));
  return [KEY, ...clients.map((clientId) => `${clientId}:demo-secret`)];
}

/**
 * The cost of counting requests at the real limit: a retrieve behind the gate that every function has, against one
 * without a gate.
 */
export async function measureLimiterCost({ dist, rounds }: Plan): Promise<Row[]> {
  const service = await startService(dist);
  const { id } = await newIntent(service);
  const gateways = await startServer(join(import.meta.dirname, "retrieve-gateways.ts"), {
    ...environmentOf(service),
    RATE_LIMIT_PER_SECOND: undefined,
    DIST: dist,
  });
  const keys = await addKeys(service);
  const [gated = "", ungated = ""] = gateways.urls;
  const retrieves = { method: "GET", path: `${INTENTS}/${id}`, status: 200 } as const;
  const { ours, baseline } = await interleave(rounds, {
    ours: () => throughputOf({ url: gated, ...retrieves }, keys),
    baseline: () => throughputOf({ url: ungated, ...retrieves }, keys),
  });
  await gateways.stop();
  await service.stop();
  const name = `retrieve with rate limits, against without, by ${KEYS} keys`;
  return [toRow({ name, unit: "per second", ours, baseline, goal: { atLeast: 0.95 } })];
}
