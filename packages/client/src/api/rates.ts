// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { Options } from "../route.ts";
import type { FxRate, Quote } from "../schemas/rates.ts";
import type { FxRateQuestion, QuoteQuestion } from "../schemas/rates-requests.ts";

export type FxRateMethods = {
  /**
   * The payer-facing exchange rate of a bank transfer.
   *
   * For showing a rate. Only a quote locks one. Scope: `read`.
   */
  find(body: FxRateQuestion, options?: Options): Promise<FxRate>;
};

export type QuotesMethods = {
  /**
   * Price payouts in every way the payer's country offers, and lock the rates.
   *
   * What each payee receives is stated, and every variant says what the payer pays for it. The rates are locked until
   * `expiresOn`. Scope: `write`. An `Idempotency-Key` has no effect: a repeat is a request of its own. May need the
   * permission `AllowSplitPayment`.
   */
  create(body: QuoteQuestion, options?: Options): Promise<Quote>;

  /**
   * Get a quote.
   *
   * By its `quoteId`, also after it has expired. Scope: `read`.
   */
  get(id: string | number, options?: Options): Promise<Quote>;
};
