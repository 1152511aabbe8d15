import type { Caller } from "@intents/domain/caller.ts";
import { reservedBy } from "@intents/domain/document-ref.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { type PaymentIntent, paymentIdsOf, reissuedBy, type Submission } from "@intents/domain/payment-intent.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { timerFor } from "@intents/domain/timer.ts";
import { reserveDocument } from "@intents/storage/documents.ts";
import { changeIntent, findIntent } from "@intents/storage/intents.ts";
import { takeReissue } from "@intents/storage/reissues.ts";
import { findAnswer, KEY_LIFETIME_MS, takePaymentId } from "@intents/storage/submissions.ts";
import { StoreContended } from "@intents/storage/transact.ts";
import { isForgotten } from "./ask-rail.ts";
import { finishSubmission } from "./finish.ts";
import { planSubmission } from "./plan.ts";
import { takeOver } from "./postpone.ts";
import { publishLink } from "./publish.ts";
import type { Run, Submitted } from "./run.ts";

export type SubmitRequest = Readonly<{ caller: Caller; intentId: string; keyHash?: string }>;

/** How often a submit starts over because somebody else changed the intent or took a document meanwhile. */
const TRIES_MAX = 4;

/**
 * Pays an intent: claim, execute, commit (DESIGN 5). Whatever happens between any two lines, the same executionId is
 * asked of the rail again by a replay or by the recovery timer, so that money moves exactly once.
 */
export async function submitIntent(run: Run, request: SubmitRequest): Promise<Result<Submitted, Failure>> {
  let tried: string | undefined;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const found = await findIntent(run.table, request.caller.tenantId, request.intentId);
    if (!found.ok) return found;
    const intent = found.value;
    const { submission } = intent;
    // A claim of ours whose answer was lost is no one else's: our own mark means success (H15).
    const isOurs = submission?.executionId === tried && submission?.attempt === 1;
    if (submission !== undefined && isOurs) return finishSubmission(run, intent, submission);
    if (submission !== undefined) return joinSubmission(run, intent, submission, request);
    if (intent.status !== "draft") return answerAgain(run, intent, request);

    const planned = await planSubmission(run, intent, request.caller, request.keyHash);
    // What a faster submit has reserved looks missing to this one, and its quote may have expired since: a refusal that
    // binds the key must be of an intent that nobody has submitted meanwhile.
    if (!planned.ok && (await hasChanged(run, intent))) continue;
    if (!planned.ok) return planned;
    if (planned.value === "publish") {
      const published = await publishLink(run, intent, request.caller, request.keyHash);
      if (published !== undefined) return published;
      continue;
    }
    tried = planned.value.executionId;
    const claimed = await claim(run, intent, planned.value);
    if (claimed !== undefined) return finishSubmission(run, claimed, planned.value);
  }
  return fail({ kind: "busy", retryAfterSeconds: 1 });
}

async function hasChanged(run: Run, intent: PaymentIntent): Promise<boolean> {
  const now = await findIntent(run.table, intent.tenantId, intent.id);
  return now.ok && now.value.version !== intent.version;
}

/** Makes the submission the only one that may pay this intent; undefined when something changed since it was planned. */
async function claim(run: Run, intent: PaymentIntent, submission: Submission): Promise<PaymentIntent | undefined> {
  const { table, settings } = run;
  const { executionId, work, actor } = submission;
  const { tenantId, id: intentId } = intent;
  const nowMs = run.now();
  const after = { ...intent, submission, updatedAt: new Date(nowMs).toISOString() };
  const { verdict, intent: claimed } = await changeIntent(table, {
    guard: { kind: "unchanged", before: intent },
    after,
    timer: timerFor(after, settings, nowMs),
    shards: settings.timerShards,
    events: [{ event: "paymentIntent.submission_claimed", actor, at: after.updatedAt, data: { executionId } }],
    also: [
      ...reservedBy(submission).map((ref) => reserveDocument(table, tenantId, ref, executionId, nowMs)),
      ...reissuedBy(intent).map((id) => takeReissue(table, intent, id)),
      ...paymentIdsOf(work).map((paymentId) => takePaymentId(table, paymentId, { tenantId, intentId })),
    ],
  });
  return verdict.done ? claimed : undefined;
}

/** Somebody has claimed the intent already. Only the same key may go on with it, and only once the lease has ended. */
async function joinSubmission(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  { keyHash }: SubmitRequest,
): Promise<Result<Submitted, Failure>> {
  const leftMs = submission.leaseUntilMs - run.now();
  const ours = keyHash !== undefined && keyHash === submission.keyHash;
  const { status } = intent;
  // Nothing that a caller sends again could help: a person asks the rail.
  const isLost = status === "requires_recovery" && isForgotten(run, { intent, claimedAtMs: submission.claimedAtMs });
  if (isLost || (status === "requires_recovery" && !ours)) return fail({ kind: "in_recovery", status });
  try {
    const taken = ours && leftMs <= 0 ? await takeOver(run, intent, submission) : undefined;
    if (taken !== undefined) return await finishSubmission(run, taken.intent, taken.submission);
  } catch (error) {
    // The attempt before may have paid: "busy, nothing was changed" would not be true.
    if (error instanceof StoreContended) return fail({ kind: "outcome_unknown" });
    throw error;
  }
  return fail({
    kind: "in_flight",
    status,
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  });
}

/** The intent was submitted before: the key that did it gets its answer again, within 24 hours (H6, H8). */
async function answerAgain(
  run: Run,
  intent: PaymentIntent,
  { caller, keyHash }: SubmitRequest,
): Promise<Result<Submitted, Failure>> {
  const answer = keyHash === undefined ? undefined : await findAnswer(run.table, caller.tenantId, intent.id);
  const fresh = answer !== undefined && run.now() - answer.claimedAtMs < KEY_LIFETIME_MS;
  if (fresh && answer.keyHash === keyHash) return ok({ body: answer.body, replayed: true });
  return fail({ kind: "wrong_status", status: intent.status });
}
