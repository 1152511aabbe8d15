import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answered, ok, openMachine, type Reply } from "../test/machine-fixture.ts";
import { openClient, type Settings } from "./client.ts";
import { ApiError, ConnectionError } from "./errors.ts";
import { RETRIES_MAX } from "./retries.ts";
import type { Attempt } from "./sending.ts";

const settings: Settings = { baseUrl: "https://api.example.com/prod/", apiKey: "demo:s3cr3t" };
const lost = () => new TypeError("fetch failed");

function open(replies: readonly (() => Reply)[], more: Partial<Settings> = {}) {
  const world = openMachine(replies);
  return { ...world, client: openClient({ ...settings, ...more }, world.machine) };
}

const refused = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
  return error;
};

describe("a submit", () => {
  test("has one key for all its tries, made by the client or named by the caller", async () => {
    const failing = fc.array(fc.constantFrom(lost, answered({ status: 500 }), answered({ status: 429 })), {
      maxLength: RETRIES_MAX,
    });
    await fc.assert(
      fc.asyncProperty(failing, fc.option(fc.constant("mine"), { nil: undefined }), async (failures, mine) => {
        const { client, sent } = open([...failures, ok({ id: "i1" })]);
        const options = mine === undefined ? {} : { idempotencyKey: mine };
        expect(await client.paymentIntents.submit("i1", options)).toEqual({ id: "i1" });
        const keys = sent.map(({ headers }) => headers.get("Idempotency-Key"));
        expect(keys).toEqual(Array(failures.length + 1).fill(mine ?? "made-1"));
      }),
    );
  });

  test("that fails for good tells its key, and that the same call is safe", async () => {
    const { client, sent, slept } = open([lost]);
    const error = await refused(client.paymentIntents.submit("i1"));
    expect(error).toMatchObject({ name: "ConnectionError", retrySafe: true, idempotencyKey: "made-1" });
    expect([sent.length, slept]).toEqual([RETRIES_MAX + 1, [1000, 2000, 4000, 8000, 16_000]]);
  });

  test("is sent again while an earlier one is being carried out, and left alone where a person looks into it", async () => {
    const inFlight = { status: 409, code: "[GEN9009]", retryAfterSeconds: 2 };
    const { client, slept } = open([answered(inFlight), ok({ id: "i1" })]);
    await client.paymentIntents.submit("i1");
    expect(slept).toEqual([2000 * 1.15]);
    const other = open([answered({ status: 409, code: "[GEN9009]" }, { details: { status: "requires_recovery" } })]);
    expect(await refused(other.client.paymentIntents.submit("i1"))).toMatchObject({ retrySafe: false });
    expect(other.sent).toHaveLength(1);
  });
});

describe("what makes something new", () => {
  const student = { firstName: "Ana", lastName: "Silva", email: "ana@example.com" };

  test.each([lost, answered({ status: 500 }), answered({ status: 504 })])(
    "is not sent again when it may have been done",
    async (reply) => {
      const { client, sent } = open([reply]);
      expect((await refused(client.students.create(student))).retrySafe).toBe(false);
      expect(sent).toHaveLength(1);
    },
  );

  test("is sent again when the service says that nothing was done", async () => {
    const { client, sent } = open([
      answered({ status: 503, retryAfterSeconds: 5 }),
      answered({ status: 429 }),
      ok({ _id: "s1" }),
    ]);
    await client.students.create(student);
    expect(sent.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(student)));
  });
});

describe("the key", () => {
  test("is never told by errors, by the hook or by the client itself", async () => {
    const attempts: Attempt[] = [];
    const debug = (attempt: Attempt) => attempts.push(attempt);
    const { client, sent } = open([lost, answered({ status: 400 }, { message: ["no"] })], { debug });
    const error = await refused(client.students.get("s1"));
    expect(attempts).toMatchObject([
      { method: "GET", path: "/v2/students/s1", attempt: 1, status: undefined, retryInMs: 1000 },
      { attempt: 2, status: 400, requestId: "r1", retryInMs: undefined },
    ]);
    expect(inspect([error, attempts, client], { depth: 9, showHidden: true })).not.toContain("s3cr3t");
    expect(sent[0]?.headers.get("X-API-Key")).toBe("demo:s3cr3t");
  });

  test("does not follow a redirect, not even that to a file", async () => {
    const link = "https://files.example.com/export.csv?signed";
    const csv = () => new Response("a,b", { headers: { "Content-Type": "text/csv" } });
    const { client, sent } = open([() => new Response(null, { status: 303, headers: { Location: link } }), csv]);
    // A response that was made here has no address of its own, and the link is absolute.
    const file = await client.commissions.export({ reportPeriod: "2026-10" });
    expect([await file.text(), file.type]).toEqual(["a,b", "text/csv"]);
    expect(sent.map(({ url, headers, redirect }) => [url, headers.has("X-API-Key"), redirect])).toEqual([
      ["https://api.example.com/prod/v2/commissions/export?reportPeriod=2026-10", true, "manual"],
      [link, false, undefined],
    ]);
    const moved = open([() => new Response(null, { status: 301, headers: { Location: link } })]);
    expect(await refused(moved.client.users.getMe())).toMatchObject({ status: 301 });
    expect(moved.sent).toHaveLength(1);
  });

  test.each<[Partial<Settings>, string]>([
    [{ apiKey: "s3cr3t" }, "apiKey"],
    [{ apiKey: "demo:s3cr3t\nX-Other: 1" }, "apiKey"],
    [{ baseUrl: "http://api.example.com" }, "baseUrl"],
    [{ baseUrl: "api.example.com" }, "baseUrl"],
    [{ baseUrl: "https://user:s3cr3t@api.example.com" }, "baseUrl"],
    [{ baseUrl: "https://api.example.com?stage=prod" }, "baseUrl"],
    [{ baseUrl: "https://api.example.com#v2" }, "baseUrl"],
    [{ baseUrl: " https://api.example.com" }, "baseUrl"],
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31].map((timeoutMs): [Partial<Settings>, string] => [
      { timeoutMs },
      "timeoutMs",
    ]),
  ])("and the address are refused when they cannot be right: %j", (wrong, name) => {
    const opening = () => openClient({ ...settings, ...wrong });
    expect(opening).toThrow(TypeError);
    expect(opening).toThrow(name);
    expect(opening).not.toThrow("s3cr3t");
  });
});

describe("an id", () => {
  test.each(["", ".", "..", "\ud800"])(
    "that would lead elsewhere is refused before anything is sent: %j",
    async (id) => {
      const { client, sent } = open([ok({})]);
      await expect(client.students.delete(id)).rejects.toThrow(/^id must be/);
      expect(sent).toEqual([]);
    },
  );

  test("is one part of the path, whatever it is made of", async () => {
    const { client, sent } = open([ok({})]);
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 3, unit: "grapheme" }), async (id) => {
        await client.students.get(id);
        const { pathname } = new URL(sent.at(-1)?.url ?? "");
        expect(decodeURIComponent(pathname.split("/")[4] ?? "")).toBe(id);
        expect(pathname.split("/")).toHaveLength(5);
      }),
    );
  });
});

describe("a signal", () => {
  test("ends a call at once, whether it is being answered or waits for another try, with its own reason", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const hanging = open([
      () => (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          controller.abort(reason);
        }),
    ]);
    await expect(hanging.client.users.getMe({ signal: controller.signal })).rejects.toBe(reason);
    const waiting = open([lost, ok({})]);
    const later = new AbortController();
    const { fetch } = waiting.machine;
    const machine = {
      ...waiting.machine,
      fetch: (...request: Parameters<typeof fetch>) => {
        later.abort(reason);
        return fetch(...request);
      },
    };
    await expect(openClient(settings, machine).users.getMe({ signal: later.signal })).rejects.toBe(reason);
    expect(waiting.sent).toHaveLength(1);
  });

  test("is not needed where an answer takes too long: that is no answer", async () => {
    const never = () => (_: unknown, signal: AbortSignal) =>
      new Promise<Response>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { client, sent } = open([never], { timeoutMs: 1 });
    expect(await refused(client.quotes.create({ payouts: [], paymentType: "company" }))).toMatchObject({
      name: "ConnectionError",
      retrySafe: false,
      message: expect.stringContaining("no answer within 1 ms"),
    });
    expect(sent).toHaveLength(1);
  });
});

describe("an answer that is not the service's", () => {
  const strange = ['{"data":{"id"', "", "null", "{}", "[]", "5", '{"data":null}', '{"data":"ok"}', "<html>"];

  test.each(strange)("is none: %j", async (body) => {
    const strangely = () => new Response(body, { headers: { "Content-Type": "application/json" } });
    const { client, sent } = open([strangely, ok({ id: "i1" })]);
    expect(await client.paymentIntents.submit("i1")).toEqual({ id: "i1" });
    expect(sent.map(({ headers }) => headers.get("Idempotency-Key"))).toEqual(["made-1", "made-1"]);
    const never = open([strangely]);
    const submitted = await refused(never.client.paymentIntents.submit("i1"));
    expect(submitted).toMatchObject({ name: "ConnectionError", retrySafe: true, idempotencyKey: "made-1" });
    const created = await refused(
      never.client.students.create({ firstName: "A", lastName: "S", email: "a@example.com" }),
    );
    expect(created).toMatchObject({ name: "ConnectionError", retrySafe: false });
  });

  test("is none of a list either, and a refusal of any shape is one", async () => {
    const list = open([ok({ others: [] }), ok({ students: [] }, { hasMore: false })]).client.students.list();
    expect(await list[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
    for (const body of [null, 5, "no", ["no"], { message: { no: 1 }, code: 5, details: null }]) {
      const { client } = open([() => Response.json(body, { status: 400 })]);
      expect(await refused(client.users.getMe())).toMatchObject({ status: 400, code: undefined, details: {} });
    }
  });
});

describe("an option", () => {
  test.each(["", " k", "k\nX-Other: 1", "k\u00fc", "k".repeat(256), null, 5])(
    "that is no header is refused before anything is sent: %j",
    async (idempotencyKey) => {
      const { client, sent } = open([ok({ id: "i1" })]);
      const call = client.paymentIntents.submit("i1", { idempotencyKey: idempotencyKey as string });
      await expect(call).rejects.toThrow(/^idempotencyKey must be/);
      await expect(call).rejects.toThrow(TypeError);
      expect(sent).toEqual([]);
    },
  );

  test("that is one is sent as it is, and true as a word", async () => {
    const { client, sent } = open([ok({ students: [] })]);
    await client.paymentIntents.submit("i1", { idempotencyKey: "a key" }).catch(() => undefined);
    for await (const _ of client.students.list({}, { explain: true }));
    const headers = sent.map(({ headers: each }) => [each.get("Idempotency-Key"), each.get("X-Explain")]);
    expect(headers).toEqual([
      ["a key", null],
      [null, "true"],
    ]);
  });
});

describe("one call's own options", () => {
  test("bound its retries below those of the client, which may have none", async () => {
    const of = async (more: Partial<Settings>, options: Readonly<{ retriesMax?: number }>) => {
      const { client, sent } = open([lost], more);
      await refused(client.users.getMe(options));
      return sent.length;
    };
    expect([await of({}, {}), await of({}, { retriesMax: 1 }), await of({}, { retriesMax: 0 })]).toEqual([6, 2, 1]);
    expect([await of({ retriesMax: 0 }, {}), await of({ retriesMax: 0 }, { retriesMax: 2 })]).toEqual([1, 3]);
    expect(() => open([], { retriesMax: 6 })).toThrow(/^retriesMax must be/);
    const { client, sent } = open([lost]);
    for (const retriesMax of [-1, 1.5, 6, Number.NaN])
      await expect(client.users.getMe({ retriesMax })).rejects.toThrow(/^retriesMax must be/);
    expect(sent).toEqual([]);
  });

  test("bound the time of a try, and leave that of other calls as it is", async () => {
    const never = () => (_: unknown, signal: AbortSignal) =>
      new Promise<Response>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { client } = open([never], { retriesMax: 0, timeoutMs: 5 });
    expect(await refused(client.users.getMe({ timeoutMs: 1 }))).toMatchObject({
      message: expect.stringContaining("no answer within 1 ms"),
    });
    expect(await refused(client.users.getMe())).toMatchObject({ message: expect.stringContaining("within 5 ms") });
    await expect(client.users.getMe({ timeoutMs: 0 })).rejects.toThrow(/^timeoutMs must be/);
  });

  test("add headers to its own, of a list's pages too, and replace none of them", async () => {
    const { client, sent } = open([ok({ students: [] })]);
    const headers = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
    for await (const _ of client.students.list({}, { headers }));
    const sentHeaders = sent.map(({ headers: each }) => [each.get("traceparent"), each.get("X-API-Key")]);
    expect(sentHeaders).toEqual([[headers.traceparent, settings.apiKey]]);
    for (const name of ["x-api-key", "idempotency-key", "content-type", "preview-hash"])
      await expect(client.paymentIntents.submit("i1", { headers: { [name]: "mine" } })).rejects.toThrow(TypeError);
    expect(sent).toHaveLength(1);
  });
});

test("a hook that fails loses no answer", async () => {
  const debug = () => {
    throw new Error("the disk is full");
  };
  expect(await open([ok({ id: "i1" })], { debug }).client.paymentIntents.submit("i1")).toEqual({ id: "i1" });
});
