import { randomUUID } from "node:crypto";
import { windowTableSchema } from "@intents/deployment/table-schema.ts";
import { startDynamoDb } from "@intents/local/stores/dynamodb.ts";
import { createTables } from "@intents/local/stores/tables.ts";
import { openTable, type Table } from "@intents/storage/table/table.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
    ["a quarter of what it was asked for in the second before", 8, 1600, 2],
    ["at most a sixteenth of what is left", 64, 160, 10],
    ["at least what it is asked for", 3, 1600, 1],
  ])("takes in advance %s", async (_, before, limit, taken) => {
    const [busy, other] = [open({ global: limit }), open({ global: limit })];
    const subject = randomUUID();
    await ask([busy], subject, before, SECOND_MS);
    expect(await ask([busy], subject, 1, SECOND_MS + 1000)).toBe(1);
    const seen = await other("global", subject, SECOND_MS + 1000);
    expect(seen).toMatchObject({ remaining: limit - taken - 1 });
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
