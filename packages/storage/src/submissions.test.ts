import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerAction, bindKey, findAnswer, KEY_LIFETIME_MS, takePaymentId, unbindKey } from "./submissions.ts";
import type { Table } from "./table.ts";
import { startTable } from "./table-fixture.ts";
import { transact } from "./transact.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ table, stop } = await startTable());
});
afterAll(() => stop());

let keys = 0;
const newKey = () => `key-${++keys}`;

describe("an Idempotency-Key", () => {
  test("belongs to its first request for 24 hours by the clock, counted from that request", async () => {
    const key = newKey();
    const first = await bindKey(table, "1001", key, "first", NOW_MS);
    expect(first).toEqual({ payloadHash: "first", firstSeenMs: NOW_MS });
    expect(await bindKey(table, "1001", key, "other", NOW_MS + 3_600_000)).toEqual(first);
    expect(await bindKey(table, "1001", key, "other", NOW_MS + KEY_LIFETIME_MS - 1)).toEqual(first);
    const second = { payloadHash: "other", firstSeenMs: NOW_MS + KEY_LIFETIME_MS };
    expect(await bindKey(table, "1001", key, "other", second.firstSeenMs)).toEqual(second);
    expect(await bindKey(table, "1001", key, "first", second.firstSeenMs + 1)).toEqual(second);
  });

  test("of one tenant is not bound for another", async () => {
    const key = newKey();
    await bindKey(table, "1001", key, "first", NOW_MS);
    expect(await bindKey(table, "1002", key, "other", NOW_MS)).toEqual({ payloadHash: "other", firstSeenMs: NOW_MS });
  });

  test("that 30 requests use at once belongs to exactly one, and all of them learn which", async () => {
    const key = newKey();
    const bindings = await Promise.all(
      Array.from({ length: 30 }, (_, index) => bindKey(table, "1001", key, `payload-${index}`, NOW_MS)),
    );
    expect(new Set(bindings.map(({ payloadHash }) => payloadHash)).size).toBe(1);
  });

  test("that a release has freed serves another request", async () => {
    const key = newKey();
    await bindKey(table, "1001", key, "first", NOW_MS);
    await transact(table, () => [unbindKey(table, "1001", key, NOW_MS + 1)]);
    expect(await bindKey(table, "1001", key, "other", NOW_MS + 1)).toMatchObject({ payloadHash: "other" });
  });
});

test("a key that was bound anew after a claim is not freed by the claim's late release", async () => {
  const key = newKey();
  await bindKey(table, "1001", key, "first", NOW_MS);
  const laterMs = NOW_MS + KEY_LIFETIME_MS + 1;
  await bindKey(table, "1001", key, "other", laterMs);
  expect(await transact(table, () => [unbindKey(table, "1001", key, NOW_MS + 1)])).toEqual({
    done: false,
    failed: ["key"],
  });
  expect(await bindKey(table, "1001", key, "third", laterMs + 1)).toMatchObject({ payloadHash: "other" });
});

test("a payment id is taken once, whichever tenant asks", async () => {
  const take = (tenantId: string) => transact(table, () => [takePaymentId(table, 42, { tenantId, intentId: "i" })]);
  expect(await take("1001")).toEqual({ done: true });
  expect(await take("1002")).toEqual({ done: false, failed: ["paymentId"] });
});

test("the answer of a submit is given back to the byte, with the key of its request", async () => {
  const answer = { keyHash: "hash", executionId: "e", claimedAtMs: NOW_MS, body: '{"data": {"name":"Zoë \\u0000"}}' };
  await transact(table, () => [answerAction(table, "1001", "intent", answer)]);
  expect(await findAnswer(table, "1001", "intent")).toEqual(answer);
  expect(await findAnswer(table, "1002", "intent")).toBeUndefined();
  const { keyHash: _keyHash, ...keyless } = answer;
  await transact(table, () => [answerAction(table, "1001", "keyless", keyless)]);
  expect(await findAnswer(table, "1001", "keyless")).toEqual(keyless);
});
