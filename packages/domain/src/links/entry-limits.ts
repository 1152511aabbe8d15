import { compareAmounts, Exact, fromMinorUnits, roundBound, WHOLE_BPS } from "../amounts/money.ts";
import type { QuoteVariant } from "../quotes/quote.ts";
import type { AmountLimits } from "../result.ts";

/**
 * The least and the most that a payer may enter, in the payees' currency: the limits of all `variants`, at their rates.
 * Of `portionsBps`, the recipients' shares, the smallest must be one minor unit.
 */
export function entryLimits(
  variants: readonly [QuoteVariant, ...QuoteVariant[]],
  portionsBps: readonly number[],
): AmountLimits {
  const [{ fromCurrency, toCurrency: currency }] = variants;
  // Each share is rounded by itself, so that their sum may be off by as many minor units.
  const slack = fromMinorUnits(BigInt(portionsBps.length - 1), fromCurrency);
  const least = variants.map(({ minAmount, fxRate }) =>
    roundBound(new Exact(minAmount).plus(slack).times(fxRate), currency, "least"),
  );
  const most = variants.map(({ maxAmount, fxRate }) =>
    roundBound(new Exact(maxAmount).minus(slack).times(fxRate), currency, "most"),
  );
  const shared = fromMinorUnits(BigInt(Math.ceil(WHOLE_BPS / Math.min(...portionsBps))), currency);
  const [taken = shared] = least.toSorted(compareAmounts);
  return {
    minAmount: compareAmounts(taken, shared) < 0 ? shared : taken,
    maxAmount: most.toSorted(compareAmounts).at(-1) ?? shared,
    currency,
  };
}
