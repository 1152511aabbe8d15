import fc from "fast-check";
import { expect, test } from "vitest";
import { payee } from "../../test/intent-fixture.ts";
import { referenceRates } from "../amounts/exchange-rates.ts";
import { compareAmounts, fromMinorUnits, splitByPortions, toMinorUnits, WHOLE_BPS } from "../amounts/money.ts";
import { priceQuote } from "../quotes/pricing.ts";
import { entryLimits } from "./entry-limits.ts";
import { takesItsQuote } from "./link-payment.ts";

/** Prices an entered amount as a link does. */
function price(amount: string, portions: readonly number[], currency: string, countryCode: string) {
  const payouts = splitByPortions(amount, portions, currency).map((share) => ({
    payee: payee(5001, { currencyCode: currency }),
    amount: share,
  }));
  const rail = { maxUsd: "2000000" };
  const request = {
    payouts,
    countryCode,
    rail,
    paymentType: "provider",
    tenantId: "1001",
    commissionSpread: "0",
  } as const;
  const priced = priceQuote(request, referenceRates, () => 0);
  if (!priced.ok) throw new Error(JSON.stringify(priced.failure));
  return priced.value.variants;
}
const limitsOf = (portions: readonly number[], currency: string, country: string) =>
  entryLimits(price(fromMinorUnits(1_000_000n, currency), portions, currency, country), portions);

test("the bounds of an entered amount are those of all ways to pay, in the payees' currency", () => {
  expect(limitsOf([WHOLE_BPS], "AUD", "AU")).toEqual({ minAmount: "0.14", maxAmount: "2849500.00", currency: "AUD" });
  expect(limitsOf([9_000, 1_000], "AUD", "AU").minAmount).toBe("0.15");
  expect(limitsOf([9_990, 10], "AUD", "AU").minAmount).toBe("10.00");
});

test("the bounds themselves are taken, and what lies well beyond them is not", () => {
  const shares = fc.constantFrom([WHOLE_BPS], [9_000, 1_000], [3_334, 3_333, 3_333], [9_950, 50]);
  const currencies = fc.constantFrom("AUD", "JPY", "KWD", "BRL", "VND");
  const countries = fc.constantFrom("AU", "BR", "IN", "JP", "KW", "VN", "DE");
  fc.assert(
    fc.property(shares, currencies, countries, (portions, currency, country) => {
      const { minAmount, maxAmount } = limitsOf(portions, currency, country);
      const isTaken = (amount: string) => price(amount, portions, currency, country).some(takesItsQuote);
      expect([minAmount, maxAmount].map(isTaken)).toEqual([true, true]);
      expect(splitByPortions(minAmount, portions, currency).every((share) => compareAmounts(share, "0") > 0)).toBe(
        true,
      );
      const beyond = fromMinorUnits(toMinorUnits(maxAmount, currency) * 2n, currency);
      expect(isTaken(beyond)).toBe(false);
    }),
    { numRuns: 60 },
  );
});
