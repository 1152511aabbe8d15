import type { Failure } from "@intents/domain/failure.ts";
import { type ClaimedIntent, inFlight, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { reissuedBy } from "@intents/domain/scenarios/draft.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { takeReissue } from "@intents/storage/intents/reissues.ts";
import { findAnswer, KEY_LIFETIME_MS } from "@intents/storage/intents/submissions.ts";
import { reviewGuard } from "@intents/storage/reviews/reviews.ts";
import type { Run, Submitted } from "../run.ts";
import { claim, goOn, isOwnClaim } from "./claim.ts";
import { finishSubmission } from "./finish.ts";
import { planSubmission, type SubmitTerms } from "./plan.ts";
import { publishLink } from "./publish.ts";

export type SubmitRequest = SubmitTerms &
  Readonly<{
    intentId: string;
    /** The intent, if it has just been read. */
    intent?: PaymentIntent;
  }>;

/** The tries of a submit. Each starts over because the intent was changed or a document was taken meanwhile. */
const TRIES_MAX = 4;

/**
 * Pays an intent: claim, execute, commit (DESIGN 5). After a crash between any two lines, a replay or the recovery
 * timer asks the rail for the same executionId again, so that money moves exactly once.
 */
export async function submitIntent(run: Run, request: SubmitRequest): Promise<Result<Submitted, Failure>> {
  let triedId: string | undefined;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const known = tries === 0 ? request.intent : undefined;
    const found = known ? ok(known) : await findIntent(run.table, request.caller.tenantId, request.intentId);
    if (!found.ok) return found;
    const intent = found.value;
    if (isClaimed(intent)) {
      return isOwnClaim(intent, triedId) ? finishSubmission(run, intent) : joinSubmission(run, intent, request);
    }
    if (intent.status !== "draft") return answerAgain(run, intent, request);

    const planned = await planSubmission(run, intent, request);
    // A faster submit may have reserved a document, which then looks missing to this one, and its quote may have
    // expired since. A refusal that binds the key must be about an intent that no other submit has changed meanwhile.
    if (!planned.ok && (await hasChanged(run, intent))) continue;
    if (!planned.ok) return planned;
    if (planned.value.kind === "publish") {
      const published = await publishLink(run, intent, planned.value, request);
      if (published !== undefined) return published;
      continue;
    }
    const { submission, unreviewed } = planned.value;
    triedId = submission.executionId;
    // A claim changes nothing that a caller sees.
    const after = { ...intent, submission };
    const also = [
      ...reissuedBy(intent).map((id) => takeReissue(run.table, intent, id)),
      ...unreviewed.map(({ id, corrections }) =>
        reviewGuard(run.table, { tenantId: intent.tenantId, id }, corrections),
      ),
    ];
    const claimed = await claim(run, intent, after, { also });
    if (claimed !== undefined) return finishSubmission(run, claimed);
  }
  return fail({ kind: "busy", retryAfterSeconds: 1 });
}

async function hasChanged(run: Run, intent: PaymentIntent): Promise<boolean> {
  const now = await findIntent(run.table, intent.tenantId, intent.id);
  return now.ok && now.value.version !== intent.version;
}

/**
 * Joins a submit that has claimed the intent already. Only the same key may go on with it, and only after the lease has
 * ended.
 */
async function joinSubmission(
  run: Run,
  claimed: ClaimedIntent,
  { keyHash }: SubmitRequest,
): Promise<Result<Submitted, Failure>> {
  const { status, submission } = claimed;
  const ours = keyHash !== undefined && keyHash === submission.keyHash;
  if (status === "requires_recovery" && !ours) return fail({ kind: "in_recovery", status });
  const finished = ours ? await goOn(run, claimed) : undefined;
  return finished ?? fail(inFlight(claimed, run.now(), run.settings.leaseMs));
}

/**
 * Answers for an intent that was submitted before: the key that did so gets its answer again, within 24 hours (H6, H8).
 */
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
