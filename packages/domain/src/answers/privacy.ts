import type { PaymentIntent } from "../intents/payment-intent.ts";
import { kept, notPersonal, type Privacy } from "../privacy/erasure.ts";
import { frozenOrderPrivacy, paymentLegPrivacy } from "../privacy/order.ts";
import type { IntentAnswer } from "./intent-answer.ts";

/** An intent, and its answer, which a submit stores. */
export const intentPrivacy: Privacy<PaymentIntent | IntentAnswer> = {
  ...notPersonal("id", "tenantId", "version", "status", "useCase", "deliveryMode", "amountMode"),
  ...notPersonal("termsAccepted", "publicLinkId", "createdFrom", "linkClosedAt", "createdAt", "updatedAt"),
  ...notPersonal("rail", "expectedSettlementMs", "auditHead", "lastConnectorPaymentId", "lastPaymentLinkUrl"),
  ...notPersonal("lastExecutionConnector", "bulkProgress", "corrections", "underReview"),
  name: "removed",
  externalId: "removed",
  metadata: "removed",
  mayHaveMetadata: "removed",
  payer: { role: "not personal", partyId: kept.party, details: "removed with the payer" },
  subject: { role: "not personal", partyId: kept.party, details: "removed with the subject" },
  recipients: {
    ...notPersonal("role", "order", "connectorPayeeId", "splitRole", "purpose", "amount"),
    purposeProofDocumentId: kept.document,
    reference: "replaced unless ours",
    externalId: "removed",
  },
  instructions: {
    ...notPersonal("reissue"),
    manualPayment: {
      ...notPersonal("quoteId", "selectedQuoteVariantId", "purpose", "quotePayoutOrderConfirmed"),
      countryCode: kept.country,
      payerIdentityDocumentId: kept.document,
    },
    paymentLink: {
      ...notPersonal("lockedFields", "isSingleUse"),
      reference: "replaced unless ours",
      payFromCountryCode: kept.country,
    },
  },
  payerChoice: {
    ...notPersonal("quoteId", "selectedQuoteVariantId", "settlementMethod", "fxRate"),
    countryCode: kept.country,
    documentIds: kept.document,
  },
  payerSource: "removed",
  createdBy: kept.actor,
  statusHistory: { status: "not personal", at: "not personal", by: kept.actor },
  executions: {
    ...notPersonal("executionId", "connector", "status", "startedAt", "receivedAt", "endedAt", "railPaymentId"),
    ...notPersonal("paymentLinkUrl", "checkoutUrl", "currency", "fee", "feeMoney", "commissionSpread"),
    connectorPaymentIds: "our payment id",
    payer: "emptied with the payer",
    subject: "emptied with the subject",
    legs: {
      ...notPersonal("order", "payeeId", "splitRole", "payerAmount", "payerCurrency", "payeeAmount"),
      ...notPersonal("payeeCurrency", "status", "money", "returnedAt"),
      reason: kept.cause,
    },
    cause: kept.cause,
  },
  connectorPayment: {
    ...notPersonal("transactionBankDetails", "dueDate", "amount", "announced", "received", "surplus", "currency"),
    reference: "replaced unless ours",
    payouts: {
      ...notPersonal("payerAmount", "payerCurrency", "payeeAmount", "payeeCurrency"),
      payeeName: kept.payee,
      reference: "replaced unless ours",
    },
  },
  executionPlan: {
    ...notPersonal("compiledAt", "connector", "quoteId", "selectedQuoteVariantId", "settlementMethod"),
    ...notPersonal("settlementChannel", "currency", "totalAmount", "fee"),
    legs: { ...paymentLegPrivacy, payerCurrency: "not personal" },
  },
  submission: {
    ...notPersonal("executionId", "attempt", "leaseUntilMs", "claimedAtMs", "rail", "keyHash", "asked", "clientId"),
    work: {
      ...notPersonal("kind", "commissionSpread", "variants"),
      order: frozenOrderPrivacy,
      connectorPaymentId: "our payment id",
    },
    documentIds: kept.document,
    payerDocuments: kept.document,
    payer: "emptied with the payer",
    metadata: "removed",
    subject: "emptied with the subject",
    actor: kept.actor,
  },
  stopped: { how: "not personal", at: "not personal", by: kept.actor, reason: "kept: proof of the operator's reason" },
};
