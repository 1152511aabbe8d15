import { purposes } from "@intents/domain/scenarios/scenario.ts";
import { describe, expect, test } from "vitest";
import { BASIC, type Intent } from "./client.ts";
import { expectEnvelope, expectShape, problemsOf } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { create, tuition } from "./tuition.ts";

const { client } = await openService();

const scenario = { useCase: "education_provider_tuition", deliveryMode: "manual", amountMode: "payer_fixed" };
const least = { ...scenario, payer: { role: "student" }, termsAccepted: true };
const link = { ...least, deliveryMode: "reusable_payment_link", payer: { role: "unknown_link_payer" } };
const post = (body: unknown) => client.call("POST", "/v2/payment-intents", { body });
const recipient = (changes: object) => ({ ...least, recipients: [{ role: "education_provider", ...changes }] });
const manual = (manualPayment: object) => ({ ...least, instructions: { manualPayment } });
const paymentLink = (fields: object) => ({ ...link, instructions: { paymentLink: fields } });
const total = async () => (await client.call<{ total: number }>("GET", "/v2/payment-intents?limit=1")).body.total;

describe("a draft", () => {
  test("may be incomplete, and is answered with the fields that the service adds", async () => {
    const reply = await client.call<{ data: Intent }>("POST", "/v2/payment-intents", { body: least });
    expect(reply.status).toBe(201);
    const { id, createdAt, ...answer } = reply.body.data;
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(answer).toEqual({
      ...least,
      status: "draft",
      recipients: [],
      updatedAt: createdAt,
      createdBy: "demo-user",
      statusHistory: [{ status: "draft", at: createdAt, by: "demo-user" }],
      executions: [],
    });
    expect(await client.getIntent(id)).toEqual(reply.body.data);
  });

  test("keeps every field exactly as it was given", async () => {
    const { body } = await tuition(client, {
      payer: {
        role: "agent",
        details: { firstName: "Zoë", lastName: "O’Neil 李", email: "Zoe@Example.com", payerType: "parent" },
      },
      changes: { subject: { role: "student", details: { firstName: "Ana" } }, name: "Not a link, so without effect" },
    });
    const stored = await create(client, body);
    expect(stored).toMatchObject(body);
    expect(stored).not.toHaveProperty("publicLinkId");
  });

  test.each([
    ["JPY", "1000.00"],
    ["AUD", "1000.500"],
    ["KWD", "0.00100000"],
  ])("may end its amount with zeros that its currency, %s, does not count: %s", async (currency, payeeAmount) => {
    const stored = await create(client, recipient({ amount: { currency, payeeAmount } }));
    expect(stored).toMatchObject({ recipients: [{ amount: { currency, payeeAmount } }] });
  });

  test("may state both amounts beside the currency of one of them", async () => {
    const amount = { payerAmount: "9.50", payeeAmount: "1000", currency: "JPY" };
    expect(await create(client, recipient({ amount }))).toMatchObject({ recipients: [{ amount }] });
  });

  test("may have a payer of every type that the lookups list", async () => {
    for (const type of ["provider", "company", "private"]) {
      const { payerTypes } = await client.must<{ payerTypes: { id: string }[] }>(
        "GET",
        `/v2/lookup/payer-types/${type}`,
      );
      for (const { id: payerType } of payerTypes) {
        await create(client, { ...least, payer: { role: "student", details: { payerType } } });
      }
    }
  });

  test("is a new one for every create, even for an equal body", async () => {
    const before = await total();
    const [first, second] = [await create(client, least), await create(client, least)];
    expect(first.id).not.toBe(second.id);
    expect(await total()).toBe(before + 2);
  });

  test.each(["890552015095082", 890552015095082])(
    "may select its variant by the id %j, as number or text",
    async (id) => {
      const stored = await create(client, manual({ selectedQuoteVariantId: id }));
      expect(stored).toMatchObject({ instructions: { manualPayment: { selectedQuoteVariantId: 890552015095082 } } });
    },
  );

  test.each(purposes)("may have the purpose %s", async (purpose) => {
    expect(await create(client, manual({ purpose }))).toMatchObject({ status: "draft" });
  });

  test("of another tenant does not exist", async () => {
    const { id } = await create(client, least);
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/dry-run"],
      ["POST", "/draft"],
      ["POST", "/submit"],
    ] as const) {
      expectEnvelope(await client.call(method, `/v2/payment-intents/${id}${path}`, { key: BASIC }), 404, "[GEN9003]");
    }
  });

  test("that was never created does not exist, whatever its id looks like", async () => {
    for (const id of ["0198c0ffee00aabbccddeeff", "x", "%2e%2e%2f", "a".repeat(200), "T%231001"]) {
      expectEnvelope(await client.call("POST", `/v2/payment-intents/${id}/submit`), 404, "[GEN9003]");
    }
  });
});

describe("a link", () => {
  test("gets its public token at once, one that nobody can guess from its id", async () => {
    const [first, second] = [await create(client, link), await create(client, link)];
    expect(first.publicLinkId).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(second.publicLinkId).not.toBe(first.publicLinkId);
    expect(first).toMatchObject({ status: "draft" });
  });

  test("may have a name of 120 characters, and needs none", async () => {
    expect(await create(client, { ...link, name: "x".repeat(120) })).toMatchObject({ name: "x".repeat(120) });
    expect(await create(client, link)).not.toHaveProperty("name");
  });

  test("takes its four instructions", async () => {
    const fields = { reference: "R", payFromCountryCode: "BR", lockedFields: ["pay_from_country"], isSingleUse: true };
    expect(await create(client, paymentLink(fields))).toMatchObject({ instructions: { paymentLink: fields } });
  });
});

describe("a body of the wrong shape names every problem by its path, and stores nothing:", () => {
  const party = (details: object) => ({ ...least, payer: { role: "student", details } });
  test.each<[string, object, string[]]>([
    ["nothing", {}, ["useCase", "deliveryMode", "amountMode", "payer", "termsAccepted"]],
    ["terms that were not accepted", { ...least, termsAccepted: false }, ["termsAccepted"]],
    ["terms that were not mentioned", { ...scenario, payer: least.payer }, ["termsAccepted"]],
    ["terms accepted in writing", { ...least, termsAccepted: "true" }, ["termsAccepted"]],
    ["an unknown use case", { ...least, useCase: "tuition" }, ["useCase"]],
    ["the service's own delivery mode", { ...least, deliveryMode: "payment_link_submission" }, ["deliveryMode"]],
    ["an unknown payer role", { ...least, payer: { role: "parent" } }, ["payer.role"]],
    ["an unknown property", { ...least, status: "completed" }, ["status"]],
    ["a field of the service's own", { ...least, publicLinkId: "x" }, ["publicLinkId"]],
    ["an unknown property deep inside", recipient({ amount: { total: "1" } }), ["recipients.0.amount.total"]],
    ["instructions of another kind", { ...least, instructions: { card: {} } }, ["instructions.card"]],
    ["a name of 121 characters", { ...link, name: "x".repeat(121) }, ["name"]],
    ["a link payer by id", { ...link, payer: { role: "unknown_link_payer", partyId: "x" } }, ["payer.partyId"]],
    [
      "a link payer by details",
      { ...link, payer: { role: "unknown_link_payer", details: { firstName: "A" } } },
      ["payer.details"],
    ],
    ["an unknown detail", party({ firstName: "Ana", nickname: "A" }), ["payer.details.nickname"]],
    ["details that say nothing", party({}), ["payer.details"]],
    ["an email that is none", party({ email: "ana" }), ["payer.details.email"]],
    ["a payer type that no lookup lists", party({ payerType: "martian" }), ["payer.details.payerType"]],
    [
      "a subject of such a type",
      { ...least, subject: { role: "student", details: { payerType: "martian" } } },
      ["subject.details.payerType"],
    ],
    ["a subject without a role", { ...least, subject: { partyId: "x" } }, ["subject.role"]],
    ["an unknown recipient role", recipient({ role: "school" }), ["recipients.0.role"]],
    ["an unknown split role", recipient({ splitRole: "tax" }), ["recipients.0.splitRole"]],
    ["a payee id in writing", recipient({ connectorPayeeId: "5001" }), ["recipients.0.connectorPayeeId"]],
    ["an order below zero", recipient({ order: -1 }), ["recipients.0.order"]],
    ["a reference of 141 characters", recipient({ reference: "x".repeat(141) }), ["recipients.0.reference"]],
    ["recipients that are no list", { ...least, recipients: {} }, ["recipients"]],
    ["the purpose spelled right", manual({ purpose: "commission" }), ["instructions.manualPayment.purpose"]],
    ["an unknown country", manual({ countryCode: "ZZ" }), ["instructions.manualPayment.countryCode"]],
    ["a country by three letters", manual({ countryCode: "BRA" }), ["instructions.manualPayment.countryCode"]],
    [
      "a variant by its place",
      manual({ selectedQuoteVariantId: "first" }),
      ["instructions.manualPayment.selectedQuoteVariantId"],
    ],
    [
      "a confirmation in writing",
      manual({ quotePayoutOrderConfirmed: "yes" }),
      ["instructions.manualPayment.quotePayoutOrderConfirmed"],
    ],
    ["displayCurrency", paymentLink({ displayCurrency: "AUD" }), ["instructions.paymentLink.displayCurrency"]],
    [
      "displayCurrencySource",
      paymentLink({ displayCurrencySource: "x" }),
      ["instructions.paymentLink.displayCurrencySource"],
    ],
    [
      "includeCreatedByText",
      paymentLink({ includeCreatedByText: true }),
      ["instructions.paymentLink.includeCreatedByText"],
    ],
    ["an unknown locked field", paymentLink({ lockedFields: ["amount"] }), ["instructions.paymentLink.lockedFields.0"]],
  ])("%s", async (_, body, paths) => {
    const before = await total();
    expectShape(await post(body), ...paths);
    expect(await total()).toBe(before);
  });

  test.each([0, 1, "0", "0.00", "-1", "1e3", "1,000.00", " 1", "", ".5", "NaN", null])(
    "the amount %j",
    async (payerAmount) => {
      expectShape(await post(recipient({ amount: { payerAmount } })), "recipients.0.amount.payerAmount");
    },
  );

  test.each([
    ["AUD", "1.001"],
    ["JPY", "1.5"],
    ["JPY", "1.50"],
    ["KWD", "1.0001"],
  ])("%s with more decimals than it has", async (currency, amount) => {
    const at = "recipients.0.amount";
    expectShape(await post(recipient({ amount: { currency, payerAmount: amount } })), `${at}.payerAmount`);
    expectShape(await post(recipient({ amount: { currency, payeeAmount: amount } })), `${at}.payeeAmount`);
  });

  test.each([0, -1, 10_001, 0.5, "5000"])("the share %j", async (portionBps) => {
    expectShape(await post(recipient({ amount: { portionBps } })), "recipients.0.amount.portionBps");
  });

  test.each([
    ["a list", "[]"],
    ["a text", '"x"'],
    ["nothing", ""],
    ["null", "null"],
    ["broken JSON", '{"useCase":'],
  ])("%s instead of an object", async (_, raw) => {
    const reply = await client.call("POST", "/v2/payment-intents", {
      raw,
      headers: { "Content-Type": "application/json" },
    });
    expect([reply.status, Array.isArray(reply.body.message)]).toEqual([400, true]);
  });

  test("all of them at once", async () => {
    const reply = await post({ ...recipient({ order: -1, x: 1 }), termsAccepted: false });
    expect(problemsOf(reply)).toHaveLength(3);
  });
});
