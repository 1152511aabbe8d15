import { agreeToMinorUnit, compareAmounts, fitsMinorUnits } from "../amounts/money.ts";
import { transferTo } from "../batches/batch.ts";
import type { Payee } from "../parties/payee.ts";
import { type LegAmounts, legAmounts } from "../quotes/leg-amounts.ts";
import { methodsFrom } from "../quotes/payment-methods.ts";
import type { QuotePayout, QuoteVariant } from "../quotes/quote.ts";
import {
  type AmountField,
  otherField,
  readAmount,
  type Sides,
  type StatedAmount,
  sidesOf,
} from "../quotes/stated-amounts.ts";
import { type IntentDraft, inOrder, type Recipient } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import type { Facts, Finding } from "./finding.ts";
import { selectedVariant } from "./quote-checks.ts";

/** The verdict on one recipient: its leg and the variant that pays it, or what is wrong with it. */
export type JudgedRecipient = Readonly<{
  recipient: Recipient;
  index: number;
  leg?: Readonly<{ payee: Payee; variant: QuoteVariant; amounts: LegAmounts }>;
  findings: readonly Finding[];
}>;

/** The terms that a recipient's amount is judged by, as far as they are known. */
type Terms = Readonly<{
  sides: Sides;
  variant?: QuoteVariant;
  /** The payouts that the caller's quote has shown for this payee; a batch and a link have no quote. */
  quoted?: readonly QuotePayout[];
  unreachable?: string;
}>;

type TermsOf = (intent: IntentDraft, facts: Facts) => (payee: Payee) => Terms;

/** The source of currencies and rates, which is all that differs between the ways to pay. */
const termsOf: Record<ScenarioRule["executes"], TermsOf> = {
  quoted_payment: (intent, { quote }) => {
    const variant = selectedVariant(intent, quote);
    if (variant === undefined) return () => ({ sides: unknownSides });
    const payouts = [...(quote?.variants[0].payouts ?? []), ...variant.payouts];
    const sides = sidesOf(variant);
    return ({ id }) => ({ sides, variant, quoted: payouts.filter(({ payeeId }) => payeeId === id) });
  },
  bulk: ({ instructions }, facts) => {
    const countryCode = instructions?.manualPayment?.countryCode;
    // A country without a rail is reported once, by a check of its own, and not for every recipient.
    if (countryCode === undefined || methodsFrom(countryCode).length === 0) return () => ({ sides: unknownSides });
    const known = new Map<string, Terms>();
    // A transfer's terms depend on country and currency alone, of which 500 payees have only a few.
    return (payee) => {
      const key = `${payee.countryCode} ${payee.currencyCode}`;
      const terms = known.get(key) ?? transferTerms(transferTo(payee, countryCode, facts));
      known.set(key, terms);
      return terms;
    };
  },
  // The tenant's leg of a link is in the link's currency, whatever that is (Decision 018).
  link: ({ recipients = [] }) => {
    const sides = { payer: undefined, tenant: inOrder(recipients)[0]?.amount?.currency };
    return () => ({ sides });
  },
};

const transferTerms = (transfer: ReturnType<typeof transferTo>): Terms =>
  transfer.ok
    ? { sides: sidesOf(transfer.value), variant: transfer.value }
    : { sides: unknownSides, unreachable: transfer.failure.reason };

const unknownSides: Sides = { payer: undefined, tenant: undefined };

/** Judges the amount, its currency and its side, of every recipient: one rule for quotes, batches and links. */
export function judgeRecipients(intent: IntentDraft, facts: Facts, rule: ScenarioRule): JudgedRecipient[] {
  const termsFor = termsOf[rule.executes](intent, facts);
  return (intent.recipients ?? []).map((recipient, index) => {
    const payee = recipient.connectorPayeeId === undefined ? undefined : facts.payees.get(recipient.connectorPayeeId);
    // A recipient without a role may turn out to be the tenant, whose leg is in another currency.
    const isKnown = recipient.role !== undefined || !rule.recipientRoles.includes("tenant");
    if (payee === undefined || !isKnown) return { recipient, index, findings: [] };
    return judge({ recipient, index }, rule, payee, termsFor(payee));
  });
}

type Placed = Pick<JudgedRecipient, "recipient" | "index">;

function judge(placed: Placed, rule: ScenarioRule, payee: Payee, terms: Terms): JudgedRecipient {
  const { recipient, index } = placed;
  const { variant, unreachable } = terms;
  if (unreachable !== undefined) {
    const at = `recipients.${index}.connectorPayeeId`;
    return { ...placed, findings: [{ path: "recipients.*.connectorPayeeId", at, reason: unreachable }] };
  }
  // The quote has no rate for a payee in another currency; another check reports that it is for other payees.
  if (variant !== undefined && !hasRate(recipient, payee, variant)) return { ...placed, findings: [] };
  const stated = readAmount(recipient, rule, payee, terms.sides);
  const amounts = variant && legAmounts(recipient, rule, variant, payee);
  const wrong = [
    ...judgeCurrency(recipient, stated, terms),
    ...judgeFixed(stated, amounts),
    ...judgeOther(recipient, stated, amounts, terms),
  ];
  const findings = wrong.map(({ field, ...said }): Finding => {
    return { path: `recipients.*.amount.${field}`, at: `recipients.${index}.amount.${field}`, ...said };
  });
  const isClean = variant !== undefined && amounts !== undefined && findings.length === 0;
  return { ...placed, findings, ...(isClean && { leg: { payee, variant, amounts } }) };
}

const hasRate = ({ role }: Recipient, { currencyCode }: Payee, { fromCurrency, toCurrency }: QuoteVariant): boolean =>
  role === "tenant" || currencyCode === toCurrency || currencyCode === fromCurrency;

type Wrong = Readonly<{ field: AmountField | "currency"; reason: string; example?: string }>;

/**
 * A stated currency must be that of the amount which the mode fixes, so that no other amount is paid than its sender
 * meant. Beside a payer's amount the payee's code is accepted only where a payout of the quote has that very amount.
 */
function judgeCurrency({ amount }: Recipient, stated: StatedAmount, terms: Terms): Wrong[] {
  const { field, currency: expected, currencies } = stated;
  const named = amount?.currency;
  if (named === undefined || expected === undefined || named === expected) return [];
  const wrong = { field: "currency", example: expected } as const;
  if (field !== "payerAmount") return [{ ...wrong, reason: `The payee is paid in ${expected}` }];
  if (named === currencies.payeeAmount && payoutsOf(stated, terms).length > 0) return [];
  return [{ ...wrong, reason: `What the payer gives is in ${expected}` }];
}

/** The amount that the mode fixes must have no more decimals than its currency, and leave something for the payee. */
function judgeFixed({ field, currency, written, exact }: StatedAmount, amounts: LegAmounts | undefined): Wrong[] {
  if (field === undefined || written === undefined || currency === undefined) return [];
  if (exact === undefined) return [{ field, reason: `More decimals than ${currency} has` }];
  const receives = amounts?.payeeAmount ?? exact;
  return /[1-9]/.test(receives) ? [] : [{ field, reason: `The payee would receive nothing for ${exact} ${currency}` }];
}

/**
 * The amount beside the fixed one must be, to the minor unit, either what a payout of the quote shows or what the
 * chosen variant gives. Without a quote it is ignored, because nobody can have known it (Decision 004).
 */
function judgeOther(
  { amount }: Recipient,
  stated: StatedAmount,
  amounts: LegAmounts | undefined,
  terms: Terms,
): Wrong[] {
  const { field, currencies, exact } = stated;
  if (field === undefined || amounts === undefined || terms.quoted === undefined) return [];
  const other = otherField(field);
  const [written, currency] = [amount?.[other], currencies[other]];
  if (written === undefined || currency === undefined) return [];
  if (!fitsMinorUnits(written, currency)) return [{ field: other, reason: `More decimals than ${currency} has` }];
  const possible = [amounts, ...payoutsOf(stated, terms)].map((pair) => pair[other]);
  if (possible.some((one) => agreeToMinorUnit(written, one, currency))) return [];
  const reason = `${exact} ${currencies[field]} makes ${amounts[other]} ${currency} by this quote`;
  return [{ field: other, reason, example: amounts[other] }];
}

/** The payouts of the quote that have exactly the recipient's fixed amount. */
const payoutsOf = ({ field, exact, currencies }: StatedAmount, { quoted = [] }: Terms): QuotePayout[] =>
  quoted.filter(
    (payout) =>
      field !== undefined &&
      exact !== undefined &&
      payout.toCurrency === currencies.payeeAmount &&
      compareAmounts(payout[field], exact) === 0,
  );
