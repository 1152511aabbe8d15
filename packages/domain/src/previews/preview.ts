import { addAmounts, type Decimal, type Money, toFixedMinor } from "../amounts/money.ts";
import { planBatchLegs } from "../batches/batch.ts";
import { priceCommission } from "../commissions/commission.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { toPlannedLeg } from "../intents/payment-order.ts";
import type { PaymentWork, SubmittedWork } from "../intents/submission.ts";
import { planLinkLegs } from "../links/payment-link.ts";
import type { QuoteVariant } from "../quotes/quote.ts";
import type { PaymentLeg, RailOffer } from "../rails/rail.ts";
import type { Facts } from "../requirements/finding.ts";
import { selectedVariant } from "../requirements/quote-checks.ts";
import { inOrder } from "../scenarios/draft.ts";
import { findRule } from "../scenarios/rules.ts";
import type { SplitRole } from "../scenarios/scenario.ts";
import { bookedAs } from "../scenarios/split-role.ts";

/** A submit's work, as its claim freezes it; or the publishing of a link, which only its payers pay. */
export type PlannedWork = SubmittedWork | Readonly<{ kind: "link" }>;

/** One recipient's part. Of a link it has no payer's side, and of an open amount a share in place of an amount. */
export type PreviewLeg = Readonly<{
  order: number;
  payeeId: number;
  /** Absent where the payee is another tenant's. */
  payeeName?: string;
  splitRole: SplitRole;
  payerAmount?: Decimal;
  payerCurrency?: string;
  payeeAmount?: Decimal;
  payeeCurrency: string;
  portionBps?: number;
  /** `payeeCurrency` for one `payerCurrency`, and the fraction by which that is below the market's rate. */
  fxRate?: Decimal;
  spread?: Decimal;
  /** The leg's own fee, in the payer's currency: in a batch, where each leg is a payment. */
  fee?: Decimal;
  reference?: string;
}>;

/** A submit's exact amounts in advance: each giver's, each receiver's, and the charges, as decimal strings. */
export type Preview = Readonly<{
  connector: Pick<RailOffer, "provider" | "action" | "version">;
  /** The quote of a payment by quote, and the time until which it can be submitted. */
  quoteId?: string;
  selectedQuoteVariantId?: number;
  validUntil?: string;
  settlementMethod?: string;
  settlementChannel?: string;
  /** Sums by currency: the payer's total, the fees in it, and the payees' total. */
  debited: readonly Money[];
  charged: readonly Money[];
  delivered: readonly Money[];
  /** The tenant's earning once all legs have arrived. */
  commission?: Money & Readonly<{ spread: Decimal }>;
  legs: readonly PreviewLeg[];
}>;

type Known = Pick<Facts, "quote" | "payees" | "offer">;

/** The preview of `work`, which a submit of the intent would do. The intent must be clean. */
export function previewOf(intent: PaymentIntent, work: PlannedWork, facts: Known): Preview {
  const { provider, action, version } = facts.offer;
  const { legs, fees, ...terms } = planned(intent, work, facts);
  const given = legs.flatMap(({ payerCurrency: currency, payerAmount: amount }) =>
    currency === undefined || amount === undefined ? [] : [{ currency, amount }],
  );
  const received = legs.flatMap(({ payeeCurrency: currency, payeeAmount: amount }) =>
    amount === undefined ? [] : [{ currency, amount }],
  );
  return {
    connector: { provider, action, version },
    ...terms,
    debited: sumUp([...given, ...fees]),
    charged: sumUp(fees),
    delivered: sumUp(received),
    legs: withSplitRoles(intent, legs).map((leg) => toPlannedLeg(leg, intent.tenantId, facts.payees)),
  };
}

/** A leg with its payee's name, before its split role is looked up. */
type NamedLeg = Omit<PreviewLeg, "splitRole"> & Readonly<{ payeeName: string }>;
type Planned = Pick<Preview, "quoteId" | "selectedQuoteVariantId" | "validUntil" | "commission"> &
  Pick<Preview, "settlementMethod" | "settlementChannel"> &
  Readonly<{ legs: readonly NamedLeg[]; fees: readonly Money[] }>;

function planned(intent: PaymentIntent, work: PlannedWork, facts: Known): Planned {
  switch (work.kind) {
    case "payment":
      return planOfPayment(intent, work, facts);
    case "bulk":
      return planOfBatch(intent, work, facts);
    case "link":
      return { legs: planLinkLegs(intent, facts.payees), fees: [] };
  }
}

function planOfPayment(intent: PaymentIntent, { order, commissionSpread }: PaymentWork, { quote }: Known): Planned {
  const variant = selectedVariant(intent, quote);
  if (quote === undefined || variant === undefined) throw new Error(`The payment ${intent.id} has no quote`);
  const { settlementMethod, settlementChannel, payerCurrency, fee } = order;
  const commission = commissionOf(intent, order, commissionSpread);
  return {
    quoteId: quote.quoteId,
    selectedQuoteVariantId: variant.id,
    validUntil: quote.expiresOn,
    settlementMethod,
    settlementChannel,
    ...(commission !== undefined && { commission }),
    legs: order.legs.map((leg) => converted(leg, payerCurrency, variant)),
    fees: [{ currency: payerCurrency, amount: fee }],
  };
}

function commissionOf(
  intent: PaymentIntent,
  { legs, payerCurrency: currency }: PaymentWork["order"],
  spread: Decimal,
): Preview["commission"] {
  const priced = priceCommission(intent, withSplitRoles(intent, legs), { currency, commissionSpread: spread });
  return priced && { currency, amount: priced.commissionAmount, spread };
}

/** The legs with what each is booked as. */
function withSplitRoles<Leg extends Readonly<{ order: number }>>({ recipients }: PaymentIntent, legs: readonly Leg[]) {
  const roles = new Map(inOrder(recipients).map((recipient) => [recipient.order, bookedAs(recipient)]));
  return legs.map((leg) => ({ ...leg, splitRole: roles.get(leg.order) ?? bookedAs({}) }));
}

type BatchWork = Extract<SubmittedWork, { kind: "bulk" }>;

function planOfBatch(intent: PaymentIntent, work: BatchWork, { payees }: Known): Planned {
  const found = findRule(intent);
  if (!("rule" in found)) throw new Error(`The batch ${intent.id} has no rule`);
  // Ids of executions and payments are not stated.
  const payments = planBatchLegs(intent, found.rule, work, payees, "", () => 0).map(({ payment }) => payment);
  const variantOf = new Map(work.variants.map((variant) => [variant.toCurrency, variant]));
  const { settlementMethod = "", settlementChannel = "" } = payments[0] ?? {};
  return {
    settlementMethod,
    settlementChannel,
    legs: payments.flatMap(({ legs, payerCurrency, fee }) =>
      legs.map((leg) => ({ ...converted(leg, payerCurrency, variantOf.get(leg.payeeCurrency)), fee })),
    ),
    fees: payments.map(({ payerCurrency: currency, fee: amount }) => ({ currency, amount })),
  };
}

/** A leg at its rate. The tenant's own leg is in the payer's currency (SPEC, behaviour rule 11): it is not converted. */
function converted(leg: PaymentLeg, payerCurrency: string, variant: QuoteVariant | undefined): NamedLeg {
  const { fxRate, spread } =
    variant === undefined || leg.payeeCurrency === payerCurrency ? { fxRate: "1", spread: "0" } : variant;
  return { ...leg, payerCurrency, fxRate, spread };
}

/** The sums by currency, in the order of their codes. */
function sumUp(amounts: readonly Money[]): Money[] {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, parts]) => ({
      currency,
      amount: toFixedMinor(addAmounts(...parts.map(({ amount }) => amount)), currency),
    }))
    .toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
}

/** Changes whenever what a preview states, or how it is written here, does: previews of other versions have other texts. */
const VERSION = "preview 1";

/** The one text of all that a preview states, in whatever order its fields were written, for its hash (Decision 028). */
export const canonicalOf = (preview: Preview): string =>
  `${VERSION} ${JSON.stringify(preview, (_, node: unknown) =>
    typeof node === "object" && node !== null && !Array.isArray(node)
      ? Object.fromEntries(Object.entries(node).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : node,
  )}`;
