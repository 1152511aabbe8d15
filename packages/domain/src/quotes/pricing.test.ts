import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { referenceRates } from "../amounts/exchange-rates.ts";
import { compareAmounts, decimalsOf, Exact, fromMinorUnits, toJsonNumber, toMinorUnits } from "../amounts/money.ts";
import type { Payee } from "../parties/payee.ts";
import { countries } from "../reference/countries.ts";
import { currencyCodes, minorUnitsOf } from "../reference/currency.ts";
import { methodsFrom } from "./payment-methods.ts";
import { costOf, type PricedQuote, type PriceRequest, priceQuote, settlementOf } from "./pricing.ts";

const payee = (id: number, currencyCode: string, countryCode = "AU"): Payee => ({
  id,
  name: `Payee ${id}`,
  countryCode,
  currencyCode,
  createdAt: "2026-11-01T00:00:00.000Z",
});

const request = (countryCode: string, currency: string, ...amounts: string[]): PriceRequest => ({
  payouts: amounts.map((amount, index) => ({ payee: payee(index + 1, currency), amount })),
  countryCode,
  paymentType: "provider",
  rail: { maxUsd: "2000000" },
  tenantId: "1001",
  commissionSpread: "0.01",
});

function price(priced: PriceRequest) {
  let lastId = 500;
  return priceQuote(priced, referenceRates, () => ++lastId);
}

function priceOf(priced: PriceRequest): PricedQuote {
  const result = price(priced);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

const railed = countries.filter(({ countryCode }) => countryCode !== "KP");
const rated = currencyCodes.filter((code) => code !== "KPW");

/** Any quote that can be asked for: a country, a currency, and one to five amounts of up to eleven digits. */
const anyRequest = fc
  .record({
    country: fc.constantFrom(...railed),
    currency: fc.constantFrom(...rated),
    units: fc.array(fc.bigInt({ min: 1n, max: 10n ** 11n }), { minLength: 1, maxLength: 5 }),
  })
  .map(({ country, currency, units }) =>
    request(country.countryCode, currency, ...units.map((count) => fromMinorUnits(count, currency))),
  );

describe("a priced quote", () => {
  test("conserves money: what the payer sends is what is paid out and the fee, to the minor unit", () => {
    fc.assert(
      fc.property(anyRequest, (asked) => {
        const result = price(asked);
        // Ten thousand million dinars are more rials than JSON can carry; another test covers that.
        fc.pre(result.ok);
        for (const variant of result.ok ? result.value.variants : []) {
          const units = (amount: string) => toMinorUnits(amount, variant.fromCurrency);
          const principal = variant.payouts.reduce((sum, { payerAmount }) => sum + units(payerAmount), 0n);
          expect(units(variant.fromAmount)).toBe(principal + units(variant.fee));
        }
      }),
      { numRuns: 60 },
    );
  });

  test("can be recomputed from its own rate, has the decimals of its currencies, and is exact in JSON", () => {
    fc.assert(
      fc.property(anyRequest, (asked) => {
        const result = price(asked);
        fc.pre(result.ok);
        for (const variant of result.ok ? result.value.variants : []) {
          const digits = minorUnitsOf(variant.fromCurrency) ?? -1;
          for (const { payerAmount, payeeAmount, fxRate } of variant.payouts) {
            const exact = new Exact(payeeAmount).div(fxRate);
            const unit = fromMinorUnits(1n, variant.fromCurrency);
            expect(new Exact(payerAmount).minus(exact).abs().lte(new Exact(unit))).toBe(true);
            expect(decimalsOf(payerAmount)).toBe(digits);
            expect(compareAmounts(payerAmount, unit)).toBeGreaterThanOrEqual(0);
            expect(toJsonNumber(payerAmount)).toBeDefined();
            expect(toJsonNumber(payeeAmount)).toBeDefined();
          }
          const { fromAmount, fee, minAmount, maxAmount, commission, fxRate, marketRate, spread } = variant;
          for (const amount of [fromAmount, fee, minAmount, maxAmount, commission]) {
            expect(decimalsOf(amount)).toBe(digits);
          }
          for (const number of [fromAmount, fee, minAmount, maxAmount, commission, fxRate, marketRate, spread]) {
            expect(toJsonNumber(number)).toBeDefined();
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("from Japan to Kuwait counts whole yen and thousandths of a dinar", () => {
    const [bank] = priceOf(request("JP", "KWD", "1234.567", "0.001")).variants;
    // 513.19 yen to the dinar; the fee of 5 USD is 787.385 yen, and 10 cents, the least that is sent, are 15.7.
    const payout = { fromCurrency: "JPY", toCurrency: "KWD", fxRate: "0.001948600291" };
    expect(bank).toEqual({
      ...{ id: 501, settlementMethod: "dmt", settlementChannel: "bank", fromCurrency: "JPY", toCurrency: "KWD" },
      ...{ fromAmount: "634354", fxRate: payout.fxRate, fee: "787", minAmount: "15", maxAmount: "314954000" },
      ...{ spread: "0.006", marketRate: "0.001960362466", commissionBeneficiaryId: 1001, commission: "6336" },
      meta: methodsFrom("JP")[0]?.meta,
      payouts: [
        { ...payout, payeeId: 1, payerAmount: "633566", payeeAmount: "1234.567" },
        { ...payout, payeeId: 2, payerAmount: "1", payeeAmount: "0.001" },
      ],
    });
  });

  test("from Kuwait to Japan, the other way round", () => {
    const [bank] = priceOf(request("KW", "JPY", "1000000")).variants;
    expect(bank.payouts[0]).toMatchObject({ payeeAmount: "1000000", fxRate: bank.fxRate });
    expect(decimalsOf(bank.fromAmount)).toBe(3);
    expect(bank.fee).toBe("1.544");
  });

  test("charges the payer at least one minor unit for every payee", () => {
    const [bank] = priceOf(request("US", "IRR", "0.01", "1.00")).variants;
    expect(bank.payouts.map(({ payerAmount }) => payerAmount)).toEqual(["0.01", "0.01"]);
    expect(bank.fromAmount).toBe("5.02");
  });

  test("within one currency has rate 1, no spread, and pays what is received", () => {
    for (const variant of priceOf(request("AU", "AUD", "1000.00")).variants) {
      expect(variant).toMatchObject({ fxRate: "1", marketRate: "1", spread: "0" });
      expect(variant.payouts[0]?.payerAmount).toBe("1000.00");
    }
  });

  test("has a variant for each method of the country, and says whether one is in installments", () => {
    const brazil = priceOf(request("BR", "GBP", "500.00"));
    expect(brazil.variants.map(({ settlementMethod }) => settlementMethod)).toEqual(
      methodsFrom("BR").map(({ settlementMethod }) => settlementMethod),
    );
    expect(brazil.variants.map(({ id }) => id)).toEqual([501, 502, 503, 504, 505]);
    expect(brazil).toMatchObject({ countryCode: "BR", paymentType: "provider", hasInstallments: true });
    expect(priceOf(request("DE", "GBP", "500.00")).hasInstallments).toBe(false);
  });

  test("names the tenant as the beneficiary of the commission", () => {
    const [bank] = priceOf(request("US", "USD", "1000.00", "500.00")).variants;
    expect(bank).toMatchObject({ commissionBeneficiaryId: 1001, commission: "15.00" });
  });

  test.each(railed)("from $name takes 1 USD, and a million by bank", ({ countryCode, currencies: [currency] }) => {
    const perUsd = referenceRates.marketRate("USD", currency) ?? "0";
    const [bank, card] = priceOf(request(countryCode, "USD", "100.00")).variants;
    expect(compareAmounts(bank.minAmount, perUsd)).toBeLessThanOrEqual(0);
    expect(compareAmounts(bank.minAmount, "0")).toBe(1);
    expect(new Exact(bank.maxAmount).gte(new Exact(perUsd).times("1000000"))).toBe(true);
    expect(new Exact(card?.maxAmount ?? "0").gte(new Exact(perUsd).times("10000"))).toBe(true);
  });
});

describe("the rail's limit", () => {
  const maxima = (maxUsd: string) =>
    priceOf({ ...request("US", "USD", "1.00"), rail: { maxUsd } }).variants.map(({ maxAmount }) => maxAmount);

  test("lowers the limit of a method that takes more, and raises no limit", () => {
    expect(maxima("2000000").slice(0, 2)).toEqual(["2000000.00", "50000.00"]);
    expect(maxima("1500000").slice(0, 2)).toEqual(["1500000.00", "50000.00"]);
    expect(maxima("9000000")).toEqual(maxima("2000000"));
    expect(maxima("1000")).toEqual(maxima("2000000").map(() => "1000.00"));
  });
});

describe("a refusal", () => {
  test("names the country that has no rail, and the pair that has no rate", () => {
    expect(price(request("KP", "USD", "10.00"))).toMatchObject({
      failure: {
        ...{ kind: "pair_unavailable", fromCurrency: "KPW", toCurrency: "USD" },
        reason: "no payment can be made from North Korea",
      },
    });
    expect(price(request("US", "KPW", "10.00"))).toMatchObject({
      failure: {
        ...{ kind: "pair_unavailable", fromCurrency: "USD", toCurrency: "KPW" },
        reason: "there is no rate for this currency pair",
      },
    });
    const toKorea = { ...request("US", "USD"), payouts: [{ payee: payee(1, "USD", "KP"), amount: "10.00" }] };
    expect(price(toKorea)).toMatchObject({ failure: { kind: "pair_unavailable" } });
  });

  test("names every amount with more decimals than the currency has", () => {
    expect(price(request("US", "JPY", "100", "100.5", "1.25"))).toEqual({
      ok: false,
      failure: {
        kind: "shape",
        problems: [
          "payouts.1.amount has more decimals than JPY has",
          "payouts.2.amount has more decimals than JPY has",
        ],
      },
    });
  });

  test("names the amount that JSON cannot carry in one of the two currencies", () => {
    const problems = ["payouts.1.amount is too large to be carried exactly"];
    expect(price(request("US", "USD", "10.00", "999999999999999.99"))).toMatchObject({
      failure: { kind: "shape", problems },
    });
    // 3,239,000 trillion rials: nineteen digits.
    expect(price(request("IR", "KWD", "1.000", "999999999999.777"))).toMatchObject({ failure: { problems } });
  });

  test("names the largest amount when only the sum is too large", () => {
    const amounts = ["20000000000000.01", "70000000000000.03", "20000000000000.01", "20000000000000.02"];
    for (const amount of amounts) expect(toJsonNumber(amount)).toBeDefined();
    expect(price(request("US", "USD", ...amounts))).toMatchObject({
      failure: { problems: ["payouts.1.amount is too large to be carried exactly"] },
    });
  });

  test("is given for a request without payouts, and for a code that is no country", () => {
    expect(price(request("US", "USD"))).toMatchObject({ failure: { kind: "shape" } });
    expect(price(request("XK", "USD", "1.00"))).toMatchObject({ failure: { kind: "shape" } });
  });
});

describe("settlementOf", () => {
  const [bank] = priceOf(request("IN", "AUD", "1000.00", "250.00")).variants;

  test("pays out exactly what was quoted for the quoted payer amount", () => {
    for (const { payeeId, payerAmount, payeeAmount } of bank.payouts) {
      expect(settlementOf(bank, payerAmount, payeeId, "AUD")).toBe(payeeAmount);
    }
  });

  test("pays out any other amount at the variant's rate", () => {
    expect(settlementOf(bank, "50000.00", 1, "AUD")).toBe(new Exact("50000").times(bank.fxRate).toFixed(2));
  });

  test("does not convert a leg in the payer's currency", () => {
    expect(settlementOf(bank, "500.5", 1001, "INR")).toBe("500.50");
  });

  test("has no rate to a third currency", () => {
    expect(() => settlementOf(bank, "500.00", 1, "USD")).toThrow(RangeError);
  });
});

describe("costOf", () => {
  const [bank] = priceOf(request("IN", "AUD", "1000.00", "250.00")).variants;

  test("asks exactly what was quoted for the quoted amount", () => {
    for (const { payeeId, payerAmount, payeeAmount } of bank.payouts) {
      expect(costOf(bank, payeeAmount, payeeId, "AUD")).toBe(payerAmount);
    }
  });

  test("asks for any other amount, and for another payee, what it costs at the variant's rate", () => {
    const odd = { ...bank, payouts: bank.payouts.map((payout) => ({ ...payout, payerAmount: "1.00" })) };
    const atRate = (amount: string) => new Exact(amount).div(bank.fxRate).toFixed(2);
    expect(costOf(odd, "1000", 1, "AUD")).toBe("1.00");
    expect(costOf(odd, "1000", 2, "AUD")).toBe(atRate("1000"));
    expect(costOf(odd, "999.99", 1, "AUD")).toBe(atRate("999.99"));
  });

  test("does not convert a leg in the payer's currency", () => {
    expect(costOf(bank, "500.5", 1001, "INR")).toBe("500.50");
  });

  test("has no rate to a third currency", () => {
    expect(() => costOf(bank, "500.00", 1, "USD")).toThrow(RangeError);
  });
});
