import type { AmountForm } from "../view.ts";

/** The way in which a locale writes amounts of a currency; some have other separators for them than for other numbers. */
export function amountFormOf(locale: string, currency: string, decimals: number): AmountForm {
  const partsIn = (options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, { style: "currency", currency, useGrouping: "always", ...options }).formatToParts(
      1000,
    );
  const written = partsIn({ currencyDisplay: "code", minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const textOf = (parts: typeof written, type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  return {
    currency,
    signs: (["symbol", "narrowSymbol"] as const).map((currencyDisplay) =>
      textOf(partsIn({ currencyDisplay }), "currency"),
    ),
    decimals,
    point: textOf(written, "decimal"),
    group: textOf(written, "group"),
  };
}
