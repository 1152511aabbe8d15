import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Variant } from "./api/wire.ts";
import type { MessageKey, Messages } from "./messages/en.ts";
import type { Speech } from "./messages/languages.ts";

/** The page's texts and its formats of figures, in one language. */
export type I18n = ReturnType<typeof createI18n>;

type Figure = string | number;

/** `minorUnits`: the currencies that do not have two decimals by ISO 4217, from which a browser's own data differ. */
export function createI18n(
  { language, dir, locale }: Speech,
  messages: Messages,
  minorUnits: Readonly<Record<string, number>>,
) {
  const decimalsOf = (currency: string): number => minorUnits[currency] ?? 2;
  const number = (value: Figure, options: Intl.NumberFormatOptions = {}): string =>
    // The value is formatted as a string, so that no digit is lost in a binary number.
    new Intl.NumberFormat(locale, options).format(String(value) as Intl.StringNumericLiteral);
  const moneyOptions = (currency: string): Intl.NumberFormatOptions => ({
    style: "currency",
    currency,
    currencyDisplay: "code",
    // Some locales group only from 10.000 on; an amount of thousands must look like one.
    useGrouping: "always",
    minimumFractionDigits: decimalsOf(currency),
    maximumFractionDigits: decimalsOf(currency),
  });
  const money = (value: Figure, currency: string): string => number(value, moneyOptions(currency));
  return {
    language,
    /** An amount without its currency, as a visitor would type it. */
    figure: (value: Figure, currency: string): string => number(value, { ...moneyOptions(currency), style: "decimal" }),
    number,
    has: (key: string): key is MessageKey => Object.hasOwn(messages, key),
    t: (key: MessageKey, values: Readonly<Record<string, Figure | undefined>> = {}): string =>
      messages[key].replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = values[name] ?? "";
        if (typeof value === "number") return number(value);
        // A name in letters of the other direction must not turn the sentence around it.
        return dir === "rtl" || /[\u0590-\u08ff]/.test(value) ? `\u2068${value}\u2069` : value;
      }),
    money,
    /** "BRL 1.00 – 2.00", or just the one amount. */
    moneySpan: (least: Figure, most: Figure, currency: string): string =>
      least === most
        ? money(least, currency)
        : new Intl.NumberFormat(locale, moneyOptions(currency)).formatRange(Number(least), Number(most)),
    list: (names: readonly string[]): string => new Intl.ListFormat(locale).format(names),
    /** "1 BRL = 0.2653 AUD"; undefined where nothing is exchanged. */
    rate: ({ fromCurrency, toCurrency, fxRate }: Pick<Variant, "fromCurrency" | "toCurrency" | "fxRate">) =>
      fromCurrency === toCurrency
        ? undefined
        : `${number(1)} ${fromCurrency} = ${number(fxRate, { maximumSignificantDigits: 8 })} ${toCurrency}`,
    percent: (fraction: Figure): string => number(fraction, { style: "percent", maximumFractionDigits: 2 }),
    /** "1–3 days", in words of the language. */
    span: ({ unit, min, max }: Readonly<{ unit: "hours" | "days"; min: number; max: number }>): string => {
      const format = new Intl.NumberFormat(locale, {
        style: "unit",
        unit: unit === "days" ? "day" : "hour",
        unitDisplay: "long",
      });
      return min === max ? format.format(max) : format.formatRange(min, max);
    },
    /** A calendar day; `isoDate` has no time of day. */
    day: (isoDate: string): string =>
      new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(isoDate)),
    /** A time of day with its zone, which is that of the reader unless it is named. */
    moment: (date: Date, timeZone?: "UTC"): string =>
      new Intl.DateTimeFormat(locale, {
        year: "numeric",
        month: "short",
        day: "numeric",
        hour: "numeric",
        minute: "2-digit",
        timeZoneName: "short",
        ...(timeZone && { timeZone }),
      }).format(date),
  };
}

// There is no text outside of a language: `App` and `Main` provide one before anything asks for it.
const Context = createContext<I18n>(undefined as unknown as I18n);
export const I18nProvider = Context.Provider;

export const useI18n = (): I18n => useContext(Context);
