import type { Route } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { describe, expect, test } from "vitest";
import { bodyOf, formOf, newBelongings, pathOf } from "./belongings.ts";
import type { Options } from "./client.ts";
import { newCommissionRequests } from "./commissions.ts";
import { expectEnvelope } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

/** Tenant A owns everything; tenant B asks for it. */
const { client: a, basic: b } = await openService();
const [ofA, earnedByB] = await Promise.all([newBelongings(a), newCommissionRequests(b)]);

/** The routes of reference data, which all tenants share. */
const shared = ["GET /v2/lookup/purposes/{type}", "GET /v2/lookup/payer-types/{type}"];
const owning = Object.values(routes).filter(
  ({ on, auth }) => auth === "key" && on.includes("{") && !shared.includes(on),
);
// The feed of events lags behind the lists: events.test.ts.
const listing = Object.values(routes).filter(
  ({ answers, auth }) => auth === "key" && "list" in answers && answers.feed !== true,
);

const sentTo = (route: Route): Options =>
  route.form === "multipart" ? { form: formOf(route, ofA) } : { body: bodyOf(route, ofA) };

describe("another tenant's id", () => {
  test.each(owning)("is 404 on $on", async (route) => {
    const reply = await b.call(route.on.split(" ")[0] ?? "", pathOf(route, ofA), sentTo(route));
    const known = { quotes: "[QOT0002]", "{token}": "[LNK0001]" };
    const [, code] = Object.entries(known).find(([part]) => route.on.includes(part)) ?? [];
    expectEnvelope(reply, 404, code ?? "[GEN9003]");
  });

  test("has not been changed by any of these calls", async () => {
    expect(await a.must("GET", `/v2/students/${ofA.student._id}`)).toEqual(ofA.student);
    expect(await a.must("GET", `/v2/payers/${ofA.payer._id}`)).toEqual(ofA.payer);
    expect(await a.getIntent(ofA.intent.id)).toEqual(ofA.intent);
    expect((await a.getIntent(ofA.expiring.draftId)).status).toBe("draft");
    const { documents } = await a.must<{ documents: object[] }>("GET", `/v2/students/${ofA.student._id}/documents`);
    expect(documents).toEqual([ofA.studentDocument]);
    for (const [kind, { id, saved }] of Object.entries(ofA.doomed)) {
      expect(await a.must("GET", `/v2/${kind}/${id}`)).toMatchObject({ _id: id });
      const left = await a.must("GET", `/v2/${kind}/${saved.id}/documents`);
      expect(left).toMatchObject({ documents: [{ legacyDocumentId: saved.legacyDocumentId }] });
    }
  });
});

describe("lists", () => {
  test.each(listing)("$on shows a tenant its own records, and none of another's", async (route) => {
    const path = route.on.slice("GET ".length);
    const draft = b.must<{ id: string }>("POST", "/v2/payment-intents", {
      body: routes["createPaymentIntent"]?.example,
    });
    const created = await Promise.all([b.newStudent(), b.newPayer(), b.newPayee(), draft]);
    const ownOfB = [...created, earnedByB.commission, { id: earnedByB.submitted }];
    type Page = { data: Record<string, readonly object[]>; total: number };
    const { status, body, bytes } = await b.call<Page>("GET", `${path}?limit=1000`);
    expect(status).toBe(200);
    const items = Object.values(body.data).flat();
    expect(ownOfB.some((own) => items.some((item) => idOf(item) === idOf(own)))).toBe(true);
    expect(body.total).toBe(items.length);
    const answer = new TextDecoder().decode(bytes);
    const { commission, submitted } = ofA.commissions;
    const ids = [ofA.student._id, ofA.payer._id, `"id":${ofA.payee.id}`, ofA.intent.id, commission.id, submitted];
    for (const id of ids) expect(answer).not.toContain(id);
  });

  const idOf = (record: object) => Object.entries(record).find(([name]) => name === "_id" || name === "id")?.[1];
});

describe("another tenant's things inside a body", () => {
  test("a payee may be quoted and planned for, but no answer tells its name, and submit refuses it", async () => {
    const name = "Quiet Harbour Holdings";
    const { id: payeeId } = await a.newPayee({ name });
    const reported: string[] = [];
    const ask = async (method: string, path: string, body?: unknown) => {
      const reply = await b.call<{ data?: { id?: string } }>(method, path, { body });
      reported.push(new TextDecoder().decode(reply.bytes));
      return { status: reply.status, id: reply.body.data?.id ?? "" };
    };
    const payouts = [{ payeeId, amount: 100 }];
    const quote = await b.newQuote({ payouts, countryCode: "IN", paymentType: "company" });
    reported.push(JSON.stringify(quote));
    const manualPayment = {
      quoteId: quote.quoteId,
      selectedQuoteVariantId: quote.variants[0].id,
      purpose: "other",
      countryCode: "IN",
    };
    const supplier = {
      ...{ useCase: "supplier_payment", deliveryMode: "manual", amountMode: "recipient_fixed", termsAccepted: true },
      payer: { role: "tenant" },
      recipients: [{ role: "public_payee", connectorPayeeId: payeeId, amount: { payeeAmount: "100.00" } }],
      instructions: { manualPayment },
    };
    const link = {
      useCase: "generic_service_invoice",
      deliveryMode: "reusable_payment_link",
      amountMode: "fixed_payee_amounts",
      termsAccepted: true,
      payer: { role: "unknown_link_payer" },
      recipients: [{ ...supplier.recipients[0], amount: { payeeAmount: "100.00", currency: "AUD" } }],
    };
    for (const body of [supplier, link]) {
      const { id } = await ask("POST", "/v2/payment-intents", body);
      const path = `/v2/payment-intents/${id}`;
      for (const step of ["dry-run", "draft"]) expect((await ask("POST", `${path}/${step}`)).status, step).toBe(200);
      expect((await ask("POST", `${path}/submit`)).status).toBe(400);
      for (const step of ["draft", "dry-run"]) await ask("POST", `${path}/${step}`);
      await ask("GET", path);
    }
    expect(reported.some((text) => text.includes('"executionPlan"'))).toBe(true);
    const populated = "population[0][path]=recipients.connectorPayeeId&population[0][select]=name";
    for (const query of [populated, "sort=executionPlan.legs.payeeName"]) {
      await ask("GET", `/v2/payment-intents?limit=1000&${query}`);
    }
    await ask("GET", `/v2/payees/${payeeId}`);
    await ask("GET", `/v2/lookup/payment-methods/${payeeId}`);
    for (const text of reported) expect(text).not.toContain(name);
    const byName = `/v2/payment-intents?filter[executionPlan.legs.payeeName]=${encodeURIComponent(name)}`;
    expect((await b.call("GET", byName)).body).toMatchObject({ count: 0 });
  });

  test("a plan tells the names of the tenant's own payees and of the directory's", async () => {
    const { id } = await b.newTuitionIntent();
    const plan = await b.must("POST", `/v2/payment-intents/${id}/draft`);
    expect(plan).toMatchObject({ executionPlan: { legs: [{ payeeId: 5001, payeeName: "University of Sydney" }] } });
  });

  test("the rail's list shows a tenant its own payments alone", async () => {
    const { id, status } = await a.newTuitionIntent();
    expect(status).toBe("draft");
    const submitted = await a.submit(id);
    const execution = submitted.body.data.executions[0] as unknown as { executionId: string };
    const path = `/sandbox/payments?executionId=${execution.executionId}`;
    expect(await a.must("GET", path)).toMatchObject({ payments: [expect.any(Object)] });
    expect(await b.must("GET", path)).toEqual({ payments: [] });
  });
});
