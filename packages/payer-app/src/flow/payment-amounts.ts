import type { PaymentTerms, PublicLink, Variant } from "../api/wire.ts";
import type { I18n } from "../i18n.ts";
import type { Fact } from "../parts.tsx";
import type { HeldQuote } from "./held-quote.ts";

type Money = Readonly<{ amount: string | number; currency: string }>;
/** An amount that will lie between `least` and `most`; both are the same once it is known. */
type Span = Readonly<{ least: string | number; most: string | number; currency: string }>;

/** The amounts that a payer sees on every step: what each recipient gets, the other charges, and the total. */
export type Amounts = Readonly<{
  recipients: readonly Readonly<{ name: string; gets: Money | undefined }>[];
  feesAndCharges: Span | undefined;
  total: Span | undefined;
}>;

/** The sources of the price: the agreed terms if there are any, else the chosen variant, else all offered ones. */
type Known = Readonly<{
  held?: HeldQuote | undefined;
  variant?: Variant | undefined;
  terms?: PaymentTerms | undefined;
}>;

export function amountsOf(link: PublicLink, { held, variant, terms }: Known): Amounts {
  const quoted = held?.quote.payouts.map(({ payeeAmount, toCurrency }) => ({
    amount: payeeAmount,
    currency: toCurrency,
  }));
  const received = terms?.recipients ?? quoted;
  return {
    recipients: link.recipients.map(({ name, amount }, at) => ({
      name,
      gets: received?.[at] ?? (amount === undefined ? undefined : { amount, currency: link.currency }),
    })),
    ...(terms ? agreed(terms) : pricesOf(variant ? [variant] : (held?.quote.variants ?? []))),
  };
}

const agreed = ({ amount, feesAndCharges, currency }: PaymentTerms) => ({
  feesAndCharges: { least: feesAndCharges, most: feesAndCharges, currency },
  total: { least: amount, most: amount, currency },
});

/** The range of prices over the ways to pay that take the amount. */
function pricesOf(variants: readonly Variant[]): Pick<Amounts, "feesAndCharges" | "total"> {
  const possible = variants.filter(({ isWithinLimits }) => isWithinLimits);
  const spanOf = (amountOf: (variant: Variant) => number): Span | undefined => {
    const [first] = possible;
    const amounts = possible.map(amountOf);
    return first && { least: Math.min(...amounts), most: Math.max(...amounts), currency: first.fromCurrency };
  };
  return {
    feesAndCharges: spanOf(({ feesAndCharges }) => feesAndCharges),
    total: spanOf(({ fromAmount }) => fromAmount),
  };
}

/** `amounts` as texts; undefined for an amount that is not known yet. */
export function amountFacts({ t, money, moneySpan }: I18n, { recipients, feesAndCharges, total }: Amounts) {
  const span = (known: Span | undefined) => known && moneySpan(known.least, known.most, known.currency);
  return {
    gets: recipients.map(
      ({ name, gets }): Fact => [t("gets", { recipient: name }), gets && money(gets.amount, gets.currency)],
    ),
    feesAndCharges: [t("feesAndCharges"), span(feesAndCharges)] satisfies Fact,
    total: [t("total"), span(total), "total"] satisfies Fact,
  };
}
