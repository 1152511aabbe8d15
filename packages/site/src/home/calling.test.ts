import { afterEach, expect, test, vi } from "vitest";
import { type Exchange, openCall, Refused } from "./calling.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Calls a service that answers like this; gives the exchanges told and the caller's result. */
async function call(answer: () => Promise<Response>) {
  vi.stubGlobal("fetch", answer);
  const exchanges: Exchange[] = [];
  const got = await openCall("key", (exchange) => exchanges.push(exchange))({ title: "", path: "/x" }).catch(
    (error: unknown) => (error instanceof Refused ? error.message : error),
  );
  return { reported: exchanges.map(({ status, answer: body }) => [status, body]), got };
}

const of = (body: BodyInit | null, type: string, status = 200) =>
  call(async () => new Response(body, { status, headers: { "content-type": type } }));

test.each([
  ["a sheet", of("a,b\n1,2", "text/csv; charset=utf-8"), [200, "a,b\n1,2"]],
  ["a file", of("%PDF-1.4", "application/pdf"), [200, "application/pdf, 8 bytes"]],
  ["nothing", of("", ""), [200, undefined]],
] as const)("%s is told once, as what it is", async (_, called, expected) => {
  expect(await called).toEqual({ reported: [expected], got: undefined });
});

test("the data of JSON are given, and a refusal is told in the service's words", async () => {
  expect((await of('{"data":{"id":1}}', "application/json")).got).toEqual({ id: 1 });
  const refused = await of('{"message":"[GEN9003] No such path"}', "application/json", 404);
  expect(refused).toEqual({ reported: [[404, { message: "[GEN9003] No such path" }]], got: "[GEN9003] No such path" });
  expect((await of("<h1>Bad gateway</h1>", "text/html", 502)).got).toBe("Status 502");
});

test("no answer, whole or broken off, is told as none", async () => {
  const none = { reported: [[0, undefined]], got: "No answer came: is the service running?" };
  expect(await call(() => Promise.reject(new TypeError("fetch failed")))).toEqual(none);
  expect(await of('{"data":', "application/json")).toEqual(none);
});
