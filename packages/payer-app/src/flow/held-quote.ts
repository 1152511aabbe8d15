import type { Quote, Variant } from "../api/wire.ts";

/** A quote, and the time until which its rates hold, by the page's own clock (performance.now()). */
export type HeldQuote = Readonly<{ quote: Quote; untilMs: number }>;

/** Quotes are not renewed more often than this, however short their life. */
const RENEW_MS_MIN = 2_000;

/** A quote is renewed this much early, because the service tells its clock in whole seconds only. */
const CLOCK_MS = 1_000;

/** The time that a quote still holds is computed by the service's clock, because the payer's may be wrong. */
export const holdQuote = (quote: Quote, answeredAtMs: number, nowMs: number): HeldQuote => ({
  quote,
  untilMs: nowMs + Math.max(RENEW_MS_MIN, Date.parse(quote.expiresOn) - answeredAtMs - CLOCK_MS),
});

/** The variant of a payment method: its id changes with each quote, its method does not. */
export const variantOf = (held: HeldQuote | undefined, settlementMethod: string | undefined): Variant | undefined =>
  held?.quote.variants.find((variant) => variant.settlementMethod === settlementMethod);
