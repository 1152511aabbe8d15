import { isDecimal } from "@intents/domain/amounts/money.ts";
import { intentStatuses } from "@intents/domain/intents/statuses.ts";
import * as z from "zod";
import { UploadedDocument, uploadedFile } from "./documents.ts";
import { payerDetails } from "./parties.ts";
import { defineRoutes, lazily } from "./route.ts";
import { countryCode, id, variantId } from "./shapes.ts";

/** A payment by a link names at most this many documents. */
const DOCUMENTS_MAX = 10;

const linkStatus = () => z.enum(["open", "closed"]);

const PublicLink = lazily(() =>
  z
    .looseObject({
      status: linkStatus(),
      recipientName: z.string(),
      amountType: z.enum(["fixed", "open"]),
      amount: z
        .string()
        .exactOptional()
        .meta({ description: "What `recipients` receive in all, in `currency`, when the link sets it" }),
      currency: z.string(),
      recipients: z
        .array(
          z.looseObject({
            name: z.string(),
            amount: z.string().exactOptional(),
            currency: z.string().exactOptional().meta({ description: "Beside every `amount`" }),
          }),
        )
        .min(1)
        .meta({ description: "Whom the payment is for, in order" }),
      reference: z.string().exactOptional(),
      payFromCountryCode: z.string().exactOptional(),
      payFromCountryLocked: z.boolean(),
      isSingleUse: z.boolean(),
    })
    .meta({ id: "PublicLink" }),
);

/** The amount that a payer enters: text as typed, or a number. */
const enteredAmount = () =>
  z
    .union([z.string(), z.number()], "must be a decimal string or a number")
    .transform(String)
    .refine(isDecimal, "must be a plain decimal such as 1000.00")
    .refine((value) => !isDecimal(value) || /[1-9]/.test(value), "must be above zero")
    .describe("The total in the link's currency; required exactly when the payer enters it");

const LinkQuoteQuestion = lazily(() =>
  z.strictObject({ amount: enteredAmount().exactOptional(), payerCountryCode: countryCode() }),
);
const LinkQuote = lazily(() =>
  z
    .looseObject({
      quoteId: z.uuid(),
      expiresOn: z.iso.datetime(),
      amount: z.number().meta({ description: "What the link's `recipients` receive in all, in `currency`" }),
      currency: z.string(),
      variants: z
        .array(
          z.looseObject({
            id: z.int(),
            settlementMethod: z.string(),
            settlementChannel: z.string(),
            fromCurrency: z.string(),
            toCurrency: z.string(),
            fromAmount: z.number().meta({ description: "What the payer pays in all, `feesAndCharges` included" }),
            fxRate: z.number(),
            feesAndCharges: z.number().meta({
              description: "What of `fromAmount` the link's `recipients` do not receive, in `fromCurrency`",
            }),
            minAmount: z.number().meta({ description: "The least that the rail takes, its fee not counted" }),
            maxAmount: z.number().meta({ description: "The most that the rail takes, its fee not counted" }),
            isWithinLimits: z.boolean().meta({ description: "Whether the rail takes as much, or as little, as this" }),
            meta: z.looseObject({}),
          }),
        )
        .min(1),
      payouts: z
        .array(
          z.looseObject({
            name: z.string(),
            payeeAmount: z.number(),
            payerAmount: z.number(),
            fromCurrency: z.string(),
            toCurrency: z.string(),
          }),
        )
        .min(1)
        .meta({ description: "What each of the link's `recipients` receives, and what of the first variant it takes" }),
    })
    .meta({ id: "LinkQuote" }),
);

const PayerUploadFields = lazily(() => z.object({ documentType: z.literal("identity") }));

const PayerSessionBody = lazily(() =>
  z.strictObject({
    payerDetails: payerDetails(),
    quoteId: id(),
    selectedQuoteVariantId: variantId(),
    documentIds: z.array(id()).max(DOCUMENTS_MAX, `must have at most ${DOCUMENTS_MAX} entries`).default([]),
  }),
);
const PayerSession = lazily(() =>
  z
    .looseObject({
      paymentIntentId: z.string(),
      status: z.enum(intentStatuses),
      checkoutUrl: z.url().exactOptional(),
      nextAction: z.discriminatedUnion("type", [
        z.looseObject({ type: z.literal("redirect"), url: z.url() }),
        z.looseObject({
          type: z.literal("bank_transfer"),
          transactionBankDetails: z.looseObject({ beneficiaryName: z.string(), accountNumber: z.string() }),
          reference: z.string(),
          amount: z.string(),
          currency: z.string(),
          dueDate: z.iso.date(),
        }),
      ]),
      payment: z.looseObject({
        amount: z
          .string()
          .meta({ description: "What the payer pays in all, `feesAndCharges` included, in `currency`" }),
        feesAndCharges: z.string(),
        currency: z.string(),
        recipients: z
          .array(z.looseObject({ amount: z.string(), currency: z.string() }))
          .min(1)
          .meta({ description: "What each of the link's `recipients` receives, in their order" }),
      }),
    })
    .meta({ id: "PayerSession" }),
);

const LinkStatus = lazily(() =>
  z
    .looseObject({
      status: linkStatus(),
      paymentIntentId: z.string().exactOptional(),
      paymentStatus: z.enum(intentStatuses).exactOptional(),
      paymentMethod: z.enum(["redirect", "bank_transfer"]).exactOptional(),
    })
    .meta({ id: "LinkStatus" }),
);

const link = { group: "payment-links", auth: "public", limit: "public_link" } as const;

export const paymentLinkRoutes = defineRoutes({
  getPaymentLink: {
    ...link,
    on: "GET /v2/public/payment-links/{token}",
    summary: "What a payer sees of a link",
    answers: { status: 200, data: PublicLink },
    errors: ["link_not_found"],
  },
  quotePaymentLink: {
    ...link,
    on: "POST /v2/public/payment-links/{token}/quote",
    summary: "Price a payment in every way the payer's country offers, and lock the rates",
    body: LinkQuoteQuestion,
    answers: { status: 200, data: LinkQuote },
    errors: ["link_not_found", "link_closed", "pair_unavailable"],
    example: { payerCountryCode: "BR" },
  },
  uploadPayerDocument: {
    ...link,
    on: "POST /v2/public/payment-links/{token}/documents",
    summary: "Upload a payer's document",
    limit: "public_upload",
    form: "multipart",
    parts: {
      file: uploadedFile,
      documentType: { required: true, description: "`identity`" },
    },
    fields: PayerUploadFields,
    answers: { status: 201, data: UploadedDocument },
    errors: ["link_not_found", "link_closed", "too_large", "media_type"],
  },
  openPayerSession: {
    ...link,
    on: "POST /v2/public/payment-links/{token}/payer-session",
    summary: "Begin to pay: once per quote, however often it is called",
    body: PayerSessionBody,
    answers: { status: 200, data: PayerSession },
    errors: [
      "link_not_found",
      "link_closed",
      "link_held",
      "quote_not_found",
      "quote_expired",
      "requirements",
      "not_found",
      "duplicate_transaction",
      "in_recovery",
      "rail_refused",
      "rail_unavailable",
      "outcome_unknown",
      "wrong_status",
      "in_flight",
      "busy",
    ],
    example: {
      payerDetails: { firstName: "Ana", lastName: "Silva", email: "ana.silva@example.com" },
      quoteId: "3f0e5b0c-6c1e-4b1c-9f0a-2a9d1f1b7c55",
      selectedQuoteVariantId: 1234567890123,
    },
  },
  getPaymentLinkStatus: {
    ...link,
    on: "GET /v2/public/payment-links/{token}/status",
    summary: "Whether a link is open, and with `paymentIntentId` how a payment by it stands",
    parameters: lazily(() => z.strictObject({ paymentIntentId: z.string().exactOptional() })),
    answers: { status: 200, data: LinkStatus },
    errors: ["link_not_found", "not_found"],
  },
});
