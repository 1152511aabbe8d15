import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { amountNumber, decimal, plainText, timestamp } from "./shapes.ts";
import { CountryCode, CountryCodeAlpha3, CurrencyCode, PaymentType } from "./vocabulary.ts";

/** A quote prices at most this many payees at once. */
const PAYOUTS_MAX = 10;

const FxRateQuestion = lazily(() =>
  z
    .strictObject({
      fromCurrency: CurrencyCode(),
      toCurrency: CurrencyCode(),
      amount: amountNumber("What is to be exchanged, in `fromCurrency`; the rate is the same for every amount"),
      fromCountryCode: CountryCodeAlpha3(),
      toCountryCode: CountryCodeAlpha3(),
      paymentType: PaymentType(),
    })
    .meta({ id: "FxRateQuestion", description: "Which rate is asked for" }),
);
const FxRate = lazily(() =>
  z
    .object({
      fromCurrencyCode: CurrencyCode(),
      toCurrencyCode: CurrencyCode(),
      rate: decimal("`toCurrencyCode` per 1 `fromCurrencyCode`, as a bank transfer's quote would have it"),
      taxPercentage: decimal("The tax that the payer's bank adds for its government, in percent; no quote contains it"),
      settlementMethod: z.int().describe("The payment method that the rate is of, by its number"),
      expiresOn: timestamp("Until when the rate is good"),
    })
    .meta({ id: "FxRate", description: "An exchange rate as a payer gets it" }),
);

const QuoteQuestion = lazily(() =>
  z
    .strictObject({
      payouts: z
        .array(
          z.strictObject({
            payeeId: z.int().describe("Who is paid, and thereby in which currency"),
            amount: amountNumber("What the payee receives, in its currency"),
          }),
        )
        .min(1, "must have at least one entry")
        .max(PAYOUTS_MAX, `must have at most ${PAYOUTS_MAX} entries`)
        .describe("Who is paid how much, all in one currency and each payee once"),
      countryCode: CountryCode().exactOptional(),
      paymentType: PaymentType(),
    })
    .refine((question) => question?.countryCode !== undefined || question?.paymentType === "company", {
      path: ["countryCode"],
      message: "is required unless paymentType is company",
      when: ({ value }) => typeof value === "object" && value !== null && !("countryCode" in value),
    })
    .meta({
      id: "QuoteQuestion",
      description: "What is to be priced. `countryCode`, from where it is paid, is required unless a company is paid",
    }),
);

/** How a way to pay is shown to the person who picks one. */
const VariantMeta = lazily(() =>
  z
    .object({
      category: z.enum(["bank-transfer", "card", "cash", "wallet"]).describe("The kind of method"),
      uiFlow: z.enum(["bank-details", "redirect"]).describe("Whether the payer gets bank details, or a page to pay on"),
      eta: z
        .object({
          disbursement: z
            .object({
              unit: z.enum(["hours", "days"]).describe("The unit of `min` and `max`"),
              min: decimal("At the earliest"),
              max: decimal("At the latest"),
            })
            .describe("When the payees have the money, after the payer has paid"),
        })
        .describe("How long it takes"),
      noticeKeys: z.array(z.string()).describe("What to tell the payer beforehand, by key"),
      cardNetworks: z.array(z.string()).exactOptional().describe("The networks whose cards are taken"),
      installments: z.array(z.int()).exactOptional().describe("The numbers of instalments to choose from"),
    })
    .meta({ id: "VariantMeta", description: "How to show a way to pay" }),
);

/** The fields that both audiences of a quote see of a way to pay. */
export const variantFields = () => ({
  id: z.int().describe("Names this way to pay in `selectedQuoteVariantId`"),
  settlementMethod: plainText("The payment method"),
  settlementChannel: plainText("How the payer hands the money over"),
  fromCurrency: CurrencyCode(),
  toCurrency: CurrencyCode(),
  fxRate: decimal("`toCurrency` per 1 `fromCurrency`, spread included"),
  minAmount: decimal("The least that the rail takes, its fee not counted, in `fromCurrency`"),
  maxAmount: decimal("The most that the rail takes, its fee not counted, in `fromCurrency`"),
  meta: VariantMeta(),
});

const QuoteVariant = lazily(() =>
  z
    .object({
      ...variantFields(),
      fromAmount: decimal("What the payer pays in all, in `fromCurrency`: the payouts and `fee`"),
      fee: decimal("The rail's fee, in `fromCurrency`"),
      spread: decimal("By how much `fxRate` is worse for the payer than `marketRate`: 0.01 is 1 %"),
      marketRate: decimal("`toCurrency` per 1 `fromCurrency` among banks"),
      commissionBeneficiaryId: z.int().describe("Who earns `commission`: the tenant as a payee"),
      commission: decimal("What the tenant earns by it, in `fromCurrency`"),
    })
    .meta({ id: "QuoteVariant", description: "A way to pay, priced" }),
);
const QuotePayout = lazily(() =>
  z
    .object({
      payeeId: z.int().describe("Who is paid"),
      fromCurrency: CurrencyCode(),
      toCurrency: CurrencyCode(),
      payerAmount: decimal("What of the first variant it takes, in `fromCurrency`"),
      payeeAmount: decimal("What the payee receives, in `toCurrency`"),
      fxRate: decimal("`toCurrency` per 1 `fromCurrency`, spread included"),
    })
    .meta({ id: "QuotePayout", description: "One payee's part, as the first variant prices it" }),
);
export const Quote = lazily(() =>
  z
    .object({
      quoteId: z.uuid().describe("Names the quote in `instructions.manualPayment.quoteId`"),
      countryCode: CountryCode(),
      paymentType: PaymentType(),
      createdAt: timestamp("When the quote was made"),
      expiresOn: timestamp("Until when its rates are locked"),
      hasInstallments: z.boolean().describe("Whether a variant can be paid in instalments"),
      variants: z
        .array(QuoteVariant())
        .min(1)
        .describe("Every way to pay from the country; the first is the bank transfer"),
      payouts: z.array(QuotePayout()).describe("Who is paid how much, in the order of the question"),
    })
    .meta({ id: "Quote", description: "Prices of a payment in every way in which it can be made, locked for a while" }),
);

export const rateRoutes = defineRoutes({
  findFxRate: {
    on: "POST /v2/fx-rate",
    group: "rates",
    summary: "The payer-facing exchange rate of a bank transfer",
    description: "For showing a rate. Only a quote locks one.",
    auth: "key",
    scope: "read",
    body: FxRateQuestion,
    answers: { status: 200, data: FxRate },
    errors: ["pair_unavailable"],
    example: {
      fromCurrency: "BRL",
      toCurrency: "AUD",
      amount: 1000,
      fromCountryCode: "BRA",
      toCountryCode: "AUS",
      paymentType: "provider",
    },
  },
  createQuote: {
    on: "POST /v2/quotes",
    group: "rates",
    summary: "Price payouts in every way the payer's country offers, and lock the rates",
    description:
      "What each payee receives is stated, and every variant says what the payer pays for it. The rates are locked until `expiresOn`.",
    auth: "key",
    permission: "AllowSplitPayment",
    body: QuoteQuestion,
    answers: { status: 201, data: Quote, location: "quotes/{quoteId}" },
    errors: ["pair_unavailable", "permission", "not_found"],
    example: { payouts: [{ payeeId: 5001, amount: 1500 }], countryCode: "BR", paymentType: "provider" },
  },
  getQuote: {
    on: "GET /v2/quotes/{id}",
    group: "rates",
    summary: "Get a quote",
    description: "By its `quoteId`, also after it has expired.",
    auth: "key",
    answers: { status: 200, data: Quote },
    errors: ["quote_not_found"],
  },
});
