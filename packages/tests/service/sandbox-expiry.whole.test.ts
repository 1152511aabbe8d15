import { describe, expect, test } from "vitest";
import { BASIC, type Client, type Data, type ErrorBody, noRateLimit, openClient, type Reply } from "./client.ts";
import { newPayerDetails, publishLink } from "./links.ts";
import { expectEnvelope } from "./refusals.ts";
import { eventually, openService } from "./service-fixture.ts";
import { create, newDraft, tuition } from "./tuition.ts";

// No rail is asked and nothing expires by itself for as long as these tests run.
const { client, service } = await openService({
  ...noRateLimit,
  SANDBOX_SETTLE_SECONDS: "3600",
  POLL_INTERVAL_SECONDS: "3600",
});
const other = openClient(service.url, BASIC);

const expire = <Body = ErrorBody>(path: string, by: Client = client): Promise<Reply<Body>> =>
  by.call<Body>("POST", `/sandbox/${path}`);

describe("a quote", () => {
  type Quote = Data<{ quoteId: string; expiresOn: string }>;

  test("expires now, once, and a submit with it is refused", async () => {
    const { body, quote } = await tuition(client);
    const { id } = await create(client, body);
    const first = await expire<Quote>(`quotes/${quote.quoteId}/expire`);
    expect(first.status).toBe(200);
    expect(Date.parse(first.body.data.expiresOn)).toBeLessThanOrEqual(Date.now());
    expect((await expire<Quote>(`quotes/${quote.quoteId}/expire`)).body).toEqual(first.body);
    expect(await client.must("GET", `/v2/quotes/${quote.quoteId}`)).toEqual(first.body.data);
    expectEnvelope(await client.submit<ErrorBody>(id), 422, "[QOT0001]");
    expect((await client.getIntent(id)).status).toBe("draft");
  });

  test("that does not exist, or is another tenant's, is not found, and stays as it is", async () => {
    const quote = await client.newQuote();
    expectEnvelope(await expire("quotes/unknown/expire"), 404, "[QOT0002]");
    expectEnvelope(await expire(`quotes/${quote.quoteId}/expire`, other), 404, "[QOT0002]");
    expect(await client.must("GET", `/v2/quotes/${quote.quoteId}`)).toMatchObject({ expiresOn: quote.expiresOn });
  });
});

describe("a quote on a link", () => {
  const expireOn = (quoteId: string, token: string, by?: Client) =>
    expire(`quotes/${quoteId}/expire?token=${token}`, by);

  test("expires now, once: its payer is refused, asks for another, and pays", async () => {
    const { token, payer } = await publishLink(client);
    const body = await payer.sessionBody();
    for (let repetition = 0; repetition < 2; repetition++) {
      const { status, body: quote } = await expire<Data<{ quoteId: string; expiresOn: string }>>(
        `quotes/${body.quoteId}/expire?token=${token}`,
      );
      expect([status, quote.data.quoteId]).toEqual([200, body.quoteId]);
      expect(Date.parse(quote.data.expiresOn)).toBeLessThanOrEqual(Date.now());
    }
    expectEnvelope(await payer.askSession(body), 422, "[QOT0001]");
    const { paymentIntentId } = await payer.open(await payer.sessionBody());
    expect((await client.getIntent(paymentIntentId)).status).toBe("executing");
  });

  test("is not found on another link, without its link, or by another tenant, and stays as it is", async () => {
    const [{ token, payer }, another] = [await publishLink(client), await publishLink(client)];
    const body = await payer.sessionBody();
    expectEnvelope(await expire(`quotes/${body.quoteId}/expire`), 404, "[QOT0002]");
    expectEnvelope(await expireOn(body.quoteId, another.token), 404, "[QOT0002]");
    expectEnvelope(await expireOn(body.quoteId, token, other), 404, "[LNK0001]");
    expectEnvelope(await expireOn(body.quoteId, "unknown"), 404, "[LNK0001]");
    const refused = await expire<{ message: string[] }>(`quotes/${body.quoteId}/expire?link=${token}`);
    expect([refused.status, refused.body.message.join()]).toEqual([400, expect.stringContaining("link")]);
    expect((await payer.open(body)).paymentIntentId).toBeTruthy();
  });
});

describe("a draft", () => {
  test("expires now, once, by the schedule, and is not submitted any more", async () => {
    const { id } = await newDraft(client);
    expect((await expire(`payment-intents/${id}/expire`)).status).toBe(200);
    const cancelled = await client.waitForStatus(id, "cancelled");
    expect(cancelled["statusHistory"]).toMatchObject([{ status: "draft" }, { status: "cancelled", by: "schedule" }]);
    const again = await expire<Data<object>>(`payment-intents/${id}/expire`);
    expect([again.status, again.body.data]).toMatchObject([200, { id, status: "cancelled" }]);
    expectEnvelope(await client.submit<ErrorBody>(id), 409, "[GEN9009]");
  });

  test("that was submitted does not expire", async () => {
    const { id } = await newDraft(client);
    expect((await client.submit(id)).status).toBe(200);
    const refused = await expire(`payment-intents/${id}/expire`);
    expectEnvelope(refused, 409, "[GEN9009]");
    expect(refused.body.details).toEqual({ status: "executing" });
  });

  test("that does not exist, or is another tenant's, is not found, and stays as it is", async () => {
    const { id } = await newDraft(client);
    for (const [named, by] of [
      ["unknown", client],
      [id, other],
    ] as const)
      expectEnvelope(await expire(`payment-intents/${named}/expire`, by), 404, "[GEN9003]");
    expect((await client.getIntent(id)).status).toBe("draft");
  });
});

describe("the hold of a single-use link", () => {
  test("ends now: the payment that held it is called off, and somebody else pays", async () => {
    const { id, token, payer } = await publishLink(client, { isSingleUse: true });
    const first = await payer.open(await payer.sessionBody({ method: "card" }));
    const second = await payer.sessionBody({ method: "card" });
    expectEnvelope(await payer.askSession(second), 409, "[LNK0003]");
    const { status, body } = await expire<Data<{ hold?: { paymentIntentId: string; until: string } }>>(
      `payment-links/${token}/expire-hold`,
    );
    expect([status, body.data]).toMatchObject([200, { id, hold: { paymentIntentId: first.paymentIntentId } }]);
    expect(Date.parse(body.data.hold?.until ?? "")).toBeLessThanOrEqual(Date.now());
    await payer.waitForPayment(first.paymentIntentId, "cancelled");
    const { paymentIntentId } = await eventually(async () => payer.open(second));
    expect((await client.getIntent(paymentIntentId)).status).toBe("executing");
  });

  test("that a paid payment has ends with the link closed, and is refused then", async () => {
    const { token, payer } = await publishLink(client, { isSingleUse: true });
    const { paymentIntentId } = await payer.open(await payer.sessionBody({ method: "card" }));
    const { executions } = await client.getIntent(paymentIntentId);
    const settled = `payments/${executions[0]?.connectorPaymentIds[0]}/settle`;
    expect((await expire(settled)).status).toBe(200);
    await payer.waitForPayment(paymentIntentId, "completed");
    expectEnvelope(await expire(`payment-links/${token}/expire-hold`), 410, "[LNK0002]");
  });

  test("that nobody has leaves the link open", async () => {
    const { token, payer } = await publishLink(client, { isSingleUse: true });
    expect((await expire(`payment-links/${token}/expire-hold`)).status).toBe(200);
    expect(await payer.details()).toMatchObject({ status: "open" });
  });

  test("is not found on an unknown, a draft's and another tenant's link", async () => {
    const { token, payer } = await publishLink(client, { isSingleUse: true });
    const { paymentIntentId } = await payer.open(await payer.sessionBody({ method: "card" }));
    const draft = await create(client, { ...linkDraft, instructions: { paymentLink: { isSingleUse: true } } });
    for (const [named, by] of [
      ["unknown", client],
      [draft.publicLinkId ?? "", client],
      [token, other],
    ] as const)
      expectEnvelope(await expire(`payment-links/${named}/expire-hold`, by), 404, "[LNK0001]");
    expect((await client.getIntent(paymentIntentId)).status).toBe("executing");
    expectEnvelope(
      await payer.askSession({ ...(await payer.sessionBody()), payerDetails: newPayerDetails() }),
      409,
      "[LNK0003]",
    );
  });
});

const linkDraft = {
  useCase: "education_provider_tuition",
  deliveryMode: "reusable_payment_link",
  amountMode: "fixed_payee_amounts",
  payer: { role: "unknown_link_payer" },
  recipients: [{ role: "public_payee", connectorPayeeId: 5001, amount: { payeeAmount: "99.00", currency: "AUD" } }],
  termsAccepted: true,
};
