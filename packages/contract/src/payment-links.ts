import { defaultOf } from "@intents/deployment/settings.ts";
import { isDecimal } from "@intents/domain/amounts/money.ts";
import { LINK_TOKEN_LENGTH } from "@intents/domain/ids.ts";
import * as z from "zod";
import { UploadedDocument, uploadedFile } from "./documents.ts";
import {
  Held,
  HoldBody,
  LookedInto,
  PayerPayment,
  PayerSession,
  PayerSessionBody,
  PaymentMethod,
} from "./payer-sessions.ts";
import { variantFields } from "./rates.ts";
import { defineRoutes, lazily } from "./route.ts";
import { ABOVE_ZERO, BOUNDS, decimal, money, plainText, timestamp } from "./shapes.ts";
import { CountryCode, CurrencyCode, IntentStatus, MoneyState } from "./vocabulary.ts";

const minutesOf = (name: "CHECKOUT_HOLD_SECONDS" | "TRANSFER_HOLD_SECONDS"): number => defaultOf(name) / 60;

const LinkState = lazily(() =>
  z
    .enum(["open", "closed"])
    .meta({
      id: "LinkState",
      description:
        "`closed`: it was for one payment, which was made or is under review, or nothing is paid by its organization's links now",
    }),
);

const PublicLink = lazily(() =>
  z
    .object({
      status: LinkState(),
      recipientName: plainText("The first of `recipients`"),
      amountType: z.enum(["fixed", "open"]).describe("Whether the link sets the amount, or the payer enters it"),
      amount: money("What `recipients` receive in all, in `currency`, when the link sets it").exactOptional(),
      currency: CurrencyCode(),
      recipients: z
        .array(
          z
            .object({
              name: plainText("Who is paid"),
              amount: money("What they receive").exactOptional(),
              currency: CurrencyCode().exactOptional(),
            })
            .meta({ id: "LinkRecipient", description: "Whom a link is for; `currency` stands beside every `amount`" }),
        )
        .min(1)
        .describe("Whom the payment is for, in order"),
      reference: plainText("What the payment is for, in the tenant's words").exactOptional(),
      payFromCountryCode: CountryCode().exactOptional(),
      payFromCountryLocked: z.boolean().describe("Whether it can be paid from `payFromCountryCode` only"),
      isSingleUse: z.boolean().describe("Whether it closes with its first successful payment"),
      held: Held().exactOptional(),
    })
    .meta({ id: "PublicLink", description: "A payment link as its payers see it" }),
);

/** The amount that a payer enters: text as typed, or a number. */
const enteredAmount = () =>
  z
    .union([z.string().meta({ pattern: ABOVE_ZERO }), z.number().meta(BOUNDS)], "must be a decimal string or a number")
    .transform(String)
    .refine(isDecimal, "must be a plain decimal such as 1000.00")
    .refine((value) => !isDecimal(value) || /[1-9]/.test(value), "must be above zero")
    .describe("The total in the link's currency, above zero; required exactly when the payer enters it");

const LinkQuoteQuestion = lazily(() =>
  z
    .strictObject({ amount: enteredAmount().exactOptional(), payerCountryCode: CountryCode() })
    .meta({ id: "LinkQuoteQuestion", description: "How much is paid, and from where" }),
);
const LinkQuote = lazily(() =>
  z
    .object({
      quoteId: z.uuid().describe("Names the quote when the payment begins"),
      expiresOn: timestamp("Until when its rates are locked"),
      amount: decimal("What the link's `recipients` receive in all, in `currency`"),
      currency: CurrencyCode(),
      variants: z
        .array(
          z
            .object({
              ...variantFields(),
              fromAmount: decimal("What the payer pays in all, in `fromCurrency`, `feesAndCharges` included"),
              feesAndCharges: decimal("What of `fromAmount` the link's `recipients` do not receive, in `fromCurrency`"),
              isWithinLimits: z.boolean().describe("Whether the rail takes as much, or as little, as this"),
            })
            .meta({ id: "LinkQuoteVariant", description: "A way to pay by a link, priced" }),
        )
        .min(1)
        .describe("Every way to pay from the country; the first is the bank transfer"),
      payouts: z
        .array(
          z
            .object({
              name: plainText("Who is paid"),
              payeeAmount: decimal("What they receive, in `toCurrency`"),
              payerAmount: decimal("What of the first variant it takes, in `fromCurrency`"),
              fromCurrency: CurrencyCode(),
              toCurrency: CurrencyCode(),
            })
            .meta({ id: "LinkPayout", description: "One recipient's part of a payment by a link" }),
        )
        .min(1)
        .describe("What each of the link's `recipients` receives"),
    })
    .meta({ id: "LinkQuote", description: "Prices of a payment by a link, locked for a while" }),
);

const PayerUploadFields = lazily(() => z.object({ documentType: z.literal("identity") }));

const LinkStatus = lazily(() =>
  z
    .object({
      status: LinkState(),
      paymentIntentId: plainText("The payment that was asked about").exactOptional(),
      paymentStatus: IntentStatus().exactOptional(),
      paymentMethod: PaymentMethod().exactOptional(),
      money: MoneyState().exactOptional(),
      underReview: LookedInto().exactOptional(),
    })
    .meta({ id: "LinkStatus", description: "How a link, and a payment by it, stand" }),
);

const link = { group: "payment-links", auth: "public", limit: "public_link" } as const;

export const paymentLinkRoutes = defineRoutes({
  getPaymentLink: {
    ...link,
    on: "GET /v2/public/payment-links/{token}",
    summary: "What a payer sees of a link",
    description:
      "Who is paid, how much if the link says so, from where it can be paid, and whether another payment keeps others from it. May be 5 seconds old.",
    answers: { status: 200, data: PublicLink },
    shared: { seconds: 5, tokenLength: LINK_TOKEN_LENGTH },
    errors: ["link_not_found"],
  },
  quotePaymentLink: {
    ...link,
    on: "POST /v2/public/payment-links/{token}/quote",
    summary: "Price a payment in every way the payer's country offers, and lock the rates",
    description:
      "Says what the payer pays in all, for every way to pay. The amount is stated exactly when the link leaves it to the payer.",
    body: LinkQuoteQuestion,
    answers: { status: 200, data: LinkQuote },
    errors: ["link_not_found", "link_closed", "pair_unavailable"],
    example: { payerCountryCode: "BR" },
  },
  uploadPayerDocument: {
    ...link,
    on: "POST /v2/public/payment-links/{token}/documents",
    summary: "Upload a payer's document",
    description: "A PDF, JPEG or PNG of at most 4 MB that shows who the payer is, for one payment by this link.",
    limit: "public_upload",
    form: "multipart",
    parts: { file: uploadedFile, documentType: { required: true, description: "`identity`" } },
    fields: PayerUploadFields,
    answers: { status: 201, data: UploadedDocument },
    errors: ["link_not_found", "link_closed", "too_large", "media_type"],
  },
  openPayerSession: {
    ...link,
    on: "POST /v2/public/payment-links/{token}/payer-session",
    summary: "Begin to pay: once per quote, however often it is called",
    description:
      "The answer says what the payer does next: go to a page of the rail, or transfer money to an account. Repeating it with the same quote tells of the same payment, whatever else is sent then: a payer who wants to pay otherwise needs another quote. Once the payment has ended, the answer says how it ended, and no more how to pay it. With a secret of the payer's own the payment can be come back to.",
    payerSecret: "made",
    body: PayerSessionBody,
    answers: { status: 200, data: PayerSession },
    errors: [
      "link_not_found",
      "link_closed",
      "link_held",
      "link_under_review",
      "link_crowded",
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
  findPayerSession: {
    ...link,
    on: "GET /v2/public/payment-links/{token}/payer-session",
    summary: "A payment that was begun, for the payer who has its secret",
    description:
      "What was agreed, how it stands, and what is left to do; until 90 days after its end. A wrong secret, an old one and none are answered alike.",
    payerSecret: "asked",
    answers: { status: 200, data: PayerPayment },
    errors: ["link_not_found", "not_found", "in_flight"],
  },
  keepPayerSession: {
    ...link,
    on: "POST /v2/public/payment-links/{token}/payer-session/hold",
    summary: "Keep a single-use link for the payer who is about to pay it",
    description: `A checkout keeps others from the link for ${minutesOf("CHECKOUT_HOLD_SECONDS")} minutes after this was last called; a bank transfer for ${minutesOf("TRANSFER_HOLD_SECONDS")} minutes, or until its due date once the payer has promised it. Then the rail is asked to call the payment off.`,
    payerSecret: "asked",
    body: HoldBody,
    answers: { status: 200, data: PayerPayment },
    errors: ["link_not_found", "not_found", "in_flight", "busy"],
    example: { willTransfer: true },
  },
  releasePayerSession: {
    ...link,
    on: "POST /v2/public/payment-links/{token}/payer-session/release",
    summary: "Give up a payment that was begun, to pay in another way or not at all",
    description:
      "Succeeds once the rail has called the payment off, so that no money can move, or if it had ended unpaid before.",
    payerSecret: "asked",
    answers: { status: 200, data: PayerPayment },
    errors: ["link_not_found", "not_found", "in_flight", "hold_kept", "money_received", "wrong_status", "busy"],
  },
  getPaymentLinkStatus: {
    ...link,
    on: "GET /v2/public/payment-links/{token}/status",
    summary: "Whether a link is open, and with `paymentIntentId` how a payment by it stands",
    description: "Tells no bank details and no personal data.",
    parameters: lazily(() => z.strictObject({ paymentIntentId: plainText("A payment by this link").exactOptional() })),
    answers: { status: 200, data: LinkStatus },
    errors: ["link_not_found", "not_found"],
  },
});
