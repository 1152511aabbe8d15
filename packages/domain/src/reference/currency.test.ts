import isoTable from "currency-codes";
import { expect, test } from "vitest";
import { currencyCodes, isCurrency, minorUnitsOf } from "./currency.ts";

/** Codes of List One that are no money: funds, metals, test codes and units of account between institutions. */
const noMoney = "BOV CHE CHW COU MXV USN UYI XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX".split(" ");

/** Changes of ISO 4217 since the reference package's table of 2024-06-25. */
const withdrawn = {
  ANG: "Amendment 176: XCG since 2025-03-31",
  BGN: "Bulgaria: EUR since 2026-01-01",
  CUC: "Amendment 178: withdrawn 2021-06",
};
const added = { XCG: "Amendment 176: Caribbean guilder, two digits" };

const isoDigits = new Map(isoTable.data.map(({ code, digits }) => [code, digits]));

test("the table is ISO 4217's, apart from the changes since 2024 that are listed here", () => {
  const expected = new Set([...isoDigits.keys(), ...Object.keys(added)]);
  for (const code of [...noMoney, ...Object.keys(withdrawn)]) expected.delete(code);
  expect(new Set(currencyCodes)).toEqual(expected);
});

test.each(currencyCodes.filter((code) => !(code in added)))("%s has as many digits as ISO 4217 gives it", (code) => {
  expect(minorUnitsOf(code)).toBe(isoDigits.get(code));
});

test.each([
  ["JPY", 0],
  ["ISK", 0],
  ["HUF", 2],
  ["IDR", 2],
  ["MRU", 2],
  ["XCG", 2],
  ["KWD", 3],
  ["CLF", 4],
])("%s has %i digits, even where fewer are customary", (code, digits) => {
  expect(minorUnitsOf(code)).toBe(digits);
});

const noCurrencies = [...noMoney, ...Object.keys(withdrawn), "XAD", "usd", "", "constructor", "EURO"];
test.each(noCurrencies)("%j is no currency", (code) => {
  expect(isCurrency(code)).toBe(false);
  expect(minorUnitsOf(code)).toBeUndefined();
});
