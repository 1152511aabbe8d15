// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CountryCode, CurrencyCode, PayeeKind } from "./words.ts";

/** What a `projection` leaves of an item, or a `population` makes of it. A field means what it means in the item */
export type PayeeSelection = {
  id?: number;
  name?: string;
  countryCode?: CountryCode;
  currencyCode?: CurrencyCode;
  kind?: PayeeKind;
  createdAt?: string;
  _id?: number;
};
