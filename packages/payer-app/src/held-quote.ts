import type { Quote, Variant } from "./wire.ts";

/** A quote, and until when its rates hold by the page's own clock (performance.now()). */
export type HeldQuote = Readonly<{ quote: Quote; untilMs: number }>;

/** However short a quote lives, it is not renewed more often. */
const RENEW_MS_MIN = 2_000;

/** The service's clock is told in whole seconds; better renewed too early than refused. */
const CLOCK_MS = 1_000;

/** How long it holds is told by the service's clock, since that of the payer may be wrong. */
export const holdQuote = (quote: Quote, answeredAtMs: number, nowMs: number): HeldQuote => ({
  quote,
  untilMs: nowMs + Math.max(RENEW_MS_MIN, Date.parse(quote.expiresOn) - answeredAtMs - CLOCK_MS),
});

/** The variant of a payment method: its id changes with each quote, its method does not. */
export const variantOf = (held: HeldQuote | undefined, settlementMethod: string | undefined): Variant | undefined =>
  held?.quote.variants.find((variant) => variant.settlementMethod === settlementMethod);

/** No currency has more decimals. */
const DECIMALS_MAX = 4;

/** Whether the rail takes as little, or as much, as is sent by this, the fee not counted. */
export function isWithinLimits({ fromAmount, fee, minAmount, maxAmount }: Variant): boolean {
  // A difference of binary floats is only as good as its rounding.
  const sent = Number((fromAmount - fee).toFixed(DECIMALS_MAX));
  return minAmount <= sent && sent <= maxAmount;
}
