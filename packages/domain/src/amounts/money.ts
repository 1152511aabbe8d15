import { Big } from "big.js";
import { minorUnitsOf } from "../reference/currency.ts";

/** A number of money or a rate as plain text: digits and at most one point; no sign, no exponent. */
export type Decimal = string;

/** An amount and its currency. */
export type Money = Readonly<{ amount: Decimal; currency: string }>;

/**
 * Exact arithmetic, with settings that no other user of the library shares: it refuses binary floats, and divides to 30
 * decimals, far more than rounding to minor units needs.
 */
export const Exact = Big();
Exact.strict = true;
Exact.DP = 30;
/** The one rounding rule of the service: to the nearest, and a half goes up. */
Exact.RM = Exact.roundHalfUp;

/** Significant digits of a published rate: few enough to be exact in JSON, so that a caller can recompute amounts. */
const RATE_DIGITS = 10;

const decimalPattern = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,20})?$/;

/** Whether `text` is a decimal of at most 15 digits before the point and 20 after it. */
export const isDecimal = (text: string): boolean => decimalPattern.test(text);

/** The number of digits written after the point, zeros included. */
export const decimalsOf = (amount: Decimal): number => amount.split(".")[1]?.length ?? 0;

/** `amount` without the zeros that end its fraction, so that equal amounts are equal texts. */
export const withoutTrailingZeros = (amount: Decimal): Decimal =>
  amount.includes(".") ? amount.replace(/\.?0+$/, "") : amount;

/** Whether `amount` is a whole number of minor units of `currency`, whatever zeros follow; false for no currency. */
export const fitsMinorUnits = (amount: Decimal, currency: string): boolean =>
  decimalsOf(withoutTrailingZeros(amount)) <= (minorUnitsOf(currency) ?? -1);

/** Whether `left` and `right`, whole numbers of minor units of `currency`, differ by one minor unit at most. */
export function agreeToMinorUnit(left: Decimal, right: Decimal, currency: string): boolean {
  const difference = toMinorUnits(left, currency) - toMinorUnits(right, currency);
  return difference >= -1n && difference <= 1n;
}

/** The exact sum, with as many decimals as the longest of `amounts`; "0" without any. */
export function addAmounts(...amounts: readonly Decimal[]): Decimal {
  const sum = amounts.reduce((total, amount) => total.plus(amount), new Exact("0"));
  return sum.toFixed(Math.max(0, ...amounts.map(decimalsOf)));
}

export const isZero = (amount: Decimal): boolean => !/[1-9]/.test(amount);

/** Negative, zero or positive, as `left` is less than, equal to or greater than `right`. */
export const compareAmounts = (left: Decimal, right: Decimal): -1 | 0 | 1 => new Exact(left).cmp(right);

/** `value` rounded to the nearest minor unit of `currency`, a half up: the only rounding of amounts there is. */
export const roundToMinorUnits = (value: Decimal | Big, currency: string): Decimal =>
  new Exact(value).toFixed(digitsOf(currency));

/** A limit is rounded outwards, so that no amount within it is refused, and never below one minor unit. */
export function roundLimit(value: Decimal | Big, currency: string, side: "least" | "most"): Decimal {
  const rounded = new Exact(value).toFixed(digitsOf(currency), side === "least" ? Exact.roundDown : Exact.roundUp);
  return new Exact(rounded).eq("0") ? fromMinorUnits(1n, currency) : rounded;
}

/** A bound that is told to people is rounded inwards, so that it is taken itself. */
export const roundBound = (value: Decimal | Big, currency: string, side: "least" | "most"): Decimal =>
  new Exact(value).toFixed(digitsOf(currency), side === "least" ? Exact.roundUp : Exact.roundDown);

/** `value` rounded to ten significant digits. */
export const roundRate = (value: Decimal | Big): Decimal => new Exact(value).prec(RATE_DIGITS).toFixed();

/** `amount` with exactly the decimals of `currency`. Throws, rather than round, when it is finer than a minor unit. */
export const toFixedMinor = (amount: Decimal, currency: string): Decimal =>
  fromMinorUnits(toMinorUnits(amount, currency), currency);

/** `amount` counted in the minor units of `currency`. Throws when it has a fraction of one. */
export function toMinorUnits(amount: Decimal, currency: string): bigint {
  const digits = digitsOf(currency);
  const exact = withoutTrailingZeros(amount);
  if (decimalsOf(exact) > digits) throw new RangeError(`${amount} has more decimals than ${currency}`);
  return BigInt(exact.replace(".", "") + "0".repeat(digits - decimalsOf(exact)));
}

/** The decimal of `units` minor units of `currency`; less than zero begins with a minus sign. */
export function fromMinorUnits(units: bigint, currency: string): Decimal {
  if (units < 0n) return `-${fromMinorUnits(-units, currency)}`;
  const digits = digitsOf(currency);
  const text = units.toString().padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** The sum of all shares, in basis points. */
export const WHOLE_BPS = 10_000;

/**
 * `total` split by shares in basis points, which must sum to 10000: each share rounded down, and what is left given out
 * by the largest remainder, ties by position. The parts always sum to `total`.
 */
export function splitByPortions(total: Decimal, portionsBps: readonly number[], currency: string): Decimal[] {
  const sum = portionsBps.reduce((left, right) => left + right, 0);
  if (sum !== WHOLE_BPS) throw new RangeError(`Portions sum to ${sum} basis points instead of ${WHOLE_BPS}`);
  const units = toMinorUnits(total, currency);
  const whole = BigInt(WHOLE_BPS);
  const shares = portionsBps.map((bps, position) => {
    const exact = units * BigInt(bps);
    return { position, floor: exact / whole, remainder: exact % whole };
  });
  const undistributed = Number(units - shares.reduce((given, { floor }) => given + floor, 0n));
  const favoured = new Set(
    shares
      .toSorted((left, right) => Number(right.remainder - left.remainder) || left.position - right.position)
      .slice(0, undistributed)
      .map(({ position }) => position),
  );
  return shares.map(({ position, floor }) => fromMinorUnits(floor + (favoured.has(position) ? 1n : 0n), currency));
}

/** `amount` for people, its digits grouped as a language does, English by default: never for a program to read. */
export const groupAmount = (amount: Decimal, locale = "en"): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: decimalsOf(amount), maximumFractionDigits: 20 }).format(
    // Intl formats the text of a decimal exactly, and its type knows numbers only.
    amount as unknown as number,
  );

/** The JSON number for `amount`, or undefined when no binary float carries exactly that amount. */
export function toJsonNumber(amount: Decimal): number | undefined {
  const nearest = Number(amount);
  return new Exact(String(nearest)).eq(amount) ? nearest : undefined;
}

function digitsOf(currency: string): number {
  const digits = minorUnitsOf(currency);
  if (digits === undefined) throw new RangeError(`${currency} is not a currency of ISO 4217`);
  return digits;
}
