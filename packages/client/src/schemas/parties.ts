// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CountryCode, DocumentContentType, SavedPayerType } from "./words.ts";

/** A saved student */
export type Student = {
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
  /** The record's id */ _id: string;
  /** The caller's own id, as it was given */ externalId?: string;
  /** The caller's own notes */ metadata?: Readonly<Record<string, string>>;
  /** When the record was saved, ISO 8601 in UTC */ createdAt: string;
  /** When the record was last changed, ISO 8601 in UTC */ updatedAt: string;
};

/** A saved student in a list */
export type StudentItem = {
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
  /** The record's id */ _id: string;
  /** The caller's own id, as it was given */ externalId?: string;
  /** The caller's own notes */ metadata?: Readonly<Record<string, string>>;
  /** When the record was saved, ISO 8601 in UTC */ createdAt: string;
  /** When the record was last changed, ISO 8601 in UTC */ updatedAt: string;
  /** The same as `_id` */ id: string;
};

/** A student or payer that was deleted */
export type DeletedParty = {
  /** The id of the record that is gone */ _id: string;
};

/** A document that is kept on a student or payer */
export type SavedDocument = {
  /** By which the document is used and read */ legacyDocumentId: string;
  /** What the document proves */ type: "identity";
  /** Its name */ fileName: string;
  contentType: DocumentContentType;
  /** Its size in bytes */ sizeBytes: number;
  /** When it was saved, ISO 8601 in UTC */ createdAt: string;
};

/** The documents of a student or payer */
export type SavedDocuments = {
  /** The oldest first */ documents: readonly SavedDocument[];
};

/** A copy of a saved document, for one payment */
export type MintedDocument = {
  /** Names the document in one payment */ documentId: string;
  /** Until when a payment with it must have been submitted, ISO 8601 in UTC */ expiresAt: string;
};

/** A saved document that was deleted */
export type DeletedDocument = {
  /** The id of the document that is gone */ legacyDocumentId: string;
};

/** A saved payer */
export type Payer = {
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
  /** The record's id */ _id: string;
  /** The caller's own id, as it was given */ externalId?: string;
  /** The caller's own notes */ metadata?: Readonly<Record<string, string>>;
  /** When the record was saved, ISO 8601 in UTC */ createdAt: string;
  /** When the record was last changed, ISO 8601 in UTC */ updatedAt: string;
};

/** A saved payer in a list */
export type PayerItem = {
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
  /** The record's id */ _id: string;
  /** The caller's own id, as it was given */ externalId?: string;
  /** The caller's own notes */ metadata?: Readonly<Record<string, string>>;
  /** When the record was saved, ISO 8601 in UTC */ createdAt: string;
  /** When the record was last changed, ISO 8601 in UTC */ updatedAt: string;
  /** The same as `_id` */ id: string;
};

/** The content of an identity document that was handed out */
export type DocumentRead = {
  /** The read's own id. As `after` it asks for what came before it */ id: string;
  /** When the content was handed out, ISO 8601 in UTC */ at: string;
  /** The `legacyDocumentId` of a saved document, or the `documentId` of one of a payment */ documentId: string;
  /** Who got it: the tenant by a key, or an operator of the service */ by: "tenant" | "operator";
  /** The client of the tenant's key */ clientId?: string;
  /** The `X-Request-Id` of the tenant's request */ requestId?: string;
};
