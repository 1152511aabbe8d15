// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { List, Query, Whole } from "../lists.ts";
import type { Options } from "../route.ts";
import type { Me, Payee, PayeeItem } from "../schemas/payees.ts";
import type { PayeeInput } from "../schemas/payees-requests.ts";
import type { PayeeSelection } from "../schemas/payees-selections.ts";

export type PayeesMethods = {
  /**
   * Register a payee of one's own.
   *
   * Only the tenant sees it. Education providers are in a public directory, under ids that everybody uses. Scope:
   * `write`. An `Idempotency-Key` has no effect: a repeat is a request of its own.
   */
  create(body: PayeeInput, options?: Options): Promise<Payee>;

  /**
   * List one's own payees, newest first.
   *
   * The tenant's own payees, without the public directory. Scope: `read`.
   */
  list(query?: Whole<Query<PayeeItem>>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<PayeeItem>;
  list(query: Query<PayeeItem>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<PayeeSelection>;

  /**
   * Get a payee of one's own, or one of the public directory.
   *
   * By its numeric id. A payee of another tenant does not exist for the caller. Scope: `read`.
   */
  get(id: string | number, options?: Options): Promise<Payee>;
};

export type UsersMethods = {
  /**
   * Who the key belongs to, and the tenant id to use as the tenant's payee.
   *
   * Good for a first request with a new key. Scope: `read`.
   */
  getMe(options?: Options): Promise<Me>;
};
