import { DAY_MS } from "@intents/domain/durations.ts";
import { openReconciliation } from "@intents/storage/reviews/reconciliation.ts";
import { describe, expect, test } from "vitest";
import { type Data, type ErrorBody, type Intent, noRateLimit } from "./client.ts";
import { finishCheckout, newSecret, type PayerPayment, publishLink } from "./links.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openHeldService, openOperatedService, openService } from "./service-fixture.ts";

// Most payments here are never paid, and their rail is asked about all of them time and again.
const unpaid = { ...noRateLimit, SANDBOX_SETTLE_SECONDS: "600", POLL_INTERVAL_SECONDS: "2" };
const { client, operator } = await openOperatedService(unpaid);
/** A service with the limits of a deployment. */
const held = await openHeldService({ RATE_LIMIT_BUDGET_MS: "60000", SANDBOX_SETTLE_SECONDS: "0" });
/** A service whose links take few unpaid payments. */
const strict = await openService({ ...unpaid, UNPAID_PAYMENTS_MAX: "2" });

/** A single-use link with a payment that its payer began, and the payer's secret. */
async function begin(method: "card" | "dmt" = "card") {
  const { id: linkId, payer } = await publishLink(client, { isSingleUse: true, reference: "Fees 2026" });
  const secret = newSecret();
  const session = await payer.open(await payer.sessionBody({ method }), secret);
  return { linkId, payer, secret, session };
}

describe("a payer who comes back with the secret", () => {
  test("of a bank transfer gets its details again, and what was agreed", async () => {
    const { payer, secret, session } = await begin("dmt");
    const again = await payer.again(secret);
    const { nextAction, payment, paymentIntentId } = session;
    expect(again).toEqual({
      ...{ paymentIntentId, nextAction, status: "executing", startedAt: expect.stringMatching(/Z$/) },
      payer: { name: "Ana Silva" },
      ...{ paymentMethod: "bank_transfer", settlementMethod: "dmt", fromCurrency: "BRL", toCurrency: "AUD" },
      ...{ rate: expect.stringMatching(/^0\.\d+$/), reference: "Fees 2026", bankReference: nextAction["reference"] },
      sentTo: { beneficiaryName: expect.any(String), accountEnding: expect.stringMatching(/^\w{4}$/) },
      payment: {
        ...payment,
        recipients: [{ name: "University of Sydney", amount: "99.00", currency: "AUD", money: "owed" }],
      },
      money: "owed",
      held: { until: expect.any(String) },
    });
    const heldMs = Date.parse(again.held?.until ?? "") - Date.parse(again.startedAt);
    expect(Math.round(heldMs / 60_000)).toBe(30);
  });

  test("of a checkout gets its address, and a receipt once it has paid", async () => {
    const { payer, secret, session } = await begin();
    expect(await payer.again(secret)).toMatchObject({ nextAction: session.nextAction, paymentMethod: "redirect" });
    await finishCheckout(session.checkoutUrl ?? "", "pay");
    await payer.waitForPayment(session.paymentIntentId, "completed");
    const receipt = await payer.again(secret);
    expect(receipt).toMatchObject({ status: "completed", endedAt: expect.any(String), payer: { name: "Ana Silva" } });
    expect(receipt).not.toHaveProperty("nextAction");
    expect(receipt).not.toHaveProperty("held");
  });

  test("reads the receipt for 90 days, and nothing after that", async () => {
    const { payer } = await publishLink(held.client);
    const secret = newSecret();
    const { paymentIntentId } = await payer.open(await payer.sessionBody(), secret);
    await held.service.moveClock(10_000);
    await payer.waitForPayment(paymentIntentId, "completed");
    await held.service.moveClock(89 * DAY_MS);
    expect(await payer.again(secret)).toMatchObject({ status: "completed" });
    await held.service.moveClock(DAY_MS);
    expectEnvelope(await payer.askAgain(secret), 404, "[GEN9003]");
  });

  test("sees the newest payment that was begun with it", async () => {
    const { payer, secret } = await begin();
    await payer.giveBack(secret);
    const { paymentIntentId } = await payer.open(await payer.sessionBody(), secret);
    expect(await payer.again(secret)).toMatchObject({ paymentIntentId, status: "executing" });
  });
});

test("a link whose released payment is under review is closed, and takes no other payment", async () => {
  const { payer, secret, session } = await begin();
  const { paymentIntentId: intentId } = session;
  const other = await payer.sessionBody();
  await payer.giveBack(secret);
  const [execution] = (await client.getIntent(intentId)).executions as readonly { executionId?: string }[];
  const since = new Date().toISOString();
  const record = {
    ...{ kind: "contradicts_outcome" as const, tenantId: "1001", intentId, openedAt: since },
    ...{ executionId: execution?.executionId ?? "", said: "completed", stands: "cancelled" },
  };
  await openReconciliation(operator.table, record, Date.now());
  expect(await payer.giveBack(secret)).toMatchObject({ status: "cancelled", underReview: { since } });
  expect(await payer.details()).toMatchObject({ status: "closed" });
  expectEnvelope(await payer.askSession(other), 409, "[LNK0006]");
});

describe("a secret", () => {
  test("that is wrong, or cut, opens nothing, and is answered like none", async () => {
    const { payer, secret } = await begin();
    const without = await payer.askAgain();
    for (const wrong of [newSecret(), secret.slice(0, -1)])
      for (const reply of [await payer.askAgain(wrong), await payer.askHold(wrong), await payer.askRelease(wrong)]) {
        expectEnvelope(reply, 404, "[GEN9003]");
        expect(reply.body.details).toEqual(without.body.details);
      }
  });

  test("of another link opens nothing", async () => {
    const [one, other] = [await begin(), await begin()];
    expectEnvelope(await one.payer.askAgain(other.secret), 404, "[GEN9003]");
  });

  test("that a browser makes has 32 characters at least: a weaker one is refused by name", async () => {
    const { payer } = await publishLink(client);
    expectShape(await payer.askSession(await payer.sessionBody(), "x".repeat(31)), "X-Payer-Secret");
    expect((await payer.askSession(await payer.sessionBody(), "x".repeat(32))).status).toBe(200);
  });

  test("is guessed 120 times in a minute and no more, from one source at one link", async () => {
    const { payer } = await publishLink(held.client);
    const replies = await Promise.all(Array.from({ length: 130 }, () => payer.askAgain(newSecret())));
    const counts = Map.groupBy(replies, ({ status }) => status);
    expect([...counts.keys()].toSorted()).toEqual([404, 429]);
    expect(counts.get(404)).toHaveLength(120);
  });
});

describe("a held link", () => {
  test("says so first, and until when, and is open again when its payer gives it back", async () => {
    const { payer, secret, session } = await begin();
    const { held } = (await payer.details()) as { held: { until: string } };
    expect(Date.parse(held.until)).toBeGreaterThan(Date.now() + 500_000);
    expectEnvelope(await payer.askSession(await payer.sessionBody()), 409, "[LNK0003]");

    const given = await payer.giveBack(secret);
    expect(given).toMatchObject({ paymentIntentId: session.paymentIntentId, status: "cancelled" });
    expect(await payer.giveBack(secret)).toEqual(given);
    expect(await payer.details()).not.toHaveProperty("held");
    // The payer chooses another way to pay, with the same secret.
    await payer.open(await payer.sessionBody({ method: "dmt" }), secret);
    expect(await payer.details()).toHaveProperty("held");
  });

  test("is kept by a sign of life, and for a promised transfer until its due date", async () => {
    const [byCard, byBank] = [await begin(), await begin("dmt")];
    const before = await byCard.payer.again(byCard.secret);
    const after = await byCard.payer.keep(byCard.secret);
    expect(Date.parse(after.held?.until ?? "")).toBeGreaterThan(Date.parse(before.held?.until ?? ""));
    const promised = await byBank.payer.keep(byBank.secret, { willTransfer: true });
    const dueDate = String(promised.nextAction?.["dueDate"]);
    expect(Date.parse(promised.held?.until ?? "")).toBe(Date.parse(dueDate) + DAY_MS);
    expect(await byBank.payer.details()).toMatchObject({ held: promised.held });
    expectShape(await byBank.payer.askHold(byBank.secret, { willTransfer: "yes", more: 1 }), "willTransfer", "more");
  });

  test("that was paid cannot be given back", async () => {
    const { payer, secret, session } = await begin();
    await finishCheckout(session.checkoutUrl ?? "", "pay");
    // The rail has the money, whether it has been asked about it yet or not.
    expectEnvelope(await payer.askRelease(secret), 409, "[GEN9009]");
    await payer.waitForPayment(session.paymentIntentId, "completed");
    expectEnvelope(await payer.askRelease(secret), 409, "[GEN9009]");
    expect(await payer.details()).toMatchObject({ status: "closed" });
  });

  test("is opened by its tenant, who sees the payment that holds it, and by nobody else", async () => {
    const { linkId, payer, session } = await begin();
    const { body } = await client.call<Data<Intent>>("GET", `/v2/payment-intents/${linkId}`);
    expect(body.data).toMatchObject({ hold: { paymentIntentId: session.paymentIntentId, until: expect.any(String) } });
    const path = `/v2/payment-intents/${linkId}/release-hold`;
    expectEnvelope(await client.call<ErrorBody>("POST", path, { key: "basic:basic-secret" }), 404, "[GEN9003]");
    const released = await client.call<Data<Intent>>("POST", path);
    expect(released).toMatchObject({ status: 200, body: { data: { id: linkId, status: "pending_link_payment" } } });
    expect(released.body.data).not.toHaveProperty("hold");
    expect(await payer.askStatus(session.paymentIntentId)).toMatchObject({
      body: { data: { paymentStatus: "cancelled" } },
    });
    // One that nobody holds is open.
    expect((await client.call("POST", path)).status).toBe(200);
  });

  test("is not released where there is no open link", async () => {
    const { id } = await client.newTuitionIntent();
    expectEnvelope(await client.call<ErrorBody>("POST", `/v2/payment-intents/${id}/release-hold`), 409, "[GEN9009]");
    expectEnvelope(await client.call<ErrorBody>("POST", "/v2/payment-intents/none/release-hold"), 404, "[GEN9003]");
    const { linkId, payer, session } = await begin();
    await finishCheckout(session.checkoutUrl ?? "", "pay");
    await payer.waitForPayment(session.paymentIntentId, "completed");
    const closed = await client.call<ErrorBody>("POST", `/v2/payment-intents/${linkId}/release-hold`);
    expectEnvelope(closed, 410, "[LNK0002]");
  });

  test("is released by an operator", async () => {
    const { linkId, payer } = await begin();
    const release = ["links", "release", linkId, "--tenant", "1001", "--yes", "--reason", "stuck"];
    expect((await operator.run(...release)).code).toBe(0);
    expect(await payer.details()).not.toHaveProperty("held");
  });
});

test("so many payments by a link may be unpaid from one source, and the refusal says how many", async () => {
  const [{ payer }, other] = [await publishLink(strict.client), await publishLink(strict.client)];
  const secret = newSecret();
  await payer.open(await payer.sessionBody({ method: "card" }), secret);
  await payer.open(await payer.sessionBody());
  const refused = await payer.askSession(await payer.sessionBody());
  expectEnvelope(refused, 409, "[LNK0005]");
  expect(refused.body.details).toEqual({ limit: 2 });
  await other.payer.open(await other.payer.sessionBody());
  await payer.giveBack(secret);
  await payer.open(await payer.sessionBody());
});

test("of a link the public details alone may be kept, for 5 seconds and by no browser", async () => {
  const { payer, secret } = await begin();
  const kept = async (path: string, headers = {}) =>
    (await payer.call<PayerPayment>("GET", path, { headers })).headers.get("cache-control");
  expect(await kept("")).toBe("public, max-age=0, s-maxage=5");
  expect(await kept("/status")).toBe("no-store");
  expect(await kept("/payer-session", { "X-Payer-Secret": secret })).toBe("no-store");
  expect(await kept("/payer-session")).toBe("no-store");
});
