import { describe, expect, test } from "vitest";
import { BASIC, openClient } from "./client.ts";
import { childrenOf, finishCheckout, newPayerDetails, payerOf, publishLink } from "./links.ts";
import { openLinkBody, priceLinkBody, refusedFor, shareLinkBody, withRecipient } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, missingIn, railPayments } from "./tuition.ts";

const { client, service } = await openService();

const UNIVERSITY = "University of Sydney";

describe("what a payer sees of a link", () => {
  test("at a set price is the recipients with their amounts, and nothing about its tenant", async () => {
    const paymentLink = { reference: "Invoice 7", payFromCountryCode: "BR", lockedFields: ["pay_from_country"] };
    const { payer } = await publishLink(client, paymentLink, { ...priceLinkBody(), name: "Top secret" });
    expect(await payer.details()).toEqual({
      status: "open",
      recipientName: UNIVERSITY,
      amountType: "fixed",
      amount: "99.00",
      currency: "AUD",
      recipients: [{ name: UNIVERSITY, amount: "99.00", currency: "AUD" }],
      reference: "Invoice 7",
      payFromCountryCode: "BR",
      payFromCountryLocked: true,
      isSingleUse: false,
    });
  });

  test("with shares is the recipients, and nothing about the shares", async () => {
    const { payer } = await publishLink(client, { isSingleUse: true, payFromCountryCode: "BR" }, shareLinkBody());
    expect(await payer.details()).toEqual({
      status: "open",
      recipientName: UNIVERSITY,
      amountType: "open",
      currency: "AUD",
      recipients: [{ name: UNIVERSITY }],
      payFromCountryCode: "BR",
      payFromCountryLocked: false,
      isSingleUse: true,
    });
  });

  test("is nothing for an unknown, a draft's and a malformed token, with the same answer to each", async () => {
    const draft = await create(client, priceLinkBody());
    const tokens = [draft.publicLinkId ?? "", "x", "A".repeat(32), "A".repeat(500), "%2e%2e%2f", "LINK%23x"];
    const answers = await Promise.all(
      tokens.flatMap((token) => {
        const stranger = payerOf(client, token);
        const session = { payerDetails: newPayerDetails(), quoteId: "q", selectedQuoteVariantId: 1 };
        return [
          stranger.call("GET", ""),
          stranger.askQuote(),
          stranger.askUpload(),
          stranger.askSession(session),
          stranger.askStatus(),
        ];
      }),
    );
    const bodies = answers.map(({ status, body: { timestamp, ...body } }) => ({ status, body }));
    const [first] = bodies;
    expect(first).toEqual({
      status: 404,
      body: {
        statusCode: 404,
        code: "[LNK0001]",
        message: expect.stringMatching(/^\[LNK0001\] No such payment link\. Check/),
        details: {},
      },
    });
    for (const one of bodies) expect(one).toEqual(first);
  });
});

describe("a quote for a link", () => {
  test("splits a total to the last minor unit, and shows what the school gets of it", async () => {
    const { payer } = await publishLink(client, {}, shareLinkBody());
    for (const amount of ["1000.01", 1000.01]) {
      const quote = await payer.quote({ amount });
      expect(quote).toMatchObject({ amount: 900.01, currency: "AUD" });
      expect(quote.payouts).toMatchObject([{ name: UNIVERSITY, payeeAmount: 900.01 }]);
      const [{ fromAmount, feesAndCharges }] = quote.variants;
      expect((quote.payouts[0]?.payerAmount ?? 0) + feesAndCharges).toBeCloseTo(fromAmount, 6);
    }
  });

  test("shows the ways to pay, and neither margins nor the ids of payees", async () => {
    const { payer } = await publishLink(client);
    const quote = await payer.quote();
    expect(Object.keys(quote).toSorted()).toEqual([
      "amount",
      "currency",
      "expiresOn",
      "payouts",
      "quoteId",
      "variants",
    ]);
    expect(quote.payouts).toEqual([
      { name: UNIVERSITY, payeeAmount: 99, payerAmount: expect.any(Number), fromCurrency: "BRL", toCurrency: "AUD" },
    ]);
    const fields = ["feesAndCharges", "fromAmount", "fromCurrency", "fxRate", "id", "isWithinLimits", "maxAmount"];
    for (const variant of quote.variants) {
      const named = [...fields, "meta", "minAmount", "settlementChannel", "settlementMethod", "toCurrency"];
      expect(Object.keys(variant).toSorted()).toEqual(named);
    }
    expect(quote.variants.map(({ settlementMethod }) => settlementMethod)).toContain("card");
  });
});

describe("a payer", () => {
  test("pays a shared link by bank transfer, with a document; the tenant finds it among the link's payments", async () => {
    const body = { ...shareLinkBody(), name: "Fees" };
    const { id, payer } = await publishLink(client, { reference: "Fees 2027" }, body);
    const documentId = await payer.upload();
    const session = await payer.sessionBody({ amount: "1000.01" });
    const opened = await payer.open({ ...session, documentIds: [documentId] });
    expect(opened).toMatchObject({
      status: "executing",
      nextAction: { type: "bank_transfer", currency: "BRL", reference: expect.stringMatching(/^\d+$/) },
    });
    expect(opened.nextAction["transactionBankDetails"]).toHaveProperty("accountNumber");
    await payer.waitForPayment(opened.paymentIntentId, "completed");

    const { children, total } = await childrenOf(client, id);
    expect(total).toBe(1);
    expect(children).toMatchObject([
      {
        _id: opened.paymentIntentId,
        status: "completed",
        deliveryMode: "payment_link_submission",
        amountMode: "free_entry_with_portions",
        createdFrom: { paymentIntentId: id },
        payer: { role: "unknown_link_payer", details: session.payerDetails },
        recipients: [
          { role: "education_provider", amount: { payeeAmount: "900.01", currency: "AUD" }, reference: "Fees 2027" },
          { role: "tenant", amount: { payeeAmount: "100.00", currency: "AUD" }, reference: "Fees 2027" },
        ],
        lastConnectorPaymentId: Number(opened.nextAction["reference"]),
        lastExecutionConnector: "sandbox",
        payerChoice: { documentIds: [documentId] },
      },
    ]);
    expect(await client.getIntent(id)).toMatchObject({ status: "pending_link_payment", name: "Fees" });
    expect(await railPayments(client, opened.paymentIntentId)).toHaveLength(1);
    const again = await payer.askSession({
      ...(await payer.sessionBody({ amount: "5.00" })),
      documentIds: [documentId],
    });
    expect(again.body.details).toMatchObject({ missingRequirements: ["documentIds.0"] });

    const { paymentIntentId: other } = await payer.open(await payer.sessionBody({ amount: "20" }));
    const idsBy = async (...statuses: string[]) => {
      const ofLink = `filter[createdFrom.paymentIntentId]=${id}`;
      const filter = [ofLink, ...statuses.map((status) => `filter[status][$in][]=${status}`)].join("&");
      type Found = Readonly<{ paymentIntents: readonly Readonly<{ id: string }>[] }>;
      const found = await client.must<Found>("GET", `/v2/payment-intents?${filter}`);
      return found.paymentIntents.map((child) => child.id);
    };
    expect(await idsBy("completed")).toContain(opened.paymentIntentId);
    expect(await idsBy("cancelled", "failed")).toEqual([]);
    expect(await idsBy("completed", "executing")).toEqual([other, opened.paymentIntentId]);
  });

  test("pays a partner's invoice by card, and is led back to the link's page", async () => {
    const { payer, token } = await publishLink(client, {}, priceLinkBody("generic_service_invoice"));
    const opened = await payer.open(await payer.sessionBody({ method: "card" }));
    expect(opened.nextAction).toEqual({ type: "redirect", url: opened.checkoutUrl });
    expect(await (await fetch(opened.checkoutUrl ?? "")).text()).not.toContain("Back to");
    const page = await finishCheckout(opened.checkoutUrl ?? "", "pay");
    expect(page).toContain(`href="https://pay.example/pay/plink_${token}?payment=${opened.paymentIntentId}"`);
    await payer.waitForPayment(opened.paymentIntentId, "completed");
  });

  test("declining a checkout ends the payment as failed, and leads back to the page too", async () => {
    const { payer } = await publishLink(client);
    const opened = await payer.open(await payer.sessionBody({ method: "card" }));
    expect(await finishCheckout(opened.checkoutUrl ?? "", "decline")).toContain("https://pay.example/pay/plink_");
    await payer.waitForPayment(opened.paymentIntentId, "failed");
  });

  test("sees the payment's status, without bank details and personal data", async () => {
    const { payer } = await publishLink(client);
    const opened = await payer.open(await payer.sessionBody());
    const { body } = await payer.askStatus(opened.paymentIntentId);
    expect(body).toEqual({
      data: {
        status: "open",
        paymentIntentId: opened.paymentIntentId,
        paymentStatus: expect.stringMatching(/^(executing|completed)$/),
        paymentMethod: "bank_transfer",
        money: expect.stringMatching(/^(owed|delivered)$/),
      },
    });
    expect((await payer.askStatus()).body).toEqual({ data: { status: "open" } });
  });
});

describe.each(["education_provider_tuition", "generic_service_invoice", "owed_commission_invoice"])(
  "an open-amount link for one payee, for %s",
  (useCase) => {
    test("is paid with the amount that its payer enters, all of it to the one payee", async () => {
      const { id, payer } = await publishLink(client, { reference: "Deposit" }, openLinkBody(useCase));
      expect(await payer.details()).toMatchObject({ amountType: "open", recipients: [{ name: UNIVERSITY }] });
      const opened = await payer.open(await payer.sessionBody({ amount: "250.50" }));
      await payer.waitForPayment(opened.paymentIntentId, "completed");
      expect((await childrenOf(client, id)).children).toMatchObject([
        { recipients: [{ amount: { payeeAmount: "250.50", currency: "AUD" }, reference: "Deposit" }] },
      ]);
    });

    test("takes one recipient, with the whole of it, and says so before it is published", async () => {
      const body = openLinkBody(useCase);
      const [payee] = body.recipients;
      const half = { ...payee, amount: { portionBps: 5_000, currency: "AUD" } };
      const two = { ...body, recipients: [half, half] };
      const { rule, limits, requirements } = await dryRun(client, (await create(client, two)).id);
      expect([rule.missingRequirements, limits]).toEqual([["recipients.maxRecipients"], { maxRecipients: 1 }]);
      expect(requirements[0]?.reason).toBe("This scenario takes at most 1");
      expect((await refusedFor(client, two)).missing).toEqual(["recipients.maxRecipients"]);
      const less = withRecipient(body, 0, {}, { portionBps: 100 });
      expect(await missingIn(client, less)).toEqual(["recipients.portionBpsSum"]);
    });
  },
);

test("the fields that a link ignores are accepted, and named", async () => {
  const manualPayment = { countryCode: "BR", purpose: "other" };
  const beside = { ...priceLinkBody(), subject: { role: "student" }, instructions: { manualPayment } };
  const body = withRecipient(beside, 0, {}, { payerAmount: "99999.00" });
  const { rule, controls } = await dryRun(client, (await create(client, body)).id);
  expect(rule.missingRequirements).toEqual([]);
  expect(controls["ignored"]).toEqual(["subject", "instructions.manualPayment", "recipients.0.amount.payerAmount"]);
});

describe("a link whose recipients are paid in another currency", () => {
  test("lacks a requirement that names the recipient, before it is published", async () => {
    const [recipient] = priceLinkBody().recipients;
    const canadian = { ...recipient, connectorPayeeId: 5002 };
    expect(await missingIn(client, { ...priceLinkBody(), recipients: [recipient, canadian] })).toEqual([
      "recipients.1.amount.currency",
    ]);
    // Only the tenant's part may be in the link's currency although the tenant's own is another one: rupees here.
    const [school, tenant] = shareLinkBody().recipients;
    const split = { ...shareLinkBody(), recipients: [school, { ...tenant, connectorPayeeId: 1002 }] };
    const indian = openClient(service.url, BASIC);
    expect(await missingIn(indian, split)).toEqual([]);
    const { payer } = await publishLink(indian, {}, split);
    const opened = await payer.open(await payer.sessionBody({ amount: "50.00" }));
    await payer.waitForPayment(opened.paymentIntentId, "completed");
  });
});
