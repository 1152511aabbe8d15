import type { HeldQuote } from "./held-quote.ts";
import type { I18n } from "./i18n.ts";
import type { Fact } from "./parts.tsx";
import type { PaymentTerms, PublicLink, Variant } from "./wire.ts";

type Money = Readonly<{ amount: string | number; currency: string }>;
/** From the least to the most that it will be; both are the same once it is known. */
type Span = Readonly<{ least: string | number; most: string | number; currency: string }>;

/** What a payer is told of money, the same on every step: who gets how much, what else is charged, and the sum. */
export type Amounts = Readonly<{
  recipients: readonly Readonly<{ name: string; gets: Money | undefined }>[];
  feesAndCharges: Span | undefined;
  total: Span | undefined;
}>;

/** How far the payer has come: what was agreed counts, else what was chosen, else what is offered. */
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
    ...(terms === undefined ? pricesOf(variant ? [variant] : (held?.quote.variants ?? [])) : agreed(terms)),
  };
}

const agreed = ({ amount, feesAndCharges, currency }: PaymentTerms) => ({
  feesAndCharges: { least: feesAndCharges, most: feesAndCharges, currency },
  total: { least: amount, most: amount, currency },
});

/** What the ways to pay cost, of those that take the amount. */
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

/** `amounts` in words; what is not known yet is `undefined`. */
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
