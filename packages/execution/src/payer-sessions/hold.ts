import type { Failure } from "@intents/domain/failure.ts";
import { inFlight, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isPaid, isTerminal } from "@intents/domain/intents/statuses.ts";
import { isReceived } from "@intents/domain/links/hold.ts";
import { holderOf } from "@intents/domain/links/link-state.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findLink } from "@intents/storage/links/links.ts";
import type { Run } from "../run.ts";
import { callOff, type Wish } from "../settle/call-off.ts";

/** When to ask again for what the rail did not call off, in seconds. */
const ASK_AGAIN_S = 60;

/** Ends a payment by a link, if the rail calls it off; the payment as it ended, paid or not. */
export async function endHold(run: Run, child: PaymentIntent, wish: Wish): Promise<Result<PaymentIntent, Failure>> {
  if (isClaimed(child)) return fail(inFlight(child, run.now(), run.settings.leaseMs));
  if (isTerminal(child.status)) return ok(child);
  if (isReceived(child)) return fail({ kind: "money_received" });
  await callOff(run, child, wish);
  // Another worker may have ended it at the same moment: its state decides.
  const found = await findIntent(run.table, child.tenantId, child.id);
  if (!found.ok || isTerminal(found.value.status)) return found;
  if (isReceived(found.value)) return fail({ kind: "money_received" });
  return fail({ kind: "hold_kept", retryAfterSeconds: ASK_AGAIN_S });
}

/**
 * The payment that keeps other payers from a link, if one does, and until when at least: without an end once its payer's
 * money came in.
 */
export async function findHold(run: Run, { tenantId, publicLinkId }: PaymentIntent) {
  const stored = publicLinkId === undefined ? undefined : await findLink(run.table, publicLinkId);
  const holder = stored && holderOf(stored.state);
  if (holder === undefined) return {};
  const payment = await findIntent(run.table, tenantId, holder.id);
  const isEndless = payment.ok && isReceived(payment.value);
  const until = isEndless ? {} : { until: new Date(holder.untilMs).toISOString() };
  return { hold: { paymentIntentId: holder.id, ...until } };
}

/** Opens a single-use link again, if the rail calls off the payment that holds it; one that nobody holds is open. */
export async function releaseLink(run: Run, link: PaymentIntent, wish: Wish): Promise<Result<PaymentIntent, Failure>> {
  if (link.status !== "pending_link_payment") return fail({ kind: "wrong_status", status: link.status });
  const state = (await findLink(run.table, link.publicLinkId ?? ""))?.state;
  if (state?.closedBy !== undefined) return fail({ kind: "link_closed" });
  if (state?.holder === undefined) return ok(link);
  const holder = await findIntent(run.table, link.tenantId, state.holder.id);
  const ended = holder.ok ? await endHold(run, holder.value, wish) : holder;
  if (!ended.ok) return ended;
  return isPaid(ended.value.status) ? fail({ kind: "link_closed" }) : ok(link);
}
