import { describe, expect, test } from "vitest";
import { type ErrorBody, noRateLimit, pdf } from "./client.ts";
import { childrenOf, finishCheckout, newPayerDetails, publishLink, uploadForm } from "./links.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { priceLinkBody, shareLinkBody, withRecipient } from "./scenarios-fixture.ts";
import { openHeldService, openService } from "./service-fixture.ts";
import { create, dryRun, railPayments } from "./tuition.ts";

const QUOTE_TTL_MS = 1_800_000;

const { client } = await openService();
const held = await openHeldService({ ...noRateLimit, RATE_LIMIT_BUDGET_MS: "60000" });

describe("a link at a price that no rail takes from anywhere is not published", () => {
  test.each([
    ["0.05", /takes 0\.14 to 2849500\.00 AUD/],
    ["3500000.00", /takes 0\.14 to 2849500\.00 AUD/],
  ])("at %s AUD: dry-run and submit tell the bounds", async (payeeAmount, bounds) => {
    const body = withRecipient(priceLinkBody(), 0, {}, { payeeAmount });
    const { id } = await create(client, body);
    const found = { path: "recipients.totalAmount", reason: expect.stringMatching(bounds) };
    expect((await dryRun(client, id)).requirements).toEqual([expect.objectContaining(found)]);
    const refused = await client.submit<ErrorBody>(id);
    expect(refused.status).toBe(400);
    expect(refused.body.details).toMatchObject({ missingRequirements: ["recipients.totalAmount"] });
    expect(JSON.stringify(refused.body)).toMatch(bounds);
  });
});

describe("a quote is refused", () => {
  test.each([
    ["for nothing", { amount: 0 }],
    ["for less than nothing", { amount: -5 }],
    ["for what is no number", { amount: "ten" }],
    ["for an exponent", { amount: "1e3" }],
    ["for what is neither text nor a number", { amount: [10] }],
  ])("%s: 400 that names the amount", async (_, body) => {
    const { payer } = await publishLink(client, {}, shareLinkBody());
    expectShape(await payer.askQuote(body), "amount");
  });

  test.each([
    ["without an amount, which the payer enters", {}],
    ["for an amount with more decimals than its currency", { amount: "10.001" }],
    ["for less than any way to pay takes, the fee not counted", { amount: "0.04" }],
    ["for an amount too small to be shared", { amount: "0.01" }],
    ["for an amount that no number carries", { amount: "900719925474099.31" }],
    ["for more than every way to pay takes", { amount: "900000000" }],
  ])("%s: 400 that names the amount, and tells its bounds", async (_, body) => {
    const { payer } = await publishLink(client, {}, shareLinkBody());
    const reply = await payer.askQuote(body);
    const { limits, ...details } = reply.body.details ?? {};
    expect(limits).toEqual({
      minAmount: expect.stringMatching(/^0\.\d\d$/),
      maxAmount: expect.stringMatching(/^\d{5,}\.\d\d$/),
      currency: "AUD",
    });
    expectShape({ ...reply, body: { ...reply.body, details } }, "amount");
  });

  test("with an amount, where the link has set the amount", async () => {
    const { payer } = await publishLink(client);
    expectShape(await payer.askQuote({ amount: "99.00" }), "amount");
  });

  test("from nowhere, from no country, and from another one than the locked corridor", async () => {
    const paymentLink = { payFromCountryCode: "GB", lockedFields: ["pay_from_country"] };
    const { payer } = await publishLink(client, paymentLink);
    for (const payerCountryCode of [undefined, "XX", "BR"]) {
      expectShape(await payer.askQuote({ payerCountryCode }), "payerCountryCode");
    }
    const { variants } = await payer.quote({ payerCountryCode: "GB" });
    expect(variants[0].fromCurrency).toBe("GBP");
  });

  test("from a country without a rail: [QOT0003]", async () => {
    const { payer } = await publishLink(client);
    expectEnvelope(await payer.askQuote({ payerCountryCode: "KP" }), 422, "[QOT0003]");
  });
});

describe("an upload is refused", () => {
  test.each([
    ["without a file", () => new FormData(), 400],
    ["without a type", () => uploadForm(pdf(), null), 400],
    ["with a type that is none", () => uploadForm(pdf(), "proof"), 400],
    ["when it is empty", () => uploadForm(pdf(0)), 400],
    ["when it is larger than 4 MB", () => uploadForm(pdf(4 * 1024 * 1024 + 1)), 413],
    ["when it is no document", () => uploadForm(new TextEncoder().encode("text")), 415],
  ])("%s", async (_, form, status) => {
    const { payer } = await publishLink(client);
    expect((await payer.askUpload(form())).status).toBe(status);
  });
});

describe("a payer-session is refused", () => {
  test("when it is not of the shape: every problem is named", async () => {
    const { payer } = await publishLink(client);
    const session = await payer.sessionBody();
    expectShape(await payer.askSession({}), "payerDetails", "quoteId", "selectedQuoteVariantId");
    const { email, ...nameless } = { ...newPayerDetails(), firstName: "" };
    expectShape(
      await payer.askSession({ ...session, payerDetails: { ...nameless, iban: "x" }, documentIds: "d", more: 1 }),
      ...["payerDetails.firstName", "payerDetails.email", "payerDetails.iban", "documentIds", "more"],
    );
    expectShape(await payer.askSession({ ...session, selectedQuoteVariantId: 7 }), "selectedQuoteVariantId");
  });

  test("for a quote, a document or a payment of another link, and for the tenant's own", async () => {
    const [{ payer }, other] = await Promise.all([publishLink(client), publishLink(client)]);
    const [session, foreign, quote] = [
      await payer.sessionBody(),
      await other.payer.sessionBody(),
      await client.newQuote(),
    ];
    expectEnvelope(await payer.askSession(foreign), 404, "[QOT0002]");
    const tenants = { quoteId: quote.quoteId, selectedQuoteVariantId: quote.variants[0].id };
    expectEnvelope(await payer.askSession({ ...session, ...tenants }), 404, "[QOT0002]");
    expectEnvelope(await client.call("GET", `/v2/quotes/${session.quoteId}`), 404, "[QOT0002]");
    for (const documentId of [await other.payer.upload(), await client.uploadPdf(), "nobody's"]) {
      expectEnvelope(await payer.askSession({ ...session, documentIds: [documentId] }), 404, "[GEN9003]");
    }
    const { paymentIntentId } = await other.payer.open(foreign);
    expectEnvelope(await payer.askStatus(paymentIntentId), 404, "[GEN9003]");
    const { id } = await client.newTuitionIntent();
    for (const stranger of [id, "x", "9".repeat(300)])
      expectEnvelope(await payer.askStatus(stranger), 404, "[GEN9003]");
    expect(await payer.open(session)).toMatchObject({ status: "executing" });
  });

  test("when it names a document twice, or an amount that the chosen way to pay does not take: [GEN9002]", async () => {
    const { payer } = await publishLink(client, {}, shareLinkBody());
    const documentId = await payer.upload();
    const session = await payer.sessionBody({ amount: "100.00" });
    const twice = await payer.askSession({ ...session, documentIds: [documentId, documentId] });
    expectEnvelope(twice, 400, "[GEN9002]");
    expect(twice.body.details).toMatchObject({ missingRequirements: ["documents.uniqueDocumentIds"] });
    // This amount is more than a card takes, and less than a bank transfer takes.
    const large = await payer.askSession(await payer.sessionBody({ amount: "500000.00", method: "card" }));
    expectEnvelope(large, 400, "[GEN9002]");
    expect(large.body.details).toMatchObject({ missingRequirements: ["recipients.totalAmount"] });
  });

  test("when its quote has expired: [QOT0001]; a session begun in time is told again all the same", async () => {
    const { payer } = await publishLink(held.client);
    const inTime = await payer.sessionBody();
    const { quoteId, variants } = await payer.quote();
    const late = { ...inTime, quoteId, selectedQuoteVariantId: variants[0].id };
    const opened = await payer.open(inTime);
    await held.service.moveClock(QUOTE_TTL_MS + 1);
    expectEnvelope(await payer.askSession(late), 422, "[QOT0001]");
    expect(await payer.open(inTime)).toMatchObject({ paymentIntentId: opened.paymentIntentId });
  });

  test.each([
    ["SANDBOX-DUPLICATE", 409, "[PAY0003]"],
    ["SANDBOX-UNAVAILABLE", 503, "[PAY0001]"],
  ])(
    "when the rail does not take it (%s): its payment is cancelled, and nothing was paid",
    async (reference, status, code) => {
      const { id, payer } = await publishLink(client, { reference, isSingleUse: true });
      const session = await payer.sessionBody();
      const refused = await payer.askSession(session);
      expectEnvelope(refused, status, code);
      expect(refused.body.message).toContain("take a new quote after Retry-After, and begin again with it.");
      expect(refused.headers.get("retry-after")).toMatch(/^[1-9]/);
      const { children } = await childrenOf(client, id);
      expect(children).toMatchObject([{ status: "cancelled", executions: [] }]);
      expect(await railPayments(client, children[0]?.id ?? "")).toEqual([]);
      // The quote is used up; other payers are not kept away.
      const again = await payer.askSession(session);
      expectEnvelope(again, 409, "[GEN9009]");
      expect(again.body.details).toEqual({ status: "cancelled" });
      expectEnvelope(await payer.askSession(await payer.sessionBody()), status, code);
    },
  );

  test("while nobody knows whether the rail took it: [PAY0002]; a repeat finds out, and so does the timer", async () => {
    const { payer } = await publishLink(client, { reference: "SANDBOX-TIMEOUT" });
    const [repeated, left] = [await payer.sessionBody(), await payer.sessionBody()];
    expectEnvelope(await payer.askSession(repeated), 502, "[PAY0002]");
    const { paymentIntentId } = await payer.open(repeated);
    expect(await railPayments(client, paymentIntentId)).toHaveLength(1);

    expectEnvelope(await payer.askSession(left), 502, "[PAY0002]");
    await expect.poll(() => payer.open(left)).toHaveProperty("nextAction");
    await payer.waitForPayment((await payer.open(left)).paymentIntentId, "completed");
  });
});

describe("a single-use link", () => {
  test("is held while a payer is about to pay, free again after a decline, and closed once it is paid", async () => {
    const { id, payer } = await publishLink(client, { isSingleUse: true });
    const first = await payer.open(await payer.sessionBody({ method: "card" }));
    const held = await payer.askSession(await payer.sessionBody());
    expectEnvelope(held, 409, "[LNK0003]");
    const waitSeconds = Number(held.headers.get("retry-after"));
    expect(waitSeconds).toBeGreaterThan(60);
    expect(waitSeconds).toBeLessThanOrEqual(600);
    await finishCheckout(first.checkoutUrl ?? "", "decline");
    await payer.waitForPayment(first.paymentIntentId, "failed");

    const session = await payer.sessionBody({ method: "card" });
    const second = await payer.open(session);
    expect((await client.getIntent(id))["linkClosedAt"]).toBeUndefined();
    await finishCheckout(second.checkoutUrl ?? "", "pay");
    await payer.waitForPayment(second.paymentIntentId, "completed");

    const closed = { code: "[LNK0002]", status: 410 };
    const refused = [
      await payer.askQuote(),
      await payer.askUpload(),
      await payer.askSession({ ...session, quoteId: "another" }),
    ];
    for (const reply of refused) expectEnvelope(reply, closed.status, closed.code);
    expect(await payer.details()).toMatchObject({ status: "closed", recipientName: "University of Sydney" });
    expect((await payer.askStatus<{ data: object }>()).body.data).toEqual({ status: "closed" });
    // The payer who paid still gets the answer of the paid session, without a way to pay again.
    const { checkoutUrl: _, nextAction: __, ...paid } = second;
    const repeated = await payer.open(session);
    expect(repeated).toMatchObject({ ...paid, payment: expect.any(Object), status: "completed" });
    expect(Object.keys(repeated)).not.toContain("nextAction");
    const { linkClosedAt, status } = (await client.getIntent(id)) as unknown as Record<string, string>;
    expect([status, Number.isNaN(Date.parse(linkClosedAt ?? ""))]).toEqual(["pending_link_payment", false]);
  });
});

test("a payer who asks more than 120 times a minute waits; payers of another link do not", async () => {
  const [{ payer }, other] = await Promise.all([publishLink(held.client), publishLink(held.client)]);
  const replies = await Promise.all(Array.from({ length: 130 }, () => payer.call("GET", "")));
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(130 - 120);
  const [first] = refused;
  if (first !== undefined) expectEnvelope(first, 429);
  for (const name of ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
    expect(first?.headers.has(name)).toBe(true);
  }
  expect(await other.payer.details()).toMatchObject({ status: "open" });
});
