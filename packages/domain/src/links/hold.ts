import { DAY_MS } from "../durations.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { isTerminal } from "../intents/statuses.ts";
import type { QuoteVariant } from "../quotes/quote.ts";

// A payment by a single-use link keeps other payers away from it until a time that stands on the link. After that the
// rail is asked to call the payment off, and only its yes ends the hold (H18).

/** How long a link is kept, in milliseconds. */
export type HoldSettings = Readonly<{
  /** For a checkout: after the last sign of life from its payer's page. */
  checkoutHoldMs: number;
  /** For a bank transfer that its payer has not promised. */
  transferHoldMs: number;
}>;

/** By then at the latest the rail was asked again about a payment whose time is over. */
const ASKED_AGAIN_MS = 60_000;

/** The end of the hold of a payment that begins now, milliseconds since 1970. */
export const firstHoldMs = (
  { meta }: Pick<QuoteVariant, "meta">,
  { checkoutHoldMs, transferHoldMs }: HoldSettings,
  nowMs: number,
): number => nowMs + (meta.uiFlow === "bank-details" ? transferHoldMs : checkoutHoldMs);

/**
 * The end of the hold after a sign of life from the payer's page. A payer who promises a bank transfer (`willTransfer`)
 * has until the end of its due date, in UTC. Undefined where the sign changes nothing.
 */
export function keptHoldMs(
  { connectorPayment }: PaymentIntent,
  willTransfer: boolean,
  { checkoutHoldMs }: HoldSettings,
  nowMs: number,
): number | undefined {
  if (connectorPayment === undefined) return nowMs + checkoutHoldMs;
  return willTransfer ? Date.parse(connectorPayment.dueDate) + DAY_MS : undefined;
}

/** When a held link opens again, as far as can be told: milliseconds since 1970. */
export const opensAgainMs = (heldUntilMs: number, nowMs: number): number =>
  Math.max(heldUntilMs, nowMs + ASKED_AGAIN_MS);

/** Whether the payer's money is known to have come in: from then on nobody gives the payment up, and its hold has no end. */
export const isReceived = ({ executions }: Pick<PaymentIntent, "executions">): boolean =>
  executions.at(-1)?.receivedAt !== undefined;

/** Whether a payment keeps nobody from its link any more. */
export const isOver = ({ submission, status }: PaymentIntent): boolean =>
  submission === undefined && isTerminal(status);
