import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, describe, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { openMeters } from "../lists/meter.ts";
import { chunksOf } from "../table/records.ts";
import { SENT_WITHIN_MS, transact } from "../table/transact.ts";
import { type Changed, EVENT_SHARDS, EVENTS_KEPT_MS, eventActions } from "./events.ts";
import {
  type Event,
  type FeedQuery,
  LOOKED_AT,
  oldestAt,
  placeAt,
  readFeed,
  readUnsettled,
  SETTLED_AFTER_MS,
  settledAt,
  upToNow,
} from "./feed.ts";

const { table, stop } = await startTable();
afterAll(stop);

const AT_MS = Date.UTC(2026, 10, 21, 9);
const LATER_MS = AT_MS + 60_000;
let tenants = 7000;
const newTenant = () => String(tenants++);

const write = (changed: Changed, ...statuses: ("draft" | "executing" | "completed")[]) =>
  transact(table, () =>
    eventActions(
      table,
      changed,
      statuses.map((status) => ({ of: "paymentIntent", id: changed.about, status })),
    ),
  );

async function read(tenantId: string, query: Partial<FeedQuery> = {}, nowMs = LATER_MS) {
  const page = await readFeed(table, tenantId, { limit: 100, ...query }, nowMs);
  if (!page.ok) throw new Error(page.failure.problems.join());
  return page.value;
}

/** All events, by pages of a size, each asked for behind the one before. */
async function follow(tenantId: string, limit: number, nowMs = LATER_MS): Promise<Event[]> {
  const events: Event[] = [];
  let page = await read(tenantId, { limit }, nowMs);
  for (; page.hasMore; page = await read(tenantId, { limit, after: page.nextCursor }, nowMs))
    events.push(...page.items);
  return [...events, ...page.items];
}
const named = (events: readonly Event[]) => events.map(({ resource, status }) => `${resource.id} ${status}`);

describe("a feed", () => {
  test("has one order for all partitions: by time, then by what changed and its step, whatever the pages", async () => {
    const tenantId = newTenant();
    const intents = Array.from({ length: 12 }, (_, index) => `intent${String(index).padStart(2, "0")}`);
    for (const [index, about] of intents.toReversed().entries()) {
      await write({ tenantId, about, atMs: AT_MS + (index % 3), step: 2 }, "executing", "completed");
      await write({ tenantId, about, atMs: AT_MS + (index % 3), step: 1 }, "draft");
    }
    const all = await follow(tenantId, 1000);
    expect(all).toHaveLength(36);
    const keys = all.map(({ time, resource, status }) => `${time} ${resource.id} ${status === "draft" ? 1 : 2}`);
    expect(keys).toEqual(keys.toSorted());
    for (const limit of [1, 2, 7, 35, 36]) expect(await follow(tenantId, limit)).toEqual(all);
    expect(new Set(all.map(({ id }) => id)).size).toBe(36);
    // A few events cost a few reads, however many follow.
    const { metered, reads } = openMeters(true)();
    await readUnsettled(metered(table), tenantId, placeAt(AT_MS), 4, upToNow(LATER_MS));
    expect(reads.itemsRead).toBeLessThanOrEqual(6 * EVENT_SHARDS);
  });

  test("has the changes of one thing in one millisecond in their order, also beyond nine", () => {
    const placeOf = (step: number) => {
      const [action] = eventActions(table, { tenantId: "1001", about: "i", atMs: AT_MS, step }, [
        { of: "paymentIntent", id: "i", status: "executing" },
      ]);
      return String(action?.write.Put?.Item?.["SK"]);
    };
    const places = [1, 2, 9, 10, 11, 99, 100, 12_345].map(placeOf);
    expect(places).toEqual(places.toSorted());
  });

  test("goes on behind any of its events, whose id is a cursor", async () => {
    const tenantId = newTenant();
    for (const step of [1, 2, 3]) await write({ tenantId, about: "i", atMs: AT_MS, step }, "draft", "executing");
    const all = await follow(tenantId, 100);
    for (const [index, { id }] of all.entries()) {
      expect((await read(tenantId, { after: id })).items).toEqual(all.slice(index + 1));
    }
    const later = await read(tenantId, { after: new Date(AT_MS + 1).toISOString() });
    expect(later).toMatchObject({ items: [], hasMore: false });
  });

  test("tells nothing that another change could still come to stand before", async () => {
    const tenantId = newTenant();
    await write({ tenantId, about: "i", atMs: AT_MS, step: 1 }, "draft");
    const early = await read(tenantId, {}, AT_MS + SETTLED_AFTER_MS);
    expect(early).toMatchObject({ items: [], hasMore: false });
    const { nextCursor: after } = early;
    expect((await read(tenantId, { after }, AT_MS + SETTLED_AFTER_MS + 1)).items).toHaveLength(1);
    // A clock that is set back must not lead back.
    const back = await read(tenantId, { after }, AT_MS);
    expect(back).toMatchObject({ items: [], nextCursor: after });
  });

  test("of one type passes over the others, and says whether there are more of it", async () => {
    const tenantId = newTenant();
    for (const step of [1, 2, 3]) await write({ tenantId, about: "i", atMs: AT_MS + step, step }, "draft", "executing");
    const { items, hasMore, nextCursor } = await read(tenantId, { type: "paymentIntent.draft", limit: 2 });
    expect([named(items), hasMore]).toEqual([["i draft", "i draft"], true]);
    const rest = await read(tenantId, { type: "paymentIntent.draft", limit: 2, after: nextCursor });
    expect([rest.items.length, rest.hasMore]).toEqual([1, false]);
    // Behind the last of them stands one of another type.
    expect((await read(tenantId, { type: "paymentIntent.draft", limit: 3 })).hasMore).toBe(false);
    expect((await read(tenantId, { type: "paymentIntent" })).items).toHaveLength(6);
    expect((await read(tenantId, { type: "leg" })).items).toEqual([]);
  });

  test("of a rare type costs a page: then it is empty, and leads on until it has found it", async () => {
    const tenantId = newTenant();
    const others = Array.from({ length: 2 * EVENT_SHARDS * LOOKED_AT }, (_, index) => ({
      about: `other-${index}`,
      atMs: AT_MS + index,
    }));
    const puts = others.flatMap(({ about, atMs }) =>
      eventActions(table, { tenantId, about, atMs, step: 1 }, [{ of: "paymentIntent", id: about, status: "draft" }]),
    );
    for (const some of chunksOf(puts, 25)) {
      const requests = some.map(({ write: { Put } }) => ({ PutRequest: { Item: Put?.Item } }));
      await table.db.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
    }
    await write({ tenantId, about: "rare", atMs: LATER_MS - SETTLED_AFTER_MS - 1, step: 1 }, "completed");
    const counted = async (after: string | undefined) => {
      const { metered, reads } = openMeters(true)();
      const query = { type: "paymentIntent.completed", limit: 1, ...(after !== undefined && { after }) };
      const page = await readFeed(metered(table), tenantId, query, LATER_MS);
      if (!page.ok) throw new Error(page.failure.problems.join());
      return { ...page.value, reads };
    };
    const pages = [await counted(undefined)];
    while (pages.at(-1)?.hasMore === true) pages.push(await counted(pages.at(-1)?.nextCursor));
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.length).toBeLessThan(10);
    expect(pages.flatMap(({ items }) => named(items))).toEqual(["rare completed"]);
    expect(pages.at(-1)).toMatchObject({ items: [{}] });
    for (const { reads } of pages) {
      expect(reads.storeCalls).toBe(EVENT_SHARDS);
      expect(reads.itemsRead).toBeLessThanOrEqual(EVENT_SHARDS * LOOKED_AT);
      expect(reads.readUnits).toBeLessThanOrEqual(100);
    }
    // Reading on from the place, and not from the last event, reads nothing twice.
    const { items, reads } = await counted(pages.at(-1)?.nextCursor);
    expect([items, reads.itemsRead]).toEqual([[], 0]);
  });

  test("ends after 30 days, and the store keeps what it still tells", async () => {
    const tenantId = newTenant();
    await write({ tenantId, about: "i", atMs: AT_MS, step: 1 }, "draft");
    expect(await follow(tenantId, 10, AT_MS + EVENTS_KEPT_MS)).toHaveLength(1);
    expect(await follow(tenantId, 10, AT_MS + EVENTS_KEPT_MS + 1)).toEqual([]);
    const [event] = eventActions(table, { tenantId, about: "i", atMs: AT_MS, step: 1 }, [
      { of: "paymentIntent", id: "i", status: "draft" },
    ]);
    expect(Number(event?.write.Put?.Item?.["ttl"]) * 1000).toBeGreaterThan(AT_MS + EVENTS_KEPT_MS);
  });

  test("is a tenant's own, and says from where to go on", async () => {
    const [tenantId, other] = [newTenant(), newTenant()];
    await write({ tenantId, about: "i", atMs: AT_MS, step: 1 }, "draft");
    const [{ id: own = "" } = {}] = await follow(tenantId, 1);
    const goOn = "go on without after, from the oldest event that is kept";
    const wrong = `after must be the id of an event of yours, a nextCursor of this list, or a time: ${goOn}`;
    const old = `after must lie within the last 30 days: ${goOn}`;
    const days = (count: number, ms = 0) => new Date(LATER_MS - count * 86_400_000 - ms).toISOString();
    for (const [who, after, problem] of [
      [other, own, wrong],
      [tenantId, `${own}x`, wrong],
      [tenantId, own.replace(/^./, (first) => (first === "A" ? "B" : "A")), wrong],
      [tenantId, "", wrong],
      [tenantId, "yesterday", wrong],
      [tenantId, "2026-13-01T00:00:00Z", wrong],
      [tenantId, days(30, 1), old],
      [
        tenantId,
        "2999-01-01T00:00:00Z",
        `after must not lie in the future: go on with after=${new Date(LATER_MS).toISOString()}`,
      ],
    ] as const) {
      const page = await readFeed(table, who, { after, limit: 1 }, LATER_MS);
      expect([after, page]).toEqual([after, { ok: false, failure: { kind: "shape", problems: [problem] } }]);
    }
    expect((await readFeed(table, tenantId, { after: own, limit: 1 }, LATER_MS + EVENTS_KEPT_MS)).ok).toBe(false);
    expect((await read(tenantId, { after: days(30) })).items).toHaveLength(1);
  });

  test("is told from where to go on by what works a day later too", async () => {
    const tenantId = newTenant();
    const advised = async (after: string, nowMs: number) => {
      const page = await readFeed(table, tenantId, { after, limit: 1 }, nowMs);
      if (page.ok) throw new Error(`${after} is taken`);
      const [, time] = /go on (?:with after=(\S+Z)|without after)/.exec(page.failure.problems.join()) ?? [];
      return time === undefined ? {} : { after: time };
    };
    for (let hour = 0; hour < 48; hour += 8) {
      const nowMs = LATER_MS + hour * 3_600_000;
      for (const wrong of ["foo", "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"]) {
        const query = await advised(wrong, nowMs);
        for (const laterMs of [nowMs, nowMs + 86_400_000])
          expect((await read(tenantId, query, laterMs)).items).toEqual([]);
      }
    }
  });

  test("takes the present of a clock that is somewhat ahead", async () => {
    const tenantId = newTenant();
    const after = new Date(LATER_MS + 60_000).toISOString();
    const ahead = await read(tenantId, { after });
    await write({ tenantId, about: "i", atMs: LATER_MS + 60_001, step: 1 }, "draft");
    expect((await read(tenantId, { after: ahead.nextCursor }, LATER_MS + 120_000)).items).toHaveLength(1);
  });
});

describe("what is not settled yet", () => {
  test("is read up to now and a little beyond, from behind a place, with whether there is more", async () => {
    const tenantId = newTenant();
    for (const [index, about] of ["c", "a", "b"].entries())
      await write({ tenantId, about, atMs: AT_MS + index, step: 1 }, "draft", "executing");
    await write({ tenantId, about: "ahead", atMs: AT_MS + 5_000, step: 1 }, "draft");
    const all = await follow(tenantId, 100);
    const unsettled = (limit: number, nowMs: number, behind = placeAt(AT_MS)) =>
      readUnsettled(table, tenantId, behind, limit, upToNow(nowMs));
    const { events, hasMore } = await unsettled(100, AT_MS + 1);
    expect([events.map(({ event }) => event), hasMore]).toEqual([all, false]);
    expect((await unsettled(100, AT_MS)).events).toHaveLength(6);
    expect((await unsettled(100, AT_MS + 1, placeAt(AT_MS + 1))).events).toEqual(events.slice(2));
    for (const [index, { after }] of events.entries()) {
      expect(await unsettled(1, AT_MS + 1, after)).toEqual({
        events: events.slice(index + 1, index + 2),
        hasMore: index < events.length - 2,
      });
    }
  });

  test.each([
    ["now", placeAt(AT_MS), 0],
    ["what is settled", settledAt(AT_MS), SETTLED_AFTER_MS],
    ["the oldest that is kept", oldestAt(AT_MS), EVENTS_KEPT_MS],
  ])("has a place before %s", (_, place, earlierMs) => {
    expect(place).toEqual({ place: String(AT_MS - earlierMs).padStart(15, "0"), count: 0 });
  });
});

test("whoever follows misses nothing and gets nothing twice, however late and out of order writes arrive", async () => {
  const tenantId = newTenant();
  // Each write arrives within the time that a transaction is sent for, by a clock that is some seconds off.
  const writes = Array.from({ length: 150 }, (_, index) => {
    const sentMs = AT_MS + index * 397;
    const skewMs = ((index * 7919) % 4_001) - 2_000;
    const lagMs = (index * 104_729) % SENT_WITHIN_MS;
    return { about: `intent-${index}`, atMs: sentMs + skewMs, arrivesMs: sentMs + lagMs };
  }).toSorted((one, other) => one.arrivesMs - other.arrivesMs);
  const seen: Event[] = [];
  let after: string | undefined;
  const look = async (nowMs: number) => {
    for (;;) {
      const { items, hasMore, nextCursor } = await read(
        tenantId,
        { limit: 4, ...(after !== undefined && { after }) },
        nowMs,
      );
      seen.push(...items);
      after = nextCursor;
      if (!hasMore) return;
    }
  };
  for (const [index, { about, atMs, arrivesMs }] of writes.entries()) {
    await write({ tenantId, about, atMs, step: 1 }, "draft");
    if (index % 3 === 0) await look(arrivesMs);
  }
  await look(AT_MS + 10 * 60_000);
  expect(seen).toEqual(await follow(tenantId, 1000, AT_MS + 10 * 60_000));
  expect(seen).toHaveLength(150);
});
