import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { PaymentIntentInput } from "../schemas/payment-intents-requests.ts";
import { endpointsOf } from "./document.ts";
import { methodsOf } from "./methods.ts";

const document = JSON.parse(readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8"));

test("every route that takes a key is one method of one resource", () => {
  const names = methodsOf(document).map(({ resource, name }) => `${resource}.${name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(endpointsOf(document).length);
  expect(names).toContain("paymentIntents.submit");
});

test("a body of another scenario than the rules' does not compile", () => {
  const refund = { useCase: "tenant_funded_refund", deliveryMode: "manual", amountMode: "recipient_fixed" } as const;
  const bodies: PaymentIntentInput[] = [
    { ...refund, payer: { role: "tenant" }, termsAccepted: true },
    // @ts-expect-error: the tenant pays refunds.
    { ...refund, payer: { role: "student" }, termsAccepted: true },
    // @ts-expect-error: what the payee gets is fixed.
    { ...refund, amountMode: "payer_fixed", payer: { role: "tenant" }, termsAccepted: true },
    // @ts-expect-error: links are for payers.
    { ...refund, deliveryMode: "reusable_payment_link", payer: { role: "tenant" }, termsAccepted: true },
  ];
  expect(bodies).toHaveLength(4);
});
