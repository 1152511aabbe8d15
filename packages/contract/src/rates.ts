import { paymentTypes } from "@intents/domain/quotes/quote.ts";
import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { amountNumber, countryCode, countryCodeAlpha3, currencyCode, timestamp } from "./shapes.ts";

/** A quote prices at most this many payees at once. */
const PAYOUTS_MAX = 10;

const FxRateQuestion = lazily(() =>
  z.strictObject({
    fromCurrency: currencyCode(),
    toCurrency: currencyCode(),
    amount: amountNumber(),
    fromCountryCode: countryCodeAlpha3(),
    toCountryCode: countryCodeAlpha3(),
    paymentType: z.enum(paymentTypes),
  }),
);
const FxRate = lazily(() =>
  z
    .looseObject({
      fromCurrencyCode: z.string(),
      toCurrencyCode: z.string(),
      rate: z.number(),
      taxPercentage: z.number(),
      settlementMethod: z.int(),
      expiresOn: timestamp(),
    })
    .meta({ id: "FxRate" }),
);

const QuoteQuestion = lazily(() =>
  z
    .strictObject({
      payouts: z
        .array(z.strictObject({ payeeId: z.int(), amount: amountNumber() }))
        .min(1, "must have at least one entry")
        .max(PAYOUTS_MAX, `must have at most ${PAYOUTS_MAX} entries`),
      countryCode: countryCode().exactOptional(),
      paymentType: z.enum(paymentTypes),
    })
    .refine((question) => question?.countryCode !== undefined || question?.paymentType === "company", {
      path: ["countryCode"],
      message: "is required unless paymentType is company",
      when: ({ value }) => typeof value === "object" && value !== null && !("countryCode" in value),
    }),
);
const variant = () =>
  z.looseObject({
    id: z.int(),
    settlementMethod: z.string(),
    settlementChannel: z.string(),
    fromCurrency: z.string(),
    toCurrency: z.string(),
    fromAmount: z.number().meta({ description: "What the payer pays in all: the payouts and `fee`" }),
    fxRate: z.number().meta({ description: "Payee currency per 1 of the payer's currency, spread included" }),
    fee: z.number(),
    minAmount: z.number().meta({ description: "The least that the rail takes, the fee not counted" }),
    maxAmount: z.number().meta({ description: "The most that the rail takes, the fee not counted" }),
    spread: z.number().meta({ description: "Decimal fraction: 0.01 is 1 %" }),
    marketRate: z.number(),
    commissionBeneficiaryId: z.int(),
    commission: z.number().meta({ description: "An amount in `fromCurrency`" }),
    meta: z.looseObject({
      category: z.enum(["bank-transfer", "card", "cash", "wallet"]),
      uiFlow: z.string(),
      eta: z.looseObject({ disbursement: z.looseObject({ unit: z.string(), min: z.number(), max: z.number() }) }),
      noticeKeys: z.array(z.string()),
    }),
  });
const Quote = lazily(() =>
  z
    .looseObject({
      quoteId: z.uuid(),
      countryCode: z.string(),
      paymentType: z.enum(paymentTypes),
      createdAt: timestamp(),
      expiresOn: timestamp(),
      hasInstallments: z.boolean(),
      variants: z.array(variant()).min(1),
      payouts: z.array(
        z.looseObject({
          payeeId: z.int(),
          fromCurrency: z.string(),
          toCurrency: z.string(),
          payerAmount: z.number(),
          payeeAmount: z.number(),
          fxRate: z.number(),
        }),
      ),
    })
    .meta({ id: "Quote" }),
);

export const rateRoutes = defineRoutes({
  findFxRate: {
    on: "POST /v2/fx-rate",
    group: "rates",
    summary: "The payer-facing exchange rate of a bank transfer",
    auth: "key",
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
    auth: "key",
    answers: { status: 200, data: Quote },
    errors: ["quote_not_found"],
  },
});
