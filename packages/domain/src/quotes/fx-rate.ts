import { type ExchangeRates, payerRate } from "../amounts/exchange-rates.ts";
import { type Decimal, fitsMinorUnits } from "../amounts/money.ts";
import { type Country, findCountryByAlpha3 } from "../reference/countries.ts";
import { fail, ok, type Result } from "../result.ts";
import { methodsFrom } from "./payment-methods.ts";
import type { PriceFailure } from "./quote.ts";

export type FxRateRequest = Readonly<{
  fromCurrency: string;
  toCurrency: string;
  /** ISO 3166-1 alpha-3. */
  fromCountryCode: string;
  toCountryCode: string;
  /** In `fromCurrency`. The rate is the same for every amount. */
  amount: Decimal;
}>;

/** SPEC, "FX rate result". `rate` is `toCurrency` per 1 `fromCurrency`, as a bank transfer's quote would have it. */
export type FxRate = Readonly<{
  fromCurrencyCode: string;
  toCurrencyCode: string;
  rate: Decimal;
  /** The tax that the payer's bank adds for its government, in percent (3.5 is 3.5 %). No quote contains it. */
  taxPercentage: number;
  /** The payment method by its `code`. */
  settlementMethod: number;
  expiresOn: string;
}>;

/** Taxes on money that leaves a country, where every payer owes them on every amount. Percent, by alpha-2 code. */
const outgoingTaxes: ReadonlyMap<string, number> = new Map([
  // IOF on foreign exchange, transfers abroad: Decreto 6.306/2007, art. 15-B, as amended by Decreto 12.499/2025.
  ["BR", 3.5],
  // Impuesto a la salida de divisas: Ley Reformatoria para la Equidad Tributaria, art. 162; 5 % since April 2024.
  ["EC", 5],
]);

/** The payer's rate by bank transfer. Refuses a pair without a rate, and a country without a rail at either end. */
export function findFxRate(
  request: FxRateRequest,
  rates: ExchangeRates,
  expiresAtMs: number,
): Result<FxRate, PriceFailure> {
  const { fromCurrency, toCurrency } = request;
  const from = findCountryByAlpha3(request.fromCountryCode);
  const to = findCountryByAlpha3(request.toCountryCode);
  if (from === undefined || to === undefined) return fail({ kind: "shape", problems: countryProblems(from, to) });

  const unavailable = (reason: string) => fail({ kind: "pair_unavailable", fromCurrency, toCurrency, reason } as const);
  const [bankTransfer] = methodsFrom(from.countryCode);
  if (bankTransfer === undefined) return unavailable(`no payment can be made from ${from.name}`);
  if (methodsFrom(to.countryCode).length === 0) return unavailable(`no payment can be made to ${to.name}`);
  const marketRate = rates.marketRate(fromCurrency, toCurrency);
  if (marketRate === undefined) return unavailable("there is no rate for this currency pair");
  if (!fitsMinorUnits(request.amount, fromCurrency)) {
    return fail({ kind: "shape", problems: [`amount has more decimals than ${fromCurrency} has`] });
  }
  return ok({
    fromCurrencyCode: fromCurrency,
    toCurrencyCode: toCurrency,
    rate: payerRate(marketRate, fromCurrency === toCurrency ? "0" : bankTransfer.spread),
    taxPercentage: from === to ? 0 : (outgoingTaxes.get(from.countryCode) ?? 0),
    settlementMethod: bankTransfer.code,
    expiresOn: new Date(expiresAtMs).toISOString(),
  });
}

const countryProblems = (from: Country | undefined, to: Country | undefined): string[] => [
  ...(from === undefined ? ["fromCountryCode is not a country of ISO 3166-1"] : []),
  ...(to === undefined ? ["toCountryCode is not a country of ISO 3166-1"] : []),
];
