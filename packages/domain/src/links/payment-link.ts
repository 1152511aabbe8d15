import {
  addAmounts,
  type Decimal,
  fitsMinorUnits,
  splitByPortions,
  toFixedMinor,
  toJsonNumber,
} from "../amounts/money.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import type { Payee } from "../parties/payee.ts";
import type { PriceRequest } from "../quotes/pricing.ts";
import type { Quote, QuoteVariant } from "../quotes/quote.ts";
import { fail, ok, type Result, type ShapeFailure } from "../result.ts";
import { inOrder, type Recipient } from "../scenarios/draft.ts";
import { findRule } from "../scenarios/rules.ts";
import { opensAgainMs } from "./hold.ts";
import { referenceOn, takesItsQuote } from "./link-payment.ts";
import { distinguish, feesAndCharges } from "./payer-amounts.ts";

/** The constant part of a published link, as payers see it. */
export type LinkTerms = ReturnType<typeof termsOf>;

/** Whether nobody may pay a link now, and until when another payment keeps it, milliseconds since 1970. */
type Shown = Readonly<{ isClosed: boolean; heldUntilMs?: number | undefined }>;

/** A link as payers see it at this moment. */
export const toPublicLink = (terms: LinkTerms, { isClosed, heldUntilMs }: Shown, nowMs: number) => ({
  status: isClosed ? ("closed" as const) : ("open" as const),
  ...terms,
  ...(!isClosed &&
    heldUntilMs !== undefined && { held: { until: new Date(opensAgainMs(heldUntilMs, nowMs)).toISOString() } }),
});

/**
 * The terms of a link: of its recipients only the principal ones are shown. `payees` must hold the payees of all its
 * recipients.
 */
export function termsOf(link: PaymentIntent, payees: ReadonlyMap<number, Payee>) {
  const { reference, payFromCountryCode, isSingleUse = false } = link.instructions?.paymentLink ?? {};
  const { principal } = distinguish(link.recipients, inOrder(link.recipients));
  const currency = currencyOf(link);
  const isOpen = isOpenAmount(link);
  const shown = principal.map((recipient) => ({
    name: payeeOf(recipient, payees).name,
    ...(!isOpen && { amount: priceOf(recipient, currency), currency }),
  }));
  const received = principal.map((recipient) => priceOf(recipient, currency));
  return {
    recipientName: shown[0]?.name ?? "",
    amountType: isOpen ? ("open" as const) : ("fixed" as const),
    ...(!isOpen && { amount: addAmounts(...received) }),
    currency,
    recipients: shown,
    ...(reference !== undefined && { reference }),
    ...(payFromCountryCode !== undefined && { payFromCountryCode }),
    payFromCountryLocked: lockedCountryOf(link) !== undefined,
    isSingleUse,
  };
}

/**
 * Each recipient's part of a link, in order: its set price, or its share of the payer's amount. `payees` must hold the
 * payees of all of them.
 */
export function planLinkLegs(link: PaymentIntent, payees: ReadonlyMap<number, Payee>) {
  const payeeCurrency = currencyOf(link);
  const isOpen = isOpenAmount(link);
  return inOrder(link.recipients).map((recipient) => {
    const { id: payeeId, name: payeeName } = payeeOf(recipient, payees);
    const reference = referenceOn(link, recipient);
    return {
      order: recipient.order,
      payeeId,
      payeeName,
      payeeCurrency,
      ...(isOpen ? { portionBps: portionOf(recipient) } : { payeeAmount: priceOf(recipient, payeeCurrency) }),
      ...(reference !== undefined && { reference }),
    };
  });
}

export const isSingleUse = ({ instructions }: PaymentIntent): boolean =>
  instructions?.paymentLink?.isSingleUse === true;

/** The one country that the link may be paid from, when it is locked. */
export function lockedCountryOf({ instructions }: PaymentIntent): string | undefined {
  const { payFromCountryCode, lockedFields = [] } = instructions?.paymentLink ?? {};
  return lockedFields.includes("pay_from_country") ? payFromCountryCode : undefined;
}

/**
 * The payouts to quote for a payment of the link: every recipient's amount, in order, in the link's currency. A total
 * that the payer entered is split by portions to the last minor unit. Refuses with `shape`, naming `amount`, a total
 * that cannot be split.
 */
export function planPayouts(
  link: PaymentIntent,
  entered: Decimal | undefined,
  payees: ReadonlyMap<number, Payee>,
): Result<PriceRequest["payouts"], ShapeFailure> {
  const recipients = inOrder(link.recipients);
  const currency = currencyOf(link);
  const amounts = isOpenAmount(link)
    ? shareOut(recipients, entered, currency)
    : entered === undefined
      ? ok(recipients.map((recipient) => priceOf(recipient, currency)))
      : wrongAmount("must not be given, because the link sets it");
  if (!amounts.ok) return amounts;
  // A link is published only with payees of its own currency, in which the tenant gets its part as well.
  const payouts = recipients.map((recipient, index) => ({
    payee: { ...payeeOf(recipient, payees), currencyCode: currency },
    amount: amounts.value[index] ?? "",
  }));
  return ok(payouts);
}

function shareOut(
  recipients: readonly Recipient[],
  entered: Decimal | undefined,
  currency: string,
): Result<Decimal[], ShapeFailure> {
  if (entered === undefined) return wrongAmount("is required, because the payer enters it");
  if (!fitsMinorUnits(entered, currency)) return wrongAmount(`has more decimals than ${currency} has`);
  if (toJsonNumber(entered) === undefined) return wrongAmount("is too large to be carried exactly");
  const shares = splitByPortions(entered, recipients.map(portionOf), currency);
  return shares.every((share) => /[1-9]/.test(share)) ? ok(shares) : wrongAmount("is too small to be paid");
}

const wrongAmount = (problem: string) => fail({ kind: "shape", problems: [`amount ${problem}`] } as const);

/** The shares in what a payer enters, in order; undefined where the link sets the amounts. */
export const portionsOf = (link: PaymentIntent): number[] | undefined =>
  isOpenAmount(link) ? inOrder(link.recipients).map(portionOf) : undefined;

/**
 * A quote of `link` as payers see it: the amounts of its principal recipients, and everything else in one sum. It shows
 * neither margins nor the ids of payees. Amounts and rates are JSON numbers.
 */
export function toLinkQuoteAnswer(link: PaymentIntent, quote: Quote, payees: ReadonlyMap<number, Payee>) {
  const { quoteId, expiresOn, variants } = quote;
  const { principal } = distinguish(link.recipients, variants[0].payouts);
  return {
    quoteId,
    expiresOn,
    amount: Number(addAmounts(...principal.map(({ payeeAmount }) => payeeAmount))),
    currency: variants[0].toCurrency,
    variants: variants.map((variant) => toPublicVariant(link, variant)),
    payouts: principal.map(({ payeeId, payeeAmount, payerAmount, fromCurrency, toCurrency }) => ({
      name: payees.get(payeeId)?.name ?? "",
      payeeAmount: Number(payeeAmount),
      payerAmount: Number(payerAmount),
      fromCurrency,
      toCurrency,
    })),
  };
}

const toPublicVariant = ({ recipients }: PaymentIntent, variant: QuoteVariant) => ({
  id: variant.id,
  settlementMethod: variant.settlementMethod,
  settlementChannel: variant.settlementChannel,
  fromCurrency: variant.fromCurrency,
  toCurrency: variant.toCurrency,
  fromAmount: Number(variant.fromAmount),
  fxRate: Number(variant.fxRate),
  feesAndCharges: Number(feesAndCharges(variant.fee, distinguish(recipients, variant.payouts).rest)),
  minAmount: Number(variant.minAmount),
  maxAmount: Number(variant.maxAmount),
  isWithinLimits: takesItsQuote(variant),
  meta: variant.meta,
});

function isOpenAmount(link: PaymentIntent): boolean {
  const found = findRule(link);
  return "rule" in found && found.rule.fixes === "portionBps";
}

/** The display currency is that of the first recipient; a published link has no other (DESIGN 17). */
const currencyOf = ({ recipients }: PaymentIntent): string => inOrder(recipients)[0]?.amount?.currency ?? "";

const priceOf = ({ amount }: Recipient, currency: string): Decimal =>
  toFixedMinor(amount?.payeeAmount ?? "0", currency);

const portionOf = ({ amount }: Recipient): number => amount?.portionBps ?? 0;

/**
 * The payee of a recipient. It exists: payees are never deleted, and a link is published only with known ones. Its name
 * turns no text of a page round, whoever stored it.
 */
function payeeOf({ connectorPayeeId }: Recipient, payees: ReadonlyMap<number, Payee>): Payee {
  const payee = connectorPayeeId === undefined ? undefined : payees.get(connectorPayeeId);
  if (payee === undefined) throw new Error(`The payee ${connectorPayeeId} of a published link does not exist`);
  return { ...payee, name: payee.name.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "") };
}
