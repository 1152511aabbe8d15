// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CountryCode, CurrencyCode, PayeeKind } from "./words.ts";

/** A payee of the tenant's own */
export type PayeeInput = {
  /** The name of the account's holder */ name: string;
  countryCode: CountryCode;
  currencyCode: CurrencyCode;
  kind?: PayeeKind;
};
