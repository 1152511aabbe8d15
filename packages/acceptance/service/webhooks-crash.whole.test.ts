import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { openClient as openTyped } from "../../client/src/client.ts";
import { type Client, noRateLimit, openClient, WAIT_MS_MAX } from "./client.ts";
import { payrollBody } from "./scenarios-fixture.ts";
import { launchHeldService } from "./service.ts";
import { eventually } from "./service-fixture.ts";

const KILLS = 40;
const AT_ONCE = 4;
/** The service is killed after so many deliveries at most, while others are under way. */
const DELIVERIES_MAX = 12;
const ANSWER_MS = 15;
/** A worker that was killed holds its endpoint for a minute, which no later life waits for. */
const LEASE_MS = 61_000;
const SETTLED_MS = 20_000;
const BETWEEN_MOVES_MS = 2_000;
/** Three minutes on two quiet cores. */
const KILLS_MS_MAX = 1_800_000;

const folder = mkdtempSync(join(tmpdir(), "webhooks-crash-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A receiver that fails one time in eight, and knows what it has by its id. */
const known = new Set<string>();
let arrived = 0;
const receiver = createServer(async (request, response) => {
  await text(request);
  await pause(ANSWER_MS);
  arrived += 1;
  const isTaken = arrived % 8 !== 0;
  if (isTaken) known.add(String(request.headers["webhook-id"]));
  response.writeHead(isTaken ? 204 : 503).end();
});
const url = await new Promise<string>((resolve) =>
  receiver.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)),
);
afterAll(() => receiver.close().closeAllConnections());

const draft = (client: Client) => client.call("POST", "/v2/payment-intents", { body: payrollBody(1) });

/** Makes drafts one after the other, until the service is gone; gives how many it had answered. */
async function load(client: Client): Promise<number> {
  for (let made = 0; ; made++) {
    const reply = await draft(client).catch(() => undefined);
    if (reply === undefined) return made;
  }
}

test(
  `through ${KILLS} kills under load, a receiver that knows ids misses no event and gets none that the feed lacks`,
  async () => {
    const env = { ...noRateLimit, DATA_DIR: folder };
    let made = 0;
    let aheadMs = 0;
    let since = "";
    for (let kills = 0; kills < KILLS; kills++) {
      const service = await launchHeldService(env);
      since ||= new Date(await service.moveClock(0)).toISOString();
      aheadMs += LEASE_MS;
      await service.moveClock(aheadMs);
      if (kills === 0) await openClient(service.url).must("POST", "/v2/webhook-endpoints", { body: { url } });
      const loads = Array.from({ length: AT_ONCE }, () => load(openClient(service.url)));
      const enough = arrived + 1 + Math.floor(Math.random() * DELIVERIES_MAX);
      await eventually(async () => expect(arrived).toBeGreaterThanOrEqual(enough));
      expect(await service.kill("SIGKILL")).toBeNull();
      for (const answered of await Promise.all(loads)) made += answered;
    }
    expect(made).toBeGreaterThan(KILLS);

    const service = await launchHeldService(env);
    await service.moveClock(aheadMs + LEASE_MS);
    const told: string[] = [];
    const { events } = openTyped({ baseUrl: service.url, apiKey: "demo:demo-secret" });
    const catchUp = async () => {
      await service.moveClock(SETTLED_MS);
      await draft(openClient(service.url));
      told.splice(0);
      for await (const { id } of events.list({ after: since })) told.push(id);
      expect(told.length).toBeGreaterThanOrEqual(made);
      expect(told.filter((id) => !known.has(id))).toEqual([]);
    };
    // A move of the clock takes the time of a deliverer that is at work.
    await vi.waitFor(catchUp, { timeout: WAIT_MS_MAX, interval: BETWEEN_MOVES_MS });
    expect([...known].filter((id) => !told.includes(id))).toEqual([]);
    await service.stop();
  },
  KILLS_MS_MAX,
);
