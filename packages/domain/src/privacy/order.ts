import type { FrozenOrder } from "../intents/submission.ts";
import type { PaymentLeg, PaymentOrder } from "../rails/rail.ts";
import { kept, notPersonal, type Privacy } from "./erasure.ts";

export const paymentLegPrivacy: Privacy<PaymentLeg> = {
  ...notPersonal("order", "payeeId", "payerAmount", "payeeAmount", "payeeCurrency"),
  payeeName: kept.payee,
  reference: "replaced unless ours",
};

export const frozenOrderPrivacy: Privacy<FrozenOrder> = {
  ...notPersonal("settlementMethod", "settlementChannel", "payerCurrency", "totalAmount", "fee", "returnUrl"),
  ...notPersonal("fundingReference"),
  connectorPaymentId: "our payment id",
  payerKey: "replaced with the payer",
  legs: paymentLegPrivacy,
};

export const orderPrivacy: Privacy<PaymentOrder> = {
  ...notPersonal("tenantId", "intentId"),
  ...frozenOrderPrivacy,
  payer: "emptied with the payer",
};
