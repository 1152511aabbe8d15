import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { type IntentStatus, isTerminal } from "@intents/domain/intents/statuses.ts";
import { findLeg } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { openReconciliation, type Reconciliation } from "@intents/storage/intents/reconciliation.ts";
import type { IntentKey } from "@intents/storage/table/keys.ts";
import type { Run } from "../run.ts";

/** An answer of a rail about an execution whose intent, or recipient of a batch, had changed before it was stored. */
export type LateWord = Readonly<{
  executionId: string;
  said: "accepted" | "cleared" | IntentStatus | `${IntentStatus}: ${string}`;
}>;

type Contradiction = Pick<Reconciliation, "kind"> & Readonly<{ stands: string }>;

/** Opens a reconciliation record if a late answer contradicts the stored state; otherwise it is stored already. */
export async function recordLateWord(run: Run, intent: IntentKey, word: LateWord): Promise<void> {
  const found = await findIntent(run.table, intent.tenantId, intent.id);
  const contradiction = found.ok ? contradictionOf(found.value, word) : undefined;
  if (contradiction !== undefined) await record(run, intent, word, contradiction);
}

/** The same for one recipient of a batch. */
export async function recordLateWordOfLeg(run: Run, intent: IntentKey, order: number, word: LateWord): Promise<void> {
  const leg = await findLeg(run.table, intent, order);
  const contradiction = leg === undefined ? undefined : contradictionOfLeg(leg, word);
  if (contradiction !== undefined) await record(run, intent, word, contradiction);
}

function record({ table, now }: Run, { tenantId, id }: IntentKey, word: LateWord, contradiction: Contradiction) {
  const openedAt = new Date(now()).toISOString();
  return openReconciliation(table, { tenantId, intentId: id, ...word, ...contradiction, openedAt });
}

function contradictionOf(intent: PaymentIntent, { executionId, said }: LateWord): Contradiction | undefined {
  const { status: stands, submission, executions } = intent;
  if (said === "accepted") {
    // The worker that holds the claim asks the rail the same question, and commits the same answer.
    const isKnown =
      submission?.executionId === executionId || executions.some((each) => each.executionId === executionId);
    return isKnown ? undefined : { kind: "accepted_after_release", stands };
  }
  return isTerminal(stands) && said !== stands ? { kind: "contradicts_outcome", stands } : undefined;
}

function contradictionOfLeg(leg: BatchLeg, { executionId, said }: LateWord): Contradiction | undefined {
  const { status: stands, railPaymentId } = leg;
  const isPending = stands === "pending" && leg.executionId === executionId;
  if (said === "accepted") {
    const isKnown = isPending || (railPaymentId !== undefined && leg.executionId === executionId);
    return isKnown ? undefined : { kind: "accepted_after_release", stands };
  }
  const isOver = stands !== "pending" && stands !== "executing";
  return isOver && said !== stands ? { kind: "contradicts_outcome", stands } : undefined;
}
