import { describe, expect, test } from "vitest";
import { routes } from "../routes.ts";
import { toOpenApi } from "./document.ts";

// The tables of the specification against the document. Each list below is one of them.

type Schema = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}>;
type Answer = Readonly<{ $ref?: string; headers?: object; content?: Readonly<Record<string, { schema: Schema }>> }>;
type Parameter = Readonly<{ $ref?: string; in: string; name: string; schema?: Schema }>;
type Operation = Readonly<{
  parameters?: readonly Parameter[];
  security?: readonly object[];
  requestBody?: Readonly<{ content: Readonly<Record<string, Readonly<{ schema: Schema }>>> }>;
  responses: Readonly<Record<string, Answer>>;
}>;
const document = toOpenApi(routes) as unknown as Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<{
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, Parameter>>;
    responses: Readonly<Record<string, Answer>>;
  }>;
}>;
const { schemas, parameters, responses } = document.components;

const resolved = (schema: Schema = {}): Schema =>
  schema.$ref === undefined ? schema : resolved(schemas[schema.$ref.split("/").at(-1) ?? ""]);

/** The schema at a dotted path, through lists as well. */
function at(schema: Schema, path: string): Schema {
  return path.split(".").reduce<Schema>((node, name) => {
    const { properties, items } = resolved(node);
    const below = properties ?? resolved(items).properties;
    const found = below?.[name];
    if (found === undefined) throw new Error(`The document has no ${name} of ${path}`);
    return found;
  }, schema);
}

const operationOf = (on: string): Operation => {
  const [method = "", path = ""] = on.split(" ");
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`The document has no ${on}`);
  const resolve = ({ $ref, ...one }: Parameter) =>
    $ref === undefined ? one : parameters[$ref.split("/").at(-1) ?? ""];
  return { ...operation, parameters: (operation.parameters ?? []).flatMap((one) => resolve(one) ?? []) };
};
const sent = (on: string, type = "application/json") => operationOf(on).requestBody?.content[type]?.schema ?? {};
function answerOf(on: string, status: string): Answer {
  const { $ref, ...answer } = operationOf(on).responses[status] ?? {};
  return $ref === undefined ? answer : (responses[$ref.split("/").at(-1) ?? ""] ?? {});
}
const answered = (on: string, status = "200") => answerOf(on, status).content?.["application/json"]?.schema ?? {};

const words = (text: string) => text.trim().split(/\s+/);

const create = "POST /v2/payment-intents";
const get = "GET /v2/payment-intents/{id}";

describe("the vocabularies of an intent are the specification's", () => {
  test.each([
    [
      "useCase",
      `education_provider_tuition education_provider_tuition_with_tenant_split supplier_payment payroll_payment
       tenant_funded_refund allowance_payment generic_service_invoice owed_commission_invoice legacy_transaction_reissue`,
    ],
    ["deliveryMode", "manual reusable_payment_link payment_link_submission bulk"],
    [
      "amountMode",
      "payer_fixed recipient_fixed fixed_payee_amounts free_entry_with_portions mixed_composite legacy_reissue",
    ],
    ["payer.role", "student family agent tenant external_school external_partner unknown_link_payer"],
    ["recipients.role", "education_provider public_payee tenant"],
    [
      "recipients.splitRole",
      "principal_provider_amount tenant_commission tenant_service_fee tenant_tax_component other",
    ],
    [
      "instructions.manualPayment.purpose",
      `undergraduate postgraduate high-school vocational language-course professional-year exchange-program accommodation
       allowance-payment other refund scholarship loan other-request comission`,
    ],
    [
      "status",
      `draft ready_for_quote quoted ready_for_execution executing completed failed partially_completed
       requires_recovery cancelled pending_link_payment`,
    ],
  ])("%s", (path, listed) => {
    expect(resolved(at(answered(get), `data.${path}`)).enum).toEqual(words(listed));
  });

  test("a create takes the same, but for the mode that payers alone make", () => {
    const modes = words("manual reusable_payment_link bulk");
    expect(resolved(at(sent(create), "deliveryMode")).enum).toEqual(modes);
    expect(resolved(at(sent(create), "useCase"))).toBe(schemas["UseCase"]);
  });
});

describe("every field of the specification is in the document", () => {
  test.each([
    [
      "what a create takes",
      sent(create),
      "useCase deliveryMode amountMode name payer.role payer.partyId payer.details subject.role recipients instructions.manualPayment instructions.paymentLink termsAccepted",
    ],
    [
      "a recipient",
      sent(create),
      "recipients.role recipients.order recipients.connectorPayeeId recipients.splitRole recipients.purposeProofDocumentId recipients.amount.payerAmount recipients.amount.payeeAmount recipients.amount.currency recipients.amount.portionBps",
    ],
    [
      "a manual payment",
      at(sent(create), "instructions.manualPayment"),
      "quoteId selectedQuoteVariantId purpose countryCode payerIdentityDocumentId quotePayoutOrderConfirmed",
    ],
    [
      "inline details",
      at(sent(create), "payer.details"),
      "payerType firstName lastName email phone dob addressLine1 city state postcode countryCode",
    ],
    [
      "an intent",
      at(answered(get), "data"),
      "id status publicLinkId executions.connectorPaymentIds executions.paymentLinkUrl createdAt createdFrom.paymentIntentId connectorPayment.transactionBankDetails.beneficiaryName connectorPayment.transactionBankDetails.accountNumber connectorPayment.transactionBankDetails.bsb connectorPayment.transactionBankDetails.aba connectorPayment.transactionBankDetails.iban connectorPayment.transactionBankDetails.swift connectorPayment.transactionBankDetails.bankName connectorPayment.reference connectorPayment.dueDate connectorPayment.payouts.payeeName connectorPayment.payouts.payerAmount connectorPayment.payouts.payeeAmount connectorPayment.payouts.reference",
    ],
    [
      "an intent in a list",
      schemas["PaymentIntentItem"] ?? {},
      "_id lastConnectorPaymentId lastPaymentLinkUrl bulkProgress lastExecutionConnector",
    ],
    [
      "a student",
      at(answered("GET /v2/students/{id}"), "data"),
      "_id firstName lastName email phone dob addressLine1 city state postcode countryCode taxIdentificationNumber",
    ],
    [
      "a saved payer",
      at(answered("GET /v2/payers/{id}"), "data"),
      "_id payerType email profile.firstName profile.lastName profile.phone profile.dob address.country address.line1 address.city address.state address.postalCode",
    ],
    ["a payee", at(answered("GET /v2/payees/{id}"), "data"), "id name countryCode currencyCode"],
    ["a saved document", answered("POST /v2/students/{id}/documents", "201"), "data.legacyDocumentId data.type"],
    ["saving a document", sent("POST /v2/students/{id}/documents"), "sourceDocumentId type fileName contentType"],
    ["an upload", answered("POST /v2/documents", "201"), "data.documentId"],
    [
      "a quote",
      at(answered("GET /v2/quotes/{id}"), "data"),
      "quoteId countryCode paymentType expiresOn hasInstallments",
    ],
    [
      "a variant",
      at(answered("GET /v2/quotes/{id}"), "data.variants"),
      "id settlementMethod settlementChannel fromCurrency toCurrency fromAmount fxRate fee minAmount maxAmount spread marketRate commissionBeneficiaryId commission meta.category meta.uiFlow meta.eta.disbursement.unit meta.eta.disbursement.min meta.eta.disbursement.max meta.noticeKeys meta.cardNetworks",
    ],
    [
      "a payout",
      at(answered("GET /v2/quotes/{id}"), "data.payouts"),
      "payeeId fromCurrency toCurrency payerAmount payeeAmount fxRate",
    ],
    [
      "an fx-rate",
      at(answered("POST /v2/fx-rate"), "data"),
      "fromCurrencyCode toCurrencyCode rate taxPercentage settlementMethod expiresOn",
    ],
    [
      "a commission",
      schemas["CommissionItem"] ?? {},
      "paymentId studentName payeeName payerAmount payerCurrency commissionAmount commissionCurrency commissionSpread paymentDate commissionRequestDate commissionPaidDate",
    ],
    [
      "the outstanding view",
      at(answered("GET /v2/commissions/outstanding"), "data"),
      "items.paymentId items.commissionAmount items.commissionCurrency items.paymentDate totals.currency totals.amount thresholdMet",
    ],
    [
      "a commission request",
      at(answered("GET /v2/commissions/requests/{id}"), "data"),
      "requestId status totalAmount paymentCount createdOn payments.paymentId payments.studentName payments.commissionAmount payments.commissionCurrency",
    ],
    [
      "a judgement",
      at(answered("POST /v2/payment-intents/{id}/dry-run"), "data"),
      "rule.status rule.missingRequirements connector.provider connector.action connector.version limits.maxRecipients controls.acceptedLimitations",
    ],
    ["who calls", at(answered("GET /v2/users/me"), "data"), "paymentAccess.tenantId"],
  ])("%s", (_, schema, paths) => {
    for (const path of words(paths).filter(Boolean)) expect(at(schema, path)).toBeDefined();
  });

  test("a payment link has exactly four fields, and no other is taken", () => {
    const link = resolved(at(sent(create), "instructions.paymentLink")) as Schema & { additionalProperties?: boolean };
    expect(Object.keys(link.properties ?? {})).toEqual(words("reference payFromCountryCode lockedFields isSingleUse"));
    expect(link.additionalProperties).toBe(false);
  });

  test.each([
    ["/v2/lookup/countries", "countries", "countryCode name currencies"],
    ["/v2/lookup/payment-methods/{payeeId}", "paymentMethods", "settlementMethod displayName"],
    ["/v2/lookup/purposes/{type}", "purposes", "id name"],
    ["/v2/lookup/payer-types/{type}", "payerTypes", "id name"],
  ])("%s", (path, list, fields) => {
    for (const field of words(fields)) expect(at(answered(`GET ${path}`), `data.${list}.${field}`)).toBeDefined();
  });

  test("what is required on create is required in the document", () => {
    expect(resolved(sent(create)).required).toEqual(words("useCase deliveryMode amountMode payer termsAccepted"));
    expect(resolved(sent("POST /v2/students")).required).toEqual(words("firstName lastName email"));
    expect(resolved(sent("POST /v2/fx-rate")).required).toEqual(
      words("fromCurrency toCurrency amount fromCountryCode toCountryCode paymentType"),
    );
  });
});

describe("every endpoint of the specification is in the document", () => {
  test.each(
    words(`
    POST|/v2/payment-intents GET|/v2/payment-intents GET|/v2/payment-intents/{id} POST|/v2/payment-intents/requirements
    POST|/v2/payment-intents/{id}/dry-run POST|/v2/payment-intents/{id}/draft POST|/v2/payment-intents/{id}/submit
    POST|/v2/students GET|/v2/students PUT|/v2/students/{id} POST|/v2/students/{id}/documents
    GET|/v2/students/{id}/documents POST|/v2/students/{id}/documents/{legacyDocumentId}/use
    GET|/v2/students/{id}/documents/{legacyDocumentId}/content POST|/v2/payers POST|/v2/payers/{id}/documents
    GET|/v2/payers/{id}/documents POST|/v2/payers/{id}/documents/{legacyDocumentId}/use POST|/v2/documents
    POST|/v2/payees GET|/v2/users/me POST|/v2/fx-rate POST|/v2/quotes GET|/v2/quotes/{id} GET|/v2/lookup/countries
    GET|/v2/lookup/payment-methods/{payeeId} GET|/v2/lookup/purposes/{type} GET|/v2/lookup/payer-types/{type}
    GET|/v2/commissions GET|/v2/commissions/outstanding GET|/v2/commissions/export POST|/v2/commissions/requests
    GET|/v2/commissions/requests GET|/v2/commissions/requests/{id} PUT|/v2/commissions/requests/{id}
    GET|/v2/commissions/requests/{id}/invoice GET|/v2/commissions/requests/{id}/proof
    GET|/v2/public/payment-links/{token} POST|/v2/public/payment-links/{token}/quote
    POST|/v2/public/payment-links/{token}/documents POST|/v2/public/payment-links/{token}/payer-session
    GET|/v2/public/payment-links/{token}/status POST|/auth/login POST|/auth/signup POST|/chat GET|/chat/{conversationId}
  `),
  )("%s", (on) => {
    const operation = operationOf(on.replace("|", " "));
    const isPublic = on.includes("/v2/public/");
    expect(operation.security).toEqual(isPublic ? [] : expect.arrayContaining([{ ApiKey: [] }]));
  });
});

test.each(words("paymentIntents|/v2/payment-intents students|/v2/students commissions|/v2/commissions"))(
  "%s is a list as the specification has lists",
  (row) => {
    const [name = "", path = ""] = row.split("|");
    const page = answered(`GET ${path}`);
    for (const field of [`data.${name}`, "hasMore", "count", "total"]) expect(at(page, field)).toBeDefined();
    const named = operationOf(`GET ${path}`).parameters?.map((one) => one.name);
    expect(named).toEqual(expect.arrayContaining(words("filter skip limit sort projection")));
    const limit = operationOf(`GET ${path}`).parameters?.find((one) => one.name === "limit")?.schema;
    expect(limit).toMatchObject({ type: "integer", minimum: 0, maximum: 1000 });
  },
);

describe("every error of the specification is in the document, with its details", () => {
  const submit = "POST /v2/payment-intents/{id}/submit";
  const codesOf = (on: string, status: string) => {
    const schema = answered(on, status);
    return (schema.anyOf ?? [schema]).map((one) => resolved(resolved(one).properties?.["code"]).const);
  };
  test.each([
    [submit, "400", "[GEN9002]", "RequirementsError", "missingRequirements reason"],
    ["POST /v2/quotes", "403", "[GEN9004]", "PermissionError", "reason legacyConstraint failedRequirements"],
    [submit, "409", "[PAY0003]", "DuplicateTransactionError", ""],
    [submit, "422", "[QOT0001]", "QuoteExpiredError", ""],
    ["POST /v2/quotes", "422", "[QOT0003]", "PairUnavailableError", ""],
    [submit, "422", undefined, "KeyReusedError", ""],
    ["GET /v2/users/me", "429", undefined, "RateLimitedError", ""],
    ["GET /v2/users/me", "503", undefined, "MaintenanceError", ""],
  ])("%s %s %s", (on, status, code, component, details) => {
    expect(codesOf(on, status)).toContain(code);
    const error = schemas[component] ?? {};
    for (const field of words("statusCode message timestamp details")) expect(at(error, field)).toBeDefined();
    for (const field of words(details).filter(Boolean)) expect(at(error, `details.${field}`)).toBeDefined();
  });

  test("a wrong shape is told in an array", () => {
    expect(at(schemas["ShapeError"] ?? {}, "message")).toMatchObject({ type: "array", items: { type: "string" } });
    expect(
      Object.values(document.paths)
        .flatMap((path) => Object.values(path))
        .every(({ responses }) => "400" in responses),
    ).toBe(true);
  });
});

test("the limits of the specification are in the document", () => {
  expect(at(sent(create), "name").maxLength).toBe(120);
  expect(at(sent(create), "recipients.amount.portionBps")).toMatchObject({ type: "integer", maximum: 10_000 });
  const headers = answerOf("GET /v2/users/me", "429").headers ?? {};
  expect(Object.keys(headers)).toEqual(
    expect.arrayContaining(words("Retry-After X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset")),
  );
});
