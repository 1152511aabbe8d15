import { expect, test } from "vitest";
import { countries, findCountry, findCountryByAlpha3 } from "./countries.ts";
import { isCurrency } from "./currency.ts";

test("there are the 249 countries of ISO 3166-1, each by either code", () => {
  expect(countries).toHaveLength(249);
  expect(new Set(countries.map(({ countryCode }) => countryCode)).size).toBe(249);
  for (const country of countries) {
    expect(country.countryCode).toMatch(/^[A-Z]{2}$/);
    expect(country.alpha3).toMatch(/^[A-Z]{3}$/);
    expect(country.name).not.toBe("");
    expect(findCountry(country.countryCode)).toBe(country);
    expect(findCountryByAlpha3(country.alpha3)).toBe(country);
  }
});

test("every listed currency is money", () => {
  for (const { currencies } of countries) expect(currencies.filter((code) => !isCurrency(code))).toEqual([]);
});

test.each([
  ["BG", ["EUR"]],
  ["HR", ["EUR"]],
  ["CW", ["XCG"]],
  ["SX", ["XCG"]],
  ["SL", ["SLE"]],
  ["CU", ["CUP"]],
  ["CH", ["CHF"]],
  ["US", ["USD"]],
  ["UY", ["UYU"]],
  ["CL", ["CLP"]],
  ["BO", ["BOB"]],
  ["BT", ["BTN", "INR"]],
  ["LS", ["LSL", "ZAR"]],
  ["HT", ["HTG", "USD"]],
  ["PA", ["USD", "PAB"]],
  ["SV", ["USD"]],
  ["ZW", ["ZWG", "USD"]],
  ["KP", ["KPW"]],
  ["AQ", ["USD"]],
])("%s pays in %j", (countryCode, currencies) => {
  expect(findCountry(countryCode)?.currencies).toEqual(currencies);
});

test.each(["XK", "AC", "TA", "EU", "gb", "", "constructor"])("%j is no country", (code) => {
  expect(findCountry(code)).toBeUndefined();
  expect(findCountryByAlpha3(code)).toBeUndefined();
});
