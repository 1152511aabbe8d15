import { HOUR_MS, MINUTE_MS } from "@intents/domain/durations.ts";
import { AT_MS, newHookOn } from "@intents/execution/test/hook-fixture.ts";
import type { Answer } from "@intents/execution/webhooks/send.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import { type Delivery, listDeliveries } from "@intents/storage/webhooks/deliveries.ts";
import { findEndpoint, findProgress } from "@intents/storage/webhooks/endpoints.ts";
import { afterAll, expect, test } from "vitest";
import { openRandom, type Random } from "./random.ts";

// Lives of the deliverer on the real store: receivers that fail, hang, answer late or forget, workers that die between any
// two commands, nudges and wakes that are lost. Every event reaches its endpoint, or shows as failed.

const { table, stop } = await startTable({ isHostile: false });
afterAll(stop);

const [LIVES, STEPS] = [40, 250];
/** Below the five days after which an endpoint is disabled. */
const BAD_MS_MAX = 3 * 24 * HOUR_MS;
const THINGS = ["a", "b", "c", "d", "e", "f", "g"];

/** The moods of a receiver: its answer, and whether it took what it was sent. */
const moods = {
  fine: { answer: { status: 204, body: "", retryAfterMs: 0 }, takes: 1 },
  failing: { answer: { status: 500, body: "no", retryAfterMs: 0 }, takes: 0 },
  hanging: { answer: { problem: "TIMEOUT" }, takes: 0 },
  // It took the event, and its answer came too late.
  late: { answer: { problem: "TIMEOUT" }, takes: 1 },
  // Half of its deliveries fail, and are given up one day.
  patchy: { answer: { status: 503, body: "", retryAfterMs: 1_000 }, takes: 0 },
} as const satisfies Readonly<Record<string, Readonly<{ answer: Answer; takes: number }>>>;

/** The table for a worker that dies after so many commands. */
function dyingTable(commands: number): Table {
  let left = commands;
  const send = async (command: object) => {
    left -= 1;
    if (left < 0) throw new Error("The worker is dead");
    return table.db.send(command as never);
  };
  return { ...table, db: Object.create(table.db, { send: { value: send } }) };
}

async function live(random: Random) {
  const hook = await newHookOn(table);
  let nowMs = AT_MS;
  let badSinceMs = 0;
  let mood: keyof typeof moods = "fine";
  const happened: { id: string; step: number }[] = [];
  /** The ids that the receiver took, in order. */
  const taken: string[] = [];
  const steps = new Map<string, number>();

  hook.answer = ({ body }) => {
    const { data } = JSON.parse(body) as { data: { id: string } };
    const { answer, takes } = mood === "patchy" && random.chance(0.5) ? moods.fine : moods[mood];
    if (takes === 1) taken.push(data.id);
    return answer;
  };
  await hook.happen("before", AT_MS - 1);
  const happen = async () => {
    const id = random.pick(THINGS);
    const step = (steps.get(id) ?? 0) + 1;
    steps.set(id, step);
    await hook.happen(id, nowMs, step, step === 1 ? "draft" : "executing");
    happened.push({ id, step });
  };
  const change = () => {
    mood = nowMs - badSinceMs > BAD_MS_MAX ? "fine" : random.pick(Object.keys(moods) as (keyof typeof moods)[]);
    if (mood === "fine") badSinceMs = nowMs;
  };
  const work = (on: Table) => hook.run(nowMs, on).catch(() => undefined);

  for (let step = 0; step < STEPS; step++) {
    nowMs += random.chance(0.2) ? random.below(2 * HOUR_MS) : random.below(30_000);
    if (nowMs - badSinceMs > BAD_MS_MAX) change();
    const what = random.weighted({ happens: 6, nudged: 5, dies: 2, mood: 2, both: 1 });
    if (what === "happens") await happen();
    if (what === "mood") change();
    // A nudge may be lost: what happened waits for the next one.
    if (what === "nudged") await work(table);
    if (what === "dies") await work(dyingTable(random.below(40)));
    if (what === "both") await Promise.all([work(table), work(dyingTable(random.below(40)))]);
  }
  mood = "fine";
  // The schedule goes on each minute; pauses are longer.
  for (let ticks = 0; ticks < 40; ticks++) {
    nowMs += ticks < 5 ? 2 * MINUTE_MS : HOUR_MS;
    await work(table);
  }
  return { hook, happened, taken, nowMs };
}

/** All records of an endpoint, oldest event first. */
async function recordsOf(key: Readonly<{ tenantId: string; id: string }>, nowMs: number): Promise<Delivery[]> {
  const records: Delivery[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listDeliveries(table, key, { limit: 200, ...(after !== undefined && { after }) }, nowMs);
    records.push(...(page?.items ?? []));
    if (page?.hasMore !== true) return records.toReversed();
    after = page.nextCursor;
  }
}

test.each(Array.from({ length: LIVES }, (_, seed) => seed + 1))(
  "in life %i every event reaches its endpoint or shows as failed, none from before, each thing's in order",
  async (seed) => {
    const { hook, happened, taken, nowMs } = await live(openRandom(seed));
    expect(await findEndpoint(table, hook.key)).toMatchObject({ status: "enabled" });
    expect((await findProgress(table, hook.key))?.standing.probe).toBeUndefined();
    const records = await recordsOf(hook.key, nowMs);
    expect(records.filter(({ status }) => status === "waiting")).toEqual([]);
    const namedBy = new Map(hook.bodies().map(({ data }) => [data.id, data.resource.id]));
    expect([...namedBy.values()]).not.toContain("before");
    expect(records).toHaveLength(happened.length);
    for (const { event, status } of records) if (status === "delivered") expect(taken, event.id).toContain(event.id);
    // One thing's events whose deliveries succeeded at once came in their order.
    for (const thing of THINGS) {
      const theirs = records.filter(({ event }) => event.resource.id === thing);
      const firstOf = ({ event }: Delivery) => taken.indexOf(event.id);
      if (theirs.every(({ attempts }) => attempts.length === 1))
        expect(theirs.map(firstOf)).toEqual(theirs.map(firstOf).toSorted((one, other) => one - other));
    }
  },
  600_000,
);
