import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createI18n } from "../i18n.ts";
import { en } from "../messages/en.ts";
import { pickSpeech } from "../messages/languages.ts";
import { amountFormOf } from "../server/amount-form.ts";
import { readAmount } from "./amount.ts";

const minorUnits: Readonly<Record<string, number>> = { JPY: 0, KWD: 3, CLF: 4 };
const read = (text: string, locale: string, currency = "AUD") =>
  readAmount(text, amountFormOf(pickSpeech(locale).locale, currency, minorUnits[currency] ?? 2));

describe("an amount is read as the payer's locale writes it", () => {
  test.each([
    ["1234.5", "en-US", "1234.5"],
    ["1,234.50", "en-US", "1234.5"],
    ["1,000", "en-US", "1000"],
    ["1,000.00", "es-MX", "1000"],
    ["1,000", "es-MX", "1000"],
    ["1.000", "es-ES", "1000"],
    ["1.000,00", "es-ES", "1000"],
    ["54.123,97", "es-AR", "54123.97"],
    ["1.000", "de-DE", "1000"],
    ["1234,5", "de-DE", "1234.5"],
    ["1'000.50", "de-CH", "1000.5"],
    ["1’000.50", "de-CH", "1000.5"],
    ["1 234,50", "fr-FR", "1234.5"],
    ["1\u202f234,50", "fr-FR", "1234.5"],
    ["1\u00a0234,50", "pt-PT", "1234.5"],
    ["12,34,567.50", "hi-IN", "1234567.5"],
    ["1,00,000", "hi-IN", "100000"],
    ["१,००,०००.५", "hi-IN", "100000.5"],
    ["١٬٢٣٤٫٥٠", "ar-EG", "1234.5"],
    ["۱٬۰۰۰", "ar-EG", "1000"],
    ["1,000.50", "ar-AE", "1000.5"],
    ["1.000,50", "ar-MA", "1000.5"],
    ["１，０００．５", "zh-CN", "1000.5"],
    ["AUD 1,000.00", "en-US", "1000"],
    ["1.000,00 aud", "de-DE", "1000"],
    [" 007 ", "en-US", "7"],
    ["0.01", "en-US", "0.01"],
    ["5.0000", "en-US", "5"],
  ])("%s in %s", (text, locale, amount) => {
    expect(read(text, locale)).toEqual({ amount });
  });
});

describe("an amount is read with the currency’s own sign, as invoices write it", () => {
  test.each([
    ["$1,000.00", "en-US", "AUD", { amount: "1000" }],
    ["$.50", "en-US", "AUD", { amount: "0.5" }],
    [",5", "de-DE", "EUR", { amount: "0.5" }],
    [".", "en-US", "AUD", { wrong: "amountUnread" }],
    ["A$ 1,000.00", "en-US", "AUD", { amount: "1000" }],
    ["€1000", "en-US", "EUR", { amount: "1000" }],
    ["1.000,50 €", "de-DE", "EUR", { amount: "1000.5" }],
    ["R$ 12,50", "pt-BR", "BRL", { amount: "12.5" }],
    ["€1000", "en-US", "AUD", { wrong: "amountUnread" }],
    ["US$ 1000", "en-US", "AUD", { wrong: "amountUnread" }],
  ] as const)("%s in %s for %s", (text, locale, currency, reading) => {
    expect(read(text, locale, currency)).toEqual(reading);
  });
});

test("the decimal digits of every numbering system are read", () => {
  const all = Intl.supportedValuesOf("numberingSystem").map((system) => {
    const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
    return format.format(1234567890);
  });
  const written = all.filter((text) => /^\p{Nd}+$/u.test(text));
  expect(written.length).toBeGreaterThan(50);
  for (const text of written) expect({ text, ...read(text, "en-US") }).toEqual({ text, amount: "1234567890" });
});

describe("an amount that only another way of writing explains is read in that one", () => {
  test.each([
    ["1234,5", "en-US", "1234.5"],
    ["1234.50", "de-DE", "1234.5"],
    ["1.234,50", "en-US", "1234.5"],
    ["1,234.50", "de-DE", "1234.5"],
    ["1.234.567", "en-US", "1234567"],
    ["1 234.50", "en-US", "1234.5"],
    ["1'000", "fr-FR", "1000"],
    ["١٬٠٠٠", "en-US", "1000"],
    ["1000.50", "ar-EG", "1000.5"],
  ])("%s in %s", (text, locale, amount) => {
    expect(read(text, locale)).toEqual({ amount });
  });
});

describe("an amount that can be read in several ways is asked about, and never guessed", () => {
  test.each([
    ["1.000", "en-US", "AUD", ["1", "1000"]],
    ["1.000", "es-MX", "AUD", ["1", "1000"]],
    ["1,000", "de-DE", "AUD", ["1", "1000"]],
    ["1,000", "es-ES", "AUD", ["1", "1000"]],
    ["1,000", "de-CH", "AUD", ["1000", "1"]],
    ["1.000", "de-CH", "AUD", ["1", "1000"]],
    ["1.000", "fr-FR", "AUD", ["1", "1000"]],
    ["١,٠٠٠", "ar-EG", "AUD", ["1000", "1"]],
    ["1.250", "en-US", "KWD", ["1.25", "1250"]],
    ["1.500", "en-US", "JPY", ["1500"]],
    // The locale's own reading has too many decimals: the page only offers the other one.
    ["12.345", "en-US", "AUD", ["12345"]],
    ["12,345", "pt-BR", "AUD", ["12345"]],
  ])("%s in %s for %s", (text, locale, currency, choices) => {
    expect(read(text, locale, currency)).toEqual({ choices });
  });
});

describe("the reason why a text is no amount is true", () => {
  test.each([
    ["", "en-US", "AUD", "amountWrong"],
    [" ", "en-US", "AUD", "amountWrong"],
    ["0", "en-US", "AUD", "amountWrong"],
    ["0,00", "de-DE", "AUD", "amountWrong"],
    ["-5", "en-US", "AUD", "amountWrong"],
    ["−1.000,00", "de-DE", "AUD", "amountWrong"],
    ["abc", "en-US", "AUD", "amountUnread"],
    ["-abc", "en-US", "AUD", "amountUnread"],
    ["1e3", "en-US", "AUD", "amountUnread"],
    ["+5", "en-US", "AUD", "amountUnread"],
    ["USD 5", "en-US", "AUD", "amountUnread"],
    ["12,34.5", "en-US", "AUD", "amountUnread"],
    ["1.2.3", "en-US", "AUD", "amountUnread"],
    ["1,000 000", "en-US", "AUD", "amountUnread"],
    ["1234.567", "en-US", "AUD", "amountDecimals"],
    ["0.001", "en-US", "AUD", "amountDecimals"],
    ["1500.5", "en-US", "JPY", "amountDecimals"],
  ])("%j in %s for %s", (text, locale, currency, wrong) => {
    expect(read(text, locale, currency)).toEqual({ wrong });
  });
});

const regions = {
  en: ["US", "GB", "IN", "ZA", "CH", "DE", "NO", "AU"],
  es: ["ES", "MX", "AR", "CL", "CR", "US", "419"],
  pt: ["BR", "PT", "AO", "CH"],
  fr: ["FR", "CH", "CA", "BE", "MA"],
  de: ["DE", "AT", "CH", "LI"],
  zh: ["CN", "TW", "SG"],
  hi: ["IN"],
  ar: ["EG", "SA", "AE", "MA", "DZ"],
};
const locales = Object.entries(regions).flatMap(([language, codes]) => [
  language,
  ...codes.map((code) => `${language}-${code}`),
]);

test.each(locales)("in %s, whatever the page prints is read back as the same amount", (locale) => {
  const speech = pickSpeech(locale);
  const i18n = createI18n(speech, en, minorUnits);
  const currency = fc.constantFrom("AUD", "EUR", "JPY", "KWD", "CLF");
  fc.assert(
    fc.property(currency, fc.integer({ min: 1, max: 10 ** 14 }), (code, units) => {
      const form = amountFormOf(speech.locale, code, minorUnits[code] ?? 2);
      const { decimals } = form;
      const digits = String(units).padStart(decimals + 1, "0");
      const whole = digits.slice(0, digits.length - decimals);
      const fraction = digits.slice(whole.length).replace(/0+$/, "");
      const amount = fraction === "" ? whole : `${whole}.${fraction}`;
      for (const printed of [i18n.money(amount, code), i18n.figure(amount, code)]) {
        const reading = readAmount(printed, form);
        // Three decimals and nothing before them that groups may be thousands to others: the first choice is ours.
        const meant = "choices" in reading && decimals === 3 ? { amount: reading.choices[0] } : reading;
        expect({ printed, ...meant }).toEqual({ printed, amount });
        if (whole.length > 3) expect(reading).toEqual({ amount });
      }
    }),
    { numRuns: process.env["WHOLE"] === "1" ? 500 : 30 },
  );
});

test("no text makes the reading fail, and what is read is an amount of the currency", () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^[-+]?[0-9٠-٩.,' ٫٬]{1,20}$/));
  fc.assert(
    fc.property(texts, fc.constantFrom(...locales), (text, locale) => {
      const reading = read(text, locale);
      const amounts = "amount" in reading ? [reading.amount] : "choices" in reading ? reading.choices : [];
      for (const amount of amounts) expect(amount).toMatch(/^(?!0+$)(0|[1-9]\d*)(\.\d?[1-9])?$/);
    }),
  );
});
