import type { IncomingMessage, ServerResponse } from "node:http";
import type { Rail } from "@intents/domain/rails/rail.ts";
import { afterEach, describe, expect, test } from "vitest";
import { httpTerms, openServers } from "../../test/http-fixture.ts";
import { openHttpRail } from "./client.ts";
import { answerSignatureOf, SIGNATURE_HEADER } from "./contract.ts";

const secret = "a-shared-secret-of-the-tests";
const notAccepted = JSON.stringify({ outcome: "not_accepted", reason: "maintenance" });

const { serveHttp: httpRail, closeAll } = openServers();
afterEach(closeAll);

/** Answers as the rail does, with its signature. */
function reply(request: IncomingMessage, response: ServerResponse, status: number, body: string): void {
  const signature = String(request.headers[SIGNATURE_HEADER]);
  response.writeHead(status, { [SIGNATURE_HEADER]: answerSignatureOf({ signature, status, body }, secret) }).end(body);
}
const answering = (status: number, body: string) =>
  httpRail((request, response) => reply(request, response, status, body));

// Its random bytes are zeros, so that pauses are as short as they can be; its clock is the real one.
const client = (url: string): Rail =>
  openHttpRail({
    ...{
      url,
      terms: httpTerms,
      secrets: async () => [secret],
      now: Date.now,
      random: (count) => new Uint8Array(count),
    },
    // This budget is too short for a second try.
    budgetMs: 5_000,
  });

describe("a question about many payments", () => {
  const ids = ["a", "b", "c", "d", "e"].map((id) => ({ tenantId: "1001", executionId: id }));
  const pending = (executionId: string) => ({ tenantId: "1001", executionId, answer: { kind: "pending" } });
  const kindsAt = async (url: string) => ((await client(url).statuses?.(ids)) ?? []).map(({ kind }) => kind);

  test("is answered in its order, and what is missing, doubled or garbled is unavailable, never not found", async () => {
    const payments = [
      pending("e"),
      pending("d"),
      { ...pending("c"), answer: { kind: "gone" } },
      pending("b"),
      pending("b"),
    ];
    const url = await answering(200, JSON.stringify({ payments: [...payments, pending("stranger")] }));
    expect(await kindsAt(url)).toEqual(["unavailable", "unavailable", "unavailable", "pending", "pending"]);
  });

  test.each([
    ["garbage", 200, "garbage"],
    ["maintenance", 503, notAccepted],
    ["a wrong signature", 401, notAccepted],
  ])("that is answered with %s says nothing about any", async (_, status, body) => {
    expect(await kindsAt(await answering(status, body))).toEqual(ids.map(() => "unavailable"));
  });

  test.each([
    ["429 and seconds", 429, "40", 40_000],
    ["503 and seconds", 503, "40", 40_000],
    ["more than a quarter of an hour", 429, "86400", 900_000],
    ["a time that is past", 503, new Date(0).toUTCString(), 0],
    ["no time", 503, "soon", undefined],
    ["another status", 502, "40", undefined],
  ])(
    "that is answered with Retry-After hands on how long the rail is left alone: %s",
    async (_, status, said, waitMs) => {
      const url = await httpRail((request, response) => {
        response.setHeader("retry-after", said);
        reply(request, response, status, notAccepted);
      });
      const [answer] = (await client(url).statuses?.(ids)) ?? [];
      expect(answer).toEqual({
        kind: "unavailable",
        reason: "maintenance",
        ...(waitMs !== undefined && { retryAfterMs: waitMs }),
      });
    },
  );

  /** A rail that answers every question but those in which \`stumble\` finds something. */
  function stumbling(status: number, stumble: (executionIds: readonly string[]) => boolean) {
    const questions: (readonly string[])[] = [];
    const url = httpRail(async (request, response) => {
      const name = request.url?.split("/").at(-1)?.split("?")[0] ?? "";
      const body = Buffer.concat(await request.toArray()).toString();
      const isOne = request.method === "GET";
      const asked: string[] = isOne
        ? [name]
        : JSON.parse(body).payments.map(({ executionId: id }: { executionId: string }) => id);
      questions.push(asked);
      const answer = isOne ? pending(name) : { payments: asked.map(pending) };
      const isRefused = !isOne && stumble(asked);
      reply(request, response, isRefused ? status : 200, isRefused ? notAccepted : JSON.stringify(answer));
    });
    return { url, questions };
  }

  test.each([400, 422, 500])(
    "that is refused with %i for one of them is halved until that one is alone",
    async (status) => {
      const { url, questions } = stumbling(status, (asked) => asked.includes("b"));
      expect(await kindsAt(await url)).toEqual(ids.map(() => "pending"));
      expect(questions).toEqual([
        ["a", "b", "c", "d", "e"],
        ["a", "b", "c"],
        ["a", "b"],
        ["a"],
        ["b"],
        ["b"],
        ["c"],
        ["d", "e"],
      ]);
    },
  );

  test("to a rail that tells slowly of one at a time is not put to its end: the last are left out", async () => {
    const clock = { ms: Date.now() };
    const ids = Array.from({ length: 35 }, (_, index) => ({ tenantId: "1001", executionId: `e${index}` }));
    const url = await httpRail(async (request, response) => {
      const name = request.url?.split("/").at(-1)?.split("?")[0] ?? "";
      if (request.method === "GET") clock.ms += 600;
      reply(request, response, request.method === "GET" ? 200 : 404, JSON.stringify(pending(name)));
    });
    const slow = openHttpRail({
      ...{
        url,
        terms: httpTerms,
        secrets: async () => [secret],
        now: () => clock.ms,
        random: (count) => new Uint8Array(count),
      },
      budgetMs: 20_000,
    });
    // Ten questions side by side take 6 s; after 10 s none begins.
    expect(await slow.statuses?.(ids)).toEqual(Array(20).fill({ kind: "pending" }));
  });

  test("to a rail that knows no such question is put one by one", async () => {
    const { url, questions } = stumbling(404, () => true);
    expect(await kindsAt(await url)).toEqual(ids.map(() => "pending"));
    expect(questions.slice(1).flat().toSorted()).toEqual(["a", "b", "c", "d", "e"]);
  });
});
