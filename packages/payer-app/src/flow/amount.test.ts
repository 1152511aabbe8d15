import { expect, test } from "vitest";
import { parseAmount } from "./amount.ts";

test.each([
  ["1234.5", ".", "1234.5"],
  ["1,234.50", ".", "1234.50"],
  ["1,234,567", ".", "1234567"],
  ["1.234,50", ",", "1234.50"],
  ["1234,5", ",", "1234.5"],
  // The other separator counts as the decimal one where it cannot group thousands.
  ["1234,5", ".", "1234.5"],
  ["1234.50", ",", "1234.50"],
  ["1’234.50", ".", "1234.50"],
  ["1 234,50", ",", "1234.50"],
  ["007", ".", "7"],
  ["0.01", ".", "0.01"],
  ["١٬٢٣٤٫٥٠", ".", "1234.50"],
  ["१२३", ".", "123"],
  ["１２３.５", ".", "123.5"],
])("%s with the separator %s is %s", (text, point, amount) => {
  expect(parseAmount(text, 2, point)).toBe(amount);
});

test.each(["", " ", "0", "0.00", "-5", "+5", "1e3", "abc", "1.234", "1,23,456", "1.2.3", "12,34.5", "9".repeat(16)])(
  "%j is no amount in a currency of two decimals",
  (text) => {
    expect(parseAmount(text, 2, ".")).toBeUndefined();
  },
);

test("an amount has at most its currency's decimals, and a separator that could group thousands does so", () => {
  expect(parseAmount("1500.5", 0, ".")).toBeUndefined();
  expect(parseAmount("1.234", 3, ".")).toBe("1.234");
  expect(parseAmount("1.234", 3, ",")).toBe("1234");
});
