// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { List, Query, Whole } from "../lists.ts";
import type { Options } from "../route.ts";
import type { Upload } from "../uploads.ts";
import type {
  CommissionItem,
  CommissionRequest,
  CommissionRequestItem,
  OutstandingCommissions,
} from "../schemas/commissions.ts";
import type { CommissionRequestSelection, CommissionSelection } from "../schemas/commissions-selections.ts";

export type CommissionsMethods = {
  /**
   * List what completed payments earned, newest first.
   *
   * Each completed payment by which the tenant earned something has one. Scope: `read`.
   */
  list(query?: Whole<Query<CommissionItem>>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<CommissionItem>;
  list(query: Query<CommissionItem>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<CommissionSelection>;

  /**
   * The commissions that no submitted or paid request holds.
   *
   * Name them by their `paymentId` in a request. Scope: `read`.
   */
  getOutstanding(query?: {
    /** So many are left out */ skip?: number;
    /** At most so many */ limit?: number;
  }, options?: Options): Promise<OutstandingCommissions>;

  /**
   * The commissions of a month as a CSV file; a large one is answered with a link to it, good for 5 minutes.
   *
   * One line for each commission, by the month in which its payment completed. Scope: `read`.
   */
  export(query: {
    /** A month in UTC: yyyy-MM */ reportPeriod: string;
  }, options?: Options): Promise<File>;

  /**
   * Ask for outstanding commissions of one currency to be paid: all of them or, on any problem, none.
   *
   * The commissions are held by the request until it is rejected. The sum is stated so that both sides mean the same.
   * Scope: `pay`. An `Idempotency-Key` has no effect: a repeat is a request of its own.
   */
  createRequest(form: {
    /** A JSON array of at most 5000 payment ids */ paymentIds: readonly number[];
    /** The exact sum of the commissions, a decimal string */ commissionTotalAmount: string;
    /** At most 4 MB */ invoice?: Upload;
  }, options?: Options): Promise<CommissionRequest>;

  /**
   * List requests for commissions, newest first.
   *
   * The tenant's requests. Scope: `read`.
   */
  listRequests(query?: Whole<Query<CommissionRequestItem>>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<CommissionRequestItem>;
  listRequests(query: Query<CommissionRequestItem>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<CommissionRequestSelection>;

  /**
   * Get a request for commissions, with all its payments.
   *
   * By its `requestId`. Scope: `read`.
   */
  getRequest(id: string | number, options?: Options): Promise<CommissionRequest>;

  /**
   * Add or replace the invoice of a request, as long as it is submitted.
   *
   * The request itself does not change otherwise. Scope: `pay`.
   */
  replaceInvoice(id: string | number, form: {
    /** At most 4 MB */ invoice: Upload;
  }, options?: Options & {
    /** The `ETag` of the resource as it was read: 412 if it has changed since */ ifMatch?: string;
  }): Promise<CommissionRequest>;

  /**
   * The invoice of a request.
   *
   * The PDF as it was uploaded, as a download. Scope: `read`.
   */
  getInvoice(id: string | number, options?: Options): Promise<File>;

  /**
   * The proof of payment of a request, once it is paid.
   *
   * A PDF, as a download. Scope: `read`.
   */
  getProof(id: string | number, options?: Options): Promise<File>;
};
