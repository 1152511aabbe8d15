// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CountryCode, CurrencyCode, PaymentType } from "./words.ts";

/** An exchange rate as a payer gets it */
export type FxRate = {
  fromCurrencyCode: CurrencyCode;
  toCurrencyCode: CurrencyCode;
  /** `toCurrencyCode` per 1 `fromCurrencyCode`, as a bank transfer's quote would have it */ rate: number;
  /** The tax that the payer's bank adds for its government, in percent; no quote contains it */ taxPercentage: number;
  /** The payment method that the rate is of, by its number */ settlementMethod: number;
  /** Until when the rate is good, ISO 8601 in UTC */ expiresOn: string;
};

/** How to show a way to pay */
export type VariantMeta = {
  /** The kind of method */ category: "bank-transfer" | "card" | "cash" | "wallet";
  /** Whether the payer gets bank details, or a page to pay on */ uiFlow: "bank-details" | "redirect";
  /** How long it takes */ eta: {
    /** When the payees have the money, after the payer has paid */ disbursement: {
      /** The unit of `min` and `max` */ unit: "hours" | "days";
      /** At the earliest */ min: number;
      /** At the latest */ max: number;
    };
  };
  /** What to tell the payer beforehand, by key */ noticeKeys: readonly string[];
  /** The networks whose cards are taken */ cardNetworks?: readonly string[];
  /** The numbers of instalments to choose from */ installments?: readonly number[];
};

/** A way to pay, priced */
export type QuoteVariant = {
  /** Names this way to pay in `selectedQuoteVariantId` */ id: number;
  /** The payment method */ settlementMethod: string;
  /** How the payer hands the money over */ settlementChannel: string;
  fromCurrency: CurrencyCode;
  toCurrency: CurrencyCode;
  /** `toCurrency` per 1 `fromCurrency`, spread included */ fxRate: number;
  /** The least that the rail takes, its fee not counted, in `fromCurrency` */ minAmount: number;
  /** The most that the rail takes, its fee not counted, in `fromCurrency` */ maxAmount: number;
  meta: VariantMeta;
  /** What the payer pays in all, in `fromCurrency`: the payouts and `fee` */ fromAmount: number;
  /** The rail's fee, in `fromCurrency` */ fee: number;
  /** By how much `fxRate` is worse for the payer than `marketRate`: 0.01 is 1 % */ spread: number;
  /** `toCurrency` per 1 `fromCurrency` among banks */ marketRate: number;
  /** Who earns `commission`: the tenant as a payee */ commissionBeneficiaryId: number;
  /** What the tenant earns by it, in `fromCurrency` */ commission: number;
};

/** One payee's part, as the first variant prices it */
export type QuotePayout = {
  /** Who is paid */ payeeId: number;
  fromCurrency: CurrencyCode;
  toCurrency: CurrencyCode;
  /** What of the first variant it takes, in `fromCurrency` */ payerAmount: number;
  /** What the payee receives, in `toCurrency` */ payeeAmount: number;
  /** `toCurrency` per 1 `fromCurrency`, spread included */ fxRate: number;
};

/** Prices of a payment in every way in which it can be made, locked for a while */
export type Quote = {
  /** Names the quote in `instructions.manualPayment.quoteId` */ quoteId: string;
  countryCode: CountryCode;
  paymentType: PaymentType;
  /** When the quote was made, ISO 8601 in UTC */ createdAt: string;
  /** Until when its rates are locked, ISO 8601 in UTC */ expiresOn: string;
  /** Whether a variant can be paid in instalments */ hasInstallments: boolean;
  /** Every way to pay from the country; the first is the bank transfer */ variants: readonly QuoteVariant[];
  /** Who is paid how much, in the order of the question */ payouts: readonly QuotePayout[];
};
