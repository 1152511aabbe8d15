import { expect, test } from "vitest";
import { payerRate, referenceRates } from "../amounts/exchange-rates.ts";
import { type FxRateRequest, findFxRate } from "./fx-rate.ts";

const request: FxRateRequest = {
  fromCurrency: "INR",
  toCurrency: "AUD",
  fromCountryCode: "IND",
  toCountryCode: "AUS",
  amount: "100000",
};
const expiresAtMs = Date.UTC(2026, 10, 21, 9, 30);
const find = (changes: Partial<FxRateRequest> = {}) =>
  findFxRate({ ...request, ...changes }, referenceRates, expiresAtMs);

test("the rate is that of a bank transfer: the market rate less its spread", () => {
  expect(find()).toEqual({
    ok: true,
    value: {
      fromCurrencyCode: "INR",
      toCurrencyCode: "AUD",
      rate: payerRate(referenceRates.marketRate("INR", "AUD") ?? "", "0.006"),
      taxPercentage: 0,
      settlementMethod: 1,
      expiresOn: "2026-11-21T09:30:00.000Z",
    },
  });
});

test("one currency has rate 1", () => {
  expect(find({ fromCurrency: "EUR", toCurrency: "EUR", fromCountryCode: "DEU", toCountryCode: "FRA" })).toMatchObject({
    value: { rate: "1", taxPercentage: 0 },
  });
});

test("a tax is reported where money leaves a country that levies one", () => {
  expect(find({ fromCurrency: "BRL", fromCountryCode: "BRA" })).toMatchObject({ value: { taxPercentage: 3.5 } });
  const dollars = { fromCurrency: "USD", toCurrency: "USD", fromCountryCode: "ECU" };
  expect(find({ ...dollars, toCountryCode: "USA" })).toMatchObject({ value: { taxPercentage: 5 } });
  expect(find({ ...dollars, toCountryCode: "ECU" })).toMatchObject({ value: { taxPercentage: 0 } });
});

test.each<Partial<FxRateRequest>>([
  { toCurrency: "KPW" },
  { fromCurrency: "KPW" },
  { fromCountryCode: "PRK" },
  { toCountryCode: "PRK" },
  { toCurrency: "XXX" },
])("%o is unavailable", (changes) => {
  const { fromCurrency, toCurrency } = { ...request, ...changes };
  expect(find(changes)).toMatchObject({ ok: false, failure: { kind: "pair_unavailable", fromCurrency, toCurrency } });
});

test("countries that do not exist, and a fraction of a minor unit, are problems of shape", () => {
  expect(find({ fromCountryCode: "IN", toCountryCode: "XXX" })).toEqual({
    ok: false,
    failure: {
      kind: "shape",
      problems: ["fromCountryCode is not a country of ISO 3166-1", "toCountryCode is not a country of ISO 3166-1"],
    },
  });
  expect(find({ amount: "1.005" })).toEqual({
    ok: false,
    failure: { kind: "shape", problems: ["amount has more decimals than INR has"] },
  });
});
