import { createdAtOf } from "../ids.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { type PaymentTerms, toPaymentOrder } from "../intents/payment-order.ts";
import type { PartyDetails } from "../parties/party.ts";
import type { Payee } from "../parties/payee.ts";
import { pick } from "../pick.ts";
import { fitsLimits } from "../quotes/pricing.ts";
import type { Quote, QuoteVariant } from "../quotes/quote.ts";
import type { PaymentLeg, PaymentOrder } from "../rails/rail.ts";
import { inOrder, type Recipient } from "../scenarios/draft.ts";

/** The actor of a payment by a link, whom the service does not know. */
export const PAYER = "payer";

/**
 * The intent of one payment by a link: the link's recipients with what the quote says that each gets, in the link's
 * currency, the tenant's leg included.
 */
export function planLinkSubmission(
  link: PaymentIntent,
  chosen: { quote: Quote; variant: QuoteVariant; documentIds: readonly string[] },
  payer: { id: string; details: PartyDetails; source: string },
): PaymentIntent {
  const createdAt = createdAtOf(payer.id);
  const { quote, variant, documentIds } = chosen;
  return {
    id: payer.id,
    status: "draft",
    useCase: link.useCase,
    deliveryMode: "payment_link_submission",
    amountMode: link.amountMode,
    ...pick(link, ["externalId"]),
    payer: { role: "unknown_link_payer", details: payer.details },
    recipients: inOrder(link.recipients).map(({ index, purposeProofDocumentId, ...recipient }, at) => {
      const { payeeAmount } = payoutAt(variant, at);
      const reference = referenceOn(link, recipient);
      return {
        ...recipient,
        amount: { ...recipient.amount, payeeAmount },
        ...(reference !== undefined && { reference }),
      };
    }),
    ...(link.instructions !== undefined && { instructions: link.instructions }),
    termsAccepted: true,
    createdFrom: { paymentIntentId: link.id },
    payerChoice: {
      quoteId: quote.quoteId,
      selectedQuoteVariantId: variant.id,
      settlementMethod: variant.settlementMethod,
      fxRate: variant.fxRate,
      countryCode: quote.countryCode,
      documentIds,
    },
    payerSource: payer.source,
    tenantId: link.tenantId,
    version: 0,
    createdAt,
    updatedAt: createdAt,
    createdBy: PAYER,
    statusHistory: [{ status: "draft", at: createdAt, by: PAYER }],
    executions: [],
  };
}

/** The bank reference of a recipient: the link's own goes on every leg (SPEC, link connector constraints). */
export const referenceOn = (
  { instructions }: Pick<PaymentIntent, "instructions">,
  { reference }: Pick<Recipient, "reference">,
): string | undefined => instructions?.paymentLink?.reference ?? reference;

/** The order to the rail for a payment by a link: exactly what was quoted. */
export function planLinkOrder(
  child: PaymentIntent,
  plan: PaymentTerms & Readonly<{ payees: ReadonlyMap<number, Payee>; returnUrl: string }>,
): PaymentOrder {
  const { variant, payees, returnUrl } = plan;
  const legs = inOrder(child.recipients).map(({ order, reference }, at): PaymentLeg => {
    const { payeeId, payerAmount, payeeAmount, toCurrency } = payoutAt(variant, at);
    const leg = { order, payeeId, payerAmount, payeeAmount, payeeCurrency: toCurrency };
    const payeeName = payees.get(payeeId)?.name ?? "";
    return { ...leg, payeeName, ...(reference !== undefined && { reference }) };
  });
  return { ...toPaymentOrder(child, legs, plan), returnUrl };
}

/** The payout of one recipient. A link's quote has one for each, in order, and a published link never changes. */
function payoutAt(variant: QuoteVariant, at: number) {
  const payout = variant.payouts[at];
  if (payout === undefined) throw new Error(`Variant ${variant.id} has no payout for recipient ${at} of its link`);
  return payout;
}

/** Whether the rail takes the sum that a quote asks its payer to send. The fee does not count against limits. */
export const takesItsQuote = (variant: QuoteVariant): boolean =>
  fitsLimits(
    variant,
    variant.payouts.map(({ payerAmount }) => payerAmount),
  );
