import { afterAll, describe, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { transact } from "../table/transact.ts";
import {
  answerAction,
  bindKey,
  findAnswer,
  KEY_LIFETIME_MS,
  type KeyBinding,
  keepAnswer,
  readStart,
  takePaymentId,
  unbindKey,
} from "./submissions.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);

const { table, stop } = await startTable();
afterAll(stop);

let keys = 0;
const newKey = (tenantId = "1001") => ({ tenantId, keyHash: `key-${++keys}` });
const binding = (payloadHash: string, firstSeenMs = NOW_MS): KeyBinding => ({
  ...{ payloadHash, firstSeenMs, holder: crypto.randomUUID(), busyUntilMs: firstSeenMs + 28_000 },
});
const bind = (key: ReturnType<typeof newKey>, payloadHash: string, firstSeenMs = NOW_MS) =>
  bindKey(table, key, undefined, binding(payloadHash, firstSeenMs));
const unbind = ({ tenantId, keyHash }: ReturnType<typeof newKey>, claimedAtMs: number) =>
  transact(table, () => [unbindKey(table, tenantId, keyHash, claimedAtMs)]);

describe("an Idempotency-Key", () => {
  test("belongs to its first request for 24 hours by the clock, counted from that request", async () => {
    const key = newKey();
    const first = await bind(key, "first");
    expect(KEY_LIFETIME_MS).toBe(86_400_000);
    expect(first).toMatchObject({ payloadHash: "first", firstSeenMs: NOW_MS });
    expect(await bind(key, "other", NOW_MS + 3_600_000)).toEqual(first);
    expect(await bind(key, "other", NOW_MS + KEY_LIFETIME_MS - 1)).toEqual(first);
    const second = await bind(key, "other", NOW_MS + KEY_LIFETIME_MS);
    expect(second).toMatchObject({ payloadHash: "other", firstSeenMs: NOW_MS + KEY_LIFETIME_MS });
    expect(await bind(key, "first", NOW_MS + KEY_LIFETIME_MS + 1)).toEqual(second);
  });

  test("of one tenant is not bound for another", async () => {
    const key = newKey();
    await bind(key, "first");
    expect(await bind({ ...key, tenantId: "1002" }, "other")).toMatchObject({ payloadHash: "other" });
  });

  test("that 30 requests use at once belongs to exactly one, and all of them learn which", async () => {
    const key = newKey();
    const bindings = await Promise.all(Array.from({ length: 30 }, (_, index) => bind(key, `payload-${index}`)));
    expect(new Set(bindings.map((each) => each?.holder)).size).toBe(1);
  });

  test("that a release has freed serves another request", async () => {
    const key = newKey();
    await bind(key, "first");
    await unbind(key, NOW_MS + 1);
    expect(await bind(key, "other", NOW_MS + 1)).toMatchObject({ payloadHash: "other" });
  });

  test("goes to one of those who found it left, and its former holder changes nothing any more", async () => {
    const key = newKey();
    const left = await bind(key, "first");
    const takers = Array.from({ length: 10 }, () => ({ ...binding("first"), busyUntilMs: NOW_MS + 90_000 }));
    const found = await Promise.all(takers.map((taker) => bindKey(table, key, left, taker)));
    const [taken, ...others] = takers.filter((taker, index) => found[index] === taker);
    expect([taken !== undefined, others]).toEqual([true, []]);
    expect(await bindKey(table, key, left, { ...left!, kept: "late" })).toEqual(taken);
  });

  test("with something kept stays as it is, whoever found it before", async () => {
    const key = newKey();
    const held = binding("first");
    await bindKey(table, key, undefined, held);
    const done = { ...held, kept: "done" };
    expect(await bindKey(table, key, held, done)).toEqual(done);
    expect(await bindKey(table, key, held, binding("first"))).toEqual(done);
    expect(await bind(key, "other", NOW_MS + 1)).toEqual(done);
  });

  test("that was freed meanwhile is nobody's to go on with", async () => {
    const key = newKey();
    const held = binding("first");
    await bindKey(table, key, undefined, held);
    await unbind(key, NOW_MS + 1);
    expect(await bindKey(table, key, held, { ...held, kept: "late" })).toBeUndefined();
  });

  test("whose write succeeded but whose answer was lost is known as one's own", async () => {
    const key = newKey();
    const held = binding("first");
    await bindKey(table, key, undefined, held);
    expect(await bindKey(table, key, undefined, held)).toBe(held);
  });
});

test("a key that was bound anew after a claim is not freed by the claim's late release", async () => {
  const key = newKey();
  await bind(key, "first");
  const laterMs = NOW_MS + KEY_LIFETIME_MS + 1;
  await bind(key, "other", laterMs);
  expect(await unbind(key, NOW_MS + 1)).toEqual({ done: false, failed: ["key"] });
  expect(await bind(key, "third", laterMs + 1)).toMatchObject({ payloadHash: "other" });
});

test("an answer is kept with the key of its claim, once, and with no key that was bound since", async () => {
  const keep = async ({ tenantId, keyHash }: ReturnType<typeof newKey>, claimedAtMs: number) =>
    transact(table, () => [keepAnswer(table, { tenantId, id: "intent" }, keyHash, claimedAtMs)]);
  const refused = { done: false, failed: ["key"] };
  const key = newKey();
  expect(await keep(key, NOW_MS)).toEqual(refused);
  await bind(key, "first");
  expect(await keep(key, NOW_MS - 1)).toEqual(refused);
  expect(await keep(key, NOW_MS)).toEqual({ done: true });
  expect(await keep(key, NOW_MS)).toEqual(refused);
  expect(await bind(key, "other")).toMatchObject({ payloadHash: "first", kept: '{"intentId":"intent"}' });
});

test("a submit begins with its key, what the key stands for, the API key and the intent, as far as they exist", async () => {
  const { tenantId, keyHash } = newKey();
  const start = (hash: string | undefined) =>
    readStart(table, { tenantId, intentId: "begun", clientId: "acme", keyHash: hash });
  expect(await start(keyHash)).toEqual({});
  const bound = await bind({ tenantId, keyHash }, "first");
  const answer = { keyHash, executionId: "e", claimedAtMs: NOW_MS, body: "{}" };
  await transact(table, () => [answerAction(table, tenantId, "begun", answer)]);
  expect(await start(keyHash)).toEqual({ binding: bound, answer });
  expect(await start(undefined)).toEqual({});
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
