import type { PaymentIntent } from "../intents/payment-intent.ts";
import type { LinkTerms } from "./payment-link.ts";
import { type PaymentExtras, viewPayment } from "./payment-view.ts";

/** How long a payer can read a payment after its end. */
const RECEIPT_MS = 90 * 86_400_000;

/** Whether a payer's secret still opens a payment, which ended at a time if it did. */
export function canBeRead({ executions }: PaymentIntent, nowMs: number): boolean {
  const { endedAt } = executions.at(-1) ?? {};
  return endedAt === undefined || nowMs < Date.parse(endedAt) + RECEIPT_MS;
}

/**
 * A payment by a link for the payer who knows its secret: its terms, its state and the payer's next step.
 * `heldUntilMs`: until when it keeps others from the link. Undefined while no rail has accepted the payment.
 */
export function toPayerPayment(
  child: PaymentIntent,
  terms: LinkTerms,
  { heldUntilMs, ...extras }: PaymentExtras & Readonly<{ heldUntilMs?: number | undefined }>,
) {
  const view = viewPayment(child, extras);
  const execution = child.executions.at(-1);
  if (view === undefined || execution === undefined) return undefined;
  const { startedAt, endedAt, payer, currency: fromCurrency } = execution;
  const { settlementMethod, fxRate } = child.payerChoice ?? {};
  const { currency: toCurrency, reference } = terms;
  const { payment, checkoutUrl: _, ...known } = view;
  return {
    ...known,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    payer: { name: [payer.firstName, payer.lastName].filter(Boolean).join(" ") },
    ...(settlementMethod !== undefined && { settlementMethod }),
    fromCurrency,
    toCurrency,
    ...(fxRate !== undefined && fromCurrency !== toCurrency && { rate: fxRate }),
    ...(reference !== undefined && { reference }),
    payment: {
      ...payment,
      recipients: payment.recipients.map((paid, at) => ({ name: terms.recipients[at]?.name ?? "", ...paid })),
    },
    ...(heldUntilMs !== undefined && { held: { until: new Date(heldUntilMs).toISOString() } }),
  };
}
