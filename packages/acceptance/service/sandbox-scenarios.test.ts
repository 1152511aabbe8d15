import { routes } from "@intents/contract/routes.ts";
import { describe, expect, test } from "vitest";
import { DEMO, type ErrorBody, noRateLimit } from "./client.ts";
import { openService } from "./service-fixture.ts";
import { newDraft, newKey } from "./tuition.ts";

type Scenarios = Readonly<{
  references: readonly Readonly<{ reference: string; answers?: string; fails?: object; settlementTimes?: number }>[];
  checkoutOutcomes: readonly Readonly<{ outcome: string }>[];
  rails: readonly Readonly<{ name: string; corridors?: readonly Readonly<{ from: string[]; to: string[] }>[] }>[];
  paymentMethods: readonly Readonly<{ settlementMethod: string; countries?: readonly string[] }>[];
}>;

const answeredWith: Readonly<Record<string, number>> = { unreachable: 503, duplicate: 409, unknown: 502 };

describe("a sandbox", () => {
  const fast = { ...noRateLimit, SANDBOX_SETTLE_SECONDS: "0.2", POLL_INTERVAL_SECONDS: "0.5" };
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

  test("tells from which countries which rail pays, and how it can be paid from there, as quotes and dry-runs do", async () => {
    const { client } = await opened;
    const { rails, paymentMethods } = await client.must<Scenarios>("GET", "/sandbox/scenarios");
    expect(rails.map(({ name }) => name)).toEqual(["sandbox-bank", "sandbox"]);
    const countryCode = rails[0]?.corridors?.[0]?.from[0] ?? "";
    const { id } = await newDraft(client, { countryCode });
    const dryRun = await client.must<{ connector: object }>("POST", `/v2/payment-intents/${id}/dry-run`);
    expect(dryRun.connector).toMatchObject({ provider: "sandbox-bank" });
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
  const { client } = await openService({
    ...noRateLimit,
    ...{ CONNECTOR: "http", CONNECTOR_URL: "http://127.0.0.1:1", CONNECTOR_SECRET: `file:${import.meta.filename}` },
  });
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
