import { isMonth } from "@intents/domain/commissions/commission.ts";
import { REQUEST_PAYMENTS_MAX } from "@intents/domain/commissions/request.ts";
import { DOCUMENT_BYTES_MAX } from "@intents/domain/parties/document.ts";
import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { amount, count, money, plainText, signedMoney, timestamp } from "./shapes.ts";
import { CommissionRequestStatus, CurrencyCode } from "./vocabulary.ts";

const requestedFields = () => ({
  paymentId: z.int().describe("The payment: the `connectorPaymentIds` of an execution"),
  studentName: plainText("Who was paid for"),
  commissionAmount: signedMoney("What the tenant earned, below zero where money came back"),
  commissionCurrency: CurrencyCode(),
});

const Commission = lazily(() =>
  z
    .object({
      id: z.string().describe("Sorts by the payment's date"),
      ...requestedFields(),
      correction: z
        .int()
        .min(1)
        .describe("The `number` of the payment's correction that made it; absent from what a payment earns as it ends")
        .exactOptional(),
      payeeName: plainText("Who was paid"),
      payerAmount: signedMoney(
        "What was paid, without fees, and below zero what came back: the commission is a part of it",
      ),
      payerCurrency: CurrencyCode(),
      commissionSpread: z.number().describe("The part of `payerAmount` that is earned: 0.01 is 1 %"),
      paymentDate: timestamp("When the payment completed, or was corrected"),
      commissionRequestDate: timestamp("When the request that holds it was made").exactOptional(),
      commissionPaidDate: timestamp("When it was paid out").exactOptional(),
      underReview: z
        .object({ since: timestamp("Since when an operator is to look into it") })
        .meta({
          id: "CommissionUnderReview",
          description:
            "There while the payment is under review. The commission is not outstanding then, and a request that holds it is not paid",
        })
        .exactOptional(),
    })
    .meta({
      id: "Commission",
      description: "What a tenant earned by one payment, or what a correction of it gives or takes back",
    }),
);
const CommissionItem = lazily(() =>
  Commission()
    .extend({ _id: z.string().describe("The same as `id`") })
    .meta({ id: "CommissionItem", description: "A commission in a list" }),
);

const Outstanding = lazily(() =>
  z
    .object({
      items: z
        .array(
          z
            .object({
              paymentId: z
                .int()
                .describe("Names the payment in a request, which takes all outstanding commissions of it"),
              commissionAmount: signedMoney("What the tenant earned, below zero where money came back"),
              commissionCurrency: CurrencyCode(),
              paymentDate: timestamp("When the payment completed, or was corrected"),
            })
            .meta({ id: "OutstandingCommission", description: "A commission that no request holds" }),
        )
        .describe("The oldest first"),
      totals: z
        .array(
          z
            .object({ currency: CurrencyCode(), amount: signedMoney("The sum, below zero where more came back") })
            .meta({ id: "CommissionTotal", description: "The outstanding commissions of one currency" }),
        )
        .describe("Of all outstanding commissions, listed or not"),
      thresholdMet: z.boolean().describe("The total of one currency reaches the minimum payout"),
      hasMore: z.boolean().describe("There are more than one answer can list: request some of them first"),
    })
    .meta({ id: "OutstandingCommissions", description: "What can be requested" }),
);

const CommissionRequest = lazily(() =>
  z
    .object({
      requestId: z.string().describe("Names the request"),
      status: CommissionRequestStatus(),
      totalAmount: money("The exact sum of its commissions"),
      currency: CurrencyCode(),
      paymentCount: count("The number of its commissions"),
      createdOn: timestamp("When it was made"),
      decidedOn: timestamp("When it was paid or rejected").exactOptional(),
      reason: plainText("Why it was rejected").exactOptional(),
      hasInvoice: z.boolean().describe("Whether there is an invoice to read"),
      invoicedOn: timestamp("When the invoice was added or replaced").exactOptional(),
      hasProof: z.boolean().describe("Whether there is a proof of payment to read"),
      payments: z
        .array(
          z
            .object(requestedFields())
            .meta({ id: "RequestedCommission", description: "A commission as a part of a request" }),
        )
        .describe(
          "Its commissions, in the order of their payment ids, several of a corrected payment; in lists the first 90 only",
        ),
    })
    .meta({ id: "CommissionRequest", description: "A tenant's request to be paid what it has earned" }),
);
const CommissionRequestItem = lazily(() =>
  CommissionRequest()
    .extend({ id: z.string().describe("The same as `requestId`"), _id: z.string().describe("The same as `requestId`") })
    .meta({ id: "CommissionRequestItem", description: "A request for commissions in a list" }),
);

/** The fields of the form by which commissions are requested. */
const RequestFields = lazily(() =>
  z.object({
    paymentIds: z
      .string()
      .meta({
        pattern: "^\\[[1-9][0-9]{0,14}(,[1-9][0-9]{0,14})*\\]$",
        contentMediaType: "application/json",
        contentSchema: { type: "array", items: { type: "integer" } },
      })
      .transform(parseJson)
      .pipe(
        z
          .array(z.int("must be a payment id").positive("must be a payment id"), "must be a JSON array of numbers")
          .min(1, "must name at least one payment")
          .max(REQUEST_PAYMENTS_MAX, `must name at most ${REQUEST_PAYMENTS_MAX} payments`)
          .refine((ids) => new Set(ids).size === ids.length, "must name each payment once"),
      ),
    commissionTotalAmount: amount("The exact sum of the commissions"),
  }),
);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ReportPeriod = lazily(() =>
  z.strictObject({
    reportPeriod: z
      .string()
      .refine(isMonth, "must be a month, yyyy-MM")
      .meta({ pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$", description: "A month in UTC: yyyy-MM", example: "2026-10" }),
  }),
);

const invoice = { file: ["application/pdf"], bytesMax: DOCUMENT_BYTES_MAX, description: "At most 4 MB" } as const;
const pdf = { status: 200, file: ["application/pdf"] } as const;

const common = { group: "commissions", auth: "key" } as const;

export const commissionRoutes = defineRoutes({
  listCommissions: {
    ...common,
    on: "GET /v2/commissions",
    summary: "List what completed payments earned, newest first",
    description: "Each completed payment by which the tenant earned something has one.",
    query: { list: "COMMISSION" },
    answers: { status: 200, list: "commissions", item: CommissionItem },
  },
  getOutstandingCommissions: {
    ...common,
    on: "GET /v2/commissions/outstanding",
    summary: "The commissions that no submitted or paid request holds",
    description: "Name them by their `paymentId` in a request.",
    answers: { status: 200, data: Outstanding, listed: "items" },
  },
  exportCommissions: {
    ...common,
    on: "GET /v2/commissions/export",
    summary: "The commissions of a month as a CSV file; a large one is answered with a link to it, good for 5 minutes",
    description: "One line for each commission, by the month in which its payment completed.",
    parameters: ReportPeriod,
    answers: { status: 200, file: ["text/csv; charset=utf-8"], orLink: true },
  },
  createCommissionRequest: {
    ...common,
    on: "POST /v2/commissions/requests",
    summary: "Ask for outstanding commissions of one currency to be paid: all of them or, on any problem, none",
    description:
      "The commissions are held by the request until it is rejected. The sum is stated so that both sides mean the same.",
    scope: "pay",
    form: "multipart",
    parts: {
      paymentIds: { required: true, description: `A JSON array of at most ${REQUEST_PAYMENTS_MAX} payment ids` },
      commissionTotalAmount: { required: true, description: "The exact sum of the commissions, a decimal string" },
      invoice,
    },
    fields: RequestFields,
    answers: { status: 201, data: CommissionRequest, location: "requests/{requestId}" },
    errors: ["commission_state", "too_large", "media_type"],
  },
  listCommissionRequests: {
    ...common,
    on: "GET /v2/commissions/requests",
    summary: "List requests for commissions, newest first",
    description: "The tenant's requests.",
    query: { list: "COMMISSION_REQUEST" },
    answers: { status: 200, list: "requests", item: CommissionRequestItem },
  },
  getCommissionRequest: {
    ...common,
    on: "GET /v2/commissions/requests/{id}",
    summary: "Get a request for commissions, with all its payments",
    description: "By its `requestId`.",
    answers: { status: 200, data: CommissionRequest },
    errors: ["not_found"],
  },
  replaceCommissionInvoice: {
    ...common,
    on: "PUT /v2/commissions/requests/{id}",
    summary: "Add or replace the invoice of a request, as long as it is submitted",
    description: "The request itself does not change otherwise.",
    scope: "pay",
    form: "multipart",
    parts: { invoice: { ...invoice, required: true } },
    answers: { status: 200, data: CommissionRequest },
    errors: ["not_found", "stale", "commission_state", "too_large", "media_type"],
  },
  getCommissionInvoice: {
    ...common,
    on: "GET /v2/commissions/requests/{id}/invoice",
    summary: "The invoice of a request",
    description: "The PDF as it was uploaded, as a download.",
    answers: pdf,
    errors: ["not_found"],
  },
  getCommissionProof: {
    ...common,
    on: "GET /v2/commissions/requests/{id}/proof",
    summary: "The proof of payment of a request, once it is paid",
    description: "A PDF, as a download.",
    answers: pdf,
    errors: ["not_found", "commission_state"],
  },
});
