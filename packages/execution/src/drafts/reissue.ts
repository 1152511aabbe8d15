import { cloneReissued } from "@intents/domain/intents/plan-draft.ts";
import { payableAgain } from "@intents/domain/money-state/reissuable.ts";
import { type IntentDraft, reissuedBy } from "@intents/domain/scenarios/draft.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { batching } from "@intents/storage/table/batching.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { readMoney } from "../submit/facts.ts";

/** A draft with the parts that it takes over from the intent that it pays again, if it names one of the tenant's. */
export async function withReissued(table: Table, tenantId: string, draft: IntentDraft): Promise<IntentDraft> {
  const [id] = reissuedBy(draft);
  if (id === undefined) return draft;
  const reads = batching(table);
  const [reissued, { corrections = [] }] = await Promise.all([
    findIntent(reads, tenantId, id),
    findReviewState(reads, { tenantId, id }),
  ]);
  if (!reissued.ok) return draft;
  return cloneReissued(draft, reissued.value, payableAgain(await readMoney(table, reissued.value, corrections)));
}
