import type { ExchangeRates } from "../amounts/exchange-rates.ts";
import { addAmounts, toFixedMinor } from "../amounts/money.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import type { SubmittedWork } from "../intents/submission.ts";
import type { Payee } from "../parties/payee.ts";
import { legAmounts } from "../quotes/leg-amounts.ts";
import { type PriceRequest, priceQuote } from "../quotes/pricing.ts";
import type { PriceFailure, QuoteVariant } from "../quotes/quote.ts";
import type { FundingOrder, PaymentOrder } from "../rails/rail.ts";
import { fail, ok, type Result } from "../result.ts";
import { inOrder } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import { referencesSent } from "./lines.ts";

/** One recipient of a batch: a payment of its own, with a claim of its own (H11). */
export type BatchLeg = Readonly<{
  order: number;
  /** `<execution>:<order>`: the rail's idempotency token for this leg. */
  executionId: string;
  status: "pending" | "executing" | "cleared" | "failed" | "cancelled";
  /** Grows with every change of the leg; only the worker of the current attempt may store what the rail said. */
  attempt: number;
  leaseUntilMs: number;
  payment: PaymentOrder;
  /** The rate: units of the payee's currency for one unit of the payer's. */
  fxRate: string;
  /** When the leg was first taken on, milliseconds since 1970. */
  triedAtMs?: number;
  /** The time since which the rail may know this executionId; absent while it provably does not. */
  claimedAtMs?: number;
  /**
   * Present while the leg waits for the rail's duplicate window to end, after the rail took an equal payment; `untilMs` is
   * 0 once it was tried again and nothing was heard.
   */
  waiting?: Readonly<{ sinceMs: number; untilMs: number; tries: number }>;
  /** Present while the leg is not paid because an operator holds its batch. */
  held?: true;
  /** The date of the last change of status that callers were told, where no other date of the leg is the same. */
  toldAtMs?: number;
  railPaymentId?: string;
  /** When the rail's acceptance was stored, from when on it is asked. */
  acceptedAtMs?: number;
  /** When the rail first told that the money for the leg came in; absent where it never did. */
  receivedAtMs?: number;
  /** All that came in on the batch's one deposit, as the rail told it with the leg. */
  deposited?: string;
  /** Present once the deposit's money for a leg that ended unpaid is booked as owed back. */
  isOwedBack?: true;
  /** When the rail expects the leg to have settled, milliseconds since 1970. */
  expectedSettlementMs?: number;
  reason?: string;
  /** Present since the work on the leg failed, until some of it succeeds. */
  trouble?: Trouble;
  /** When it ended, and by whom. */
  ended?: LegEnd;
}>;

/**
 * A failure of the work on a leg: what happened last, since when and how often it happened, and the time until which the
 * leg is left alone. `isDenied`: the rail does not know a payment that it had accepted.
 */
export type Trouble = Readonly<{ what: string; sinceMs: number; times: number; retryAtMs: number; isDenied?: true }>;

/** The end of a leg: its time in milliseconds since 1970, and who brought it about. */
export type LegEnd = Readonly<{ atMs: number; by: "rail" | "operator" }>;

/** The bank transfer that pays `payee` as one of a batch: a batch has no quote of the caller's (DESIGN 17, Bulk). */
export function transferTo(
  payee: Payee,
  countryCode: string,
  { tenantId, rates, rail }: Readonly<{ tenantId: string; rates: ExchangeRates; rail: PriceRequest["rail"] }>,
): Result<QuoteVariant, Extract<PriceFailure, { kind: "pair_unavailable" }>> {
  // The amount does not matter: of this quote only the rate, the fee and the limits of the bank transfer are used.
  const payouts = [{ payee, amount: "1" }];
  const request = { payouts, countryCode, paymentType: "company", rail, tenantId, commissionSpread: "0" } as const;
  const priced = priceQuote(request, rates, () => 0);
  if (priced.ok) return ok({ ...priced.value.variants[0], payouts: [] });
  if (priced.failure.kind !== "pair_unavailable") throw new Error(`One ${payee.currencyCode} cannot be priced`);
  return fail(priced.failure);
}

/** The work of a batch, frozen when its submit claimed it. */
type BatchWork = Extract<SubmittedWork, { kind: "bulk" }>;

/** The legs of a batch at the rates locked when it was submitted. `paymentId` numbers the leg's connector payment. */
export function planBatchLegs(
  intent: PaymentIntent,
  rule: ScenarioRule,
  { variants, connectorPaymentId }: BatchWork,
  payees: ReadonlyMap<number, Payee>,
  executionId: string,
  paymentId: () => number,
): BatchLeg[] {
  const references = referencesSent(intent.recipients);
  return inOrder(intent.recipients).flatMap((recipient): BatchLeg[] => {
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
      ...(connectorPaymentId !== undefined && { fundingReference: String(connectorPaymentId) }),
    };
    const { fxRate } = variant;
    const unpaid = { status: "pending", attempt: 0, leaseUntilMs: 0 } as const;
    return [{ order, executionId: `${executionId}:${order}`, ...unpaid, payment, fxRate }];
  });
}

/** The one deposit for all legs of a batch, and each leg's share of it; undefined for batches without a deposit. */
export function planFunding(
  { tenantId, id: intentId }: PaymentIntent,
  { connectorPaymentId }: BatchWork,
  legs: readonly BatchLeg[],
): FundingOrder {
  const currency = legs[0]?.payment.payerCurrency;
  if (currency === undefined) throw new Error(`The batch ${intentId} has no recipients`);
  const amount = toFixedMinor(addAmounts(...legs.map(({ payment }) => payment.totalAmount)), currency);
  return { tenantId, intentId, fundingReference: String(connectorPaymentId), currency, amount };
}
