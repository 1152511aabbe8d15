import { setTimeout as pause } from "node:timers/promises";
import type { Failure } from "@intents/domain/failure.ts";
import { submitterOf } from "@intents/domain/intents/audit-event.ts";
import { type ClaimedIntent, inFlight, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { type PayerSession, toPayerSession } from "@intents/domain/links/payment-view.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { indexRecipients } from "@intents/storage/intents/external-ids.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findLink, type StoredLink } from "@intents/storage/links/links.ts";
import { findSession, takeSession } from "@intents/storage/links/sessions.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { returnUploads } from "../documents/payer-uploads.ts";
import { creationOf } from "../drafts/create.ts";
import { inOneCall, type Run, type Submitted } from "../run.ts";
import { claim, goOn, isOwnClaim } from "../submit/claim.ts";
import { finishSubmission } from "../submit/finish.ts";
import { planSession, readSession, type SessionRequest } from "./session-plan.ts";

/** The tries of a session. Each starts over because another payer, or another request of the same payer, was faster. */
const TRIES_MAX = 4;
/** The time that a request waits for another one that is opening the same session, in milliseconds. */
const WAIT_MS = 5_000;
const PAUSE_MS = 100;

/**
 * Opens a payer's session on a link: claim, execute, commit, as a submit does. The claim takes the link's quote too, so
 * that one quote is paid at most once (H17): a request for the same quote, with whatever details, gets the session that
 * the first one opened.
 */
export async function openPayerSession(
  run: Run,
  link: StoredLink,
  request: SessionRequest,
): Promise<Result<PayerSession, Failure>> {
  const { token, tenantId, intentId: linkId } = link;
  const session = { tenantId, linkId, quoteId: request.quoteId };
  let triedId: string | undefined;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const stored = tries === 0 ? link : await findLink(run.table, token);
    if (stored === undefined) return fail({ kind: "link_not_found" });
    const reads = inOneCall(run);
    const [childId, facts] = await Promise.all([
      findSession(reads.table, session),
      readSession(reads, stored, request),
    ]);
    const found = childId === undefined ? undefined : await findIntent(run.table, tenantId, childId);
    if (found?.ok) {
      const child = found.value;
      return isClaimed(child) && isOwnClaim(child, triedId) ? finishSession(run, child) : joinSession(run, child);
    }
    const planned = facts.ok ? await planSession(run, facts.value, request) : facts;
    // The quote or document may look taken because a faster request of the same session took it: then this one joins
    // it.
    if (!planned.ok && (await findSession(run.table, session)) !== undefined) continue;
    if (!planned.ok) return planned;
    const { child, linkActions } = planned.value;
    triedId = child.submission.executionId;
    const claimed = await claim(run, undefined, child, {
      events: creationOf(child, submitterOf(child)),
      also: [takeSession(run.table, session, child.id), ...linkActions, ...(await indexRecipients(run.table, child))],
    });
    if (claimed !== undefined) return finishSession(run, claimed);
    await returnUploads(run, tenantId, child.submission);
  }
  return fail({ kind: "busy", retryAfterSeconds: 1 });
}

async function finishSession(run: Run, child: ClaimedIntent): Promise<Result<PayerSession, Failure>> {
  const finished = await finishSubmission(run, child);
  return finished.ok ? toSessionAnswer(run, child, finished.value) : finished;
}

/** The session of a payment as its commit has stored it; as it is stored now, if another worker committed it. */
async function toSessionAnswer(
  run: Run,
  { tenantId, id }: PaymentIntent,
  { intent }: Submitted,
): Promise<Result<PayerSession, Failure>> {
  const paid = intent === undefined ? await findIntent(run.table, tenantId, id) : ok(intent);
  return paid.ok ? toSession(run, paid.value) : paid;
}

/** A payment that the rail refused has no session any more: its payer needs another quote. */
async function toSession(run: Run, child: PaymentIntent): Promise<Result<PayerSession, Failure>> {
  // A payment that goes on has no review: a record tells of another end than the one that stands.
  const reviewState = isTerminal(child.status) ? await findReviewState(run.table, child) : {};
  const session = toPayerSession(child, reviewState);
  return session === undefined ? fail({ kind: "wrong_status", status: child.status }) : ok(session);
}

/** Joins a session that was begun before: waits for its worker, or takes over from a dead one. */
async function joinSession(run: Run, found: PaymentIntent): Promise<Result<PayerSession, Failure>> {
  const deadlineMs = performance.now() + WAIT_MS;
  for (let child = found; ; ) {
    if (!isClaimed(child)) return toSession(run, child);
    const finished = await goOn(run, child);
    if (finished !== undefined) return finished.ok ? toSessionAnswer(run, child, finished.value) : finished;
    if (performance.now() > deadlineMs) return fail(inFlight(child, run.now(), run.settings.leaseMs));
    await pause(PAUSE_MS);
    const again = await findIntent(run.table, found.tenantId, found.id);
    if (!again.ok) return again;
    child = again.value;
  }
}
