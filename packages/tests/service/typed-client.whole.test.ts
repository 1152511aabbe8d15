import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { routes } from "../../client/src/api/routes.ts";
import { type Client, openClient } from "../../client/src/client.ts";
import { ApiError, ConnectionError } from "../../client/src/errors.ts";
import type { PaymentIntentInput } from "../../client/src/schemas/payment-intents-requests.ts";
import type { Attempt } from "../../client/src/sending.ts";
import { pdf, studentBody } from "./client.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { eventually, openHeldService, openService } from "./service-fixture.ts";

const { service } = await openService();
const apiKey = "demo:demo-secret";
const called: Attempt[] = [];
const client = openClient({ baseUrl: service.url, apiKey, debug: (attempt) => called.push(attempt) });
const quickly = { intervalMs: 100 };

const folder = mkdtempSync(join(tmpdir(), "client-"));
afterAll(() => rmSync(folder, { recursive: true }));
const passport = join(folder, "passport.pdf");
writeFileSync(passport, pdf());

/** A tuition payment, complete. */
async function tuition(by: Client = client, method = "dmt"): Promise<PaymentIntentInput> {
  const [quote, { documentId }] = await Promise.all([
    by.quotes.create({ payouts: [{ payeeId: 5001, amount: 1500 }], countryCode: "BR", paymentType: "provider" }),
    by.documents.upload({ file: new Blob([pdf()]) }),
  ]);
  return {
    useCase: "education_provider_tuition",
    deliveryMode: "manual",
    amountMode: "payer_fixed",
    payer: { role: "student", details: studentBody() },
    recipients: quote.payouts.map(({ payeeId, payerAmount }) => ({
      role: "education_provider",
      connectorPayeeId: payeeId,
      amount: { payerAmount: payerAmount.toFixed(2) },
    })),
    instructions: {
      manualPayment: {
        quoteId: quote.quoteId,
        selectedQuoteVariantId: quote.variants.find(({ settlementMethod }) => settlementMethod === method)!.id,
        purpose: "undergraduate",
        countryCode: "BR",
        payerIdentityDocumentId: documentId,
      },
    },
    termsAccepted: true,
  };
}
const newDraft = async (by: Client = client) => by.paymentIntents.create(await tuition(by));

const refused = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (reason: unknown) => reason,
  );

describe("each kind of resource", () => {
  test("students and payers, with their documents", async () => {
    const source = { type: "identity", fileName: "passport.pdf", contentType: "application/pdf" } as const;
    for (const parties of [client.students, client.payers]) {
      const email = studentBody().email;
      const party = await (parties === client.students
        ? client.students.create({ ...studentBody(), email })
        : client.payers.create({ payerType: "individual", email }));
      expect(await parties.get(party._id)).toMatchObject({ email });
      const { documentId } = await client.documents.upload({ file: passport });
      const saved = await parties.saveDocument(party._id, { ...source, sourceDocumentId: documentId });
      expect((await parties.listDocuments(party._id)).documents).toEqual([saved]);
      const minted = await parties.useDocument(party._id, saved.legacyDocumentId);
      expect(minted.documentId).not.toBe(documentId);
      const content = await parties.getDocumentContent(party._id, saved.legacyDocumentId);
      expect([content.name, content.type, content.size]).toEqual(["passport.pdf", "application/pdf", 400]);
      await parties.deleteDocument(party._id, saved.legacyDocumentId);
      for await (const read of client.documentReads.list({ ownerId: party._id }))
        expect(read).toMatchObject({ documentId: saved.legacyDocumentId, by: "tenant", clientId: "demo" });
      const found = [];
      const filter = { email };
      const list = parties === client.students ? client.students.list({ filter }) : client.payers.list({ filter });
      for await (const { _id } of list) found.push(_id);
      expect(found).toEqual([party._id]);
      await parties.delete(party._id);
    }
  });

  test("a change is refused if the record is not as it was read", async () => {
    const { _id } = await client.students.create(studentBody());
    const payer = await client.payers.create({ payerType: "individual", email: studentBody().email });
    await client.payers.update(payer._id, { address: { city: "Recife" } });
    const { etag: ifMatch = "" } = client.responseOf(await client.students.get(_id)) ?? {};
    expect(await client.students.update(_id, { phone: "+5511987654321" }, { ifMatch })).toMatchObject({ _id });
    const error = await refused(client.students.update(_id, { phone: null }, { ifMatch }));
    expect(error).toMatchObject({ code: "[GEN9012]", retrySafe: false });
  });

  test("payees, the caller, rates, quotes and lookups", async () => {
    const payee = await client.payees.create({ name: "Harbour Ltd", countryCode: "GB", currencyCode: "GBP" });
    expect(await client.payees.get(payee.id)).toEqual(payee);
    const { value: page } = await client.payees.list({ limit: 1 }).pages().next();
    expect(page).toMatchObject({ items: [{ id: payee.id }], count: 1 });
    expect((await client.users.getMe()).paymentAccess.tenantId).toBe(1001);
    const corridor = { fromCountryCode: "BRA", toCountryCode: "AUS", paymentType: "provider" } as const;
    const asked = { fromCurrency: "BRL", toCurrency: "AUD", amount: 1000, ...corridor } as const;
    expect((await client.fxRate.find(asked)).rate).toBeGreaterThan(0);
    const payouts = [{ payeeId: 5001, amount: 1500 }];
    const quote = await client.quotes.create({ payouts, countryCode: "BR", paymentType: "provider" });
    expect(await client.quotes.get(quote.quoteId)).toEqual(quote);
    expect((await client.lookup.listCountries({ limit: 2 })).countries).toHaveLength(2);
    expect((await client.lookup.listPaymentMethods(5001)).paymentMethods).not.toEqual([]);
    expect((await client.lookup.listPurposes("provider")).purposes).not.toEqual([]);
    expect((await client.lookup.listPayerTypes("provider")).payerTypes).not.toEqual([]);
  });

  test("a payment, from what it needs to its end, and what was earned by it", async () => {
    const intent = await tuition();
    const { useCase, amountMode, payer } = intent;
    const scenario = { useCase, deliveryMode: "manual", amountMode, payer: { role: payer.role } } as const;
    expect((await client.paymentIntents.previewRequirements(scenario)).rule.status).toBe("enabled");
    const draft = await client.paymentIntents.create(intent);
    const noted = await client.paymentIntents.update(draft.id, { metadata: { costCentre: "4711" } });
    expect(noted).toMatchObject({ id: draft.id, metadata: { costCentre: "4711" } });
    const { preview } = await client.paymentIntents.dryRun(draft.id);
    expect(await client.paymentIntents.compile(draft.id)).toMatchObject({ preview, executionPlan: { legs: [{}] } });
    const submitted = await client.paymentIntents.submit(draft.id, { previewHash: preview?.hash ?? "" });
    expect(submitted.connectorPayment?.transactionBankDetails.accountNumber).toBeTypeOf("string");
    const paid = await client.paymentIntents.waitUntilFinal(draft.id, quickly);
    expect(paid.status).toBe("completed");
    // Events are told some seconds after they happened: those of this payment may not be there yet.
    for await (const { resource } of client.events.list({ type: "leg" })) expect(resource.type).toBe("leg");
    const happened = [];
    for await (const { events } of client.paymentIntents.getTimeline(draft.id, { limit: 2 }))
      happened.push(...events.map(({ type }) => type));
    expect([happened[0], happened.at(-1)]).toEqual(["paymentIntent.created", "paymentIntent.completed"]);
    const listed = client.paymentIntents.list({ filter: { status: "completed" }, projection: "status" });
    for await (const item of listed) expect(Object.keys(item).toSorted()).toEqual(["_id", "id", "status"]);

    const [paymentId = 0] = paid.executions[0]?.connectorPaymentIds ?? [];
    const { payments } = await client.sandbox.listPayments({ executionId: paid.executions[0]?.executionId ?? "" });
    expect(payments).toMatchObject([{ connectorPaymentId: paymentId, status: "settled" }]);
    const earned = await eventually(async () => {
      const { items } = await client.commissions.getOutstanding();
      const [found] = items.filter((item) => item.paymentId === paymentId);
      expect(found).toBeDefined();
      return found!;
    });
    const request = await client.commissions.createRequest({
      paymentIds: [paymentId],
      commissionTotalAmount: earned.commissionAmount,
      invoice: { name: "invoice.pdf", content: pdf() },
    });
    await client.commissions.replaceInvoice(request.requestId, { invoice: passport });
    expect((await client.commissions.getInvoice(request.requestId)).size).toBe(400);
    expect(await client.commissions.getRequest(request.requestId)).toMatchObject({ status: "submitted" });
    for await (const { requestId } of client.commissions.listRequests()) expect(requestId).toBe(request.requestId);
    for await (const item of client.commissions.list({ sort: "-paymentDate" })) expect(item.paymentId).toBe(paymentId);
    const month = earned.paymentDate.slice(0, 7);
    expect(await (await client.commissions.export({ reportPeriod: month })).text()).toContain(String(paymentId));
    const error = await refused(client.commissions.getProof(request.requestId));
    expect(error instanceof ApiError && error.is("[COM0001]") && error.details.status).toBe("submitted");
  });

  test("a webhook endpoint, from its making to its end", async () => {
    const endpoints = client.webhookEndpoints;
    const { id, secret } = await endpoints.create({ url: "http://127.0.0.1:9/", types: ["webhookEndpoint"] });
    expect((await endpoints.rotateWebhookSecret(id)).secret).not.toBe(secret);
    await endpoints.test(id);
    for await (const { status } of endpoints.listDeliveries(id)) expect(status).toBe("none");
    await expect(endpoints.redeliverDelivery(id, "none")).rejects.toThrow("answered with 404");
    const from = new Date().toISOString();
    expect(await endpoints.replay(id, { from })).toMatchObject({ from });
    await endpoints.update(id, { description: "none", from: "now" });
    expect(await endpoints.get(id)).toEqual((await endpoints.list()).items[0]);
    await endpoints.delete(id);
  });

  test("a link, and its release", async () => {
    const link = await client.paymentIntents.create({
      useCase: "education_provider_tuition",
      deliveryMode: "reusable_payment_link",
      amountMode: "fixed_payee_amounts",
      payer: { role: "unknown_link_payer" },
      recipients: [
        { role: "public_payee", connectorPayeeId: 5001, amount: { payeeAmount: "4250.00", currency: "AUD" } },
      ],
      instructions: { paymentLink: { reference: "Semester 1, 2027", isSingleUse: true } },
      termsAccepted: true,
    });
    const { executions, status } = await client.paymentIntents.submit(link.id);
    expect([status, executions[0]?.paymentLinkUrl]).toEqual(["pending_link_payment", expect.stringContaining("/pay/")]);
    expect((await client.paymentIntents.releasePaymentLink(link.id)).id).toBe(link.id);
    expect((await client.sandbox.expireHold(link.publicLinkId ?? "")).id).toBe(link.id);
    expect(await refused(client.paymentIntents.waitUntilFinal(link.id))).toMatchObject({ name: "NotFinalError" });
  });

  test("what a tester makes happen in a sandbox", async () => {
    expect((await client.sandbox.listScenarios()).references).not.toEqual([]);
    // Nothing becomes of a checkout by itself.
    const newCheckout = async () => client.paymentIntents.create(await tuition(client, "card"));
    const drafts = await Promise.all([newCheckout(), newCheckout()]);
    const paymentIds = await Promise.all(
      drafts.map(async ({ id }) => {
        const { executions } = await client.paymentIntents.submit(id);
        const [paymentId = 0] = executions[0]?.connectorPaymentIds ?? [];
        await client.sandbox.delayPayment(paymentId, { seconds: 86_400 });
        return paymentId;
      }),
    );
    const [failing = 0, settling = 0] = paymentIds;
    expect((await client.sandbox.receivePayment(settling)).payments).toHaveLength(1);
    await client.sandbox.failPayment(failing);
    await client.sandbox.settlePayment(settling, { order: 0 });
    const ended = drafts.map(({ id }) => client.paymentIntents.waitUntilFinal(id, quickly));
    expect((await Promise.all(ended)).map(({ status }) => status)).toEqual(["failed", "completed"]);
    const { payments } = await client.sandbox.returnPayment(settling);
    expect(payments).toMatchObject([{ legs: [{ outcome: "failed" }] }]);
    expect(await refused(client.sandbox.settlePayment(failing))).toMatchObject({ code: "[PAY0006]" });
    const { quoteId } = await client.quotes.create({
      ...{ payouts: [{ payeeId: 5001, amount: 1500 }], countryCode: "BR", paymentType: "provider" },
    });
    expect(Date.parse((await client.sandbox.expireQuote(quoteId)).expiresOn)).toBeLessThanOrEqual(Date.now());
    const { id } = await newDraft();
    await client.sandbox.expireDraft(id);
    expect(await client.paymentIntents.waitUntilFinal(id, quickly)).toMatchObject({ status: "cancelled" });
  });

  test("has no method that the tests above did not call", () => {
    const toPattern = (on: string) => new RegExp(`^${on.replaceAll(/\{\w+\}/g, "[^/]+")}(\\?|$)`);
    const asked = called.map(({ method, path }) => `${method} ${path}`);
    const rows = Object.values(routes).flatMap((methods) => Object.values<{ on: string }>(methods));
    expect(rows.filter(({ on }) => !asked.some((one) => toPattern(on).test(one)))).toEqual([]);
  });
});

describe("errors", () => {
  test("name what is wrong, with the details of their code", async () => {
    const shape = await refused(client.students.create({ firstName: "Ana", lastName: "", email: "nobody" }));
    if (!(shape instanceof ApiError && shape.is(400))) throw shape;
    expect(shape.details.errors?.map(({ path }) => path)).toEqual(["lastName", "email"]);
    const draft = await client.paymentIntents.create({ ...(await tuition()), recipients: [] });
    const incomplete = await refused(client.paymentIntents.submit(draft.id));
    if (!(incomplete instanceof ApiError && incomplete.is("[GEN9002]"))) throw incomplete;
    expect(incomplete.details.missingRequirements).not.toEqual([]);
    expect(incomplete).toMatchObject({ status: 400, retrySafe: false, requestId: expect.any(String) });
    expect(await refused(openClient({ baseUrl: service.url, apiKey: "demo:other" }).users.getMe())).toMatchObject({
      ...{ status: 401, code: "[GEN9001]", retrySafe: false },
    });
  });
});

describe("an upload", () => {
  test.each([
    ["a path", () => passport],
    ["a Blob", () => new Blob([pdf()], { type: "application/pdf" })],
    ["a stream", () => ({ name: "passport.pdf", content: createReadStream(passport) })],
  ])("from %s arrives whole", async (_, open) => {
    expect(await client.documents.upload({ file: open() })).toMatchObject({
      contentType: "application/pdf",
      sizeBytes: 400,
    });
  });
});

describe("between client and service", () => {
  test("a lost answer of a submit is asked for again by the same key, and one payment is made", async () => {
    let answers = 0;
    const proxy = await startCuttingProxy(service.url, ({ url = "" }) =>
      url.endsWith("/submit") && ++answers <= 2 ? "is lost" : "passes",
    );
    const tries: Attempt[] = [];
    const cut = openClient({ baseUrl: proxy.url, apiKey, debug: (attempt) => tries.push(attempt) });
    const draft = await newDraft(cut);
    const { executions } = await cut.paymentIntents.submit(draft.id);
    proxy.stop();
    const submits = tries.filter(({ path }) => path.endsWith("/submit"));
    expect(submits.map(({ status }) => status)).toEqual([undefined, undefined, 200]);
    expect(new Set(submits.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(executions).toHaveLength(1);
    const { payments } = await client.sandbox.listPayments({ limit: 1000 });
    expect(payments.filter(({ paymentIntentId }) => paymentIntentId === draft.id)).toHaveLength(1);
  });

  test("a lost answer of a create is no reason to make another record", async () => {
    const proxy = await startCuttingProxy(service.url, () => "is lost");
    const student = studentBody();
    const error = await refused(openClient({ baseUrl: proxy.url, apiKey }).students.create(student));
    proxy.stop();
    expect(error instanceof ConnectionError && error.retrySafe).toBe(false);
    const { value: page } = await client.students
      .list({ filter: { email: student.email } })
      .pages()
      .next();
    expect(page).toMatchObject({ total: 1 });
  });

  test("a call that is given up ends at once, with the signal's reason", async () => {
    const proxy = await startCuttingProxy(service.url, () => "is kept");
    const reason = new Error("the visitor left");
    const controller = new AbortController();
    const { signal } = controller;
    const call = refused(openClient({ baseUrl: proxy.url, apiKey }).paymentIntents.list({}, { signal }).pages().next());
    setTimeout(() => controller.abort(reason), 50);
    expect(await call).toBe(reason);
    proxy.stop();
  });
});

test("who asks too often waits as long as the service says, and gets every answer", async () => {
  const { service: limited } = await openHeldService({ RATE_LIMIT_PER_SECOND: "5", RATE_LIMIT_BUDGET_MS: "60000" });
  const tries: Attempt[] = [];
  const eager = openClient({ baseUrl: limited.url, apiKey, debug: (attempt) => tries.push(attempt) });
  let isAnswered = false;
  const answering = Promise.all(Array.from({ length: 12 }, () => eager.users.getMe())).finally(() => {
    isAnswered = true;
  });
  // All twelve are counted in one second, which stands still.
  await expect.poll(() => tries.length).toBe(12);
  const refusals = tries.filter(({ status }) => status === 429);
  expect(refusals).toHaveLength(7);
  for (const { retryInMs } of refusals) expect(retryInMs).toBeGreaterThanOrEqual(1000);
  await expect.poll(async () => isAnswered || (await limited.moveClock(1_000)) === 0).toBe(true);
  expect(new Set((await answering).map(({ clientId }) => clientId))).toEqual(new Set(["demo"]));
});
