import { payerRoles, useCases } from "@intents/domain/scenarios/scenario.ts";
import { describe, expect, test } from "vitest";
import type { Intent, Reply } from "./client.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { create, type Evaluation, newDraft, tuition } from "./tuition.ts";

const { client } = await openService();

const scenario = { useCase: "education_provider_tuition", deliveryMode: "manual", amountMode: "payer_fixed" };
const least = { ...scenario, payer: { role: "student" }, termsAccepted: true };
const total = async () => (await client.call<{ total: number }>("GET", "/v2/payment-intents?limit=1")).body.total;

describe("requirements", () => {
  const ask = (changes: object = {}) =>
    client.call<{ data: Evaluation }>("POST", "/v2/payment-intents/requirements", {
      body: { ...scenario, payer: { role: "student" }, ...changes },
    });

  test.each(["student", "family", "agent", "external_school", "external_partner"])(
    "for a %s are those of manual tuition, and store nothing",
    async (role) => {
      const before = await total();
      const { status, body } = await ask({ payer: { role } });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        rule: {
          status: "enabled",
          missingRequirements: [
            "payer.partyId",
            "recipients.0.connectorPayeeId",
            "instructions.manualPayment.quoteId",
            "instructions.manualPayment.selectedQuoteVariantId",
            "instructions.manualPayment.purpose",
            "instructions.manualPayment.countryCode",
            "instructions.manualPayment.payerIdentityDocumentId",
            "recipients.0.amount.payerAmount",
          ],
        },
        connector: { provider: "sandbox", action: expect.any(String), version: expect.any(String) },
        limits: { maxRecipients: 10 },
        controls: { allowedRecipientRoles: ["education_provider", "public_payee"] },
      });
      expect(body.data.requirements.map(({ path }) => path)).toEqual(body.data.rule.missingRequirements);
      expect(await total()).toBe(before);
    },
  );

  test.each<[string, object]>([
    ["payer.role", { payer: { role: "tenant" } }],
    ["payer.role", { payer: { role: "unknown_link_payer" } }],
    ["amountMode", { amountMode: "recipient_fixed" }],
    ["deliveryMode", { deliveryMode: "bulk" }],
    ["deliveryMode", { deliveryMode: "payment_link_submission" }],
  ])("are blocked by %s, with a reason", async (field, changes) => {
    const { body } = await ask(changes);
    expect(body.data.rule).toEqual({ status: "blocked", missingRequirements: [field] });
    expect(body.data.requirements).toEqual([
      { path: field, reason: expect.any(String), satisfiedBy: expect.any(String), example: expect.any(String) },
    ]);
  });

  test("answer for every use case and payer role there is", async () => {
    for (const useCase of useCases) {
      const replies = await Promise.all(payerRoles.map((role) => ask({ useCase, payer: { role } })));
      expect(replies.map(({ status }) => status)).toEqual(payerRoles.map(() => 200));
    }
  });

  test.each<[string, object]>([
    ["useCase", { useCase: "tuition" }],
    ["deliveryMode", { deliveryMode: "post" }],
    ["amountMode", { amountMode: "fixed" }],
    ["payer.role", { payer: { role: "parent" } }],
    ["payer.partyId", { payer: { role: "student", partyId: "x" } }],
    ["recipients", { recipients: [] }],
  ])("of the wrong %s are a shape error", async (path, changes) => {
    expectShape((await ask(changes)) as Reply<never>, path);
  });
});

describe("compiling a draft", () => {
  test("stores the plan, at the terms of the quote, and leaves it a draft", async () => {
    const { body, quote, variant } = await tuition(client);
    const { id } = await create(client, body);
    const { preview, ...compiled } = await client.must<Intent & { preview: object }>(
      "POST",
      `/v2/payment-intents/${id}/draft`,
    );
    expect(compiled).toMatchObject({
      status: "draft",
      executionPlan: {
        quoteId: quote.quoteId,
        selectedQuoteVariantId: variant.id,
        settlementMethod: "dmt",
        currency: "BRL",
        totalAmount: String(variant["fromAmount"]),
        legs: [{ payeeId: 5001, payeeAmount: "1500.00", payeeCurrency: "AUD" }],
      },
    });
    expect(preview).toMatchObject({ quoteId: quote.quoteId });
    expect(await client.getIntent(id)).toEqual(compiled);
    expect((await client.submit(id)).status).toBe(200);
  });

  test("that is incomplete names what is missing", async () => {
    const { id } = await create(client, least);
    const reply = await client.call("POST", `/v2/payment-intents/${id}/draft`);
    expectEnvelope(reply, 400, "[GEN9002]");
    expect(reply.body.details?.["missingRequirements"]).toContain("recipients");
  });

  test("that is no draft any more is refused with its status", async () => {
    const { id } = await newDraft(client);
    await client.submit(id);
    const reply = await client.call("POST", `/v2/payment-intents/${id}/draft`);
    expectEnvelope(reply, 409, "[GEN9009]");
    expect(reply.body.details?.["status"]).toMatch(/^(executing|completed)$/);
  });
});
