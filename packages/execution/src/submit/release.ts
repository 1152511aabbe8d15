import type { Failure } from "@intents/domain/failure.ts";
import { submitterOf } from "@intents/domain/intents/audit-event.ts";
import type { ClaimedIntent, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { giveUp } from "@intents/domain/intents/states.ts";
import { reservedBy } from "@intents/domain/parties/document-ref.ts";
import { fail, type Result } from "@intents/domain/result.ts";
import { reissuedBy } from "@intents/domain/scenarios/draft.ts";
import { freeReissue } from "@intents/storage/intents/reissues.ts";
import { unbindKey } from "@intents/storage/intents/submissions.ts";
import { releaseDocument } from "@intents/storage/parties/documents.ts";
import type { Action } from "@intents/storage/table/transact.ts";
import { change } from "../change.ts";
import { returnUploads } from "../documents/payer-uploads.ts";
import { endOfLinkPayment } from "../links/end.ts";
import type { Run } from "../run.ts";
import { withKey } from "./key.ts";

/**
 * Gives up a submission that the rail definitively did not take: one transaction ends the claim and frees the
 * documents, and only then is the caller told. A draft stays a draft; an intent that cannot be submitted again is
 * cancelled.
 */
export async function release(
  run: Run,
  claimed: ClaimedIntent,
  failure: Extract<Failure, { kind: "duplicate_transaction" | "rail_refused" | "rail_unavailable" }>,
): Promise<Result<never, Failure>> {
  const { table } = run;
  const { submission, ...unclaimed } = claimed;
  const { executionId, keyHash, claimedAtMs } = submission;
  const { tenantId } = claimed;
  const given = giveUp(unclaimed, "recovery", run.now());
  // Metadata that came during the claim could not tell the draft.
  const after: PaymentIntent = given.status === "draft" ? { ...given, mayHaveMetadata: true } : given;
  const data = { executionId, refusal: failure.kind };
  const event = { name: "submission_released", actor: submitterOf(claimed), data } as const;
  const linkActions = await endOfLinkPayment(run, after);
  const write = (alsoKey: readonly Action[]) =>
    change<PaymentIntent>(run, { before: claimed, after, events: [event] }, [
      ...reissuedBy(claimed).map((id) => freeReissue(table, claimed, id)),
      ...reservedBy(submission).map((ref) => releaseDocument(table, tenantId, ref, executionId)),
      ...linkActions,
      ...alsoKey,
    ]);
  // Only a definitive duplicate frees the key for another request; after every other refusal it stays bound to this one
  // (H7).
  const freed = failure.kind === "duplicate_transaction" && keyHash !== undefined;
  const { changed } = await withKey(freed ? [unbindKey(table, tenantId, keyHash, claimedAtMs)] : [], write);
  if (!changed.done) return fail({ kind: "outcome_unknown" });
  await returnUploads(run, tenantId, submission);
  return fail(failure);
}
