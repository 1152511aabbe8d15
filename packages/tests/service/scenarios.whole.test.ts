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
  withRecipient,
} from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, newKey, railPayments } from "./tuition.ts";

// Over HTTP each scenario is paid once: packages/domain/src/scenarios and requirements prove what each row asks for.

const { client } = await openService({
  ...noRateLimit,
  SANDBOX_SETTLE_SECONDS: "0.2",
  PAYER_APP_URL: "https://payer.example",
});

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

  test("without its shares and proofs, with wrong ones, or with one document twice is refused as a whole", async () => {
    const { body } = await splitBody(client);
    const identity = body.instructions.manualPayment.payerIdentityDocumentId;
    const shares = (first: number) => withRecipient(body, 0, {}, { portionBps: first });
    for (const [wrong, path] of [
      [withRecipient(body, 1, {}, { portionBps: undefined }), "recipients.1.amount.portionBps"],
      [withRecipient(body, 0, { purposeProofDocumentId: undefined }), "recipients.0.purposeProofDocumentId"],
      [shares(9001), "recipients.portionBpsSum"],
      [withRecipient(body, 1, { purposeProofDocumentId: identity }), "documents.uniqueDocumentIds"],
    ] as const)
      expect(await refusedFor(client, wrong)).toEqual({ status: 400, code: "[GEN9002]", missing: [path] });
  });
});

test.each([
  ["supplier_payment", (useCase: string) => fixedReceiptBody(client, useCase)],
  ["tenant_funded_refund", (useCase: string) => fixedReceiptBody(client, useCase)],
  ["allowance_payment", () => allowanceBody(client)],
])("a %s pays exactly what the payee is to receive, at the quoted price, and completes", async (useCase, make) => {
  const { body, quote } = await make(useCase);
  const { id, connectorPayment } = await pay(client, body);
  const { payeeAmount } = body.recipients[0]?.amount ?? {};
  expect(connectorPayment?.payouts).toMatchObject([
    { payeeAmount, payerAmount: quote.payouts[0]?.payerAmount.toFixed(2) },
  ]);
  expect(connectorPayment?.amount).toBe(Number(quote.variants[0]["fromAmount"]).toFixed(2));
  await client.waitForStatus(id, "completed");
});

test.each([
  ["education_provider_tuition", priceLinkBody()],
  ["generic_service_invoice", priceLinkBody("generic_service_invoice")],
  ["owed_commission_invoice", priceLinkBody("owed_commission_invoice")],
  ["education_provider_tuition_with_tenant_split", shareLinkBody()],
  ["education_provider_tuition", openLinkBody()],
  ["generic_service_invoice", openLinkBody("generic_service_invoice")],
  ["owed_commission_invoice", openLinkBody("owed_commission_invoice")],
])("a link for %s is published at its own address, once, and stays there", async (_, body) => {
  const { id } = await create(client, body);
  const reply = await client.submit<Data<Intent>>(id, newKey());
  const { publicLinkId } = await client.getIntent(id);
  const url = `https://payer.example/pay/plink_${publicLinkId}`;
  expect([reply.status, reply.body.data.status]).toEqual([200, "pending_link_payment"]);
  expect(reply.body.data.executions).toMatchObject([{ paymentLinkUrl: url, connectorPaymentIds: [] }]);
  expectEnvelope(await client.submit<ErrorBody>(id, newKey()), 409, "[GEN9009]");
  const published = await client.getIntent(id);
  expect(published).toMatchObject({ status: "pending_link_payment", lastPaymentLinkUrl: url });
  expect([published.executions.length, await railPayments(client, id)]).toEqual([1, []]);
});
