import { toBatchAnswer } from "@intents/domain/answers/batch-answer.ts";
import { toIntentAnswer } from "@intents/domain/answers/intent-answer.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { isSingleUse } from "@intents/domain/links/payment-link.ts";
import type { Metadata } from "@intents/domain/metadata.ts";
import { ok, type Result } from "@intents/domain/result.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findMetadata } from "@intents/storage/intents/metadata.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import type { IntentKey } from "@intents/storage/table/keys.ts";
import { findHold } from "../payer-sessions/hold.ts";
import { inOneCall, type Run } from "../run.ts";

/** Reads an intent with all that its tenant is told of it; `tell` gives the answer, with the metadata that it is given. */
export async function readAnswer(run: Run, about: IntentKey) {
  const { table } = run;
  const reads = inOneCall(run).table;
  const [found, extras, metadata] = await Promise.all([
    findIntent(reads, about.tenantId, about.id),
    findReviewState(reads, about),
    findMetadata(reads, about),
  ]);
  if (!found.ok) return found;
  const intent = found.value;
  const hold = isSingleUse(intent) ? await findHold(run, intent) : {};
  const legs = intent.bulkProgress === undefined ? undefined : await listLegs(table, intent);
  const answerWith = (metadata: Metadata | undefined) =>
    legs === undefined
      ? { ...toIntentAnswer(intent, { ...extras, metadata: metadata }), ...hold }
      : toBatchAnswer(intent, legs, { ...extras, metadata: metadata });
  return ok({ intent, metadata, tell: answerWith }) satisfies Result<object, Failure>;
}
