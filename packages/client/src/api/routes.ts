// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { Route } from "../route.ts";

/** Every route that a holder of a key calls, by its resource and method. */
export const routes = {
  payees: {
    create: { on: "POST /v2/payees", takes: "json", creates: true },
    list: { on: "GET /v2/payees", takes: "query", gives: { list: "payees" }, headers: { explain: "X-Explain" } },
    get: { on: "GET /v2/payees/{id}" },
  },
  users: {
    getMe: { on: "GET /v2/users/me" },
  },
  students: {
    create: { on: "POST /v2/students", takes: "json", creates: true },
    list: { on: "GET /v2/students", takes: "query", gives: { list: "students" }, headers: { explain: "X-Explain" } },
    get: { on: "GET /v2/students/{id}" },
    update: { on: "PUT /v2/students/{id}", takes: "json", headers: { ifMatch: "If-Match" } },
    delete: { on: "DELETE /v2/students/{id}" },
    saveDocument: { on: "POST /v2/students/{id}/documents", takes: "json", creates: true },
    listDocuments: { on: "GET /v2/students/{id}/documents", takes: "query" },
    useDocument: { on: "POST /v2/students/{id}/documents/{legacyDocumentId}/use", creates: true },
    deleteDocument: { on: "DELETE /v2/students/{id}/documents/{legacyDocumentId}" },
    getDocumentContent: { on: "GET /v2/students/{id}/documents/{legacyDocumentId}/content", gives: "file" },
  },
  payers: {
    create: { on: "POST /v2/payers", takes: "json", creates: true },
    list: { on: "GET /v2/payers", takes: "query", gives: { list: "payers" }, headers: { explain: "X-Explain" } },
    get: { on: "GET /v2/payers/{id}" },
    update: { on: "PUT /v2/payers/{id}", takes: "json", headers: { ifMatch: "If-Match" } },
    delete: { on: "DELETE /v2/payers/{id}" },
    saveDocument: { on: "POST /v2/payers/{id}/documents", takes: "json", creates: true },
    listDocuments: { on: "GET /v2/payers/{id}/documents", takes: "query" },
    useDocument: { on: "POST /v2/payers/{id}/documents/{legacyDocumentId}/use", creates: true },
    deleteDocument: { on: "DELETE /v2/payers/{id}/documents/{legacyDocumentId}" },
    getDocumentContent: { on: "GET /v2/payers/{id}/documents/{legacyDocumentId}/content", gives: "file" },
  },
  documentReads: {
    list: { on: "GET /v2/document-reads", takes: "query", gives: { list: "reads", feed: true } },
  },
  documents: {
    upload: { on: "POST /v2/documents", takes: "form", files: ["file"], creates: true },
  },
  fxRate: {
    find: { on: "POST /v2/fx-rate", takes: "json" },
  },
  quotes: {
    create: { on: "POST /v2/quotes", takes: "json", creates: true },
    get: { on: "GET /v2/quotes/{id}" },
  },
  lookup: {
    listCountries: { on: "GET /v2/lookup/countries", takes: "query" },
    listPaymentMethods: { on: "GET /v2/lookup/payment-methods/{payeeId}", takes: "query" },
    listPurposes: { on: "GET /v2/lookup/purposes/{type}", takes: "query" },
    listPayerTypes: { on: "GET /v2/lookup/payer-types/{type}", takes: "query" },
  },
  paymentIntents: {
    create: { on: "POST /v2/payment-intents", takes: "json", creates: true },
    list: { on: "GET /v2/payment-intents", takes: "query", gives: { list: "paymentIntents" }, headers: { explain: "X-Explain" } },
    get: { on: "GET /v2/payment-intents/{id}" },
    update: { on: "PATCH /v2/payment-intents/{id}", takes: "json", headers: { ifMatch: "If-Match" } },
    previewRequirements: { on: "POST /v2/payment-intents/requirements", takes: "json" },
    dryRun: { on: "POST /v2/payment-intents/{id}/dry-run" },
    compile: { on: "POST /v2/payment-intents/{id}/draft" },
    releasePaymentLink: { on: "POST /v2/payment-intents/{id}/release-hold" },
    submit: { on: "POST /v2/payment-intents/{id}/submit", headers: { idempotencyKey: "Idempotency-Key", previewHash: "Preview-Hash" } },
    getTimeline: { on: "GET /v2/payment-intents/{id}/timeline", takes: "query", gives: { list: "timeline", feed: true } },
  },
  events: {
    list: { on: "GET /v2/events", takes: "query", gives: { list: "events", feed: true } },
  },
  webhookEndpoints: {
    create: { on: "POST /v2/webhook-endpoints", takes: "json", creates: true },
    list: { on: "GET /v2/webhook-endpoints" },
    get: { on: "GET /v2/webhook-endpoints/{id}" },
    update: { on: "PATCH /v2/webhook-endpoints/{id}", takes: "json" },
    delete: { on: "DELETE /v2/webhook-endpoints/{id}" },
    rotateWebhookSecret: { on: "POST /v2/webhook-endpoints/{id}/rotate-secret" },
    test: { on: "POST /v2/webhook-endpoints/{id}/test" },
    listDeliveries: { on: "GET /v2/webhook-endpoints/{id}/deliveries", takes: "query", gives: { list: "deliveries", feed: true } },
    redeliverDelivery: { on: "POST /v2/webhook-endpoints/{id}/deliveries/{deliveryId}/redeliver" },
    replay: { on: "POST /v2/webhook-endpoints/{id}/replay", takes: "json" },
  },
  commissions: {
    list: { on: "GET /v2/commissions", takes: "query", gives: { list: "commissions" }, headers: { explain: "X-Explain" } },
    getOutstanding: { on: "GET /v2/commissions/outstanding", takes: "query" },
    export: { on: "GET /v2/commissions/export", takes: "query", gives: "file" },
    createRequest: { on: "POST /v2/commissions/requests", takes: "form", files: ["invoice"], creates: true },
    listRequests: { on: "GET /v2/commissions/requests", takes: "query", gives: { list: "requests" }, headers: { explain: "X-Explain" } },
    getRequest: { on: "GET /v2/commissions/requests/{id}" },
    replaceInvoice: { on: "PUT /v2/commissions/requests/{id}", takes: "form", files: ["invoice"], headers: { ifMatch: "If-Match" } },
    getInvoice: { on: "GET /v2/commissions/requests/{id}/invoice", gives: "file" },
    getProof: { on: "GET /v2/commissions/requests/{id}/proof", gives: "file" },
  },
  sandbox: {
    listPayments: { on: "GET /sandbox/payments", takes: "query" },
    listScenarios: { on: "GET /sandbox/scenarios" },
    settlePayment: { on: "POST /sandbox/payments/{connectorPaymentId}/settle", takes: "query" },
    receivePayment: { on: "POST /sandbox/payments/{connectorPaymentId}/receive" },
    failPayment: { on: "POST /sandbox/payments/{connectorPaymentId}/fail", takes: "query" },
    delayPayment: { on: "POST /sandbox/payments/{connectorPaymentId}/delay", takes: "query" },
    returnPayment: { on: "POST /sandbox/payments/{connectorPaymentId}/return", takes: "query" },
    expireQuote: { on: "POST /sandbox/quotes/{id}/expire", takes: "query" },
    expireDraft: { on: "POST /sandbox/payment-intents/{id}/expire" },
    expireHold: { on: "POST /sandbox/payment-links/{token}/expire-hold" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Route>>>>;
