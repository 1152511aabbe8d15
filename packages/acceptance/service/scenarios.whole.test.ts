import { describe, expect, test } from "vitest";
import { type Data, type ErrorBody, type Intent, noRateLimit } from "./client.ts";
import { expectEnvelope } from "./refusals.ts";
import {
  allowanceBody,
  fixedReceiptBody,
  openLinkBody,
  pay,
  priceLinkBody,
  refusedFor,
  shareLinkBody,
  splitBody,
  submitNew,
  withRecipient,
} from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, type Evaluation, missingIn, newKey, railPayments } from "./tuition.ts";

const { client } = await openService({
  ...noRateLimit,
  SANDBOX_SETTLE_SECONDS: "0.2",
  PAYER_APP_URL: "https://payer.example",
});

const missing = (body: object) => missingIn(client, body);

describe("a tenant split", () => {
  test("pays with one payment: the school at the quote's rate, the tenant in the payer's currency", async () => {
    const { body, quote } = await splitBody(client);
    const { id, connectorPayment, executions } = await pay(client, body);
    expect(executions[0]?.connectorPaymentIds).toHaveLength(1);
    expect(connectorPayment?.reference).toBe(String(executions[0]?.connectorPaymentIds[0]));
    const [payout] = quote.payouts;
    expect(connectorPayment?.payouts).toMatchObject([
      { payerAmount: payout?.payerAmount.toFixed(2), payeeAmount: payout?.payeeAmount.toFixed(2) },
      { payerAmount: "500.00", payeeAmount: "500.00" },
    ]);
    const [variant] = quote.variants;
    expect(connectorPayment?.amount).toBe((Number(variant["fromAmount"]) + 500).toFixed(2));
    expect(connectorPayment?.currency).toBe(variant.fromCurrency);
    expect(await railPayments(client, id)).toHaveLength(1);
    expect((await client.waitForStatus(id, "completed")).executions).toHaveLength(1);
  });

  test.each([0, 1])("names the share and the proof that recipient %i lacks, in dry-run and submit", async (index) => {
    const { body } = await splitBody(client);
    const shareless = withRecipient(body, index, {}, { portionBps: undefined });
    const share = `recipients.${index}.amount.portionBps`;
    expect(await missing(shareless)).toEqual([share]);
    expect(await refusedFor(client, shareless)).toEqual({ status: 400, code: "[GEN9002]", missing: [share] });
    const proofless = withRecipient(body, index, { purposeProofDocumentId: undefined });
    const proof = `recipients.${index}.purposeProofDocumentId`;
    expect(await refusedFor(client, proofless)).toEqual({ status: 400, code: "[GEN9002]", missing: [proof] });
  });

  test("takes only shares that sum to 10000, which percentages and 9999 do not", async () => {
    const { body } = await splitBody(client);
    for (const [first, second] of [
      [90, 10],
      [9000, 999],
      [9000, 1001],
    ]) {
      const shares = withRecipient(withRecipient(body, 0, {}, { portionBps: first }), 1, {}, { portionBps: second });
      expect(await missing(shares)).toEqual(["recipients.portionBpsSum"]);
    }
  });

  test("needs a different document for every place that names one", async () => {
    const { body } = await splitBody(client);
    const [first] = body.recipients;
    const identity = body.instructions.manualPayment.payerIdentityDocumentId;
    for (const purposeProofDocumentId of [first?.purposeProofDocumentId, identity]) {
      const repeated = withRecipient(body, 1, { purposeProofDocumentId });
      expect(await refusedFor(client, repeated)).toEqual({
        status: 400,
        code: "[GEN9002]",
        missing: ["documents.uniqueDocumentIds"],
      });
    }
  });

  test("pays the tenant's leg to the tenant itself", async () => {
    const { body } = await splitBody(client);
    expect(await missing(withRecipient(body, 1, { connectorPayeeId: 5010 }))).toEqual([
      "recipients.1.connectorPayeeId",
    ]);
  });

  test("is the only scenario with the role `tenant`", async () => {
    const { body } = await splitBody(client);
    expect(await missing({ ...body, useCase: "education_provider_tuition" })).toContain("recipients.1.role");
    const roles = await dryRun(client, (await create(client, body)).id);
    expect(roles.controls["allowedRecipientRoles"]).toContain("tenant");
  });
});

describe.each(["supplier_payment", "tenant_funded_refund"])("a %s", (useCase) => {
  test("pays exactly what the payee is to receive, at the quoted price, and completes", async () => {
    const { body, quote } = await fixedReceiptBody(client, useCase);
    const { id, connectorPayment } = await pay(client, body);
    const { payeeAmount } = body.recipients[0]?.amount ?? {};
    expect(connectorPayment?.payouts).toMatchObject([
      { payeeAmount, payerAmount: quote.payouts[0]?.payerAmount.toFixed(2) },
    ]);
    expect(connectorPayment?.amount).toBe(Number(quote.variants[0]["fromAmount"]).toFixed(2));
    await client.waitForStatus(id, "completed");
  });

  test("needs what the payee receives, in the payee's currency, and neither payer nor identity document", async () => {
    const { body } = await fixedReceiptBody(client, useCase);
    expect(await missing(withRecipient(body, 0, {}, { payeeAmount: undefined, payerAmount: "1.00" }))).toEqual([
      "recipients.0.amount.payeeAmount",
    ]);
    expect(await missing(withRecipient(body, 0, {}, { currency: "AUD" }))).toEqual([]);
    expect(await missing(withRecipient(body, 0, {}, { currency: "GBP" }))).toEqual(["recipients.0.amount.currency"]);
  });

  test("is blocked for anybody but the tenant, and by the other amount mode", async () => {
    const { body } = await fixedReceiptBody(client, useCase);
    const { _id: partyId } = await client.newStudent();
    expect(await missing({ ...body, payer: { role: "student", partyId } })).toEqual(["payer.role"]);
    expect(await missing({ ...body, amountMode: "payer_fixed" })).toEqual(["amountMode"]);
  });
});

describe("an allowance", () => {
  test("is paid by a student, and gives exactly what was fixed", async () => {
    const { body } = await allowanceBody(client);
    const { id, connectorPayment } = await pay(client, body);
    expect(connectorPayment?.payouts).toMatchObject([{ payeeAmount: body.recipients[0]?.amount.payeeAmount }]);
    await client.waitForStatus(id, "completed");
  });

  test("wants a payer and an identity document", async () => {
    const { body } = await allowanceBody(client);
    const { payerIdentityDocumentId, ...manualPayment } = body.instructions.manualPayment;
    const lacking = { ...body, payer: { role: "family" }, instructions: { manualPayment } };
    expect((await missing(lacking)).toSorted()).toEqual([
      "instructions.manualPayment.payerIdentityDocumentId",
      "payer.partyId",
    ]);
  });
});

describe("a link", () => {
  const published = async (body: object) => {
    const { id } = await create(client, body);
    const key = newKey();
    return { id, key, reply: await client.submit<Data<Intent>>(id, key) };
  };

  test.each([
    ["education_provider_tuition", priceLinkBody()],
    ["generic_service_invoice", priceLinkBody("generic_service_invoice")],
    ["owed_commission_invoice", priceLinkBody("owed_commission_invoice")],
    ["education_provider_tuition_with_tenant_split", shareLinkBody()],
    ["education_provider_tuition", openLinkBody()],
    ["generic_service_invoice", openLinkBody("generic_service_invoice")],
    ["owed_commission_invoice", openLinkBody("owed_commission_invoice")],
  ])("for %s is published at its own address, and stays there", async (_, body) => {
    const { id, reply } = await published(body);
    const { publicLinkId } = await client.getIntent(id);
    const url = `https://payer.example/pay/plink_${publicLinkId}`;
    expect([reply.status, reply.body.data.status]).toEqual([200, "pending_link_payment"]);
    expect(reply.body.data.executions).toMatchObject([{ paymentLinkUrl: url, connectorPaymentIds: [] }]);
    expect(await client.getIntent(id)).toMatchObject({ status: "pending_link_payment", lastPaymentLinkUrl: url });
    expect(await railPayments(client, id)).toEqual([]);
  });

  test("is published once: its key gets the same answer again, and every other submit is told its status", async () => {
    const { id, key, reply } = await published(priceLinkBody());
    const replay = await client.submit<Data<Intent>>(id, key);
    expect(replay.body).toEqual(reply.body);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expectEnvelope(await client.submit<ErrorBody>(id, newKey()), 409, "[GEN9009]");
    expectEnvelope(await client.submit<ErrorBody>(id), 409, "[GEN9009]");
    expect((await client.getIntent(id)).executions).toHaveLength(1);
  });

  test("without shares or currencies is not published, and what is missing is not filled in", async () => {
    const body = shareLinkBody();
    const bare = withRecipient(withRecipient(body, 0, {}, { portionBps: undefined }), 1, {}, { currency: undefined });
    const paths = ["recipients.0.amount.portionBps", "recipients.1.amount.currency"];
    expect((await missing(bare)).toSorted()).toEqual(paths);
    const { status, code, missing: named } = await refusedFor(client, bare);
    expect([status, code, (named as string[]).toSorted()]).toEqual([400, "[GEN9002]", paths]);
  });

  test("with percentages, with several currencies or with more than three recipients is not published", async () => {
    const body = shareLinkBody();
    const percents = withRecipient(withRecipient(body, 0, {}, { portionBps: 90 }), 1, {}, { portionBps: 10 });
    expect(await missing(percents)).toEqual(["recipients.portionBpsSum"]);
    expect(await missing(withRecipient(body, 1, {}, { currency: "CAD" }))).toEqual(["recipients.currency"]);
    const [school, tenant] = body.recipients;
    const quarter = { ...school, amount: { portionBps: 3000, currency: "AUD" } };
    const four = { ...body, recipients: [quarter, quarter, quarter, tenant] };
    const { id } = await create(client, four);
    const { rule, limits } = await dryRun(client, id);
    expect([rule.missingRequirements, limits.maxRecipients]).toEqual([["recipients.maxRecipients"], 3]);
    expect((await client.getIntent(id)).status).toBe("draft");
  });
});

/** Every combination that has a row, with its payers (DESIGN 8); the demo key has every permission. */
const rows = [
  ["education_provider_tuition", "manual", "payer_fixed", "student"],
  ["education_provider_tuition_with_tenant_split", "manual", "payer_fixed", "family"],
  ["supplier_payment", "manual", "recipient_fixed", "tenant"],
  ["tenant_funded_refund", "manual", "recipient_fixed", "tenant"],
  ["allowance_payment", "manual", "recipient_fixed", "student"],
  ["payroll_payment", "bulk", "mixed_composite", "tenant"],
  ["legacy_transaction_reissue", "manual", "legacy_reissue", "student"],
  ["education_provider_tuition", "reusable_payment_link", "fixed_payee_amounts", "unknown_link_payer"],
  [
    "education_provider_tuition_with_tenant_split",
    "reusable_payment_link",
    "free_entry_with_portions",
    "unknown_link_payer",
  ],
  ["education_provider_tuition", "reusable_payment_link", "free_entry_with_portions", "unknown_link_payer"],
  ["generic_service_invoice", "reusable_payment_link", "free_entry_with_portions", "unknown_link_payer"],
  ["owed_commission_invoice", "reusable_payment_link", "free_entry_with_portions", "unknown_link_payer"],
  ["generic_service_invoice", "reusable_payment_link", "fixed_payee_amounts", "unknown_link_payer"],
  ["owed_commission_invoice", "reusable_payment_link", "fixed_payee_amounts", "unknown_link_payer"],
] as const;

const distinct = (column: 0 | 1 | 2 | 3) => [...new Set(rows.map((row) => row[column]))];

test("every other combination of use case, delivery, amounts and payer is blocked, and cannot be submitted", async () => {
  const enabled: string[] = [];
  for (const useCase of distinct(0)) {
    const asked = distinct(1).flatMap((deliveryMode) =>
      distinct(2).flatMap((amountMode) => distinct(3).map((role) => ({ deliveryMode, amountMode, role }))),
    );
    const answers = await Promise.all(
      asked.map(async ({ deliveryMode, amountMode, role }) => {
        const body = { useCase, deliveryMode, amountMode, payer: { role } };
        const { rule } = await client.must<Evaluation>("POST", "/v2/payment-intents/requirements", { body });
        return { name: [useCase, deliveryMode, amountMode].join(), status: rule.status };
      }),
    );
    expect(answers.filter(({ status }) => status !== "enabled" && status !== "blocked")).toEqual([]);
    enabled.push(...answers.filter(({ status }) => status === "enabled").map(({ name }) => name));
  }
  expect([...new Set(enabled)].toSorted()).toEqual(rows.map((row) => row.slice(0, 3).join()).toSorted());
  const { body } = await fixedReceiptBody(client, "supplier_payment");
  const blocked = await submitNew<ErrorBody>(client, { ...body, useCase: "generic_service_invoice" });
  expectEnvelope(blocked, 400, "[GEN9002]");
  expect(blocked.body.details).toMatchObject({ missingRequirements: ["deliveryMode"] });
});
