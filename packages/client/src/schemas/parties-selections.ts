// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CountryCode, SavedPayerType } from "./words.ts";

/** What a `projection` leaves of an item, or a `population` makes of it. A field means what it means in the item */
export type StudentSelection = {
  firstName?: string;
  lastName?: string;
  email?: string;
  phone?: string;
  dob?: string;
  addressLine1?: string;
  city?: string;
  state?: string;
  postcode?: string;
  countryCode?: CountryCode;
  taxIdentificationNumber?: string;
  _id?: string;
  externalId?: string;
  metadata?: Readonly<Record<string, string>>;
  createdAt?: string;
  updatedAt?: string;
  id?: string;
};

/** What a `projection` leaves of an item, or a `population` makes of it. A field means what it means in the item */
export type PayerSelection = {
  payerType?: SavedPayerType;
  email?: string;
  profile?: {
    firstName?: string;
    lastName?: string;
    companyName?: string;
    phone?: string;
    dob?: string;
  };
  address?: {
    country?: CountryCode;
    line1?: string;
    city?: string;
    state?: string;
    postalCode?: string;
  };
  _id?: string;
  externalId?: string;
  metadata?: Readonly<Record<string, string>>;
  createdAt?: string;
  updatedAt?: string;
  id?: string;
};
