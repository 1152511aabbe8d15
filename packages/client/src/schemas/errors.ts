// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { Requirement } from "./payment-intents-parts.ts";
import type { CommissionRequestStatus, CurrencyCode, PaymentIntentStatus } from "./words.ts";

/** What each error tells under `details`, by its code, or by its status where it has none. */
export type ErrorDetails = {
  /** The state of the commissions does not allow this */
  "[COM0001]": {
    /** What keeps it from being done */ reason: string;
    status?: CommissionRequestStatus;
    /** The commissions that it is about */ paymentIds?: readonly number[];
  };
  /** Something went wrong on our side; A store of the service fails */
  "[GEN9000]": {
    /** The id of the request, for whoever looks into it */ requestId?: string;
  };
  /** A valid X-API-Key is required */
  "[GEN9001]": {
    /** The id of the request, for whoever looks into it */ requestId?: string;
  };
  /** The payment intent does not meet its requirements; A payment of this money is under review; nothing was done */
  "[GEN9002]": {
    /** The `path` of each requirement */ missingRequirements: readonly string[];
    /** What keeps the intent from being submitted, as a dry-run tells it */ requirements: readonly Requirement[];
    /** Why it is so although a dry-run was clean */ reason?: string;
  };
  /** No such resource */
  "[GEN9003]": {
    /** What was not found */ resource: string;
  };
  /** The key lacks a permission that this needs */
  "[GEN9004]": {
    /** What keeps it from being done */ reason: string;
    /** The rule that asks for the permission */ legacyConstraint: string;
    /** The permissions or scopes that the key lacks, or `source` */ failedRequirements: readonly string[];
  };
  /** The organization is suspended: nothing new is done for it, and what was submitted goes on */
  "[GEN9006]": Readonly<Record<string, unknown>>;
  /**
   * The intent's status does not allow this; Another request is being carried out; The payment is being looked into;
   * The preview does not hold any more; nothing was done
   */
  "[GEN9009]": {
    status: PaymentIntentStatus;
    /** The hash of the preview as it is now */ previewHash?: string;
  };
  /** The resource has changed since the caller read it */
  "[GEN9012]": Readonly<Record<string, unknown>>;
  /** The request is too large */
  "[GEN9013]": {
    /** The most bytes that are taken */ limitBytes?: number;
    /** The id of the request, for whoever looks into it */ requestId?: string;
  };
  /** Unsupported media type; A request's body must not be compressed */
  "[GEN9015]": {
    /** The content types that are taken */ expected?: readonly string[];
    /** The id of the request, for whoever looks into it */ requestId?: string;
    /** The encoding of the body */ contentEncoding?: string;
  };
  /** No such payment link */
  "[LNK0001]": Readonly<Record<string, unknown>>;
  /** The payment link is closed */
  "[LNK0002]": Readonly<Record<string, unknown>>;
  /** The payment was not called off, and may be paid at any moment */
  "[LNK0004]": Readonly<Record<string, unknown>>;
  /** The payer's money came in, so that the payment cannot be given up */
  "[LNK0007]": Readonly<Record<string, unknown>>;
  /** The connector is unavailable; nothing was paid */
  "[PAY0001]": Readonly<Record<string, unknown>>;
  /** The outcome is not known yet */
  "[PAY0002]": Readonly<Record<string, unknown>>;
  /** The connector found a duplicate transaction */
  "[PAY0003]": Readonly<Record<string, unknown>>;
  /** The connector refused the payment */
  "[PAY0004]": {
    /** What keeps it from being done */ reason: string;
  };
  /** The rail is not a sandbox: what happens there is not for a tester to say */
  "[PAY0005]": Readonly<Record<string, unknown>>;
  /** This cannot happen to a payment that stands like this */
  "[PAY0006]": {
    /** What keeps it from being done */ reason: string;
    status: PaymentIntentStatus;
  };
  /** The selected quote has expired */
  "[QOT0001]": {
    /** The quote that was named */ quoteId: string;
    /** When it expired, ISO 8601 in UTC */ expiresOn: string;
  };
  /** No such quote */
  "[QOT0002]": {
    /** The quote that was named */ quoteId: string;
  };
  /** The currency pair is unavailable */
  "[QOT0003]": {
    fromCurrency: CurrencyCode;
    toCurrency: CurrencyCode;
    /** What keeps it from being done */ reason: string;
  };
  /** There are as many webhook endpoints as a tenant may have */
  "[WHK0001]": {
    /** How many there may be */ limit: number;
  };
  /** Past events are being sent again to this endpoint already */
  "[WHK0002]": Readonly<Record<string, unknown>>;
  /** Every problem of the request, each opening with its dotted path; The request cannot be read */
  400: {
    /** The same problems */ errors?: readonly ShapeProblem[];
    /** How many more there are */ moreErrors?: number;
    limits?: AmountLimits;
    /** What to do next */ next?: string;
    /** The id of the request, for whoever looks into it */ requestId?: string;
  };
  /** The Idempotency-Key was used with a different request */
  422: Readonly<Record<string, unknown>>;
  /** Too many requests; The budget for uploads of this day is used up */
  429: {
    /** The id of the request, for whoever looks into it */ requestId?: string;
    /** The most bytes that are taken */ limitBytes?: number;
    /** When the day ends, and the next budget begins, ISO 8601 in UTC */ endsOn?: string;
  };
  /** The service is under maintenance; The service is busy; nothing was changed */
  503: Readonly<Record<string, unknown>>;
};

/**
 * When the same request, by the same key, may succeed: `told`: if its `Retry-After` says so; `later`: after a while.
 */
export const retries = {
  "[GEN9000]": "later",
  "[GEN9009]": "told",
  "[LNK0004]": "told",
  "[PAY0001]": "told",
  "[PAY0002]": "later",
  "[PAY0003]": "later",
  429: "told",
  503: "told",
} as const;

/** A problem for machines */
export type ShapeProblem = {
  /** The dotted path of what is wrong */ path: string;
  /** Why it is wrong */ reason: string;
};

/** The bounds of the amount that a payer may enter at a link */
export type AmountLimits = {
  /** The least: a decimal string in major units */ minAmount: string;
  /** The most: a decimal string in major units */ maxAmount: string;
  currency: CurrencyCode;
};
