import { addApiKey, findApiKey } from "@intents/storage/parties/tenants.ts";
import { chunksOf } from "@intents/storage/table/records.ts";
import { type Client, openClient } from "../service/client.ts";
import { sampleBody } from "../service/collections.ts";
import { openOperator } from "../service/operator-fixture.ts";
import { median, type Row, toRow } from "./figures.ts";
import { type Asked, throughputOf } from "./load.ts";
import { interleave, KEY, msOf, type Plan } from "./plan.ts";
import { environmentOf, type Server, startBareServer, startServer, startService } from "./processes.ts";

const INTENTS = "/v2/payment-intents";
const create: Asked = { method: "POST", body: sampleBody, status: 201 };
const retrieve: Asked = { method: "GET", status: 200 };
/** Keys that ask in turn, so that each stays below its limit on any machine. */
const KEYS = 32;
const SUBMITS_PER_ROUND = 20;
/** The numbers of the bare server's submits, far from those of its creates. */
const FIRST_SUBMIT = 50_000_000;

/** Requests through the whole local service against the bare server, and rate limits on against off. */
export async function measureRequests(plan: Plan): Promise<Row[]> {
  // No payment settles during the measurement.
  const service = await startService(plan.dist, { SANDBOX_SETTLE_SECONDS: "3600" });
  const bare = await startBareServer(plan);
  const gateways = await startServer("gateways.ts", { ...environmentOf(service), DIST: plan.dist });
  const client = openClient(service.url);
  const { id } = await client.must<{ id: string }>("POST", INTENTS, { raw: sampleBody });
  await timedPost(`${bare.url}/create/0`);
  const [on, off] = gateways.urls;
  const compare = async (name: string, asked: Asked, atLeast: number, urls: readonly string[], keys = [KEY]) => {
    const [url = "", other = ""] = urls;
    const figures = await interleave(plan.rounds, {
      ours: () => throughputOf(url, asked, keys),
      baseline: () => throughputOf(other, asked, [KEY]),
    });
    return toRow({ name, unit: "per second", ...figures, goal: { atLeast } });
  };
  const path = `${INTENTS}/${id}`;
  const limits = "retrieve with rate limits on, against off";
  const rows = [
    await compare("create", create, 1.2, [service.url + INTENTS, `${bare.url}/create`]),
    await compare("retrieve", retrieve, 0.55, [service.url + path, `${bare.url}/retrieve/0`]),
    ...(await measureSubmits(client, bare, plan.rounds)),
    await compare(limits, retrieve, 0.95, [on + path, off + path], await addKeys(service)),
  ];
  await Promise.all([service, bare, gateways].map(({ stop }) => stop()));
  return rows;
}

/** A submit with an Idempotency-Key, its replay, and the bare server's submit, one after the other. */
async function measureSubmits({ url, newTuitionIntent }: Client, bare: Server, rounds: number): Promise<Row[]> {
  const times = { first: [] as number[], replay: [] as number[], bare: [] as number[] };
  for (let submit = 0; submit < (rounds + 1) * SUBMITS_PER_ROUND; submit++) {
    const { id } = await newTuitionIntent();
    const headers = { "X-API-Key": KEY, "Idempotency-Key": id };
    times.first.push(await timedPost(`${url}${INTENTS}/${id}/submit`, headers));
    times.replay.push(await timedPost(`${url}${INTENTS}/${id}/submit`, headers, "true"));
    await timedPost(`${bare.url}/draft/${FIRST_SUBMIT + submit}`);
    times.bare.push(await timedPost(`${bare.url}/submit/${FIRST_SUBMIT + submit}`));
  }
  // The first round does not count: in it, both servers load and compile their code.
  const mediansOf = (all: readonly number[]) => chunksOf(all, SUBMITS_PER_ROUND).slice(1).map(median);
  const [first, replay, baseline] = [times.first, times.replay, times.bare].map(mediansOf);
  return [
    toRow({ name: "submit", unit: "ms", ours: first, baseline }),
    toRow({ name: "replay, against its submit", unit: "ms", ours: replay, baseline: first, goal: { atMost: 0.25 } }),
  ];
}

/** The time until a POST is answered, in milliseconds. Throws if it fails, or is no replay where one is expected. */
const timedPost = (url: string, headers: Readonly<Record<string, string>> = {}, replayed: string | null = null) =>
  msOf(async () => {
    const response = await fetch(url, { method: "POST", headers });
    const text = await response.text();
    if (!response.ok || response.headers.get("idempotent-replayed") !== replayed) throw new Error(`${url}: ${text}`);
  });

/** Keys that are like the demo's, and have its secret. */
async function addKeys({ url }: Server): Promise<string[]> {
  const { table, close } = openOperator(url);
  const demo = await findApiKey(table, "demo");
  if (demo === undefined) throw new Error("The service has no demo key");
  const clients = Array.from({ length: KEYS }, (_, index) => `load-${index}`);
  await Promise.all(clients.map((clientId) => addApiKey(table, { ...demo, clientId })));
  close();
  return clients.map((clientId) => `${clientId}:demo-secret`);
}
