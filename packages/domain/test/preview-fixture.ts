import type { PaymentIntent } from "../src/intents/payment-intent.ts";
import { paymentWork, planPaymentOrder } from "../src/intents/payment-order.ts";
import { type Preview, previewOf } from "../src/previews/preview.ts";
import type { Quote, QuoteVariant } from "../src/quotes/quote.ts";
import type { Facts } from "../src/requirements/finding.ts";
import type { Recipient } from "../src/scenarios/draft.ts";
import { facts, payee, quote, storedIntent, variant } from "./intent-fixture.ts";

/** The facts of a payment by a quote, with changes of its variant and of its terms. */
export const by = (changes: Partial<QuoteVariant> = {}, terms: Partial<Quote> = {}): Facts =>
  facts({
    quote: { ...quote(), variants: [variant([5001, 5002], changes)], ...terms },
    payees: new Map([5001, 5002, 1001].map((id) => [id, payee(id)])),
  });

/** The preview of a payment by the quote in `known`. */
export function previewed(changes: Partial<PaymentIntent> = {}, known = by(), connectorPaymentId = 7): Preview {
  const intent = storedIntent(changes);
  const { payees, quote: chosen = quote() } = known;
  const terms = { variant: chosen.variants[0], payees, payer: {}, payerKey: "ana", connectorPaymentId };
  return previewOf(intent, paymentWork(planPaymentOrder(intent, terms), chosen), known);
}

export const recipient = (connectorPayeeId: number, payerAmount: string, more: Partial<Recipient> = {}): Recipient => ({
  role: "education_provider",
  connectorPayeeId,
  amount: { payerAmount },
  ...more,
});

export const split = {
  useCase: "education_provider_tuition_with_tenant_split",
  recipients: [
    recipient(5001, "4000.00"),
    recipient(1001, "500.00", { role: "tenant", splitRole: "tenant_service_fee" }),
  ],
} as const satisfies Partial<PaymentIntent>;
