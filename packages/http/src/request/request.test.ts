import { lazily, type Route } from "@intents/contract/route.ts";
import { payeeId } from "@intents/contract/shapes.ts";
import { ID_LENGTH_MAX } from "@intents/domain/ids.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { anonymous, eventFor } from "../../test/event-fixture.ts";
import { parseRequest } from "./request.ts";

const on = "POST /v2/payees/{id}/parts/{part}";
const route: Route = {
  ...{ on, group: "payees", summary: "", description: "", auth: "key" },
  params: lazily(() => z.object({ id: payeeId() })),
  answers: { status: 200, data: lazily(() => z.looseObject({})) },
};
const list: Route = { ...route, query: { list: "INTENT" } };
const pathParameters = { id: "5001", part: "a" };
const parse = (changes: Partial<APIGatewayProxyEvent> = {}, on: Route = route) =>
  parseRequest(on, eventFor(on.on, { pathParameters, ...changes }), undefined, 7);
const refused = (failure: object) => ({ ok: false, failure });

describe("a request", () => {
  test("has the parameters of its path as its route reads them, and the others as text", () => {
    expect(parse()).toMatchObject({ ok: true, value: { params: { id: 5001, part: "a" }, nowMs: 7 } });
  });

  test.each(["05001", "5001.0", "5e3", "-1", "0", "", " 5001", "12345678901234567", "x"])(
    "for the payee %j is for the id of no payee",
    (id) => {
      expect(parse({ pathParameters: { id, part: "a" } })).toMatchObject({ value: { params: { id: Number.NaN } } });
    },
  );

  test("whose path must be one of a few words is refused for another", () => {
    const params = lazily(() => z.object({ part: z.enum(["a", "b"]) }));
    expect(parse({}, { ...route, params })).toMatchObject({ value: { params: { id: "5001", part: "a" } } });
    const problems = ["part must be one of the following values: a, b"];
    for (const part of ["c", "c".repeat(ID_LENGTH_MAX + 1)])
      expect(parse({ pathParameters: { id: "1", part } }, { ...route, params })).toEqual(
        refused({ kind: "shape", problems }),
      );
  });

  test("with a parameter that is longer than any id is of nothing that exists, whatever else is wrong", () => {
    const long = { body: "{", pathParameters: { id: "1", part: "x".repeat(ID_LENGTH_MAX + 1) } };
    expect(parse(long)).toEqual(refused({ kind: "not_found", resource: "resource" }));
    expect(parse(long, { ...route, errors: ["link_not_found"] })).toEqual(refused({ kind: "link_not_found" }));
    expect(parse({ pathParameters: { id: "1", part: "x".repeat(ID_LENGTH_MAX) } }).ok).toBe(true);
    const { pathParameters } = long;
    expect(parse({ pathParameters }, { ...route, errors: ["not_implemented"] }).ok).toBe(true);
  });

  test("says whether a list is to be explained, and which languages are read, in headers of any case", () => {
    expect(parse()).toMatchObject({ value: { isExplained: false, acceptLanguage: undefined } });
    const headers = { "x-EXPLAIN": "true", "Accept-Language": "pt" };
    expect(parse({ headers }, list)).toMatchObject({ value: { isExplained: true, acceptLanguage: "pt" } });
    expect(parse({ headers: { "X-Explain": "false" } }, list)).toMatchObject({ value: { isExplained: false } });
  });

  test.each(["yes", "1", "0", "TRUE", "True", "", " ", "true, true", "null"])(
    "for a list is refused with X-Explain: %j, and for anything else passes over it",
    (word) => {
      const headers = { "X-Explain": word };
      const problems = ["X-Explain must be true or false"];
      expect(parse({ headers }, list)).toEqual(refused({ kind: "shape", problems }));
      expect(parse({ headers })).toMatchObject({ value: { isExplained: false } });
    },
  );

  const hash = "0123456789abcdef".repeat(4);
  const held: Route = { ...route, heldToPreview: true };

  test("is held to the preview whose hash comes with it, where its route knows previews", () => {
    const headers = { "preview-HASH": hash };
    const multiValueHeaders = { "preview-HASH": [hash] };
    expect(parse({ headers, multiValueHeaders }, held)).toMatchObject({ value: { previewHash: hash } });
    expect(parse({ headers, multiValueHeaders })).toMatchObject({ value: { previewHash: undefined } });
    expect(parse({}, held)).toMatchObject({ value: { previewHash: undefined } });
  });

  test.each([
    ["empty", [""]],
    ["too short", [hash.slice(1)]],
    ["too long", [`${hash}0`]],
    ["in capitals", [hash.toUpperCase()]],
    ["quoted", [`"${hash}"`]],
    ["two in one", [`${hash}, ${hash}`]],
    ["sent twice", [hash, hash]],
    ["sent twice, once malformed", ["x", hash]],
  ])("whose Preview-Hash is %s is refused, and names it", (_, values) => {
    const event = { headers: { "Preview-Hash": values.at(-1) }, multiValueHeaders: { "Preview-Hash": values } };
    const problems = ["Preview-Hash must be the hash of a preview, given once"];
    expect(parse(event, held)).toEqual(refused({ kind: "shape", problems }));
    expect(parse(event).ok).toBe(true);
  });

  test("of a form has that instead of a body, and every problem of it beside those of its query", () => {
    const fields = lazily(() => z.object({ outcome: z.enum(["pay", "decline"]) }));
    const parameters = lazily(() => z.strictObject({}));
    const form: Route = { ...route, form: "urlencoded", fields, parameters };
    expect(parse({ body: "outcome=pay" }, form)).toMatchObject({
      value: { form: { outcome: "pay" }, body: undefined, parameters: {} },
    });
    const problems = ["property x should not exist", "outcome must be one of the following values: pay, decline"];
    expect(parse({ body: "outcome=no", multiValueQueryStringParameters: { x: ["1"] } }, form)).toEqual(
      refused({ kind: "shape", problems }),
    );
    expect(parse({ body: "" }, { ...route, form: "multipart", parts: {} })).toEqual(
      refused({ kind: "media_type", expected: ["multipart/form-data"] }),
    );
  });

  test("has a caller where the authorizer asked for a key, and nobody elsewhere", () => {
    expect(parse()).toMatchObject({ value: { caller: { tenantId: "1001", clientId: "acme-1" } } });
    const event = { pathParameters, ...anonymous("203.0.113.7") };
    expect(parse(event, { ...route, auth: "public" })).toMatchObject({ value: { caller: undefined } });
    expect(() => parse(event)).toThrow("without its authorizer");
  });
});
