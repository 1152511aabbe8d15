import { referenceDate, unitsPerUsd } from "./exchange-rates-table.ts";
import { type Decimal, Exact, roundRate } from "./money.ts";

/** A source of market rates. A rate is payee currency per 1 payer currency, at most ten significant digits. */
export type ExchangeRates = Readonly<{
  /** ISO date of the rates. */
  asOf: string;
  /** Undefined when there is no rate between the two. */
  marketRate(fromCurrency: string, toCurrency: string): Decimal | undefined;
}>;

/** The embedded reference rates, crossed through the US dollar. */
export const referenceRates: ExchangeRates = {
  asOf: referenceDate,
  marketRate: (fromCurrency, toCurrency) => {
    const from = perUsd.get(fromCurrency);
    const to = perUsd.get(toCurrency);
    if (from === undefined || to === undefined) return undefined;
    return fromCurrency === toCurrency ? "1" : roundRate(new Exact(to).div(from));
  },
};

/** The payer's rate: `marketRate` less the fraction `spread`. Amounts are computed with this same rounded rate. */
export const payerRate = (marketRate: Decimal, spread: Decimal): Decimal =>
  roundRate(new Exact(marketRate).times(new Exact("1").minus(spread)));

// This is a map and no plain object, in which "constructor" would be found.
const perUsd: ReadonlyMap<string, Decimal> = new Map(Object.entries(unitsPerUsd));
