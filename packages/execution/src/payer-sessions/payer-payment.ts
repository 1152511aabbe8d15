import type { IntentExtras } from "@intents/domain/answers/intent-answer.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { inFlight, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isPaid } from "@intents/domain/intents/statuses.ts";
import { isReceived, keptHoldMs } from "@intents/domain/links/hold.ts";
import { PAYER } from "@intents/domain/links/link-payment.ts";
import { holderOf } from "@intents/domain/links/link-state.ts";
import { canBeRead, toPayerPayment } from "@intents/domain/links/payer-payment.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findLink, keepLink, type StoredLink } from "@intents/storage/links/links.ts";
import { findBySecret } from "@intents/storage/links/sessions.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { inOneCall, type Run } from "../run.ts";
import { endHold } from "./hold.ts";

// The actions of a payer who comes back with the secret that their browser made. Another secret, an old one or none
// reveals nothing, not even whether there is a payment.

/** A payer's way back: the token of a link, and the digest of a secret if one was sent. */
export type WayBack = Readonly<{ token: string; secretHash: string | undefined }>;

/** A payment that its payer came back to, its review, and its link. */
type Found = Readonly<{ stored: StoredLink; child: PaymentIntent; extras: IntentExtras }>;

/** The payment as its payer sees it again. */
export async function findPayerPayment(run: Run, way: WayBack) {
  const found = await find(run, way);
  return found.ok ? tell(run, found.value) : found;
}

/** Takes note that the payer's page is open; `willTransfer`: the payer says that the bank transfer will be made. */
export async function keepHold(run: Run, way: WayBack, willTransfer: boolean) {
  const found = await find(run, way);
  if (!found.ok) return found;
  const { stored, child } = found.value;
  const untilMs = keptHoldMs(child, willTransfer, run.settings, run.now());
  if (stored.state.holder?.id === child.id && untilMs !== undefined) {
    // A refusal says that the link is kept for longer, or no longer by this payment: the answer tells how it stands.
    await transact(run.table, () => [keepLink(run.table, stored.token, { childId: child.id, untilMs })]);
  }
  return findPayerPayment(run, way);
}

/** Gives the payment up, if the rail calls it off: the payer can then pay in another way, and others can pay. */
export async function giveBack(run: Run, way: WayBack) {
  const found = await find(run, way);
  if (!found.ok) return found;
  const wish = { actor: { cause: "payer", name: PAYER }, cause: "given back" } as const;
  const ended = await endHold(run, found.value.child, wish);
  if (!ended.ok) return ended;
  const { status } = ended.value;
  return isPaid(status) ? fail({ kind: "wrong_status", status } as const) : findPayerPayment(run, way);
}

async function find(run: Run, { token, secretHash }: WayBack): Promise<Result<Found, Failure>> {
  const stored = await findLink(run.table, token);
  if (stored === undefined) return fail({ kind: "link_not_found" });
  const { tenantId, intentId: linkId } = stored;
  const id = secretHash && (await findBySecret(run.table, { tenantId, linkId, secretHash }));
  if (!id) return fail({ kind: "not_found", resource: "payment" });
  const reads = inOneCall(run).table;
  const [found, extras] = await Promise.all([
    findIntent(reads, tenantId, id),
    findReviewState(reads, { tenantId, id }),
  ]);
  if (!found.ok || !canBeRead(found.value, run.now())) return fail({ kind: "not_found", resource: "payment" });
  return ok({ stored, child: found.value, extras });
}

function tell(run: Run, { stored, child, extras }: Found) {
  if (isClaimed(child)) return fail(inFlight(child, run.now(), run.settings.leaseMs));
  const holder = holderOf(stored.state);
  const held = holder?.id === child.id && !isReceived(child) ? holder.untilMs : undefined;
  const payment = toPayerPayment(child, stored.terms, { ...extras, heldUntilMs: held });
  // The rail took no such payment: there is nothing to come back to.
  return payment === undefined ? fail({ kind: "not_found", resource: "payment" } as const) : ok(payment);
}
