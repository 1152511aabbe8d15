import { setTimeout as pause } from "node:timers/promises";
import { reservedBy } from "@intents/domain/document-ref.ts";
import type { Failure } from "@intents/domain/failure.ts";
import type { PartyDetails } from "@intents/domain/party.ts";
import { type PaymentIntent, paymentIdsOf, type Submission } from "@intents/domain/payment-intent.ts";
import { statusOf } from "@intents/domain/payment-link.ts";
import { PAYER, type PayerSession, toPayerSession } from "@intents/domain/payment-link-submission.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { timerFor } from "@intents/domain/timer.ts";
import { reserveDocument } from "@intents/storage/documents.ts";
import type { Files } from "@intents/storage/files.ts";
import { changeIntent, findIntent } from "@intents/storage/intents.ts";
import { findLink, findSession, holdLink, type StoredLink, takeSession } from "@intents/storage/payment-links.ts";
import { findQuote } from "@intents/storage/quotes.ts";
import { takePaymentId } from "@intents/storage/submissions.ts";
import type { Table } from "@intents/storage/table.ts";
import { type Action, StoreContended } from "@intents/storage/transact.ts";
import { isForgotten } from "./ask-rail.ts";
import { finishSubmission } from "./finish.ts";
import { planSession } from "./payer-session-plan.ts";
import { returnUploads } from "./payer-uploads.ts";
import { takeOver } from "./postpone.ts";
import type { Run } from "./run.ts";

/** A link that was found by its token: as stored, and its intent. */
export type PublishedLink = Readonly<{ stored: StoredLink; intent: PaymentIntent }>;

/** A published link by its token; drafts and unknown tokens look alike. */
export async function findPublishedLink(table: Table, token: string): Promise<Result<PublishedLink, Failure>> {
  const stored = await findLink(table, token);
  const found = stored === undefined ? undefined : await findIntent(table, stored.tenantId, stored.intentId);
  if (stored === undefined || !found?.ok) return fail({ kind: "link_not_found" });
  return ok({ stored, intent: found.value });
}

export type SessionRequest = Readonly<{
  payerDetails: PartyDetails;
  quoteId: string;
  selectedQuoteVariantId: number;
  documentIds: readonly string[];
}>;

/** How often a session starts over because another payer, or another request of the same one, was faster. */
const TRIES_MAX = 4;
/** How long a request waits for another one that is opening the same session, in milliseconds. */
const WAIT_MS = 5_000;
const PAUSE_MS = 100;

/**
 * Opens a payer's session on a link: claim, execute, commit, as a submit does. The claim takes the link's quote too, so
 * that one quote is paid at most once (H17): whoever repeats the request, with whatever details, gets the session that
 * the first one opened.
 */
export async function openPayerSession(
  run: Run,
  files: Files,
  link: PublishedLink,
  request: SessionRequest,
): Promise<Result<PayerSession, Failure>> {
  const { id: linkId, tenantId } = link.intent;
  const quote = await findQuote(run.table, tenantId, request.quoteId, linkId);
  const session = { tenantId, linkId, quoteId: request.quoteId };
  let tried: string | undefined;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const childId = await findSession(run.table, session);
    const found = childId === undefined ? undefined : await findIntent(run.table, tenantId, childId);
    if (found?.ok) {
      const { submission } = found.value;
      // A claim of ours whose answer was lost is no one else's: our own mark means success (H15).
      const isOurs = submission?.executionId === tried && submission?.attempt === 1;
      return isOurs && submission !== undefined
        ? finishSession(run, found.value, submission)
        : joinSession(run, found.value);
    }
    if (statusOf(link.intent) === "closed") return fail({ kind: "link_closed" });
    if (quote === undefined) return fail({ kind: "quote_not_found", quoteId: request.quoteId });
    const planned = await planSession(run, files, link, { ...request, quote });
    // What a faster request of the same session has taken looks taken to this one: the session itself is to be told.
    if (!planned.ok && (await findSession(run.table, session)) !== undefined) continue;
    if (!planned.ok) return planned;
    const { child, submission, held } = planned.value;
    tried = submission.executionId;
    const claimed = await claim(run, child, submission, [
      takeSession(run.table, session, child.id),
      ...(held === undefined ? [] : [holdLink(run.table, held, child.id)]),
    ]);
    if (claimed !== undefined) return finishSession(run, claimed, submission);
    await returnUploads(run, tenantId, submission);
  }
  return fail({ kind: "busy", retryAfterSeconds: 1 });
}

/** Stores the payment, claimed from the start; undefined when quote, link or a document was taken meanwhile. */
async function claim(
  run: Run,
  child: PaymentIntent,
  submission: Submission,
  also: readonly Action[],
): Promise<PaymentIntent | undefined> {
  const { table, settings } = run;
  const { tenantId, id: intentId, createdAt: at, useCase, deliveryMode, amountMode } = child;
  const { executionId, work } = submission;
  const after = { ...child, submission };
  const { verdict, intent } = await changeIntent(table, {
    guard: { kind: "new" },
    after,
    timer: timerFor(after, settings, run.now()),
    shards: settings.timerShards,
    events: [
      { event: "paymentIntent.created", actor: PAYER, at, data: { useCase, deliveryMode, amountMode } },
      { event: "paymentIntent.terms_accepted", actor: PAYER, at },
      { event: "paymentIntent.submission_claimed", actor: PAYER, at, data: { executionId } },
    ],
    also: [
      ...reservedBy(submission).map((ref) => reserveDocument(table, tenantId, ref, executionId, run.now())),
      ...paymentIdsOf(work).map((paymentId) => takePaymentId(table, paymentId, { tenantId, intentId })),
      ...also,
    ],
  });
  return verdict.done ? intent : undefined;
}

async function finishSession(
  run: Run,
  child: PaymentIntent,
  submission: Submission,
): Promise<Result<PayerSession, Failure>> {
  const finished = await finishSubmission(run, child, submission);
  if (!finished.ok) return finished;
  const paid = await findIntent(run.table, child.tenantId, child.id);
  return paid.ok ? toSession(paid.value) : paid;
}

/** A payment that the rail refused has no session any more: its payer needs another quote. */
function toSession(child: PaymentIntent): Result<PayerSession, Failure> {
  const session = toPayerSession(child);
  return session === undefined ? fail({ kind: "wrong_status", status: child.status }) : ok(session);
}

/** Somebody has begun the session: who is at it is waited for, who died is replaced. */
async function joinSession(run: Run, found: PaymentIntent): Promise<Result<PayerSession, Failure>> {
  const { tenantId, id } = found;
  const deadlineMs = performance.now() + WAIT_MS;
  for (let child = found; ; ) {
    const { submission, status } = child;
    if (submission === undefined) return toSession(child);
    // Nothing that a payer sends again could help: an operator finds out (H1).
    if (status === "requires_recovery" && isForgotten(run, { intent: child, claimedAtMs: submission.claimedAtMs })) {
      return fail({ kind: "in_recovery", status });
    }
    const leftMs = submission.leaseUntilMs - run.now();
    if (leftMs <= 0) {
      const taken = await takeOverSession(run, child, submission);
      if (taken !== undefined) return taken;
    }
    if (performance.now() > deadlineMs) {
      const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
      return fail({ kind: "in_flight", status, retryAfterSeconds });
    }
    await pause(PAUSE_MS);
    const again = await findIntent(run.table, tenantId, id);
    if (!again.ok) return again;
    child = again.value;
  }
}

/** Goes on with a session that nobody is working on; undefined when somebody else was faster to do so. */
async function takeOverSession(
  run: Run,
  child: PaymentIntent,
  submission: Submission,
): Promise<Result<PayerSession, Failure> | undefined> {
  try {
    const taken = await takeOver(run, child, submission);
    return taken === undefined ? undefined : await finishSession(run, taken.intent, taken.submission);
  } catch (error) {
    // The attempt before may have paid: "busy, nothing was changed" would not be true.
    if (error instanceof StoreContended) return fail({ kind: "outcome_unknown" });
    throw error;
  }
}
