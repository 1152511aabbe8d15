import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paymentIdsOf } from "@intents/domain/intents/submission.ts";
import type { ExecuteAnswer, Rail } from "@intents/domain/rails/rail.ts";
import { byHttp, httpTerms, openServers } from "@intents/rails/test/http-fixture.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BASIC, BUSY, type Client, fileForm, noRateLimit, openClient, pdf } from "./client.ts";
import { childrenOf, newSecret, payerOf, publishLink } from "./links.ts";
import { openOperator } from "./operator-fixture.ts";
import { expectEnvelope, expectNotice } from "./refusals.ts";
import { payrollBody } from "./scenarios-fixture.ts";
import { launchService, type RunningService } from "./service.ts";
import { eventually, openHeldService } from "./service-fixture.ts";
import { type Fate, type StoreProxy, startStoreProxy } from "./store-proxy.ts";
import { create, newDraft, newKey } from "./tuition.ts";

// Errors that other tests over HTTP do not provoke: `test:whole` fails for a declared error that no caller got.

const DAY_MS = 86_400_000;

let store: StoreProxy;
let service: RunningService;
let client: Client;
beforeAll(async () => {
  store = await startStoreProxy();
  service = await launchService({ ...noRateLimit, DYNAMODB_ENDPOINT: store.endpoint });
  client = openClient(service.url);
});
afterAll(async () => {
  await service.stop();
  await store.stop();
});

const newEndpoint = () =>
  client.must<{ id: string }>("POST", "/v2/webhook-endpoints", { body: { url: "http://127.0.0.1:9/" } });
const holdLink = async () => {
  const link = await publishLink(client, { isSingleUse: true });
  const secret = newSecret();
  await link.payer.open(await link.payer.sessionBody({ method: "card" }), secret);
  return { ...link, secret };
};

test("an unknown link or checkout, a missing permission and a large file have errors of their own", async () => {
  expectEnvelope(await payerOf(client, "none").askHold(newSecret()), 404, "[LNK0001]");
  const pressed = { raw: "outcome=pay", headers: { "Content-Type": "application/x-www-form-urlencoded" } };
  const checkout = await client.call("POST", "/sandbox/checkout/none", { key: null, ...pressed });
  expectNotice(checkout, 404, "We cannot find this page");
  const basic = openClient(service.url, BASIC);
  const { id } = await create(basic, payrollBody(1));
  expectEnvelope(await basic.call("POST", `/v2/payment-intents/${id}/draft`), 403, "[GEN9004]");
  const form = fileForm(pdf(5_000_000), "a.pdf", "application/pdf", "invoice");
  expectEnvelope(await client.call("PUT", "/v2/commissions/requests/none", { form }), 413, "[GEN9013]");
});

test("an endpoint has one replay at a time", async () => {
  const { id } = await newEndpoint();
  // A disabled endpoint gets nothing, so that its replay does not end.
  await client.must("PATCH", `/v2/webhook-endpoints/${id}`, { body: { status: "disabled" } });
  const body = { from: new Date(Date.now() - 3_600_000).toISOString() };
  const replay = () => client.call("POST", `/v2/webhook-endpoints/${id}/replay`, { body });
  expect((await replay()).status).toBe(200);
  expectEnvelope(await replay(), 409, "[WHK0002]");
});

test("a payment that has ended is not received any more", async () => {
  const { id } = await newDraft(client);
  await client.submit(id);
  const { executions } = await client.waitForStatus(id, "completed");
  const receive = `/sandbox/payments/${executions[0]?.connectorPaymentIds[0]}/receive`;
  expectEnvelope(await client.call("POST", receive), 409, "[PAY0006]");
});

/** Loses the answer to a submission's claim: the intent stays claimed until the lease of its worker ends. */
async function claimedBy(ask: () => Promise<{ status: number }>): Promise<void> {
  let isFirst = true;
  store.judge((operation, text) => {
    if (operation !== "TransactWriteItems" || !text.includes("submission_claimed")) return "passes";
    if (!isFirst) return "is throttled";
    isFirst = false;
    return "loses its answer";
  });
  expect((await ask()).status).toBe(502);
  store.judge(() => "passes");
}

describe("while a request works on a payment, others get a Retry-After", () => {
  test("for the plan and the expiry of its draft, and at the rail", async () => {
    const { id } = await newDraft(client);
    await claimedBy(() => client.submit(id, newKey()));
    const operator = openOperator(service.url);
    const found = await findIntent(operator.table, "1001", id);
    operator.close();
    const [paymentId] = found.ok && found.value.submission ? paymentIdsOf(found.value.submission.work) : [];
    const ways = ["settle", "receive", "fail", "delay?seconds=5", "return"];
    for (const path of [
      ...[`/v2/payment-intents/${id}/draft`, `/sandbox/payment-intents/${id}/expire`],
      ...ways.map((what) => `/sandbox/payments/${paymentId}/${what}`),
    ]) {
      const refused = await client.call("POST", path);
      expectEnvelope(refused, 409, "[GEN9009]");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  test("for the payer and the tenant of a link", async () => {
    const link = await publishLink(client, { isSingleUse: true });
    const [secret, body] = [newSecret(), await link.payer.sessionBody()];
    await claimedBy(() => link.payer.askSession(body, secret));
    for (const refused of [
      await link.payer.askSession(body, secret),
      await link.payer.askAgain(secret),
      await link.payer.askHold(secret),
      await link.payer.askRelease(secret),
      await client.call("POST", `/v2/payment-intents/${link.id}/release-hold`),
    ]) {
      expectEnvelope(refused, 409, "[GEN9009]");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });
});

test("a change that the store keeps refusing is answered as busy", async () => {
  const [{ id }, link] = [await newEndpoint(), await holdLink()];
  const endpoint = `/v2/webhook-endpoints/${id}`;
  const delivery = await eventually(async () => {
    const page = await client.must<{ deliveries: { id: string }[] }>("GET", `${endpoint}/deliveries`);
    expect(page.deliveries.length).toBeGreaterThan(0);
    return page.deliveries[0]?.id;
  });
  const fates: Readonly<Record<string, Fate>> = { TransactWriteItems: "is throttled", PutItem: "is overtaken" };
  store.judge((operation) => fates[operation] ?? "passes");
  for (const refused of [
    await client.call("PATCH", endpoint, { body: { types: ["leg"] } }),
    await client.call("POST", `${endpoint}/deliveries/${delivery}/redeliver`),
    await client.call("POST", `${endpoint}/replay`, { body: { from: new Date().toISOString() } }),
    await link.payer.askHold(link.secret),
    await link.payer.askRelease(link.secret),
    await client.call("POST", `/v2/payment-intents/${link.id}/release-hold`),
  ]) {
    expectEnvelope(refused, 503);
    expect(refused.body.message).toContain(BUSY);
  }
  store.judge(() => "passes");
});

describe("a rail", () => {
  const folder = mkdtempSync(join(tmpdir(), "refusing-rail-"));
  const secret = join(folder, "secret");
  writeFileSync(secret, "secret\n");
  const { serveOverHttp, closeAll } = openServers();
  afterAll(() => {
    closeAll();
    rmSync(folder, { recursive: true });
  });
  /** A rail that accepts, refuses or loses payments, as `mood` says, and cancels none. */
  let mood: ExecuteAnswer["kind"] = "accepted";
  let clockMs = Date.now();
  const bankDetails = { beneficiaryName: "Rail", accountNumber: "1", bankName: "Bank" };
  const rail: Rail = {
    rail: { ...httpTerms.rail, address: "here" },
    describe: () => ({ provider: "", action: "", version: "", maxRecipients: 1, acceptedLimitations: [] }),
    execute: async (_, id) =>
      mood === "accepted"
        ? {
            kind: "accepted",
            railPaymentId: id,
            expectedSettlementMs: clockMs + DAY_MS,
            bankDetails,
            dueDate: "2999-01-01",
          }
        : { kind: mood as "refused" | "unknown", reason: "closed account" },
    status: async () => ({ kind: "pending" }),
    cancel: async () => ({ kind: "pending" }),
    fund: async () => ({ kind: "refused", reason: "no batches here" }),
    list: async () => ({ kind: "page", payments: [] }),
  };
  const opened = serveOverHttp(rail, ["secret"], () => clockMs).then((url) =>
    openHeldService({ ...noRateLimit, ...byHttp(url, secret) }),
  );

  test("keeps the hold of a payment that it does not call off", async () => {
    const { client } = await opened;
    mood = "accepted";
    const { payer, id } = await publishLink(client, { isSingleUse: true });
    const way = newSecret();
    const { paymentIntentId } = await payer.open(await payer.sessionBody(), way);
    const release = `/v2/payment-intents/${id}/release-hold`;
    for (const kept of [await payer.askRelease(way), await client.call("POST", release)])
      expectEnvelope(kept, 409, "[LNK0004]");
    const { executions } = await client.getIntent(paymentIntentId);
    const receive = `/sandbox/payments/${executions[0]?.connectorPaymentIds[0]}/receive`;
    expectEnvelope(await client.call("POST", receive), 409, "[PAY0005]");
  });

  test("refuses a payment: its tenant and its payer get that error", async () => {
    const { client } = await opened;
    mood = "refused";
    const [{ id }, { payer }] = [await newDraft(client), await publishLink(client)];
    expectEnvelope(await client.submit(id), 422, "[PAY0004]");
    expectEnvelope(await payer.askSession(await payer.sessionBody()), 422, "[PAY0004]");
  });

  test("does not answer: its payments are looked into, and another submit does not send them", async () => {
    const { client, service } = await opened;
    mood = "unknown";
    const [{ id }, { payer, id: linkId }] = [await newDraft(client), await publishLink(client)];
    const body = await payer.sessionBody();
    expectEnvelope(await client.submit(id, newKey()), 502, "[PAY0002]");
    expectEnvelope(await payer.askSession(body), 502, "[PAY0002]");
    await eventually(async () => {
      clockMs = await service.moveClock(DAY_MS);
      const { children } = await childrenOf(client, linkId);
      const intents = [await client.getIntent(id), ...children];
      expect(intents.map(({ status }) => status)).toEqual(["requires_recovery", "requires_recovery"]);
    });
    clockMs = await service.moveClock(rail.rail.remembersMs);
    for (const refused of [await client.submit(id, newKey()), await payer.askSession(body)]) {
      expectEnvelope(refused, 409, "[GEN9009]");
      expect(refused.body).toMatchObject({ message: expect.stringContaining("being looked into") });
    }
  });
});
