import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { HOUR_MS } from "@intents/domain/durations.ts";
import { afterAll, expect, test, vi } from "vitest";
import { openClient as openTyped } from "../../client/src/client.ts";
import { type Client, noRateLimit, openClient } from "./client.ts";
import { payrollBody } from "./scenarios-fixture.ts";
import { launchHeldService } from "./service.ts";
import { eventually } from "./service-fixture.ts";

const KILLS = 40;
/** The service is killed after so many deliveries at most, while others are under way. */
const DELIVERIES_MAX = 12;
const ANSWER_MS = 15;
/** A worker that was killed holds its endpoint for a minute, which no later life waits for. */
const LEASE_MS = 61_000;
/** A deliverer at work sends more often than this. */
const BETWEEN_LOOKS_MS = 4_000;
const CAUGHT_UP_MS_MAX = 600_000;
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
      const loading = load(openClient(service.url));
      const enough = arrived + 1 + Math.floor(Math.random() * DELIVERIES_MAX);
      await eventually(async () => expect(arrived).toBeGreaterThanOrEqual(enough));
      expect(await service.kill("SIGKILL")).toBeNull();
      made += await loading;
    }
    expect(made).toBeGreaterThan(KILLS);

    const service = await launchHeldService(env);
    await service.moveClock(aheadMs + LEASE_MS);
    const told: string[] = [];
    const { events } = openTyped({ baseUrl: service.url, apiKey: "demo:demo-secret" });
    let heard = 0;
    const catchUp = async () => {
      // A leap of the clock cuts deliveries off. Without any since the last look, only later attempts are left.
      if (arrived === heard) await service.moveClock(HOUR_MS);
      heard = arrived;
      told.splice(0);
      for await (const { id } of events.list({ after: since })) told.push(id);
      expect(told.length).toBeGreaterThanOrEqual(made);
      expect(told.filter((id) => !known.has(id))).toEqual([]);
    };
    await vi.waitFor(catchUp, { timeout: CAUGHT_UP_MS_MAX, interval: BETWEEN_LOOKS_MS });
    expect([...known].filter((id) => !told.includes(id))).toEqual([]);
    await service.stop();
  },
  KILLS_MS_MAX,
);
