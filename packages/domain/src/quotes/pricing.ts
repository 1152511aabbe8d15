import { type ExchangeRates, payerRate } from "../amounts/exchange-rates.ts";
import {
  addAmounts,
  compareAmounts,
  type Decimal,
  Exact,
  fitsMinorUnits,
  fromMinorUnits,
  roundLimit,
  roundToMinorUnits,
  toFixedMinor,
  toJsonNumber,
} from "../amounts/money.ts";
import type { Payee } from "../parties/payee.ts";
import { tenantPayeeId } from "../parties/tenant.ts";
import type { RailDescription } from "../rails/description.ts";
import { findCountry } from "../reference/countries.ts";
import { fail, ok, type Result } from "../result.ts";
import { methodsFrom, type PaymentMethod } from "./payment-methods.ts";
import type { PaymentType, PriceFailure, Quote, QuotePayout, QuoteVariant } from "./quote.ts";

/** A quote to price. `amount` is what the payee receives; all payees must have the same currency. */
export type PriceRequest = Readonly<{
  payouts: readonly Readonly<{ payee: Payee; amount: Decimal }>[];
  /** Paying-from country, ISO 3166-1 alpha-2. */
  countryCode: string;
  paymentType: PaymentType;
  /** The rail that serves the corridor. No method takes more than this rail does. */
  rail: Pick<RailDescription, "maxUsd">;
  tenantId: string;
  /** Decimal fraction: "0.01" is 1 %. */
  commissionSpread: Decimal;
}>;

/** A quote without its id and its times. */
export type PricedQuote = Pick<
  Quote,
  "countryCode" | "paymentType" | "hasInstallments" | "variants" | "commissionSpread"
>;

/**
 * Prices `request` for every method, the bank transfer first; each variant takes its id from `nextId`. Refuses with
 * `shape`, naming `payouts.<i>.amount`, amounts that the currency or a JSON number cannot carry, and with
 * `pair_unavailable` a country without a rail and a pair without a rate.
 */
export function priceQuote(
  request: PriceRequest,
  rates: ExchangeRates,
  nextId: () => number,
): Result<PricedQuote, PriceFailure> {
  const unfit = unfitAmounts(request.payouts);
  if (unfit.length > 0) return fail({ kind: "shape", problems: unfit });
  const found = findCorridor(request, rates);
  if (!found.ok) return found;

  const price = (method: PaymentMethod): QuoteVariant => priceVariant(request, found.value, method, nextId());
  const [bankTransfer, ...others] = found.value.methods;
  const variants = [price(bankTransfer), ...others.map(price)] as const;

  const inexact = inexactPayouts(variants).map((index) => `payouts.${index}.amount is too large to be carried exactly`);
  if (inexact.length > 0) return fail({ kind: "shape", problems: inexact });
  const { countryCode, paymentType, commissionSpread } = request;
  const hasInstallments = variants.some(({ meta }) => meta.installments !== undefined);
  return ok({ countryCode, paymentType, hasInstallments, commissionSpread, variants });
}

/**
 * The payee's amount for `payerAmount` by `variant`: the quoted amount where `payerAmount` is the quoted price, else
 * the amount at the variant's rate. A leg in the payer's own currency (the tenant's) is not converted.
 */
export function settlementOf(
  variant: QuoteVariant,
  payerAmount: Decimal,
  payeeId: number,
  toCurrency: string,
): Decimal {
  if (toCurrency === variant.toCurrency) {
    const quoted = variant.payouts.find(
      (payout) => payout.payeeId === payeeId && compareAmounts(payout.payerAmount, payerAmount) === 0,
    );
    if (quoted !== undefined) return quoted.payeeAmount;
    return roundToMinorUnits(new Exact(payerAmount).times(variant.fxRate), toCurrency);
  }
  if (toCurrency === variant.fromCurrency) return toFixedMinor(payerAmount, toCurrency);
  throw new RangeError(`Variant ${variant.id} has no rate to ${toCurrency}`);
}

/**
 * The payer's price of `payeeAmount` by `variant`: the quoted price where `payeeAmount` is the quoted amount, else the
 * amount at the variant's rate. An amount in the payer's own currency is not converted.
 */
export function costOf(variant: QuoteVariant, payeeAmount: Decimal, payeeId: number, toCurrency: string): Decimal {
  if (toCurrency === variant.toCurrency) {
    const quoted = variant.payouts.find(
      (payout) => payout.payeeId === payeeId && compareAmounts(payout.payeeAmount, payeeAmount) === 0,
    );
    return quoted?.payerAmount ?? payerAmountOf(payeeAmount, variant.fxRate, variant.fromCurrency);
  }
  if (toCurrency === variant.fromCurrency) return toFixedMinor(payeeAmount, toCurrency);
  throw new RangeError(`Variant ${variant.id} has no rate to ${toCurrency}`);
}

/** Whether the rail takes `sent`, the sum of the legs' prices. The fee is the service's and does not count. */
export function fitsLimits(
  { minAmount, maxAmount }: Pick<QuoteVariant, "minAmount" | "maxAmount">,
  sent: readonly Decimal[],
): boolean {
  const total = addAmounts(...sent);
  return compareAmounts(total, minAmount) >= 0 && compareAmounts(total, maxAmount) <= 0;
}

type Corridor = Readonly<{
  fromCurrency: string;
  toCurrency: string;
  marketRate: Decimal;
  /** `fromCurrency` per 1 USD, in which fees and limits are stated. */
  usdRate: Decimal;
  methods: readonly [PaymentMethod, ...PaymentMethod[]];
}>;

function findCorridor({ payouts, countryCode }: PriceRequest, rates: ExchangeRates): Result<Corridor, PriceFailure> {
  const country = findCountry(countryCode);
  const toCurrency = payouts[0]?.payee.currencyCode;
  if (country === undefined) return fail({ kind: "shape", problems: ["countryCode is not a country of ISO 3166-1"] });
  if (toCurrency === undefined) return fail({ kind: "shape", problems: ["payouts must not be empty"] });

  const fromCurrency = country.currencies[0];
  const unavailable = (reason: string) => fail({ kind: "pair_unavailable", fromCurrency, toCurrency, reason } as const);
  const [bankTransfer, ...others] = methodsFrom(countryCode);
  if (bankTransfer === undefined) return unavailable(`no payment can be made from ${country.name}`);
  const unreachable = payouts.find(({ payee }) => methodsFrom(payee.countryCode).length === 0);
  if (unreachable !== undefined) return unavailable(`no payment can be made to ${unreachable.payee.countryCode}`);
  const marketRate = rates.marketRate(fromCurrency, toCurrency);
  const usdRate = rates.marketRate("USD", fromCurrency);
  if (marketRate === undefined || usdRate === undefined) return unavailable("there is no rate for this currency pair");
  return ok({ fromCurrency, toCurrency, marketRate, usdRate, methods: [bankTransfer, ...others] });
}

function priceVariant(request: PriceRequest, corridor: Corridor, method: PaymentMethod, id: number): QuoteVariant {
  const { fromCurrency, toCurrency, marketRate, usdRate } = corridor;
  const spread = fromCurrency === toCurrency ? "0" : method.spread;
  const fxRate = payerRate(marketRate, spread);
  const payouts = request.payouts.map(({ payee, amount }): QuotePayout => {
    const payeeAmount = toFixedMinor(amount, toCurrency);
    const payerAmount = payerAmountOf(payeeAmount, fxRate, fromCurrency);
    return { payeeId: payee.id, fromCurrency, toCurrency, payerAmount, payeeAmount, fxRate };
  });
  const principal = addAmounts(...payouts.map(({ payerAmount }) => payerAmount));
  const fee = roundToMinorUnits(new Exact(method.feeUsd).times(usdRate), fromCurrency);
  const maxUsd = compareAmounts(request.rail.maxUsd, method.maxUsd) < 0 ? request.rail.maxUsd : method.maxUsd;
  return {
    id,
    settlementMethod: method.settlementMethod,
    settlementChannel: method.settlementChannel,
    fromCurrency,
    toCurrency,
    fromAmount: addAmounts(principal, fee),
    fxRate,
    fee,
    minAmount: roundLimit(new Exact(method.minUsd).times(usdRate), fromCurrency, "least"),
    maxAmount: roundLimit(new Exact(maxUsd).times(usdRate), fromCurrency, "most"),
    spread,
    marketRate,
    commissionBeneficiaryId: tenantPayeeId(request.tenantId),
    commission: roundToMinorUnits(new Exact(principal).times(request.commissionSpread), fromCurrency),
    meta: method.meta,
    payouts,
  };
}

/** The price of a payee's amount, which is at least one minor unit. */
function payerAmountOf(payeeAmount: Decimal, fxRate: Decimal, fromCurrency: string): Decimal {
  const rounded = roundToMinorUnits(new Exact(payeeAmount).div(fxRate), fromCurrency);
  const least = fromMinorUnits(1n, fromCurrency);
  return compareAmounts(rounded, least) < 0 ? least : rounded;
}

const unfitAmounts = (payouts: PriceRequest["payouts"]): string[] =>
  payouts.flatMap(({ payee: { currencyCode }, amount }, index) =>
    fitsMinorUnits(amount, currencyCode) ? [] : [`payouts.${index}.amount has more decimals than ${currencyCode} has`],
  );

/** Payouts with an amount that a JSON number cannot carry; the largest one when only a total cannot be carried. */
function inexactPayouts(variants: Quote["variants"]): number[] {
  const isInexact = (amount: Decimal) => toJsonNumber(amount) === undefined;
  const { payouts } = variants[0];
  const own = payouts.flatMap((_, index) => {
    const amounts = variants.flatMap((variant) => variant.payouts[index] ?? []);
    return amounts.some(({ payerAmount, payeeAmount }) => isInexact(payerAmount) || isInexact(payeeAmount))
      ? [index]
      : [];
  });
  if (own.length > 0) return own;
  // Fees, limits and rates do not grow with the amounts; in every currency they are far below what is too large.
  if (!variants.some(({ fromAmount, commission }) => isInexact(fromAmount) || isInexact(commission))) return [];
  const inOrder = payouts.map(({ payeeAmount }, index) => ({ payeeAmount, index }));
  return inOrder
    .toSorted((left, right) => compareAmounts(right.payeeAmount, left.payeeAmount))
    .slice(0, 1)
    .map(({ index }) => index);
}
