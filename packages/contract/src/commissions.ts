import { isMonth } from "@intents/domain/commissions/commission.ts";
import { commissionRequestStatuses, REQUEST_PAYMENTS_MAX } from "@intents/domain/commissions/request.ts";
import { DOCUMENT_BYTES_MAX } from "@intents/domain/parties/document.ts";
import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { amount, timestamp } from "./shapes.ts";

const Commission = lazily(() =>
  z
    .looseObject({
      id: z.string(),
      paymentId: z.int(),
      studentName: z.string(),
      payeeName: z.string(),
      payerAmount: amount(),
      payerCurrency: z.string(),
      commissionAmount: amount(),
      commissionCurrency: z.string(),
      commissionSpread: z.number().describe("Decimal fraction: 0.01 is 1 %"),
      paymentDate: timestamp(),
      commissionRequestDate: timestamp().exactOptional(),
      commissionPaidDate: timestamp().exactOptional(),
    })
    .meta({ id: "Commission" }),
);

const Outstanding = lazily(() =>
  z
    .looseObject({
      items: z.array(
        z.looseObject({
          paymentId: z.int(),
          commissionAmount: amount(),
          commissionCurrency: z.string(),
          paymentDate: timestamp(),
        }),
      ),
      totals: z.array(z.looseObject({ currency: z.string(), amount: amount() })).describe("Of all, listed or not"),
      thresholdMet: z.boolean().describe("The total of one currency reaches the minimum payout"),
      hasMore: z.boolean().describe("There are more than one answer can list: request some of them first"),
    })
    .meta({ id: "OutstandingCommissions" }),
);

const CommissionRequest = lazily(() =>
  z
    .looseObject({
      requestId: z.string(),
      status: z.enum(commissionRequestStatuses),
      totalAmount: amount(),
      currency: z.string(),
      paymentCount: z.int(),
      createdOn: timestamp(),
      decidedOn: timestamp().exactOptional().describe("When it was paid or rejected"),
      reason: z.string().exactOptional().describe("Why it was rejected"),
      hasInvoice: z.boolean(),
      hasProof: z.boolean(),
      payments: z
        .array(
          z.looseObject({
            paymentId: z.int(),
            studentName: z.string(),
            commissionAmount: amount(),
            commissionCurrency: z.string(),
          }),
        )
        .describe("In lists the first 90 only"),
    })
    .meta({ id: "CommissionRequest" }),
);

/** The fields of the form by which commissions are requested. */
const RequestFields = lazily(() =>
  z.object({
    paymentIds: z
      .string()
      .transform(parseJson)
      .pipe(
        z
          .array(z.int("must be a payment id").positive("must be a payment id"), "must be a JSON array of numbers")
          .min(1, "must name at least one payment")
          .max(REQUEST_PAYMENTS_MAX, `must name at most ${REQUEST_PAYMENTS_MAX} payments`)
          .refine((ids) => new Set(ids).size === ids.length, "must name each payment once"),
      ),
    commissionTotalAmount: amount(),
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
    reportPeriod: z.string().refine(isMonth, "must be a month, yyyy-MM").describe("A month in UTC: yyyy-MM"),
  }),
);

const invoice = { file: ["application/pdf"], bytesMax: DOCUMENT_BYTES_MAX, description: "At most 4 MB" } as const;
const pdf = { status: 200, file: ["application/pdf"] } as const;

export const commissionRoutes = defineRoutes({
  listCommissions: {
    on: "GET /v2/commissions",
    group: "commissions",
    summary: "List what completed payments earned, newest first",
    auth: "key",
    query: { list: "COMMISSION" },
    answers: { status: 200, list: "commissions", item: Commission },
  },
  getOutstandingCommissions: {
    on: "GET /v2/commissions/outstanding",
    group: "commissions",
    summary: "The commissions that no submitted or paid request holds",
    auth: "key",
    answers: { status: 200, data: Outstanding, listed: "items" },
  },
  exportCommissions: {
    on: "GET /v2/commissions/export",
    group: "commissions",
    summary: "The commissions of a month as a CSV file; a large one is answered with a link to it, good for 5 minutes",
    auth: "key",
    parameters: ReportPeriod,
    answers: { status: 200, file: ["text/csv; charset=utf-8"], orLink: true },
  },
  createCommissionRequest: {
    on: "POST /v2/commissions/requests",
    group: "commissions",
    summary: "Ask for outstanding commissions of one currency to be paid: all of them or, on any problem, none",
    auth: "key",
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
    on: "GET /v2/commissions/requests",
    group: "commissions",
    summary: "List requests for commissions, newest first",
    auth: "key",
    query: { list: "COMMISSION_REQUEST" },
    answers: { status: 200, list: "requests", item: CommissionRequest },
  },
  getCommissionRequest: {
    on: "GET /v2/commissions/requests/{id}",
    group: "commissions",
    summary: "Get a request for commissions, with all its payments",
    auth: "key",
    answers: { status: 200, data: CommissionRequest },
    errors: ["not_found"],
  },
  replaceCommissionInvoice: {
    on: "PUT /v2/commissions/requests/{id}",
    group: "commissions",
    summary: "Add or replace the invoice of a request, as long as it is submitted",
    auth: "key",
    form: "multipart",
    parts: { invoice: { ...invoice, required: true } },
    answers: { status: 200, data: CommissionRequest },
    errors: ["not_found", "stale", "commission_state", "too_large", "media_type"],
  },
  getCommissionInvoice: {
    on: "GET /v2/commissions/requests/{id}/invoice",
    group: "commissions",
    summary: "The invoice of a request",
    auth: "key",
    answers: pdf,
    errors: ["not_found"],
  },
  getCommissionProof: {
    on: "GET /v2/commissions/requests/{id}/proof",
    group: "commissions",
    summary: "The proof of payment of a request, once it is paid",
    auth: "key",
    answers: pdf,
    errors: ["not_found", "commission_state"],
  },
});
