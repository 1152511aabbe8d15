import { reservedBy } from "@intents/domain/document-ref.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { giveUp } from "@intents/domain/intent-states.ts";
import { type PaymentIntent, reissuedBy, type Submission } from "@intents/domain/payment-intent.ts";
import { fail, type Result } from "@intents/domain/result.ts";
import { timerFor } from "@intents/domain/timer.ts";
import { releaseDocument } from "@intents/storage/documents.ts";
import { changeIntent } from "@intents/storage/intents.ts";
import { freeReissue } from "@intents/storage/reissues.ts";
import { KEY_LABEL, unbindKey } from "@intents/storage/submissions.ts";
import type { Action } from "@intents/storage/transact.ts";
import { returnUploads } from "./payer-uploads.ts";
import type { Run } from "./run.ts";

/**
 * Gives up a submission that the rail definitively did not take: claim and documents in one transaction, and only then
 * is the caller told. A draft stays one; what cannot be submitted again is cancelled.
 */
export async function release(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  failure: Extract<Failure, { kind: "duplicate_transaction" | "rail_refused" | "rail_unavailable" }>,
): Promise<Result<never, Failure>> {
  const { table, settings } = run;
  const { executionId, attempt, keyHash, actor, claimedAtMs } = submission;
  const { tenantId } = intent;
  const nowMs = run.now();
  const { submission: _claim, ...unclaimed } = intent;
  const after = giveUp(unclaimed, "recovery", nowMs);
  // Only a definitive duplicate frees the key for another request; every other key stays with this one (H7).
  const freed = failure.kind === "duplicate_transaction" && keyHash !== undefined;
  const write = (alsoKey: readonly Action[]) =>
    changeIntent(table, {
      guard: { kind: "claimed", before: intent, executionId, attempt },
      after,
      timer: timerFor(after, settings, nowMs),
      shards: settings.timerShards,
      events: [
        {
          event: "paymentIntent.submission_released",
          actor,
          at: after.updatedAt,
          data: { executionId, cause: failure.kind },
        },
      ],
      also: [
        ...reissuedBy(intent).map((id) => freeReissue(table, intent, id)),
        ...reservedBy(submission).map((ref) => releaseDocument(table, tenantId, ref, executionId)),
        ...alsoKey,
      ],
    });
  let { verdict } = await write(freed ? [unbindKey(table, tenantId, keyHash, claimedAtMs)] : []);
  // The key has come to belong to a later request, which keeps it.
  if (!verdict.done && verdict.failed.every((label) => label === KEY_LABEL)) ({ verdict } = await write([]));
  if (!verdict.done) return fail({ kind: "outcome_unknown" });
  await returnUploads(run, tenantId, submission);
  return fail(failure);
}
