import { referencesSent } from "./batch-lines.ts";
import type { PaymentOrder } from "./connector.ts";
import type { ExchangeRates } from "./exchange-rates.ts";
import type { Failure } from "./failure.ts";
import type { MoveName } from "./intent-states.ts";
import type { Booked } from "./ledger.ts";
import { legAmounts } from "./leg-amounts.ts";
import { addAmounts, toFixedMinor } from "./money.ts";
import type { Payee } from "./payee.ts";
import { inOrder, type PaymentIntent } from "./payment-intent.ts";
import { priceQuote } from "./pricing.ts";
import type { QuoteVariant } from "./quote.ts";
import { fail, ok, type Result } from "./result.ts";
import type { ScenarioRule } from "./scenario-rules.ts";
import { splitRoleOf } from "./split-role.ts";

/** One recipient of a batch: a payment of its own, with a claim of its own (H11). */
export type BulkLeg = Readonly<{
  order: number;
  /** `<execution>:<order>`: the rail's idempotency token for this leg. */
  executionId: string;
  status: "pending" | "executing" | "cleared" | "failed";
  /** Raised by each worker that takes the leg on; only the current one may write down what the rail said. */
  attempt: number;
  leaseUntilMs: number;
  payment: PaymentOrder;
  railPaymentId?: string;
  /** When the rail expects the leg to have settled, milliseconds since 1970. */
  expectedSettlementMs?: number;
  reason?: string;
}>;

/** The bank transfer that pays `payee` as one of a batch: a batch has no quote of the caller's (DESIGN 17, Bulk). */
export function transferTo(
  payee: Payee,
  countryCode: string,
  { tenantId, rates }: Readonly<{ tenantId: string; rates: ExchangeRates }>,
): Result<QuoteVariant, Extract<Failure, { kind: "pair_unavailable" }>> {
  // Only the rate, the fee and the limits are of use: every leg has an amount of its own, and nobody chooses a variant.
  const payouts = [{ payee, amount: "1" }];
  const request = { payouts, countryCode, paymentType: "company", tenantId, commissionSpread: "0" } as const;
  const priced = priceQuote(request, rates, () => 0);
  if (priced.ok) return ok({ ...priced.value.variants[0], payouts: [] });
  if (priced.failure.kind !== "pair_unavailable") throw new Error(`One ${payee.currencyCode} cannot be priced`);
  return fail(priced.failure);
}

export type BulkProgress = Readonly<{ total: number; completed: number; failed: number }>;

/** The legs of a batch at the rates locked when it was submitted. `paymentId` numbers the leg's connector payment. */
export function planBulkLegs(
  intent: PaymentIntent,
  rule: ScenarioRule,
  variants: readonly QuoteVariant[],
  payees: ReadonlyMap<number, Payee>,
  executionId: string,
  paymentId: () => number,
): BulkLeg[] {
  const references = referencesSent(intent.recipients);
  return inOrder(intent.recipients).flatMap((recipient): BulkLeg[] => {
    const payee = recipient.connectorPayeeId === undefined ? undefined : payees.get(recipient.connectorPayeeId);
    const variant = variants.find(({ toCurrency }) => toCurrency === payee?.currencyCode);
    const amounts = payee && variant && legAmounts(recipient, rule, variant, payee);
    if (payee === undefined || variant === undefined || amounts === undefined) {
      throw new Error(`Recipient ${recipient.index} of a clean batch cannot be priced`);
    }
    const { order, index } = recipient;
    const reference = references[index];
    const leg = { order, payeeId: payee.id, payeeName: payee.name, ...amounts };
    const payment: PaymentOrder = {
      tenantId: intent.tenantId,
      intentId: intent.id,
      connectorPaymentId: paymentId(),
      settlementMethod: variant.settlementMethod,
      settlementChannel: variant.settlementChannel,
      payerCurrency: variant.fromCurrency,
      totalAmount: toFixedMinor(addAmounts(variant.fee, amounts.payerAmount), variant.fromCurrency),
      fee: variant.fee,
      payerKey: intent.tenantId,
      payer: {},
      legs: [reference === undefined ? leg : { ...leg, reference }],
    };
    return [{ order, executionId: `${executionId}:${order}`, status: "pending", attempt: 0, leaseUntilMs: 0, payment }];
  });
}

/** A leg as the ledger sees it: an execution of one leg and its own fee. */
export function toBooked({ recipients }: PaymentIntent, leg: BulkLeg, at: string): Booked {
  const { executionId, payment, status, order } = leg;
  const ended = { cleared: "completed", failed: "failed", pending: "executing", executing: "executing" } as const;
  return {
    executionId,
    currency: payment.payerCurrency,
    fee: payment.fee,
    status: ended[status],
    startedAt: at,
    legs: [
      {
        order,
        splitRole: splitRoleOf(recipients, order),
        payerAmount: payment.legs[0]?.payerAmount ?? "0",
        status: status === "pending" ? "executing" : status,
      },
    ],
  };
}

export function progressOf(legs: readonly Pick<BulkLeg, "status">[]): BulkProgress {
  const count = (status: BulkLeg["status"]) => legs.filter((leg) => leg.status === status).length;
  return { total: legs.length, completed: count("cleared"), failed: count("failed") };
}

/** How a batch ends, once every leg has: undefined until then. */
export function endOf({ total, completed, failed }: BulkProgress): MoveName | undefined {
  if (completed + failed < total) return undefined;
  if (failed === 0) return "complete";
  return completed === 0 ? "fail" : "completePartly";
}
