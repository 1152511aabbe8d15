import type { Failure } from "@intents/domain/failure.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { dryRun, type Evaluation } from "@intents/domain/requirements/evaluate.ts";
import { ok, type Result } from "@intents/domain/result.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { inOneCall, type Run } from "../run.ts";
import { gatherFacts } from "../submit/facts.ts";
import { planWork } from "../submit/plan.ts";
import { type HashedPreview, hashPreview } from "../submit/preview.ts";

/** The judgement of an intent, and what a submit would pay if nothing is missing. */
export type Tried = Evaluation & Readonly<{ preview?: HashedPreview }>;

/** Judges a stored intent as submit would, by the records as the run reads them. Writes nothing. */
export async function tryIntent(
  run: Run,
  { tenantId, permissions }: Caller,
  id: string,
): Promise<Result<Tried, Failure>> {
  const found = await findIntent(run.table, tenantId, id);
  if (!found.ok) return found;
  const intent = found.value;
  const facts = await gatherFacts(inOneCall(run), intent, permissions);
  const evaluation = dryRun(intent, facts);
  const work = planWork(run, intent, facts, evaluation);
  return ok(work.ok ? { ...evaluation, preview: hashPreview(intent, work.value, facts) } : evaluation);
}
