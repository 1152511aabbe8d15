import type { PaymentLeg, PaymentOrder, TransactionBankDetails } from "./connector.ts";
import { type IntentStatus, isTerminal } from "./intent-states.ts";
import { addAmounts } from "./money.ts";
import type { PartyDetails } from "./party.ts";
import type { Payee } from "./payee.ts";
import { type Execution, inOrder, type PaymentIntent } from "./payment-intent.ts";
import { feesAndCharges, tellApart } from "./payment-link-amounts.ts";
import { type PaymentTerms, toPaymentOrder } from "./payment-order.ts";
import { fitsLimits } from "./pricing.ts";
import type { Quote, QuoteVariant } from "./quote.ts";

/** Who acts on a payment by a link: nobody that the service knows. */
export const PAYER = "payer";

/**
 * The intent of one payment by a link: the link's recipients with what the quote says that each gets, in the link's
 * currency, the tenant's leg included. The link's reference goes on every leg (SPEC, link connector constraints).
 */
export function planLinkSubmission(
  link: PaymentIntent,
  chosen: { quote: Quote; variant: QuoteVariant; documentIds: readonly string[] },
  payer: { id: string; details: PartyDetails },
  nowMs: number,
): PaymentIntent {
  const createdAt = new Date(nowMs).toISOString();
  const { quote, variant, documentIds } = chosen;
  const shared = link.instructions?.paymentLink?.reference;
  return {
    id: payer.id,
    status: "draft",
    useCase: link.useCase,
    deliveryMode: "payment_link_submission",
    amountMode: link.amountMode,
    payer: { role: "unknown_link_payer", details: payer.details },
    recipients: inOrder(link.recipients).map(({ index, purposeProofDocumentId, ...recipient }, at) => {
      const { payeeAmount } = payoutAt(variant, at);
      const reference = shared ?? recipient.reference;
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
      countryCode: quote.countryCode,
      documentIds,
    },
    tenantId: link.tenantId,
    version: 0,
    createdAt,
    updatedAt: createdAt,
    createdBy: PAYER,
    statusHistory: [{ status: "draft", at: createdAt, by: PAYER }],
    executions: [],
  };
}

/** What the rail is asked to do for a payment by a link: exactly what was quoted. */
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

/** A link's quote has one payout for each recipient, in order; the link never changes after that. */
function payoutAt(variant: QuoteVariant, at: number) {
  const payout = variant.payouts[at];
  if (payout === undefined) throw new Error(`Variant ${variant.id} has no payout for recipient ${at} of its link`);
  return payout;
}

/** Whether the rail takes what a quote asks its payer to send, which is what each payout costs, without the fee. */
export const takesItsQuote = (variant: QuoteVariant): boolean =>
  fitsLimits(
    variant,
    variant.payouts.map(({ payerAmount }) => payerAmount),
  );

/** What the payer does next. */
type NextAction =
  | Readonly<{ type: "redirect"; url: string }>
  | Readonly<{
      type: "bank_transfer";
      transactionBankDetails: TransactionBankDetails;
      reference: string;
      amount: string;
      currency: string;
      dueDate: string;
    }>;

/** What a payer pays and what becomes of it, as decimal strings. */
export type PayerTerms = Readonly<{
  /** What is paid in all, and what of it no principal recipient gets, in the payer's `currency`. */
  amount: string;
  feesAndCharges: string;
  currency: string;
  /** What each of the principal recipients gets, in the order in which their link names them. */
  recipients: readonly Readonly<{ amount: string; currency: string }>[];
}>;

/** What a payer's session is answered with. */
export type PayerSession = Readonly<{
  paymentIntentId: string;
  status: IntentStatus;
  checkoutUrl?: string;
  nextAction: NextAction;
  payment: PayerTerms;
}>;

/** A payment as its payer sees it, the same whenever it is asked for; undefined when no rail has accepted it. */
export function toPayerSession(child: PaymentIntent): PayerSession | undefined {
  const { id, status, connectorPayment } = child;
  const execution = child.executions.at(-1);
  if (execution === undefined) return undefined;
  const { checkoutUrl } = execution;
  const session = { paymentIntentId: id, status, payment: termsOf(child, execution) };
  if (checkoutUrl !== undefined) {
    return { ...session, checkoutUrl, nextAction: { type: "redirect", url: checkoutUrl } };
  }
  if (connectorPayment === undefined) return undefined;
  const { transactionBankDetails, reference, amount, currency, dueDate } = connectorPayment;
  const deposit = { transactionBankDetails, reference, amount, currency, dueDate };
  return { ...session, nextAction: { type: "bank_transfer", ...deposit } };
}

/** An execution has one leg for each recipient, in order. */
function termsOf({ recipients }: PaymentIntent, { legs, fee, currency }: Execution): PayerTerms {
  const { principal } = tellApart(recipients, inOrder(recipients));
  return {
    amount: addAmounts(fee, ...legs.map(({ payerAmount }) => payerAmount)),
    feesAndCharges: feesAndCharges(fee, tellApart(recipients, legs).rest),
    currency,
    recipients: principal.map(({ amount }) => ({
      amount: amount?.payeeAmount ?? "0",
      currency: amount?.currency ?? "",
    })),
  };
}

/** How a payment by a link stands, for whoever knows its id: no bank details and no personal data (DESIGN 17). */
export function toPublicPayment(child: PaymentIntent) {
  const paymentMethod = toPayerSession(child)?.nextAction.type;
  return {
    paymentIntentId: child.id,
    paymentStatus: child.status,
    ...(paymentMethod !== undefined && { paymentMethod }),
  };
}

/**
 * Until when a payment keeps other payers away from its single-use link, milliseconds since 1970; 0 when it does not: a
 * checkout until the rail has said how its session ended, a bank transfer until its due date is over (H18).
 */
export function heldUntilMs(child: PaymentIntent, nowMs: number): number {
  const { submission, status, connectorPayment, expectedSettlementMs = 0 } = child;
  if (submission !== undefined) return Math.max(submission.leaseUntilMs, nowMs + 1000);
  if (isTerminal(status)) return 0;
  // Paid in its last moments, a checkout has ended by the clock before anybody has asked the rail.
  if (connectorPayment === undefined) return Math.max(expectedSettlementMs, nowMs + 1000);
  return Date.parse(connectorPayment.dueDate) + DAY_MS;
}

const DAY_MS = 86_400_000;
