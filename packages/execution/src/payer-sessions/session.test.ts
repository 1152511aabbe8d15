import { createdAtOf } from "@intents/domain/ids.ts";
import type { ExecuteAnswer } from "@intents/domain/rails/rail.ts";
import { variant } from "@intents/domain/test/intent-fixture.ts";
import { childCounter } from "@intents/storage/intents/intents.ts";
import { findSession } from "@intents/storage/links/sessions.ts";
import { resumeTenant, suspendTenant } from "@intents/storage/parties/suspensions.ts";
import { readCounts } from "@intents/storage/table/counters.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startPayers } from "../../test/session-fixture.ts";
import type { Run } from "../run.ts";

const { world, payers, keptOf, stop } = await startPayers();
afterAll(stop);

const telling = (answer: ExecuteAnswer): Run => world.withRail({ execute: async () => answer });
const HALF_HOUR_MS = 1_800_000;

describe("a payer's session", () => {
  test("makes one payment by bank transfer, which ends by polling and is counted by its link", async () => {
    const link = await payers.publish({ reference: "Invoice 7" });
    const documentIds = [await payers.upload(link)];
    const asked = await payers.request(link, { documentIds });
    const opened = await payers.open(link, asked);
    if (!opened.ok) throw new Error(opened.failure.kind);
    const { paymentIntentId: id, nextAction } = opened.value;
    expect(nextAction).toMatchObject({ type: "bank_transfer", amount: "4020.00", currency: "BRL" });
    const begun = await world.get(id);
    const session = { tenantId: "1001", linkId: link.intent.id, quoteId: asked.quoteId };
    expect(await findSession(world.table, session)).toBe(id);
    expect(begun).toMatchObject({
      status: "executing",
      deliveryMode: "payment_link_submission",
      useCase: link.intent.useCase,
      amountMode: link.intent.amountMode,
      createdFrom: { paymentIntentId: link.intent.id },
      payer: { role: "unknown_link_payer", details: asked.payerDetails },
      recipients: [{ amount: { payeeAmount: "1000.00", currency: "AUD" }, reference: "Invoice 7" }],
      executions: [{ status: "executing", payer: asked.payerDetails }],
      payerChoice: { quoteId: asked.quoteId, selectedQuoteVariantId: 900, countryCode: "BR", documentIds },
    });
    expect(begun.statusHistory.map(({ status }) => status)).toEqual([
      "draft",
      "ready_for_quote",
      "quoted",
      "ready_for_execution",
      "executing",
    ]);
    while ((await world.get(id)).status === "executing") await world.tick(id);
    expect(await world.get(id)).toMatchObject({ status: "completed" });
    const counts = await readCounts(world.table, link.intent.tenantId, childCounter(link.intent.id));
    expect([...counts].filter(([, count]) => count !== 0)).toEqual([
      ["completed|education_provider_tuition|payment_link_submission", 1],
    ]);
    expect(await world.get(link.intent.id)).toEqual(link.intent);
  });

  test("is begun by nobody while the link's tenant is suspended, and one that was begun goes on to its end", async () => {
    const link = await payers.publish();
    const { tenantId } = link.intent;
    const begun = await payers.request(link);
    const first = await payers.open(link, begun);
    const asked = await payers.request(link);
    const suspension = { at: new Date(world.clock.ms).toISOString(), by: "olga", reason: "ticket 7" };
    const change = { operator: "olga", atMs: world.clock.ms, action: "tenants", reason: "ticket 7" };
    await suspendTenant(world.table, tenantId, suspension, change);
    expect(await payers.open(link, asked)).toEqual({ ok: false, failure: { kind: "link_closed" } });
    expect(
      await findSession(world.table, { tenantId, linkId: link.intent.id, quoteId: asked.quoteId }),
    ).toBeUndefined();
    if (!first.ok) throw new Error(first.failure.kind);
    expect(await payers.open(link, begun)).toEqual(first);
    const { paymentIntentId: id } = first.value;
    while ((await world.get(id)).status === "executing") await world.tick(id);
    expect(await world.get(id)).toMatchObject({ status: "completed" });
    await resumeTenant(world.table, tenantId, suspension, { ...change, atMs: world.clock.ms + 1 });
    expect(await payers.open(link, { ...asked, ...(await payers.request(link)) })).toMatchObject({ ok: true });
  });

  test("has an id that begins with the time of its record, as every list counts on", async () => {
    const link = await payers.publish();
    const { quoteId } = await payers.newQuote(link);
    world.clock.ms += 1;
    const { id, createdAt } = await world.get(await payers.begin(link, { quoteId }));
    expect([createdAtOf(id), Date.parse(createdAt)]).toEqual([createdAt, world.clock.ms]);
  });

  test("by card sends its payer to a checkout that leads back to the link's page", async () => {
    const link = await payers.publish();
    const opened = await payers.open(link, await payers.request(link, payers.byCard));
    if (!opened.ok) throw new Error(opened.failure.kind);
    const { paymentIntentId, checkoutUrl, nextAction } = opened.value;
    expect(nextAction).toEqual({ type: "redirect", url: checkoutUrl });
    const checkout = await world.rail.findCheckout(checkoutUrl?.split("/").at(-1) ?? "");
    const returnUrl = `https://pay.example/pay/plink_${link.stored.token}?payment=${paymentIntentId}`;
    expect(checkout).toMatchObject({ state: "open", returnUrl });
    await payers.pay(paymentIntentId);
    await world.tick(paymentIntentId);
    expect(await world.get(paymentIntentId)).toMatchObject({ status: "completed" });
  });

  test("asked for twenty times at once is one payment, and everybody gets it", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const asked = await payers.request(link, { documentIds: [await payers.upload(link)] });
    const opened = await Promise.all(Array.from({ length: 20 }, () => payers.open(link, asked)));
    const [first] = opened;
    expect(first).toMatchObject({ ok: true, value: { status: "executing" } });
    expect(new Set(opened.map((one) => JSON.stringify(one))).size).toBe(1);
    const id = first?.ok ? first.value.paymentIntentId : "";
    expect(await world.paymentsOf(id)).toHaveLength(1);
    expect((await world.auditOf(id)).filter(({ doc }) => doc.includes("terms_accepted"))).toHaveLength(1);
  });

  test("repeated with other details is the session that was opened, even after it has ended", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const asked = await payers.request(link, payers.byCard);
    const first = await payers.open(link, asked);
    if (!first.ok) throw new Error(first.failure.kind);
    const { paymentIntentId: id } = first.value;
    await payers.pay(id);
    await world.tick(id);
    world.clock.ms += HALF_HOUR_MS;
    const other = { ...asked, payerDetails: { ...asked.payerDetails, email: "other@example.com" } };
    const repeated = await payers.open(link, { ...other, selectedQuoteVariantId: 900, documentIds: ["nobody's"] });
    const { nextAction: _action, checkoutUrl: _url, payment, ...rest } = first.value;
    const recipients = payment.recipients.map((recipient) => ({ ...recipient, money: "delivered" }));
    const value = { ...rest, status: "completed", payment: { ...payment, recipients } };
    expect(repeated).toEqual({ ok: true, value });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("writes down that its payer accepted the terms, once", async () => {
    const link = await payers.publish();
    const events = await world.eventsOf(await payers.begin(link));
    expect(events.slice(0, 4)).toMatchObject([
      { event: "paymentIntent.created", actor: "payer" },
      { event: "paymentIntent.terms_accepted", actor: "payer" },
      { event: "paymentIntent.submission_claimed", actor: "payer" },
      { event: "paymentIntent.submitted", actor: "payer" },
    ]);
  });

  test.each([
    [{ kind: "duplicate" }, "duplicate_transaction"],
    [{ kind: "refused", reason: "no" }, "rail_refused"],
    [{ kind: "unreachable", reason: "ECONNREFUSED" }, "rail_unavailable"],
  ] as const)(
    "that the rail did not take (%j) is cancelled, and frees its link and documents",
    async (answer, kind) => {
      const link = await payers.publish({ isSingleUse: true });
      const documentIds = [await payers.upload(link)];
      const [documentId = ""] = documentIds;
      const uploaded = await payers.documentOf(link, documentId);
      const asked = await payers.request(link, { documentIds });
      expect(await payers.open(link, asked, telling(answer))).toMatchObject({ ok: false, failure: { kind } });
      expect(await payers.stored(link)).not.toHaveProperty("state.holder");
      const session = { tenantId: "1001", linkId: link.intent.id, quoteId: asked.quoteId };
      const holder = (await findSession(world.table, session)) ?? "";
      expect(await world.get(holder)).toMatchObject({ status: "cancelled", executions: [] });
      expect(await world.timerOf(holder)).toBeUndefined();
      expect(await payers.documentOf(link, documentId)).toEqual(uploaded);
      expect(await keptOf(link)).toEqual([]);
      const refused = { kind: "wrong_status", status: "cancelled" };
      expect(await payers.open(link, asked)).toEqual({ ok: false, failure: refused });
      await payers.begin(link, { documentIds });
      expect(await keptOf(link)).toEqual([(await payers.documentOf(link, documentId))?.objectKey]);
    },
  );

  test("whose outcome is unknown is joined by a repeat, and is one payment", async () => {
    const link = await payers.publish({ isSingleUse: true, reference: "SANDBOX-TIMEOUT" });
    const asked = await payers.request(link);
    expect(await payers.open(link, asked)).toEqual({ ok: false, failure: { kind: "outcome_unknown" } });
    const held = await payers.open(link, await payers.request(link));
    expect(held).toMatchObject({ ok: false, failure: { kind: "link_held" } });
    const joined = await payers.open(link, asked);
    expect(joined).toMatchObject({ ok: true, value: { status: "executing" } });
    expect(await world.paymentsOf(joined.ok ? joined.value.paymentIntentId : "")).toHaveLength(1);
  });

  test("whose outcome is unknown is found by the timer alone", async () => {
    const link = await payers.publish({ isSingleUse: true, reference: "SANDBOX-TIMEOUT" });
    await payers.open(link, await payers.request(link));
    const id = (await payers.stored(link))?.state.holder?.id ?? "";
    expect(await world.tick(id)).toBe("recovered");
    expect(await world.get(id)).toMatchObject({ status: "executing" });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });
});

test("a session that the rail may have forgotten is asked about by nobody but an operator", async () => {
  const link = await payers.publish({ reference: "SANDBOX-TIMEOUT" });
  const asked = await payers.request(link);
  await payers.open(link, asked);
  world.clock.ms += 30 * 86_400_000;
  let questions = 0;
  const watched = world.withRail({
    execute: async () => {
      questions += 1;
      return { kind: "refused", reason: "no" };
    },
  });
  expect(await payers.open(link, asked, watched)).toEqual({ ok: false, failure: { kind: "outcome_unknown" } });
  expect(questions).toBe(0);
});

describe("a session is refused", () => {
  test("when its quote is another link's or nobody's, and when it has expired", async () => {
    const [link, other] = [await payers.publish(), await payers.publish()];
    const { quoteId } = await payers.newQuote(other);
    const foreign = await payers.open(link, await payers.request(link, { quoteId }));
    expect(foreign).toEqual({ ok: false, failure: { kind: "quote_not_found", quoteId } });
    const asked = await payers.request(link);
    world.clock.ms += HALF_HOUR_MS;
    expect(await payers.open(link, asked)).toMatchObject({
      failure: { kind: "quote_expired", quoteId: asked.quoteId },
    });
    const unknown = { ...link, stored: { ...link.stored, intentId: "nobody's" } };
    expect(await payers.open(unknown, asked)).toEqual({ ok: false, failure: { kind: "link_not_found" } });
  });

  test("when its documents are another link's, named twice, expired or used", async () => {
    const [link, other] = [await payers.publish(), await payers.publish()];
    const [own, used] = [await payers.upload(link), await payers.upload(link)];
    await payers.begin(link, { documentIds: [used] });
    const failureFor = async (...documentIds: string[]) => {
      const opened = await payers.open(link, await payers.request(link, { documentIds }));
      return opened.ok ? undefined : opened.failure;
    };
    expect(await failureFor(await payers.upload(other))).toEqual({ kind: "not_found", resource: "document" });
    expect(await failureFor(own, own)).toMatchObject({ missing: [{ path: "documents.uniqueDocumentIds" }] });
    expect(await failureFor(own, used)).toMatchObject({ missing: [{ path: "documentIds.1" }] });
    const stale = await payers.upload(link, world.clock.ms);
    expect(await failureFor(stale)).toMatchObject({ missing: [{ path: "documentIds.0" }] });
    expect(await failureFor(own)).toBeUndefined();
    expect(await payers.documentOf(link, own)).toHaveProperty("consumedBy");
  });

  test("when the chosen variant is not the quote's, or does not take the amount", async () => {
    const link = await payers.publish();
    const stranger = await payers.open(link, await payers.request(link, { selectedQuoteVariantId: 1 }));
    expect(stranger).toMatchObject({ failure: { kind: "shape" } });
    // The rail is sent the 4000 of the quote; the fee of 20 is no part of it.
    const limits = [{ maxAmount: "3999.99" }, { minAmount: "4000.01" }];
    for (const limit of limits) {
      const { quoteId } = await payers.newQuote(link, { variants: [variant([5001], limit)] });
      const outside = await payers.open(link, await payers.request(link, { quoteId }));
      expect(outside).toMatchObject({ failure: { missing: [{ path: "recipients.totalAmount" }] } });
    }
    const { quoteId } = await payers.newQuote(link, {
      variants: [variant([5001], { minAmount: "4000.00", maxAmount: "4000.00" })],
    });
    await payers.begin(link, { quoteId });
  });
});
