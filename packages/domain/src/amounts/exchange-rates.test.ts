import fc from "fast-check";
import { expect, test } from "vitest";
import { currencyCodes } from "../reference/currency.ts";
import { payerRate, referenceRates } from "./exchange-rates.ts";
import { Exact, isDecimal, toJsonNumber } from "./money.ts";

const rated = currencyCodes.filter((code) => code !== "KPW");
const code = fc.constantFrom(...rated);
const rate = (from: string, to: string) => referenceRates.marketRate(from, to) ?? "";

test("every currency but the North Korean won has a rate", () => {
  expect(rated.length).toBeGreaterThanOrEqual(150);
  expect(currencyCodes.filter((from) => referenceRates.marketRate(from, "EUR") === undefined)).toEqual(["KPW"]);
  expect(currencyCodes.filter((to) => referenceRates.marketRate("USD", to) === undefined)).toEqual(["KPW"]);
});

test("a code that is no currency has no rate, not even to itself", () => {
  for (const unknown of ["KPW", "XXX", "usd", "", "constructor"]) {
    expect(referenceRates.marketRate(unknown, unknown)).toBeUndefined();
  }
});

test("the rates carry the day they are from", () => {
  expect(referenceRates.asOf).toMatch(/^2026-\d\d-\d\d$/);
});

test("a rate and the rate back cancel out, and both are exact in JSON", () => {
  fc.assert(
    fc.property(code, code, (from, to) => {
      expect(isDecimal(rate(from, to))).toBe(true);
      expect(toJsonNumber(rate(from, to))).toBeDefined();
      const error = new Exact(rate(from, to)).times(rate(to, from)).minus("1").abs();
      expect(error.lt("0.000000002")).toBe(true);
    }),
  );
});

test("a currency is worth exactly itself", () => {
  for (const same of rated) expect(rate(same, same)).toBe("1");
});

test("a rate is what 1 unit of the payer's currency is worth in the payee's", () => {
  expect(Number(rate("USD", "JPY"))).toBeGreaterThan(50);
  expect(Number(rate("KWD", "USD"))).toBeGreaterThan(1);
});

test("the spread makes the payer's rate worse", () => {
  expect(payerRate("1.25", "0.02")).toBe("1.225");
  expect(payerRate("1", "0")).toBe("1");
});
