import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currencyCodes } from "../reference/currency.ts";
import {
  addAmounts,
  agreeToMinorUnit,
  compareAmounts,
  decimalsOf,
  Exact,
  fitsMinorUnits,
  fromMinorUnits,
  isDecimal,
  roundLimit,
  roundRate,
  roundToMinorUnits,
  splitByPortions,
  toFixedMinor,
  toJsonNumber,
  toMinorUnits,
  withoutTrailingZeros,
} from "./money.ts";

const currency = fc.constantFrom(...currencyCodes);
const units = fc.bigInt({ min: 0n, max: 10n ** 18n });

/** Shares of one or more recipients that sum to 10000. */
const portions = fc
  .array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 8 })
  .map((cuts) => [0, ...cuts.toSorted((left, right) => left - right), 10_000])
  .map((cuts) => cuts.slice(1).map((cut, index) => cut - (cuts[index] ?? 0)));

describe("isDecimal", () => {
  test.each(["0", "0.01", "100", "100.00", "999999999999999.99", "0.0000002361538462"])("accepts %s", (text) => {
    expect(isDecimal(text)).toBe(true);
  });

  test.each([
    ...["", "-1", "+1", "1e5", "1.", ".5", "01", "1,5", "0x10", "Infinity", "NaN", " 1", "1\n", "1000000000000000"],
    ...["١", "1.000000000000000000001"],
  ])("refuses %j", (text) => {
    expect(isDecimal(text)).toBe(false);
  });
});

describe("minor units", () => {
  test("an amount fits its currency by its written decimals", () => {
    expect(decimalsOf("100.50")).toBe(2);
    expect(decimalsOf("100")).toBe(0);
    expect(fitsMinorUnits("100.50", "USD")).toBe(true);
    expect(fitsMinorUnits("100.505", "USD")).toBe(false);
    expect(fitsMinorUnits("100.505", "KWD")).toBe(true);
    expect(fitsMinorUnits("100.5", "JPY")).toBe(false);
    expect(fitsMinorUnits("100", "JPY")).toBe(true);
    expect(fitsMinorUnits("100", "XXX")).toBe(false);
    expect(fitsMinorUnits("100.5", "XXX")).toBe(false);
  });

  test("a whole number of minor units survives the way there and back", () => {
    fc.assert(
      fc.property(units, currency, (count, code) => {
        expect(toMinorUnits(fromMinorUnits(count, code), code)).toBe(count);
      }),
    );
  });

  test("zeros at the end fit every currency, and are dropped", () => {
    expect(fitsMinorUnits("1000.00", "JPY")).toBe(true);
    expect(toFixedMinor("1000.00", "JPY")).toBe("1000");
    expect(toFixedMinor("10.500000", "USD")).toBe("10.50");
    expect(toFixedMinor("100.0", "JPY")).toBe("100");
    fc.assert(
      fc.property(units, currency, fc.integer({ min: 0, max: 12 }), (count, code, zeros) => {
        const amount = fromMinorUnits(count, code);
        const longer = `${amount}${amount.includes(".") ? "" : "."}${"0".repeat(zeros + 1)}`;
        expect(fitsMinorUnits(longer, code)).toBe(true);
        expect(toFixedMinor(longer, code)).toBe(amount);
        expect(withoutTrailingZeros(longer)).toBe(withoutTrailingZeros(amount));
        expect(compareAmounts(withoutTrailingZeros(longer), amount)).toBe(0);
      }),
    );
  });

  test.each([
    ["10.00", "10.01", "USD", true],
    ["10.01", "10", "USD", true],
    ["10.00", "10.02", "USD", false],
    ["10", "11.0", "JPY", true],
    ["10", "12", "JPY", false],
    ["10.001", "10.002", "KWD", true],
  ])("%s and %s agree to the minor unit of %s: %s", (left, right, code, agree) => {
    expect(agreeToMinorUnit(left, right, code)).toBe(agree);
  });

  test("an amount is padded to the decimals of its currency, and never rounded", () => {
    expect(toFixedMinor("10", "USD")).toBe("10.00");
    expect(toFixedMinor("10.1", "KWD")).toBe("10.100");
    expect(toFixedMinor("10", "JPY")).toBe("10");
    expect(() => toFixedMinor("10.001", "USD")).toThrow(RangeError);
    expect(() => toFixedMinor("10", "XXX")).toThrow(RangeError);
  });
});

describe("arithmetic", () => {
  test("sums are exact where binary floats are not, and keep their decimals", () => {
    expect(addAmounts("0.1", "0.2")).toBe("0.3");
    expect(addAmounts("10.50", "0.50")).toBe("11.00");
    expect(addAmounts("999999999999999.99", "0.01")).toBe("1000000000000000.00");
    expect(addAmounts()).toBe("0");
  });

  test("comparison is by worth, not by text", () => {
    expect(compareAmounts("100", "100.00")).toBe(0);
    expect(compareAmounts("9", "10")).toBe(-1);
    expect(compareAmounts("10", "9")).toBe(1);
  });

  test("a half is rounded up", () => {
    expect(roundToMinorUnits("1.005", "USD")).toBe("1.01");
    expect(roundToMinorUnits("1.0049999", "USD")).toBe("1.00");
    expect(roundToMinorUnits("2.5", "JPY")).toBe("3");
    expect(roundToMinorUnits("0.0005", "KWD")).toBe("0.001");
    expect(roundToMinorUnits(new Exact("1").div("3"), "CLF")).toBe("0.3333");
  });

  test("a rate has at most ten significant digits and no exponent", () => {
    expect(roundRate(new Exact("1").div("3"))).toBe("0.3333333333");
    expect(roundRate("0.00000023615384615")).toBe("0.0000002361538462");
    expect(roundRate("4453995.1261537")).toBe("4453995.126");
  });

  test("a quotient is exact to thirty decimals", () => {
    expect(new Exact("1").div("3").toFixed()).toBe(`0.${"3".repeat(30)}`);
    expect(new Exact("2").div("3").toFixed()).toBe(`0.${"6".repeat(29)}7`);
  });

  test("limits are rounded outwards", () => {
    expect(roundLimit("157.9", "JPY", "least")).toBe("157");
    expect(roundLimit("157.1", "JPY", "most")).toBe("158");
    expect(roundLimit("0.4", "JPY", "least")).toBe("1");
  });

  test("binary floats are refused", () => {
    expect(() => new Exact(0.1)).toThrow(TypeError);
  });
});

describe("splitByPortions", () => {
  test("the parts sum to the whole, and none is a minor unit or more away from its exact share", () => {
    fc.assert(
      fc.property(units, portions, currency, (count, bps, code) => {
        const parts = splitByPortions(fromMinorUnits(count, code), bps, code).map((part) => toMinorUnits(part, code));
        expect(parts.reduce((left, right) => left + right, 0n)).toBe(count);
        for (const [index, part] of parts.entries()) {
          const off = part * 10_000n - count * BigInt(bps[index] ?? 0);
          expect(off < 10_000n && off > -10_000n).toBe(true);
        }
      }),
    );
  });

  test("without ties, the order of the recipients changes nobody's share", () => {
    fc.assert(
      fc.property(units, portions, (count, bps) => {
        const remainders = bps.map((portion) => (count * BigInt(portion)) % 10_000n);
        fc.pre(new Set(remainders).size === bps.length);
        const total = fromMinorUnits(count, "USD");
        expect(splitByPortions(total, bps.toReversed(), "USD")).toEqual(
          splitByPortions(total, bps, "USD").toReversed(),
        );
      }),
    );
  });

  test("the units left after rounding down go to the largest remainder, and to the first of equals", () => {
    expect(splitByPortions("100.00", [3333, 3333, 3334], "USD")).toEqual(["33.33", "33.33", "33.34"]);
    expect(splitByPortions("0.01", [5000, 5000], "USD")).toEqual(["0.01", "0.00"]);
    expect(splitByPortions("10", [5000, 2500, 2500], "JPY")).toEqual(["5", "3", "2"]);
    expect(splitByPortions("1.000", [9999, 1], "KWD")).toEqual(["1.000", "0.000"]);
    expect(splitByPortions("0.07", [3333, 3334, 3333], "USD")).toEqual(["0.02", "0.03", "0.02"]);
    expect(splitByPortions("0.05", [1000, 2000, 7000], "USD")).toEqual(["0.01", "0.01", "0.03"]);
  });

  test("portions that do not sum to 10000 are a fault", () => {
    expect(() => splitByPortions("1.00", [60, 40], "USD")).toThrow(RangeError);
  });
});

describe("toJsonNumber", () => {
  test("the number it gives survives JSON exactly", () => {
    fc.assert(
      fc.property(units, currency, (count, code) => {
        const amount = fromMinorUnits(count, code);
        const number = toJsonNumber(amount);
        if (number !== undefined) expect(compareAmounts(new Exact(JSON.stringify(number)).toFixed(), amount)).toBe(0);
      }),
    );
  });

  test("amounts of everyday size have a number, seventeen digits have none", () => {
    expect(toJsonNumber("1234.50")).toBe(1234.5);
    expect(toJsonNumber("0.0000002361538462")).toBe(2.361538462e-7);
    expect(toJsonNumber("9999999999999.99")).toBe(9999999999999.99);
    expect(toJsonNumber("9007199254740993")).toBeUndefined();
    expect(toJsonNumber("999999999999999.99")).toBeUndefined();
  });
});
