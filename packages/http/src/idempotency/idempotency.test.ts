import { errorTable } from "@intents/contract/errors.ts";
import type { Failure } from "@intents/domain/failure.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import {
  answerAction,
  KEY_LIFETIME_MS,
  readStart,
  type SubmitStart,
  unbindKey,
} from "@intents/storage/intents/submissions.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { readPartition, startTable } from "@intents/storage/test/table-fixture.ts";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { eventFor } from "../../test/event-fixture.ts";
import { type Committed, openIdempotency } from "./idempotency.ts";

const START_MS = Date.UTC(2026, 10, 21, 9);
/** The longest time that a request may take. */
const TIMEOUT_MS = 28_000;
const BODY = '{"data":{"payer":"Ana Silva"}}';

let table: Table;
let stop: () => Promise<void>;
// Each test has a client of its own: the SDK repeats a failed call only as long as few of a client's calls fail.
beforeEach(async () => {
  ({ table, stop } = await startTable());
  vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
  return async () => {
    vi.useRealTimers();
    await stop();
  };
});

type Outcome = Result<Committed, Failure>;
const busy: Failure = { kind: "busy", retryAfterSeconds: 1 };
const incomplete: Failure = { kind: "requirements", missing: [] };

let requests = 0;
/** A request with a new key and a given outcome, and means to repeat it with another key, path or body. */
function newRequest(run: (keyHash: string | undefined) => Promise<Outcome>) {
  const intentId = `intent-${++requests}`;
  const ran = vi.fn(run);
  const ask = async ({
    key = intentId as string | null,
    body = undefined as unknown,
    tenantId = "1001",
    changes = {} as Partial<APIGatewayProxyEvent>,
    preloaded = undefined as Promise<SubmitStart> | undefined,
  } = {}) => {
    const headers = key === null ? {} : { "idempotency-KEY": key };
    const event = eventFor("POST /v2/payment-intents/{id}/submit", {
      path: `/${intentId}/submit`,
      headers,
      ...changes,
    });
    const context = { getRemainingTimeInMillis: () => TIMEOUT_MS } as Context;
    const request = { event, context, tenantId, body, nowMs: Date.now(), preloaded };
    const { statusCode, headers: sent, body: text } = await openIdempotency(table)(request, ran);
    return { statusCode, text, isReplay: sent?.["Idempotent-Replayed"] === "true", headers: sent };
  };
  /** Stores the answer of a success, as a commit does. */
  const commit = async (keyHash: string | undefined): Promise<Outcome> => {
    const answer = { executionId: "e", claimedAtMs: Date.now(), body: BODY, ...(keyHash !== undefined && { keyHash }) };
    await transact(table, () => [answerAction(table, "1001", intentId, answer)]);
    return ok({ body: BODY, intentId, replayed: false });
  };
  return { intentId, ran, ask, commit };
}
const refusing = (failure: Failure) => newRequest(async () => fail(failure));
function succeeding() {
  const request = newRequest((keyHash) => request.commit(keyHash));
  return request;
}
const hashOf = ({ ran }: ReturnType<typeof newRequest>): string => ran.mock.calls[0]?.[0] ?? "";

test("without a key every request runs, and says of its answer what the run says", async () => {
  const request = newRequest(async () =>
    ok({ body: BODY, intentId: "i", replayed: request.ran.mock.calls.length > 1 }),
  );
  expect(await request.ask({ key: null })).toMatchObject({ statusCode: 200, text: BODY, isReplay: false });
  expect(await request.ask({ key: null })).toMatchObject({ statusCode: 200, text: BODY, isReplay: true });
  expect(request.ran.mock.calls).toEqual([[undefined], [undefined]]);
  expect(await refusing(busy).ask({ key: null })).toMatchObject({ statusCode: 503, headers: { "Retry-After": "1" } });
});

test("a key whose answer was preloaded is answered without another look", async () => {
  const request = succeeding();
  await request.ask();
  const { intentId } = request;
  const keyHash = hashOf(request);
  const preloaded = readStart(table, { tenantId: "1001", intentId, clientId: "acme", keyHash });
  const known = preloaded.then((start) => ({ ...start, intent: { id: intentId } as PaymentIntent }));
  await known;
  const send = vi.spyOn(table.db, "send");
  expect(await request.ask({ preloaded: known })).toMatchObject({ statusCode: 200, text: BODY, isReplay: true });
  expect(send).not.toHaveBeenCalled();
  send.mockRestore();
  expect(await request.ask({ preloaded: known, body: { other: true } })).toMatchObject({ statusCode: 422 });
});

test.each(["", " a", "x".repeat(256), "café", "a\tb"])("the key %j is a shape error, and nothing runs", async (key) => {
  const request = succeeding();
  const { statusCode, text } = await request.ask({ key });
  expect([statusCode, JSON.parse(text).message]).toEqual([
    400,
    ["Idempotency-Key must be 1 to 255 printable ASCII characters"],
  ]);
  expect(request.ran).not.toHaveBeenCalled();
});

describe("with a key", () => {
  test.each(["~", "x".repeat(255), "two words"])("%j a success is answered again as it was stored", async (key) => {
    const request = succeeding();
    expect(await request.ask({ key })).toMatchObject({ statusCode: 200, text: BODY, isReplay: false });
    const again = await request.ask({ key });
    expect(again).toMatchObject({ statusCode: 200, text: BODY, isReplay: true });
    expect(again.headers).toMatchObject({ "Content-Type": "application/json", "Cache-Control": "no-store" });
    expect(request.ran).toHaveBeenCalledTimes(1);
    expect(hashOf(request)).toMatch(/^[\da-f]{64}$/);
  });

  // These are all refusals: whether one is kept depends on the error table alone.
  test.each(Object.entries(errorTable))("%s is kept or not, as the error table says", async (kind, { bindsKey }) => {
    const request = refusing({ kind, problems: ["x"], missing: [], allow: [] } as unknown as Failure);
    const first = await request.ask();
    const second = await request.ask();
    expect(second).toMatchObject({ statusCode: first.statusCode, text: first.text, isReplay: bindsKey });
    const { "Idempotent-Replayed": _, ...headers } = second.headers ?? {};
    expect(headers).toEqual(first.headers);
    expect(request.ran).toHaveBeenCalledTimes(bindsKey ? 1 : 2);
  });

  test("the answer after a refusal that was not kept is kept", async () => {
    const request = refusing(busy);
    await request.ask();
    request.ran.mockResolvedValue(fail(incomplete));
    expect(await request.ask()).toMatchObject({ statusCode: 400, isReplay: false });
    expect(await request.ask()).toMatchObject({ statusCode: 400, isReplay: true });
    expect(request.ran).toHaveBeenCalledTimes(2);
  });

  test("a run that fails is a fault, and the next one runs and is kept", async () => {
    const request = succeeding();
    request.ran.mockRejectedValueOnce(new Error("broken"));
    await expect(request.ask()).rejects.toThrow("broken");
    expect(await request.ask()).toMatchObject({ statusCode: 200, isReplay: false });
    expect(await request.ask()).toMatchObject({ statusCode: 200, isReplay: true });
  });

  test("a refusal that is not kept is a fault as long as its key is not free again", async () => {
    const request = refusing(busy);
    const send = vi.spyOn(table.db, "send");
    request.ran.mockImplementationOnce(async () => {
      send.mockImplementationOnce(async () => {
        throw new Error("socket hang up");
      });
      return fail(busy);
    });
    await expect(request.ask()).rejects.toThrow("idempotency");
    send.mockRestore();
  });

  test("nothing of what a success says is kept with it", async () => {
    const request = succeeding();
    await request.ask({ body: { payer: "Ana Silva" } });
    const { PK } = keysOf("1001").keyBinding(hashOf(request));
    const items = await readPartition(table, PK);
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain("Ana Silva");
  });

  test("a success whose answer is gone is a fault, and is not run again", async () => {
    const request = newRequest(async () => ok({ body: BODY, intentId: "nobody's", replayed: false }));
    await request.ask();
    await expect(request.ask()).rejects.toThrow("nobody's is kept with a key but not stored");
    expect(request.ran).toHaveBeenCalledTimes(1);
  });

  test("the same one of another tenant is another key", async () => {
    const request = refusing(incomplete);
    await request.ask();
    expect(await request.ask({ tenantId: "1002" })).toMatchObject({ isReplay: false });
  });
});

describe("a key that was used", () => {
  const others = {
    "another path": { changes: { path: "/other/submit" } },
    "another method": { changes: { httpMethod: "PUT" } },
    "another body": { body: { x: 1 } },
  };
  const firsts = {
    "a success": async (request: ReturnType<typeof newRequest>) => request.ran.mockImplementation(request.commit),
    "a refusal that is kept": async () => undefined,
    "one that is not": async ({ ran }: ReturnType<typeof newRequest>) => ran.mockResolvedValue(fail(busy)),
    "a fault": async ({ ran }: ReturnType<typeof newRequest>) => ran.mockRejectedValue(new Error("broken")),
    "no answer yet": async ({ ran }: ReturnType<typeof newRequest>) => ran.mockReturnValue(new Promise(() => {})),
  };
  const cases = Object.keys(firsts).flatMap((first) => Object.keys(others).map((other) => ({ first, other })));
  test.each(cases as { first: keyof typeof firsts; other: keyof typeof others }[])(
    "for $first is refused for $other, at once and when its worker is gone",
    async ({ first, other }) => {
      const request = refusing(incomplete);
      await firsts[first](request);
      const answered = request.ask().catch(() => undefined);
      await expect.poll(() => request.ran.mock.calls.length).toBeGreaterThan(0);
      if (first !== "no answer yet") await answered;
      for (const waitMs of [0, TIMEOUT_MS + 1]) {
        vi.setSystemTime(Date.now() + waitMs);
        const { statusCode, text } = await request.ask(others[other]);
        expect([statusCode, JSON.parse(text).error]).toEqual([422, "Unprocessable Entity"]);
      }
      expect(request.ran).toHaveBeenCalledTimes(1);
    },
  );

  test("is the same for a body whose properties come in another order", async () => {
    const request = refusing(incomplete);
    await request.ask({ body: { a: 1, b: { c: 2, d: 3 } } });
    expect(await request.ask({ body: { b: { d: 3, c: 2 }, a: 1 } })).toMatchObject({ statusCode: 400, isReplay: true });
  });

  test("and that a release has freed serves another request", async () => {
    const request = newRequest(async (keyHash = "") => {
      await transact(table, () => [unbindKey(table, "1001", keyHash, Date.now())]);
      return fail({ kind: "duplicate_transaction" });
    });
    expect(await request.ask()).toMatchObject({ statusCode: 409 });
    request.ran.mockResolvedValue(fail(incomplete));
    expect(await request.ask({ body: { x: 1 } })).toMatchObject({ statusCode: 400, isReplay: false });
  });

  test("is good for 24 hours from its first request, however late what is kept with it came", async () => {
    const request = refusing(busy);
    await request.ask();
    request.ran.mockResolvedValue(fail(incomplete));
    vi.setSystemTime(START_MS + KEY_LIFETIME_MS - 2);
    expect(await request.ask()).toMatchObject({ statusCode: 400, isReplay: false });
    vi.setSystemTime(START_MS + KEY_LIFETIME_MS - 1);
    expect(await request.ask()).toMatchObject({ statusCode: 400, isReplay: true });
    vi.setSystemTime(START_MS + KEY_LIFETIME_MS);
    expect(await request.ask({ body: { x: 1 } })).toMatchObject({ statusCode: 400, isReplay: false });
    expect(await request.ask()).toMatchObject({ statusCode: 422 });
  });
});

describe("a key that somebody works on", () => {
  /** A request whose first run answers only when the test says so. */
  async function held() {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const request = newRequest(async () => fail({ kind: "in_flight", status: "draft", retryAfterSeconds: 9 }));
    request.ran.mockReturnValueOnce(promise);
    const answer = request.ask();
    await expect.poll(() => request.ran.mock.calls.length).toBeGreaterThan(0);
    return { ...request, answer, end: resolve };
  }

  test("is left to the claim to judge: the run decides, with the same key", async () => {
    const request = await held();
    expect(await request.ask()).toMatchObject({ statusCode: 409, isReplay: false, headers: { "Retry-After": "9" } });
    expect(request.ran.mock.calls).toEqual([[hashOf(request)], [hashOf(request)]]);
    request.end(fail(incomplete));
    expect(await request.answer).toMatchObject({ statusCode: 400, isReplay: false });
    expect(await request.ask()).toMatchObject({ statusCode: 400, isReplay: true });
  });

  test("goes to the next request when its time is over, and a late word of the former changes nothing", async () => {
    const request = await held();
    vi.setSystemTime(START_MS + TIMEOUT_MS);
    expect(await request.ask()).toMatchObject({ statusCode: 409 });
    vi.setSystemTime(START_MS + TIMEOUT_MS + 1);
    request.ran.mockResolvedValueOnce(fail({ kind: "not_found", resource: "payment intent" }));
    expect(await request.ask()).toMatchObject({ statusCode: 404, isReplay: false });
    request.end(fail(incomplete));
    expect(await request.answer).toMatchObject({ statusCode: 400, isReplay: false });
    expect(await request.ask()).toMatchObject({ statusCode: 404, isReplay: true });
  });

  test("and that is freed while it is taken over is bound anew", async () => {
    const request = await held();
    vi.setSystemTime(START_MS + TIMEOUT_MS + 1);
    request.ran.mockResolvedValue(fail(incomplete));
    const send = vi.spyOn(table.db, "send");
    send.mockImplementationOnce(async (command) => {
      send.mockRestore();
      await table.db.send(command).catch(async (error: unknown) => {
        await transact(table, () => [unbindKey(table, "1001", hashOf(request), Date.now())]);
        throw error;
      });
    });
    expect(await request.ask()).toMatchObject({ statusCode: 400, isReplay: false });
    expect(await request.ask({ body: { x: 1 } })).toMatchObject({ statusCode: 422 });
  });
});
