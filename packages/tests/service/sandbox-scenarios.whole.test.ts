import { routes } from "@intents/contract/routes.ts";
import { byHttp } from "@intents/rails/test/http-fixture.ts";
import { describe, expect, test } from "vitest";
import { type Data, DEMO, type ErrorBody, noRateLimit } from "./client.ts";
import { expectEnvelope } from "./refusals.ts";
import { type Paid, pay, payrollBody } from "./scenarios-fixture.ts";
import { eventually, openService } from "./service-fixture.ts";
import { newDraft, newKey } from "./tuition.ts";

type Scenarios = Readonly<{
  references: readonly Readonly<{
    reference: string;
    effect: string;
    inBatch: string;
    answers?: string;
    fails?: object;
    settlementTimes?: number;
  }>[];
  checkoutOutcomes: readonly Readonly<{ outcome: string }>[];
  rails: readonly Readonly<{ name: string; corridors?: readonly Readonly<{ from: string[]; to: string[] }>[] }>[];
  countriesWithoutRail: readonly string[];
  paymentMethods: readonly Readonly<{ settlementMethod: string; countries?: readonly string[] }>[];
}>;

const answeredWith: Readonly<Record<string, number>> = { unreachable: 503, duplicate: 409, unknown: 502 };

describe("a sandbox", () => {
  const fast = {
    ...noRateLimit,
    SANDBOX_SETTLE_SECONDS: "0.2",
    POLL_INTERVAL_SECONDS: "0.5",
    RECOVERY_AFTER_SECONDS: "1",
  };
  const opened = openService(fast);

  test("tells every reference, and does with each what it tells", async () => {
    const { client } = await opened;
    const { references } = await client.must<Scenarios>("GET", "/sandbox/scenarios");
    expect(references.length).toBeGreaterThan(5);
    await Promise.all(
      references.map(async ({ reference, answers, fails, settlementTimes }) => {
        const { id } = await newDraft(client, { reference });
        const { status } = await client.submit(id, newKey());
        expect([reference, status]).toEqual([reference, answeredWith[answers ?? ""] ?? 200]);
        if (status === 200 && settlementTimes === undefined)
          await client.waitForStatus(id, fails === undefined ? "completed" : "failed");
      }),
    );
  });

  test("tells what each does to one recipient of a batch, whose end a tester can bring about", async () => {
    const { client } = await opened;
    const { references } = await client.must<Scenarios>("GET", "/sandbox/scenarios");
    // A tester's end of a recipient is told to webhooks, too.
    await client.must("POST", "/v2/webhook-endpoints", { body: { url: "http://127.0.0.1:9/" } });
    const decide = (batchId: string, what: string) =>
      client.call<ErrorBody & Data<{ payments: readonly object[] }>>("POST", `/sandbox/payments/${batchId}/${what}`);
    await Promise.all(
      references.map(async ({ reference, inBatch, answers, fails }) => {
        const { id, connectorPayment } = await pay(client, payrollBody(2, [reference]));
        const batchId = connectorPayment?.reference ?? "";
        const isTaken = answers === undefined || answers === "unknown";
        if (isTaken) {
          const ended = (await client.waitForStatus(id, fails ? "partially_completed" : "completed")) as Paid;
          expect([reference, ended.bulkProgress?.failed]).toEqual([reference, fails ? 1 : 0]);
          return;
        }
        expect([reference, inBatch]).toEqual([reference, expect.stringContaining("`fail` ends it")]);
        if (answers === "unreachable") await client.waitForStatus(id, "requires_recovery");
        // It is being sent for a moment, again and again.
        for (const what of ["settle", "delay?seconds=5", "settle"]) {
          const refused = await eventually(async () => {
            const answer = await decide(batchId, `${what}${what.includes("?") ? "&" : "?"}order=0`);
            expect([answer.status, answer.body.code]).toEqual([409, "[PAY0006]"]);
            return answer;
          });
          expect(refused.body.details).toMatchObject({ reason: expect.stringMatching(/^no rail has taken .*`fail`/) });
        }
        for (let repetition = 0; repetition < 2; repetition++)
          await eventually(async () => {
            const { status, body: answer } = await decide(batchId, "fail?order=0");
            expect([status, answer.data?.payments]).toEqual([200, []]);
          });
        const ended = (await client.waitForStatus(id, "partially_completed")) as Paid;
        expect(ended.bulkProgress).toEqual({ total: 2, completed: 1, failed: 1 });
        expectEnvelope(await decide(batchId, "settle?order=0"), 409, "[PAY0006]");
      }),
    );
  });

  test("tells from which countries which rail pays, and how it can be paid from there, as quotes and dry-runs do", async () => {
    const { client } = await opened;
    const { rails, countriesWithoutRail, paymentMethods } = await client.must<Scenarios>("GET", "/sandbox/scenarios");
    expect([rails.map(({ name }) => name), countriesWithoutRail]).toEqual([["sandbox-bank", "sandbox"], ["KP"]]);
    const countryCode = rails[0]?.corridors?.[0]?.from[0] ?? "";
    const { id } = await newDraft(client, { countryCode });
    const dryRun = await client.must<{ connector: object }>("POST", `/v2/payment-intents/${id}/dry-run`);
    expect(dryRun.connector).toMatchObject({ provider: "sandbox-bank" });
    for (const without of countriesWithoutRail) {
      const body = { payouts: [{ payeeId: 5001, amount: 100 }], countryCode: without, paymentType: "provider" };
      expectEnvelope(await client.call("POST", "/v2/quotes", { body }), 422, "[QOT0003]");
    }
    const { variants } = await client.newQuote({ countryCode, payouts: [{ payeeId: 5001, amount: 100 }] });
    const offered = paymentMethods.filter(
      ({ countries }) => countries === undefined || countries.includes(countryCode),
    );
    expect(variants.map(({ settlementMethod }) => settlementMethod)).toEqual(
      offered.map(({ settlementMethod }) => settlementMethod),
    );
  });
});

test("behind a rail over HTTP, scenarios are refused: that rail is no sandbox", async () => {
  const { client } = await openService({ ...noRateLimit, ...byHttp("http://127.0.0.1:1", import.meta.filename) });
  const { status, body } = await client.call<ErrorBody>("GET", "/sandbox/scenarios");
  expect([status, body.code]).toEqual([409, "[PAY0005]"]);
});

test("in production, the paths of the sandbox are answered like any that does not exist", async () => {
  const { service } = await openService({ ...noRateLimit, STAGE: "production" });
  // The published document, to which other clients of these tests hold every answer, is that of a sandbox.
  const answer = async (method: string, path: string) => {
    const response = await fetch(`${service.url}${path}`, { method, headers: { "X-API-Key": DEMO } });
    const { timestamp, details, ...body } = (await response.json()) as ErrorBody & { timestamp: string };
    return { status: response.status, ...body, details: Object.keys(details ?? {}) };
  };
  const unknown = await answer("GET", "/nowhere");
  expect(unknown).toMatchObject({ status: 404, code: "[GEN9003]" });
  const own = Object.values(routes).filter(({ on }) => on.includes(" /sandbox/"));
  expect(own.length).toBeGreaterThan(3);
  for (const { on } of own) {
    const [method = "", path = ""] = on.split(" ");
    expect([on, await answer(method, path.replaceAll(/\{\w+\}/g, "1"))]).toEqual([on, unknown]);
  }
});
