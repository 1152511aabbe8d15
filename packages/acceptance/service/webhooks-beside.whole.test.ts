import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { type Client, noRateLimit } from "./client.ts";
import { payrollBody } from "./scenarios-fixture.ts";
import { eventually, openService } from "./service-fixture.ts";

// How soon a good receiver is sent events, alone and beside others of its tenant. docs/benchmarks.md has the figures.

const EVENTS = 60;
const APART_MS = 150;
/** docs/guides/events.md promises seconds. */
const DELAY_MS_MAX = 3_000;

const { client } = await openService(noRateLimit);

type Body = Readonly<{ data: Readonly<{ resource: Readonly<{ id: string }> }> }>;
const arrivedMs = new Map<string, number>();
const receiver = createServer(async (request, response) => {
  const { data } = (await json(request)) as Body;
  if (request.url === "/hangs") return;
  if (request.url === "/good" && !arrivedMs.has(data.resource.id)) arrivedMs.set(data.resource.id, performance.now());
  // A slow one answers just before its time is up.
  if (request.url === "/slow") await pause(12_000);
  response.writeHead(request.url === "/fails" ? 500 : 204).end();
});
const origin = await new Promise<string>((resolve) =>
  receiver.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`)),
);
afterAll(() => receiver.close().closeAllConnections());

const others = {
  ...{ slow: `${origin}/slow`, hanging: `${origin}/hangs`, failing: `${origin}/fails` },
  // Nobody listens at this port.
  dead: "http://127.0.0.1:9/",
};

const addEndpoint = async (by: Client, url: string): Promise<string> =>
  (await by.must<{ id: string }>("POST", "/v2/webhook-endpoints", { body: { url } })).id;

/** The delays of one event after the other, from the answer that made it to its arrival, in milliseconds, sorted. */
async function delaysBeside(urls: readonly string[]): Promise<number[]> {
  const ids = await Promise.all([`${origin}/good`, ...urls].map((url) => addEndpoint(client, url)));
  const madeMs = new Map<string, number>();
  for (let count = 0; count < EVENTS; count++) {
    const { id } = await client.must<{ id: string }>("POST", "/v2/payment-intents", { body: payrollBody(1) });
    madeMs.set(id, performance.now());
    await pause(APART_MS);
  }
  await eventually(async () => expect([...madeMs.keys()].filter((id) => !arrivedMs.has(id))).toEqual([]));
  for (const id of ids) await client.must("DELETE", `/v2/webhook-endpoints/${id}`);
  return [...madeMs]
    .map(([id, ms]) => Math.max(0, (arrivedMs.get(id) ?? 0) - ms))
    .toSorted((one, other) => one - other);
}

const at = (sorted: readonly number[], portion: number): number => sorted[Math.ceil(sorted.length * portion) - 1] ?? 0;

const rows: readonly (readonly [name: string, urls: readonly string[]])[] = [
  ["alone", []],
  ...Object.entries(others).map(([name, url]) => [`beside a ${name} one`, [url]] as const),
  ["beside all of them", Object.values(others)],
];
test.each(rows)("a good receiver %s is sent 95 of 100 events within three seconds", async (name, urls) => {
  const delays = await delaysBeside(urls);
  const told = [0.5, 0.95, 1].map((portion) => `${at(delays, portion).toFixed(0)} ms`).join(", ");
  process.stdout.write(`webhooks ${name}, median, 95 of 100 and longest delay: ${told}\n`);
  expect(at(delays, 0.95)).toBeLessThan(DELAY_MS_MAX);
});
