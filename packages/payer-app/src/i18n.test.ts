import { describe, expect, test } from "vitest";
import { createI18n } from "./i18n.ts";
import { en } from "./messages/en.ts";
import { pickSpeech } from "./messages/languages.ts";

/** A text as it is read: with plain spaces, and without marks of direction. */
const plain = (text: string): string =>
  text
    .replace(/[\u200e\u200f\u061c]/g, "")
    .replace(/\s/g, " ")
    .replaceAll("’", "'");

describe("money", () => {
  const english = createI18n(pickSpeech("en"), en, { JPY: 0, KWD: 3, CLF: 4 });
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

  test.each([
    ["en-US", "AUD 1,234,567.50", "AUD 1,000.00"],
    ["en-IN", "AUD 12,34,567.50", "AUD 1,000.00"],
    ["es-ES", "1.234.567,50 AUD", "1.000,00 AUD"],
    ["es-MX", "AUD 1,234,567.50", "AUD 1,000.00"],
    ["pt-BR", "AUD 1.234.567,50", "AUD 1.000,00"],
    ["pt-PT", "1 234 567,50 AUD", "1 000,00 AUD"],
    ["fr-FR", "1 234 567,50 AUD", "1 000,00 AUD"],
    ["de-DE", "1.234.567,50 AUD", "1.000,00 AUD"],
    ["de-AT", "AUD 1.234.567,50", "AUD 1.000,00"],
    ["de-CH", "AUD 1'234'567.50", "AUD 1'000.00"],
    ["zh-CN", "AUD 1,234,567.50", "AUD 1,000.00"],
    ["hi-IN", "AUD 12,34,567.50", "AUD 1,000.00"],
    ["ar-AE", "1,234,567.50 AUD", "1,000.00 AUD"],
    ["ar-EG", "١٬٢٣٤٬٥٦٧٫٥٠ AUD", "١٬٠٠٠٫٠٠ AUD"],
  ])("for %s is %s and %s", (locale, millions, thousand) => {
    // The texts of a language change nothing about its figures.
    const { money } = createI18n(pickSpeech(locale), en, {});
    expect([money("1234567.5", "AUD"), money("1000", "AUD")].map(plain)).toEqual([millions, thousand]);
  });
});

test("a rate is shown only where money is exchanged", () => {
  const { rate } = createI18n(pickSpeech("en"), en, {});
  expect(rate({ fromCurrency: "BRL", toCurrency: "AUD", fxRate: 0.26534 })).toBe("1 BRL = 0.26534 AUD");
  expect(rate({ fromCurrency: "AUD", toCurrency: "AUD", fxRate: 1 })).toBeUndefined();
});

test("a span of time has the plural forms of its language", () => {
  const { span, t } = createI18n(pickSpeech("en"), en, {});
  expect(span({ unit: "days", min: 1, max: 3 })).toBe("1–3 days");
  expect(span({ unit: "days", min: 1, max: 1 })).toBe("1 day");
  expect(t("arrivesIn", { time: span({ unit: "hours", min: 2, max: 24 }) })).toBe("Arrives in 2–24 hours");
});

test("a value is inserted as it is, even one that looks like a placeholder or a pattern", () => {
  expect(createI18n(pickSpeech("en"), en, {}).t("pageTitle", { recipient: "{recipient} $& $1" })).toBe(
    "Pay {recipient} $& $1",
  );
});

test("a name in letters of the other direction does not turn the sentence around it", () => {
  const turned = createI18n(pickSpeech("en"), en, {}).t("pageTitle", { recipient: "جامعة" });
  expect(turned).toBe("Pay \u2068جامعة\u2069");
  expect(createI18n(pickSpeech("ar"), en, {}).t("pageTitle", { recipient: "Uni (Sydney)" })).toBe(
    "Pay \u2068Uni (Sydney)\u2069",
  );
});

test("a moment is told with its zone", () => {
  const { moment } = createI18n(pickSpeech("en-US"), en, {});
  expect(plain(moment(new Date("2027-03-09T18:14:00Z"), "UTC"))).toBe("Mar 9, 2027, 6:14 PM UTC");
});

test("dates and counts are those of the visitor's region", () => {
  const dayIn = (locale: string) => plain(createI18n(pickSpeech(locale), en, {}).day("2027-03-09"));
  expect(["en-US", "en-GB", "de-AT", "ar-EG", "zh-CN"].map(dayIn)).toEqual([
    "March 9, 2027",
    "9 March 2027",
    "9. März 2027",
    "٩ مارس ٢٠٢٧",
    "2027年3月9日",
  ]);
  expect(createI18n(pickSpeech("ar-EG"), en, {}).t("step", { step: 2, steps: 4 })).toBe("Step ٢ of ٤");
});
