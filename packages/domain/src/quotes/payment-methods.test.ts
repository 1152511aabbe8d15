import { describe, expect, test } from "vitest";
import { compareAmounts } from "../amounts/money.ts";
import { countries, findCountry } from "../reference/countries.ts";
import { methodsFrom, paymentMethods } from "./payment-methods.ts";

const names = (countryCode: string) => methodsFrom(countryCode).map(({ settlementMethod }) => settlementMethod);

test.each(countries.filter(({ countryCode }) => countryCode !== "KP"))(
  "$name has a bank transfer first, then a card",
  (country) => {
    expect(names(country.countryCode).slice(0, 2)).toEqual(["dmt", "card"]);
  },
);

test("North Korea, and what is no country, has no rail", () => {
  for (const code of ["KP", "XK", "", "usd"]) expect(methodsFrom(code)).toEqual([]);
});

test("a local method is offered only where it exists", () => {
  expect(names("BR")).toEqual(["dmt", "card", "installment", "pix", "boleto"]);
  expect(names("GB")).toEqual(["dmt", "card", "volt", "paypal"]);
  expect(names("BG")).toContain("volt");
  expect(names("CH")).not.toContain("volt");
  expect(names("CN")).toEqual(["dmt", "card", "alipay", "wechat-pay"]);
  expect(names("IN")).toEqual(["dmt", "card", "installment", "upi"]);
});

test("volt is offered in the members of the European Union that pay in euros", () => {
  const volt = paymentMethods.find(({ settlementMethod }) => settlementMethod === "volt")?.countries ?? [];
  const euro = [...volt].filter((code) => findCountry(code)?.currencies[0] === "EUR");
  expect(euro).toHaveLength(21);
});

test("no two methods share a code or a name", () => {
  expect(new Set(paymentMethods.map(({ code }) => code)).size).toBe(paymentMethods.length);
  expect(new Set(paymentMethods.map(({ settlementMethod }) => settlementMethod)).size).toBe(paymentMethods.length);
});

describe.each(paymentMethods)("$displayName", (method) => {
  test("is offered in countries that exist", () => {
    if (method.countries === "all") return expect(method.code).toBeLessThanOrEqual(2);
    expect(method.countries.filter((code) => findCountry(code) === undefined)).toEqual([]);
  });

  test("takes 1 USD, and as much as a tuition fee by bank or card", () => {
    expect(compareAmounts(method.minUsd, "1")).toBeLessThanOrEqual(0);
    const needed = { bank: "1000000", card: "10000" }[method.meta.uiFlow === "bank-details" ? "bank" : "card"];
    if (method.meta.category !== "cash") expect(compareAmounts(method.maxUsd, needed)).toBeGreaterThanOrEqual(0);
    expect(compareAmounts(method.maxUsd, method.minUsd)).toBe(1);
  });

  test("says how the payer proceeds", () => {
    expect(method.meta.uiFlow === "bank-details").toBe(method.settlementMethod === "dmt");
    expect(method.meta.cardNetworks !== undefined).toBe(method.meta.category === "card");
    expect(method.meta.eta.disbursement.max).toBeGreaterThanOrEqual(method.meta.eta.disbursement.min);
    expect(method.meta.noticeKeys.length).toBeGreaterThan(0);
  });
});
