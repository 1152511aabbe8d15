// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CountryCode, CountryCodeAlpha3, CurrencyCode, PaymentType } from "./words.ts";

/** Which rate is asked for */
export type FxRateQuestion = {
  fromCurrency: CurrencyCode;
  toCurrency: CurrencyCode;
  /** What is to be exchanged, in `fromCurrency`; the rate is the same for every amount, in major units */
  amount: number;
  fromCountryCode: CountryCodeAlpha3;
  toCountryCode: CountryCodeAlpha3;
  paymentType: PaymentType;
};

/** What is to be priced. `countryCode`, from where it is paid, is required unless a company is paid */
export type QuoteQuestion = {
  /** Who is paid how much, all in one currency and each payee once */ payouts: readonly {
    /** Who is paid, and thereby in which currency */ payeeId: number;
    /** What the payee receives, in its currency, in major units */ amount: number;
  }[];
  countryCode?: CountryCode;
  paymentType: PaymentType;
};
