// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CountryCode, CurrencyCode } from "./words.ts";

/** A country with its currencies */
export type Country = {
  countryCode: CountryCode;
  /** Its English name */ name: string;
  /** Its currencies, the one that payments from there are made in first */ currencies: readonly CurrencyCode[];
};

/** All countries of ISO 3166-1 */
export type CountryList = {
  /** All countries of ISO 3166-1 */ countries: readonly Country[];
};

/** A way to pay */
export type PaymentMethod = {
  /** The method, as quotes name it */ settlementMethod: string;
  /** How to show it */ displayName: string;
};

/** The ways in which a payee can be paid */
export type PaymentMethodList = {
  /** The ways in which a payee can be paid */ paymentMethods: readonly PaymentMethod[];
};

/** One of the words that a field takes */
export type Choice = {
  /** What a field takes */ id: string;
  /** How to show it, in English */ name: string;
};

/** What a payment of the type may be for */
export type PurposeList = {
  /** What a payment of the type may be for */ purposes: readonly Choice[];
};

/** Who may pay a payment of the type */
export type PayerTypeList = {
  /** Who may pay a payment of the type */ payerTypes: readonly Choice[];
};
