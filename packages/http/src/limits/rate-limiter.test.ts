import { randomUUID } from "node:crypto";
import { windowTableSchema } from "@intents/deployment/table-schema.ts";
import { startDynamoDb } from "@intents/local/stores/dynamodb.ts";
import { createTables } from "@intents/local/stores/tables.ts";
import { openTable, type Table } from "@intents/storage/table/table.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openRateLimiter } from "./rate-limiter.ts";

const SECOND_MS = Date.UTC(2026, 10, 21, 12);

describe("a rate limiter", () => {
  let table: Table;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const store = await startDynamoDb(undefined);
    stop = store.stop;
    process.env["AWS_REGION"] = "us-east-1";
    process.env["AWS_ACCESS_KEY_ID"] = "local";
    process.env["AWS_SECRET_ACCESS_KEY"] = "local";
    process.env["AWS_ENDPOINT_URL_DYNAMODB"] = store.endpoint;
    await createTables(store.endpoint, { windows: windowTableSchema });
    table = openTable("windows");
  });
  afterAll(async () => {
    table.client.destroy();
    await stop();
  });

  /** A limiter that waits for its count, however busy the machine is. */
  const open = (limits: Record<string, number>) => openRateLimiter(table, { limits, budgetMs: 10_000 });

  /** Sends `times` requests at one moment, spread over the limiters, each of which stands for a container. */
  async function ask(limiters: ReturnType<typeof openRateLimiter>[], subject: string, times: number, nowMs: number) {
    const asked = Array.from({ length: times }, (_, index) =>
      limiters[index % limiters.length]?.("global", subject, nowMs),
    );
    return (await Promise.all(asked)).filter((taken) => taken?.allowed).length;
  }

  test("lets exactly the limit through in a second, however many ask at once", async () => {
    const limiter = open({ global: 40 });
    const subject = randomUUID();
    expect(await ask([limiter], subject, 30, SECOND_MS)).toBe(30);
    expect(await ask([limiter], subject, 30, SECOND_MS + 500)).toBe(10);
    expect(await ask([limiter], subject, 30, SECOND_MS + 1000)).toBe(30);
  });

  test("shares one count among containers, and never lets more than the limit through", async () => {
    const containers = Array.from({ length: 4 }, () => open({ global: 100 }));
    const subject = randomUUID();
    await ask(containers, subject, 400, SECOND_MS);
    const accepted = await ask(containers, subject, 400, SECOND_MS + 1000);
    expect(accepted).toBeLessThanOrEqual(100);
    expect(accepted).toBeGreaterThanOrEqual(98);
  });

  test("keeps the counts of keys apart", async () => {
    const limiter = open({ global: 5 });
    expect(await ask([limiter], randomUUID(), 20, SECOND_MS)).toBe(5);
    expect(await ask([limiter], randomUUID(), 3, SECOND_MS)).toBe(3);
  });

  test.each([
    ["what it was asked for in the second before", 8, 1600, 8],
    ["at most a sixteenth of what is left", 64, 160, 10],
    ["at least what it is asked for", 0, 1600, 1],
  ])("takes in advance %s", async (_, before, limit, taken) => {
    const [busy, other] = [open({ global: limit }), open({ global: limit })];
    const subject = randomUUID();
    await ask([busy], subject, before, SECOND_MS);
    expect(await ask([busy], subject, 1, SECOND_MS + 1000)).toBe(1);
    const seen = await other("global", subject, SECOND_MS + 1000);
    expect(seen).toMatchObject({ remaining: limit - taken - 1 });
  });

  test("of a key at ten requests a second writes at most once for five of them", async () => {
    const limiter = open({});
    const subject = randomUUID();
    const send = vi.spyOn(table.db, "send");
    const writes = [];
    for (let second = 0; second < 20; second++) {
      send.mockClear();
      // They come evenly, and not at the beginning of a second.
      for (let at = 37; at < 1000; at += 100)
        expect(await ask([limiter], subject, 1, SECOND_MS + second * 1000 + at)).toBe(1);
      writes.push(send.mock.calls.length);
    }
    send.mockRestore();
    // In its first second a container knows nothing of the key.
    expect(writes.slice(1).reduce((sum, count) => sum + count, 0) / (19 * 10)).toBeLessThanOrEqual(0.2);
  });

  test.each([1, 2, 8])("of %i containers lets through at most the limit, and at least 98 of 100", async (count) => {
    const limiters = Array.from({ length: count }, () => open({}));
    const subject = randomUUID();
    for (let second = 0; second < 3; second++) {
      let allowed = 0;
      // Three times as many as the limit, evenly, each to the container whose turn it is.
      for (let asked = 0; asked < 600; asked++) {
        const turn = limiters[(asked * 7) % count];
        const taken = await turn?.("global", subject, SECOND_MS + second * 1000 + Math.floor(asked / 0.6));
        if (taken?.allowed) allowed += 1;
      }
      expect(allowed).toBeLessThanOrEqual(200);
      expect(allowed).toBeGreaterThanOrEqual(196);
    }
  });

  test("tells what is left and when the window resets, in seconds since 1970", async () => {
    const limiter = open({ global: 3 });
    const subject = randomUUID();
    const resetS = SECOND_MS / 1000 + 1;
    expect(await limiter("global", subject, SECOND_MS + 1)).toEqual({ allowed: true, limit: 3, remaining: 2, resetS });
    expect(await ask([limiter], subject, 4, SECOND_MS + 2)).toBe(2);
    expect(await limiter("global", subject, SECOND_MS + 3)).toEqual({ allowed: false, limit: 3, remaining: 0, resetS });
  });

  test.each([
    ["login", 10],
    ["public_upload", 20],
    ["public_link", 120],
  ] as const)("counts the 60-second windows of %s one by one, to %i", async (name, limit) => {
    // These stand for two containers: the second learns of the count only by asking.
    const limiters = [open({}), open({})];
    const subject = randomUUID();
    const outcomes = [];
    for (let asked = 0; asked < limit + 2; asked++)
      outcomes.push((await limiters[asked % 2]?.(name, subject, SECOND_MS + asked))?.allowed);
    expect(outcomes).toEqual([...Array(limit).fill(true), false, false]);
  });

  test("does not know when the count cannot be had", async () => {
    const limiter = openRateLimiter({ ...table, name: "no-such-table" });
    expect(await limiter("global", randomUUID(), SECOND_MS)).toBeUndefined();
  });
});
