import { lazily, type Route } from "@intents/contract/route.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { eventFor } from "../../test/event-fixture.ts";
import { headerOf, JSON_BYTES_MAX, parseBody } from "./body.ts";

const answers = { status: 200, data: lazily(() => z.looseObject({})) } as const;
const on = "POST /v2/things";
const bare: Route = { on, group: "parties", summary: "", description: "", auth: "key", answers };
const taking: Route = { ...bare, body: lazily(() => z.strictObject({ name: z.string() })) };

const parse = (route: Route, body: string | Buffer | null, headers: Record<string, string> = {}) =>
  parseBody(
    route,
    typeof body === "string" || body === null
      ? eventFor(on, { body, headers })
      : eventFor(on, { body: body.toString("base64"), isBase64Encoded: true, headers }),
  );
const shape = (...problems: string[]) => ({ ok: false, failure: { kind: "shape", problems } });

describe("a body", () => {
  test("is what its route's schema makes of it, as text or as base64", () => {
    const read = { ok: true, value: { name: "Žofie" } };
    expect(parse(taking, '{"name":"Žofie"}')).toEqual(read);
    expect(parse(taking, Buffer.from('{"name":"Žofie"}'))).toEqual(read);
  });

  test.each([
    ["is missing", null, "body must not be empty"],
    ["is empty", "", "body must not be empty"],
    ["is no JSON", "{", "body must be valid JSON in UTF-8"],
    ["is not UTF-8", Buffer.from([0x22, 0xff, 0x22]), "body must be valid JSON in UTF-8"],
    ["is an array", "[]", "body must be an object"],
    ["lacks what is required", "{}", "name is required"],
  ])("that %s is a shape problem", (_what, body, problem) => {
    expect(parse(taking, body)).toEqual(shape(problem));
  });

  test("with unknown properties is refused by the name of each", () => {
    expect(parse(taking, '{"name":"a","tip":1,"__proto__":2}')).toEqual(
      shape("property tip should not exist", "property __proto__ should not exist"),
    );
  });

  test("of 256 KB is read, and of one byte more is too large, counted in bytes", () => {
    const frame = '{"name":""}'.length;
    const ofBytes = (bytes: number) => `{"name":"${"é".repeat((bytes - frame) / 2)}${(bytes - frame) % 2 ? "a" : ""}"}`;
    expect(parse(taking, ofBytes(JSON_BYTES_MAX)).ok).toBe(true);
    expect(parse(taking, ofBytes(JSON_BYTES_MAX + 1))).toEqual({
      ok: false,
      failure: { kind: "too_large", limitBytes: JSON_BYTES_MAX },
    });
  });

  test("that is a form is not what a JSON route takes", () => {
    const headers = { "CONTENT-TYPE": "multipart/form-data; boundary=x" };
    expect(parse(taking, "--x--", headers)).toEqual({
      ok: false,
      failure: { kind: "media_type", expected: ["application/json"] },
    });
  });

  test("is not looked at where the route reads it itself", () => {
    expect(parse({ ...bare, form: "any" }, "{")).toEqual({ ok: true, value: undefined });
  });

  test("may be missing or empty where none is taken, but may hold nothing", () => {
    expect(parse(bare, null)).toEqual({ ok: true, value: undefined });
    expect(parse(bare, "{}").ok).toBe(true);
    expect(parse(bare, '{"a":1}')).toEqual(shape("property a should not exist"));
  });

  test("of any bytes is read or refused, and never a fault", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(bare, taking), (bytes, route) => {
        const parsed = parse(route, Buffer.from(bytes));
        expect(parsed.ok ? "ok" : parsed.failure.kind).toMatch(/^(ok|shape)$/);
      }),
    );
  });
});

test("a header is found in whatever case it was sent", () => {
  const event = eventFor(on, { headers: { "X-aPi-Key": "a:b" } });
  expect(headerOf(event, "x-api-key")).toBe("a:b");
  expect(headerOf(event, "idempotency-key")).toBeUndefined();
});
