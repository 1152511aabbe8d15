import { defineRoutes, lazily } from "@intents/contract/route.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { StoreBusy, StoreUnsure } from "@intents/storage/table/transact.ts";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { eventFor } from "../test/event-fixture.ts";
import type { Idempotency } from "./idempotency/idempotency.ts";
import type { Gate, Passage } from "./limits/gate.ts";
import { parseListQuery } from "./lists/query.ts";
import type { Request } from "./request/request.ts";
import { type Extras, serve } from "./serve.ts";

const data = lazily(() => z.looseObject({}));
const common = { group: "parties", summary: "", description: "", auth: "key" } as const;
const routes = defineRoutes({
  getThing: { on: "GET /v2/things/{id}", ...common, answers: { status: 200, data }, cacheSeconds: 60 },
  addThing: {
    on: "POST /v2/things",
    ...common,
    body: lazily(() => z.strictObject({ name: z.string() })),
    answers: { status: 201, data },
    errors: ["outcome_unknown"],
  },
  listThings: {
    on: "GET /v2/things",
    ...common,
    query: { list: "STUDENT" },
    answers: { status: 200, list: "things", item: data },
  },
  exportThings: {
    on: "GET /v2/things/export",
    ...common,
    parameters: lazily(() => z.strictObject({ year: z.string().regex(/^\d{4}$/, "must be a year") })),
    answers: { status: 200, file: ["text/csv"], orLink: true },
  },
  showPage: { on: "GET /page", ...common, auth: "public", answers: { status: 200, page: "text/html" } },
});

const openGate: Gate = async () => ({ headers: { "X-RateLimit-Limit": "200" } });
const shut: Gate = () => ({
  refused: { kind: "rate_limited", retryAfterSeconds: 3 },
  headers: { "X-RateLimit-Limit": "200" },
});
const thing = { on: "GET /v2/things/{id}", changes: { pathParameters: { id: "7" } } } as const;

/** The service of the routes above, with handlers that a test may watch or replace. */
function open(gate: Gate = openGate, extras: Partial<Extras> = {}) {
  const handlers = {
    getThing: vi.fn(async ({ params }: { params: object }) => ok({ ...params })),
    addThing: vi.fn(async ({ body, caller }: { body: object; caller: object }) => ok({ ...body, caller })),
    listThings: vi.fn(async () => ok({ items: [{ n: 1 }, { n: 2 }], hasMore: true, total: 5 })),
    exportThings: vi.fn(async ({ parameters: { year } }: { parameters: { year: string } }) =>
      year === "2025"
        ? ok({ location: "https://files.example/2025.csv" })
        : ok({ bytes: Buffer.from("a,b"), contentType: "text/csv", fileName: `${year}.csv` }),
    ),
    showPage: vi.fn(async () => ok({ html: "<p>", headers: { "Content-Type": "text/html" } })),
  };
  const handle = serve(routes, handlers, { gate, parseList: parseListQuery, ...extras });
  const ask = async (on: string, changes: Partial<APIGatewayProxyEvent> = {}) => {
    const answer = await handle(eventFor(on, changes), {} as Context);
    return { ...answer, json: answer.body.startsWith("{") ? JSON.parse(answer.body) : undefined };
  };
  return { handlers, ask };
}

describe("a request", () => {
  test("is answered by the handler of its method and resource, under data, with the headers of the gate", async () => {
    const { statusCode, json, headers } = await open().ask(thing.on, thing.changes);
    expect({ statusCode, json }).toEqual({ statusCode: 200, json: { data: { id: "7" } } });
    expect(headers).toMatchObject({ "X-RateLimit-Limit": "200", "Cache-Control": "private, max-age=60" });
  });

  test("reaches its handler parsed, with the caller that the authorizer found", async () => {
    const { statusCode, json } = await open().ask("POST /v2/things", { body: '{"name":"a"}' });
    const caller = { tenantId: "1001", userId: "user", clientId: "acme-1", permissions: ["AllowSplitPayment"] };
    expect({ statusCode, json }).toEqual({ statusCode: 201, json: { data: { name: "a", caller } } });
  });

  test("for a list is answered with its items and counts", async () => {
    const { json } = await open().ask("GET /v2/things");
    expect(json).toEqual({ data: { things: [{ n: 1 }, { n: 2 }] }, hasMore: true, count: 2, total: 5 });
  });

  test("for a page is answered with it, whoever asks", async () => {
    const { body, headers } = await open().ask("GET /page");
    expect(body).toBe("<p>");
    expect(headers).toMatchObject({ "Content-Type": "text/html" });
  });

  test("for a file is answered with it as a download, or with a link to it", async () => {
    const { ask } = open();
    const file = await ask("GET /v2/things/export", { multiValueQueryStringParameters: { year: ["2026"] } });
    expect(file).toMatchObject({ statusCode: 200, isBase64Encoded: true, headers: { "Content-Type": "text/csv" } });
    expect(Buffer.from(file.body, "base64").toString()).toBe("a,b");
    const link = await ask("GET /v2/things/export", { multiValueQueryStringParameters: { year: ["2025"] } });
    expect(link).toMatchObject({ statusCode: 303, headers: { Location: "https://files.example/2025.csv" } });
  });

  test.each([
    [null, "year is required"],
    [{ year: ["26"] }, "year must be a year"],
    [{ year: ["2026"], month: ["1"] }, "property month should not exist"],
    [{ year: ["2026", "2026"] }, "year must be given once"],
  ])(
    "with the parameters %j is refused, and its handler not asked",
    async (multiValueQueryStringParameters, problem) => {
      const { ask, handlers } = open();
      const { statusCode, json } = await ask("GET /v2/things/export", { multiValueQueryStringParameters });
      expect({ statusCode, message: json.message }).toEqual({ statusCode: 400, message: [problem] });
      expect(handlers.exportThings).not.toHaveBeenCalled();
    },
  );

  test("that no route takes is 404", async () => {
    expect((await open().ask("PUT /v2/things")).statusCode).toBe(404);
  });

  test("with a path parameter longer than any id is 404, and no handler sees it", async () => {
    const { ask, handlers } = open();
    expect((await ask(thing.on, { pathParameters: { id: "x".repeat(129) } })).statusCode).toBe(404);
    expect(handlers.getThing).not.toHaveBeenCalled();
  });

  test("is told what is wrong with its query and its body in one answer", async () => {
    const multiValueQueryStringParameters = { limit: ["-1"], colour: ["red"] };
    const { json } = await open().ask("GET /v2/things", { multiValueQueryStringParameters, body: '{"name":1}' });
    expect(json.message).toEqual([
      "colour is not a parameter of this list",
      "limit must be an integer between 0 and 1000",
      "property name should not exist",
    ]);
  });

  test("without its authorizer's word is a fault, but to what is public, where a wrong one is refused, too", async () => {
    const requestContext = { requestId: "request" } as APIGatewayProxyEvent["requestContext"];
    await expect(open().ask(thing.on, { ...thing.changes, requestContext })).rejects.toThrow("without its authorizer");
    const pathParameters = { id: "7".repeat(2_000) };
    expect(await open().ask("GET /page", { requestContext, pathParameters })).toMatchObject({ statusCode: 404 });
  });
});

describe("a handler", () => {
  test("that refuses is answered as the error table says", async () => {
    const { ask, handlers } = open();
    handlers.getThing.mockResolvedValue(fail({ kind: "not_found", resource: "thing" }) as never);
    expect((await ask(thing.on, thing.changes)).json).toMatchObject({
      statusCode: 404,
      details: { resource: "thing" },
    });
  });

  test("that refuses a payer advises as payers are, and a tenant as tenants are", async () => {
    const { ask, handlers } = open();
    handlers.getThing.mockResolvedValue(fail({ kind: "link_closed" }) as never);
    handlers.showPage.mockResolvedValue(fail({ kind: "link_closed" }) as never);
    const payersAdvice = expect.stringContaining("Ask who published it");
    expect((await ask("GET /page")).json).toMatchObject({ message: payersAdvice });
    expect((await ask(thing.on, thing.changes)).json).toMatchObject({
      message: expect.not.stringContaining("Ask who"),
    });
  });

  test("whose store stays busy is 503 with Retry-After", async () => {
    const { ask, handlers } = open();
    handlers.getThing.mockRejectedValue(new StoreBusy("contended"));
    const { statusCode, headers } = await ask(thing.on, thing.changes);
    expect({ statusCode, headers }).toMatchObject({ statusCode: 503, headers: { "Retry-After": "1" } });
  });

  test("whose store cannot say whether it wrote has an unknown outcome, and elsewhere a fault", async () => {
    const { ask, handlers } = open();
    handlers.addThing.mockRejectedValue(new StoreUnsure("contended"));
    handlers.getThing.mockRejectedValue(new StoreUnsure("contended"));
    const { statusCode, json } = await ask("POST /v2/things", { body: '{"name":"a"}' });
    expect({ statusCode, code: json.code }).toEqual({ statusCode: 502, code: "[PAY0002]" });
    await expect(ask(thing.on, thing.changes)).rejects.toThrow(StoreUnsure);
  });

  test("that fails is a fault for the edge to answer", async () => {
    const { ask, handlers } = open();
    handlers.getThing.mockRejectedValue(new Error("broken"));
    await expect(ask(thing.on, thing.changes)).rejects.toThrow("broken");
  });
});

test("an upload past the day's budget is refused with what is left of it, and its handler not asked", async () => {
  const refused = { kind: "upload_budget", limitBytes: 9, endsOn: "2026-11-22", retryAfterSeconds: 60 } as const;
  const uploadBudget = async () => ({ refused, headers: { "X-RateLimit-Limit": "9" } });
  const { ask, handlers } = open(async () => ({ headers: {} }), { uploadBudget });
  const { statusCode, json, headers } = await ask("POST /v2/things", { body: '{"name":"a"}' });
  expect({ statusCode, json }).toMatchObject({ statusCode: 429, json: { details: { endsOn: "2026-11-22" } } });
  expect(headers).toMatchObject({ "Retry-After": "60", "X-RateLimit-Limit": "9" });
  expect(handlers.addThing).not.toHaveBeenCalled();
});

describe("the gate", () => {
  test("that refuses is what a caller hears of, with its headers, whatever else is wrong", async () => {
    const { statusCode, json, headers } = await open(shut).ask("POST /v2/things", { body: "{" });
    expect(statusCode).toBe(429);
    expect(json).toMatchObject({ statusCode: 429, message: expect.stringMatching(/^Too many requests\. Send/) });
    expect(headers).toMatchObject({ "Retry-After": "3", "X-RateLimit-Limit": "200" });
  });

  /** A gate that decides when the test says so. */
  function slowGate() {
    const { promise, resolve } = Promise.withResolvers<Passage>();
    const asked = Promise.withResolvers<void>();
    const gate: Gate = () => {
      asked.resolve();
      return promise;
    };
    return { gate, asked: asked.promise, decide: resolve };
  }
  const refusal: Passage = { refused: { kind: "maintenance", retryAfterSeconds: 9 }, headers: {} };

  test("decides while a read is under way, and what was read is discarded when it refuses", async () => {
    const { gate, decide } = slowGate();
    const { ask, handlers } = open(gate);
    const answering = ask(thing.on, thing.changes);
    await expect.poll(() => handlers.getThing).toHaveResolved();
    decide(refusal);
    expect(await answering).toMatchObject({ statusCode: 503, json: { details: {} } });
  });

  test("that refuses hides that the read under way failed", async () => {
    const { gate, decide } = slowGate();
    const { ask, handlers } = open(gate);
    handlers.getThing.mockRejectedValue(new Error("broken"));
    const answering = ask(thing.on, thing.changes);
    await expect.poll(() => handlers.getThing).toHaveBeenCalled();
    decide(refusal);
    expect((await answering).statusCode).toBe(503);
  });

  test("lets a read run once, not again after it has decided", async () => {
    const { gate, decide } = slowGate();
    const { ask, handlers } = open(gate);
    const answering = ask(thing.on, thing.changes);
    await expect.poll(() => handlers.getThing).toHaveResolved();
    decide({ headers: {} });
    expect((await answering).statusCode).toBe(200);
    expect(handlers.getThing).toHaveBeenCalledTimes(1);
  });

  test("that knows of its refusal already spares the read", async () => {
    const { ask, handlers } = open(shut);
    expect((await ask(thing.on, thing.changes)).statusCode).toBe(429);
    expect(handlers.getThing).not.toHaveBeenCalled();
  });

  test("is waited for by whatever writes", async () => {
    const { gate, asked, decide } = slowGate();
    const { ask, handlers } = open(gate);
    const answering = ask("POST /v2/things", { body: '{"name":"a"}' });
    await asked;
    for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    expect(handlers.addThing).not.toHaveBeenCalled();
    decide({ headers: {} });
    expect((await answering).statusCode).toBe(201);
  });
});

describe("a route that takes an Idempotency-Key", () => {
  const payThing = {
    on: "POST /v2/things/{id}/pay",
    ...common,
    idempotency: "by_key",
    body: lazily(() => z.strictObject({ sum: z.string().transform(Number) })),
    answers: { status: 200, data },
    errors: ["outcome_unknown"],
  } as const;
  const committed = ok({ body: "{}", intentId: "7", replayed: false });
  const idempotency = vi.fn<Idempotency>(async (_request, run) => {
    const outcome = await run("hash");
    return { statusCode: outcome.ok ? 200 : 400, body: JSON.stringify(outcome) };
  });
  const run = vi.fn(async (_request: Pick<Request<typeof payThing>, "body" | "keyHash">) => committed);
  const handle = serve({ payThing }, { payThing: run }, { gate: openGate, idempotency });
  const ask = (body: string) => handle(eventFor(payThing.on, { body, pathParameters: { id: "7" } }), {} as Context);

  test("is answered once per key, of its tenant and of what its body is read as", async () => {
    expect(await ask('{"sum":"3"}')).toMatchObject({ statusCode: 200, body: JSON.stringify(committed) });
    expect(idempotency.mock.lastCall?.[0]).toMatchObject({ tenantId: "1001", body: { sum: 3 } });
    expect(run.mock.lastCall?.[0]).toMatchObject({ body: { sum: 3 }, keyHash: "hash" });
  });

  test("binds its key to a body of the wrong shape, as it was sent, and no handler sees it", async () => {
    run.mockClear();
    const refusal = fail({ kind: "shape", problems: ["sum must be a string"] });
    expect(await ask('{"sum":3}')).toMatchObject({ statusCode: 400, body: JSON.stringify(refusal) });
    expect(idempotency.mock.lastCall?.[0]).toMatchObject({ body: '{"sum":3}' });
    expect(run).not.toHaveBeenCalled();
  });

  test("whose store cannot say whether it wrote has an unknown outcome", async () => {
    run.mockRejectedValueOnce(new StoreUnsure("contended"));
    expect((await ask('{"sum":"3"}')).statusCode).toBe(502);
  });

  test("leaves the other routes of its group without keys", async () => {
    idempotency.mockClear();
    const { getThing } = routes;
    const handlers = { payThing: run, getThing: async () => ok({ id: "7" }) };
    const group = serve({ payThing, getThing }, handlers, { gate: openGate, idempotency });
    expect(await group(eventFor(thing.on, thing.changes), {} as Context)).toMatchObject({ statusCode: 200 });
    expect(idempotency).not.toHaveBeenCalled();
  });

  test("belongs to no group that cannot keep keys", () => {
    expect(() => serve({ payThing }, { payThing: run }, { gate: openGate })).toThrow("pay needs idempotency");
  });
});

test("a group without what its routes need is refused when it is built", () => {
  const { listThings } = routes;
  const list = { listThings: async () => ok({ items: [], hasMore: false, total: 0 }) };
  expect(() => serve({ listThings }, list, { gate: openGate })).toThrow("GET /v2/things needs parseList");
});
