// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CountryCode, CurrencyCode, PayeeKind, Permission } from "./words.ts";

/** Somebody who can be paid, in one currency */
export type Payee = {
  /** Names the payee in quotes and recipients */ id: number;
  /** The name of the account's holder */ name: string;
  countryCode: CountryCode;
  currencyCode: CurrencyCode;
  kind?: PayeeKind;
  /** When the payee was registered, ISO 8601 in UTC */ createdAt: string;
};

/** A payee in a list */
export type PayeeItem = {
  /** Names the payee in quotes and recipients */ id: number;
  /** The name of the account's holder */ name: string;
  countryCode: CountryCode;
  currencyCode: CurrencyCode;
  kind?: PayeeKind;
  /** When the payee was registered, ISO 8601 in UTC */ createdAt: string;
  /** The same as `id` */ _id: number;
};

/** What reading took */
export type ListReads = {
  /** Calls of the store */ storeCalls: number;
  /** Items that the store looked at */ itemsRead: number;
  /** What the store charges */ readUnits: number;
};

/** How a page was read */
export type ListExplanation = {
  /** The index that was read */ index: string;
  /** The ranges of it that were read side by side */ partitions: number;
  /** Where the order comes from */ order: "index" | "memory";
  /** What was counted for `total` */ total: "counters" | "keys" | "records";
  /** What the page, its total and what it refers to took */ reads: {
    page: ListReads;
    total: ListReads;
    population: ListReads;
  };
  /** The parts of the filter that were removed as if never sent */ stripped: readonly string[];
};

/** Who calls */
export type Me = {
  /** The user of the key */ id: string;
  /** The name of that user */ name: string;
  /** The part of the key before its colon */ clientId: string;
  /** What the key may do beyond what every key may */ permissions: readonly Permission[];
  /** Who the key belongs to */ tenant: {
    /** The tenant's name */ name: string;
    countryCode: CountryCode;
    currencyCode: CurrencyCode;
  };
  /** The tenant as a payee */ paymentAccess: {
    /** The `connectorPayeeId` of recipients whose role is `tenant` */ tenantId: number;
  };
};
