import { addAmounts, toFixedMinor } from "../amounts/money.ts";
import type { PartyDetails } from "../parties/party.ts";
import { isVisible, type Payee } from "../parties/payee.ts";
import { legAmounts } from "../quotes/leg-amounts.ts";
import type { Quote, QuoteVariant } from "../quotes/quote.ts";
import type { PaymentLeg, PaymentOrder, RailOffer } from "../rails/rail.ts";
import { inOrder } from "../scenarios/draft.ts";
import { findRule } from "../scenarios/rules.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import type { ClaimedIntent, ExecutionPlan, PaymentIntent } from "./payment-intent.ts";
import type { FrozenOrder, PaymentWork } from "./submission.ts";

/** The legs of a payment: the caller fixed one amount, the quote's rate gives the other (SPEC, behaviour rule 4). */
export function planLegs(
  intent: Pick<PaymentIntent, keyof Scenario | "recipients">,
  variant: QuoteVariant,
  payees: ReadonlyMap<number, Payee>,
): PaymentLeg[] {
  const found = findRule(intent);
  if (!("rule" in found)) return [];
  return inOrder(intent.recipients).flatMap((recipient) => {
    const { connectorPayeeId, order, reference } = recipient;
    const payee = connectorPayeeId === undefined ? undefined : payees.get(connectorPayeeId);
    const amounts = payee === undefined ? undefined : legAmounts(recipient, found.rule, variant, payee);
    if (payee === undefined || amounts === undefined) return [];
    const leg = { order, payeeId: payee.id, payeeName: payee.name, ...amounts };
    return reference === undefined ? leg : { ...leg, reference };
  });
}

/** The variant, the payer and the payment id of a payment. */
export type PaymentTerms = Readonly<{
  variant: QuoteVariant;
  payer: PartyDetails;
  /** The payer's key in the rail's duplicate check. */
  payerKey: string;
  connectorPaymentId: number;
}>;

/** The order to the rail, frozen at the claim, so that sending it again sends exactly the same. */
export function planPaymentOrder(
  intent: PaymentIntent,
  plan: PaymentTerms & Readonly<{ payees: ReadonlyMap<number, Payee> }>,
): PaymentOrder {
  return toPaymentOrder(intent, planLegs(intent, plan.variant, plan.payees), plan);
}

/** The order of a payment whose legs are known. */
export function toPaymentOrder(
  intent: PaymentIntent,
  legs: readonly PaymentLeg[],
  { variant, payer, payerKey, connectorPaymentId }: PaymentTerms,
): PaymentOrder {
  return {
    tenantId: intent.tenantId,
    intentId: intent.id,
    connectorPaymentId,
    settlementMethod: variant.settlementMethod,
    settlementChannel: variant.settlementChannel,
    payerCurrency: variant.fromCurrency,
    totalAmount: totalOf(legs, variant),
    fee: variant.fee,
    payerKey,
    payer,
    legs,
  };
}

/** The work of a payment by `quote`: of its order all that its claim keeps, and the terms of the commission. */
export function paymentWork(
  { tenantId, intentId, payer, ...order }: PaymentOrder,
  { commissionSpread }: Pick<Quote, "commissionSpread">,
): PaymentWork {
  return { kind: "payment", order, commissionSpread };
}

/** The order of a claimed intent, exactly as it was when it was frozen. */
export const orderOf = ({ tenantId, id, submission }: ClaimedIntent, order: FrozenOrder): PaymentOrder => ({
  tenantId,
  intentId: id,
  ...order,
  payer: submission.payer,
});

/** The plan that `/draft` stores: the order that a submit would send, by the quote chosen now. */
export function planExecution(
  { tenantId }: Pick<PaymentIntent, "tenantId">,
  order: FrozenOrder,
  terms: {
    quote: Quote;
    variant: QuoteVariant;
    payees: ReadonlyMap<number, Payee>;
    connector: Pick<RailOffer, "provider" | "action" | "version">;
  },
  nowMs: number,
): ExecutionPlan {
  const { quote, variant, payees, connector } = terms;
  const { settlementMethod, settlementChannel, payerCurrency, totalAmount, fee, legs } = order;
  return {
    compiledAt: new Date(nowMs).toISOString(),
    connector,
    quoteId: quote.quoteId,
    selectedQuoteVariantId: variant.id,
    settlementMethod,
    settlementChannel,
    currency: payerCurrency,
    totalAmount,
    fee,
    legs: legs.map((leg) => ({ ...toPlannedLeg(leg, tenantId, payees), payerCurrency })),
  };
}

/** The leg as its tenant may see it: without the name of a payee that is not visible to the tenant. */
export function toPlannedLeg<Leg extends Readonly<{ payeeId: number; payeeName: string }>>(
  leg: Leg,
  tenantId: string,
  payees: ReadonlyMap<number, Payee>,
): Leg | Omit<Leg, "payeeName"> {
  const payee = payees.get(leg.payeeId);
  if (payee !== undefined && isVisible(payee, tenantId)) return leg;
  const { payeeName, ...nameless } = leg;
  return nameless;
}

const totalOf = (legs: readonly PaymentLeg[], variant: QuoteVariant): string =>
  toFixedMinor(addAmounts(variant.fee, ...legs.map(({ payerAmount }) => payerAmount)), variant.fromCurrency);
