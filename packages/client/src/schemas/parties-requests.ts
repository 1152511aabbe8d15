// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CountryCode, DocumentContentType, SavedPayerType } from "./words.ts";

/** A student */
export type StudentInput = {
  /** Given name */ firstName: string;
  /** Family name */ lastName: string;
  /** An email address, kept as it is written */ email: string;
  /** 5 to 20 digits as people write them, best with + and the country's code: +55 (11) 98765-4321 */ phone?: string;
  /** The date of birth, a day in the past */ dob?: string;
  /** Street and number */ addressLine1?: string;
  /** City */ city?: string;
  /** State or region */ state?: string;
  /** Postal code */ postcode?: string;
  countryCode?: CountryCode;
  /** The number by which the tax office knows the person */ taxIdentificationNumber?: string;
  /** The caller's own id, by which lists find it; it need not be unique. No payer and no rail sees it */
  externalId?: string;
  /** The caller's own notes: at most 20 keys. No payer and no rail sees them */
  metadata?: Readonly<Record<string, string>>;
};

/** Fields that are left out stay; null removes one */
export type StudentChanges = {
  /** Given name */ firstName?: string;
  /** Family name */ lastName?: string;
  /** An email address, kept as it is written */ email?: string;
  /** 5 to 20 digits as people write them, best with + and the country's code: +55 (11) 98765-4321; null removes it */
  phone?: string | null;
  /** The date of birth, a day in the past; null removes it */ dob?: string | null;
  /** Street and number; null removes it */ addressLine1?: string | null;
  /** City; null removes it */ city?: string | null;
  /** State or region; null removes it */ state?: string | null;
  /** Postal code; null removes it */ postcode?: string | null;
  /** ISO 3166-1 alpha-2 country; null removes it */ countryCode?: CountryCode | null;
  /** The number by which the tax office knows the person; null removes it */ taxIdentificationNumber?: string | null;
  /** The caller's own notes: at most 20 keys. No payer and no rail sees them; null removes it */
  metadata?: Readonly<Record<string, string | null>> | null;
};

/** An uploaded document, to be kept for reuse */
export type SavedDocumentInput = {
  /** The `documentId` of an upload */ sourceDocumentId: string;
  /** What the document proves */ type: "identity";
  /** The name under which the document is kept */ fileName: string;
  contentType: DocumentContentType;
};

/** A payer */
export type PayerInput = {
  payerType: SavedPayerType;
  /** An email address, kept as it is written */ email: string;
  /** Who the payer is */ profile?: {
    /** Given name */ firstName?: string;
    /** Family name */ lastName?: string;
    /** The company's name */ companyName?: string;
    /** 5 to 20 digits as people write them, best with + and the country's code: +55 (11) 98765-4321 */ phone?: string;
    /** The date of birth, a day in the past */ dob?: string;
  };
  /** Where the payer lives, or the company is */ address?: {
    country?: CountryCode;
    /** Street and number */ line1?: string;
    /** City */ city?: string;
    /** State or region */ state?: string;
    /** Postal code */ postalCode?: string;
  };
  /** The caller's own id, by which lists find it; it need not be unique. No payer and no rail sees it */
  externalId?: string;
  /** The caller's own notes: at most 20 keys. No payer and no rail sees them */
  metadata?: Readonly<Record<string, string>>;
};

/** Fields that are left out stay; null removes one */
export type PayerProfileChanges = {
  /** Given name; null removes it */ firstName?: string | null;
  /** Family name; null removes it */ lastName?: string | null;
  /** The company's name; null removes it */ companyName?: string | null;
  /** 5 to 20 digits as people write them, best with + and the country's code: +55 (11) 98765-4321; null removes it */
  phone?: string | null;
  /** The date of birth, a day in the past; null removes it */ dob?: string | null;
};

/** Fields that are left out stay; null removes one */
export type PayerAddressChanges = {
  /** ISO 3166-1 alpha-2 country; null removes it */ country?: CountryCode | null;
  /** Street and number; null removes it */ line1?: string | null;
  /** City; null removes it */ city?: string | null;
  /** State or region; null removes it */ state?: string | null;
  /** Postal code; null removes it */ postalCode?: string | null;
};

/** Fields that are left out stay; null removes one */
export type PayerChanges = {
  payerType?: SavedPayerType;
  /** An email address, kept as it is written */ email?: string;
  /** Who the payer is; null removes it */ profile?: PayerProfileChanges | null;
  /** Where the payer lives, or the company is; null removes it */ address?: PayerAddressChanges | null;
  /** The caller's own notes: at most 20 keys. No payer and no rail sees them; null removes it */
  metadata?: Readonly<Record<string, string | null>> | null;
};
