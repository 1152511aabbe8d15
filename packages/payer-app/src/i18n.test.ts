import { describe, expect, test } from "vitest";
import { createI18n } from "./i18n.ts";
import { ar } from "./messages/ar.ts";
import { en } from "./messages/en.ts";
import { es } from "./messages/es.ts";

/** A text as it is read: with plain spaces, and without marks of direction. */
const plain = (text: string): string => text.replace(/[\u200e\u200f\u061c]/g, "").replace(/\s/g, " ");

describe("money", () => {
  const english = createI18n("en", en, { JPY: 0, KWD: 3, CLF: 4 });
  test.each([
    ["1234567890123.45", "AUD", "AUD 1,234,567,890,123.45"],
    ["0.1", "AUD", "AUD 0.10"],
    [1500, "JPY", "JPY 1,500"],
    ["12.5", "KWD", "KWD 12.500"],
    // By ISO 4217 the forint and the rupiah have two decimals, whatever browsers think.
    ["1500", "HUF", "HUF 1,500.00"],
    ["1500", "IDR", "IDR 1,500.00"],
  ])("%s %s is %s", (amount, currency, text) => {
    expect(plain(english.money(amount, currency))).toBe(text);
  });

  test("is written as each language writes it, in the digits that banks use", () => {
    expect(plain(createI18n("es", es, {}).money("12345.5", "EUR"))).toBe("12.345,50 EUR");
    expect(plain(createI18n("ar", ar, {}).money("12345.5", "SAR"))).toContain("12,345.50");
  });
});

test("a rate is shown only where money is exchanged", () => {
  const { rate } = createI18n("en", en, {});
  expect(rate({ fromCurrency: "BRL", toCurrency: "AUD", fxRate: 0.26534 })).toBe("1 BRL = 0.26534 AUD");
  expect(rate({ fromCurrency: "AUD", toCurrency: "AUD", fxRate: 1 })).toBeUndefined();
});

test("a span of time has the plural forms of its language", () => {
  const { span, t } = createI18n("en", en, {});
  expect(span({ unit: "days", min: 1, max: 3 })).toBe("1–3 days");
  expect(span({ unit: "days", min: 1, max: 1 })).toBe("1 day");
  expect(t("arrivesIn", { time: span({ unit: "hours", min: 2, max: 24 }) })).toBe("Arrives in 2–24 hours");
});

test("a value is inserted as it is, even one that looks like a placeholder or a pattern", () => {
  expect(createI18n("en", en, {}).t("pageTitle", { recipient: "{recipient} $& $1" })).toBe("Pay {recipient} $& $1");
});
