import { COMPRESSION_BYTES_MIN } from "@intents/contract/compression.ts";
import { routes } from "@intents/contract/routes.ts";
import { describe, expect, test } from "vitest";
import { eventFor } from "../test/event-fixture.ts";
import { represent } from "./representation.ts";
import { tagOf } from "./request/tags.ts";

const { getStudent, updateStudent, listStudents } = routes;
const body = '{"data":{"_id":"s1"}}';
const tag = `"${tagOf(body)}"`;

/** The answer of a route to a request with these headers. */
function ask(
  route = getStudent,
  headers: Record<string, string> = {},
  { method = "", statusCode = 200, text = body } = {},
) {
  if (route === undefined) throw new Error("There is no such route");
  const event = eventFor(route.on, { headers });
  const answer = { statusCode, headers: { "Content-Type": "application/json" }, body: text };
  return represent(route, { ...event, httpMethod: method || event.httpMethod }, answer, 0);
}

describe("the answer about one resource", () => {
  test("has the tag of its content, also after a change of it", () => {
    const headers = { "Content-Type": "application/json", Vary: "Accept-Encoding", ETag: tag };
    for (const route of [getStudent, updateStudent]) expect(ask(route)).toEqual({ statusCode: 200, headers, body });
    expect(ask(getStudent, {}, { text: "{}" }).headers?.["ETag"]).not.toBe(tag);
  });

  test.each([tag, `W/${tag}`, `"other", ${tag}`, "*"])("is 304 for a caller who has %s", (known) => {
    for (const method of ["GET", "HEAD"])
      expect(ask(getStudent, { "if-none-match": known }, { method })).toMatchObject({
        ...{ statusCode: 304, body: "", headers: { ETag: tag, Vary: "Accept-Encoding" } },
      });
    expect(ask(updateStudent, { "if-none-match": known })).toMatchObject({ statusCode: 200, body });
  });

  test.each(['"other"', "", tag.slice(1)])("is whole for a caller who has %j", (known) => {
    expect(ask(getStudent, { "If-None-Match": known })).toMatchObject({ statusCode: 200, body });
  });

  test("has a weak tag where a gateway will compress it", () => {
    const long = JSON.stringify({ data: { name: "é".repeat(COMPRESSION_BYTES_MIN / 2) } });
    const tagFor = (text: string, coding: string) =>
      ask(getStudent, { "accept-encoding": coding }, { text }).headers?.["ETag"];
    expect(tagFor(long, "br, gzip;q=0.9")).toBe(`W/"${tagOf(long)}"`);
    expect(tagFor(long, "identity")).toBe(`"${tagOf(long)}"`);
    expect(tagFor(body, "gzip")).toBe(tag);
  });
});

test.each([
  ["a list", listStudents, 200],
  ["a refusal", getStudent, 404],
])("%s has no tag, and is never 304", (_, route, statusCode) => {
  const answer = ask(route, { "if-none-match": "*" }, { statusCode });
  expect(answer).toMatchObject({ statusCode, body });
  expect(answer.headers).not.toHaveProperty("ETag");
});

test.each([getStudent, listStudents])("HEAD has the answer of GET, without the body", (route) => {
  expect(ask(route, {}, { method: "HEAD" })).toEqual({ ...ask(route), body: "", isBase64Encoded: false });
});
