import { isTerminal } from "@intents/domain/intents/statuses.ts";
import type { CorrectedRecipient } from "@intents/domain/ledger/correcting.ts";
import { lateOutcome } from "@intents/domain/rails/late-outcome.ts";
import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { findLeg } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import {
  amendReconciliation,
  openReconciliation,
  type Reconciliation,
} from "@intents/storage/reviews/reconciliation.ts";
import type { IntentKey } from "@intents/storage/table/keys.ts";
import type { Run } from "../run.ts";

/**
 * An execution in a question to a rail; with `order`, of one recipient. `askedAtMs`, now by default, is the time of the
 * question: of two answers, the later question's counts.
 */
export type AskedAbout = IntentKey & Readonly<{ executionId: string; order?: number; askedAtMs?: number }>;

/**
 * Opens a record of an execution that a rail has accepted if its intent, or recipient of a batch, knows nothing of it. The
 * record keeps the recipients of the order, and what it earns by.
 */
export async function recordLateAcceptance(
  run: Run,
  about: AskedAbout,
  recipients: readonly CorrectedRecipient[] = [],
  earning?: Reconciliation["earning"],
): Promise<void> {
  const { tenantId, id: intentId, executionId, order } = about;
  const stands = order === undefined ? await findUnaware(run, about) : await findUnawareLeg(run, about, order);
  if (stands === undefined) return;
  const said = order === undefined ? "accepted" : `accepted: recipient ${order}`;
  const record = { tenantId, intentId, executionId, kind: "accepted_after_release", said, stands } as const;
  const nowMs = run.now();
  const kept = { ...(recipients.length > 0 && { recipients }), ...(earning !== undefined && { earning }) };
  await openReconciliation(run.table, { ...record, ...kept, openedAt: new Date(nowMs).toISOString() }, nowMs, run);
}

/**
 * Records the answer of a rail about what has ended here: where recipients' money went otherwise than it is stored, or
 * where that was recorded and the rail says something else now.
 */
export async function recordLateAnswer(run: Run, about: AskedAbout, answer: StatusAnswer): Promise<void> {
  const { tenantId, id: intentId, executionId, order, askedAtMs = run.now() } = about;
  const ended = order === undefined ? await findEnded(run, about) : await findEndedLeg(run, about, order);
  const outcome = ended && lateOutcome(ended.legs, answer);
  if (ended === undefined || outcome === undefined) return;
  const { said, isContrary } = outcome;
  const record = { tenantId, intentId, executionId, kind: "contradicts_outcome", said, stands: ended.status } as const;
  const write = isContrary ? openReconciliation : amendReconciliation;
  await write(run.table, { ...record, openedAt: new Date(askedAtMs).toISOString() }, run.now(), run);
}

/** The status of an intent that knows nothing of this execution. */
async function findUnaware({ table }: Run, { tenantId, id, executionId }: AskedAbout): Promise<string | undefined> {
  const found = await findIntent(table, tenantId, id);
  if (!found.ok) return undefined;
  const { status, submission, executions } = found.value;
  // The worker that holds the claim asks the rail the same question, and commits the same answer.
  const isKnown =
    submission?.executionId === executionId || executions.some((each) => each.executionId === executionId);
  return isKnown ? undefined : status;
}

async function findUnawareLeg({ table }: Run, about: AskedAbout, order: number): Promise<string | undefined> {
  const leg = await findLeg(table, about, order);
  if (leg === undefined) return undefined;
  const isOurs = leg.executionId === about.executionId;
  const isKnown = isOurs && (leg.status === "pending" || leg.railPaymentId !== undefined);
  return isKnown ? undefined : leg.status;
}

type Ended = Readonly<{ status: string; legs: Parameters<typeof lateOutcome>[0] }>;

async function findEnded({ table }: Run, { tenantId, id, executionId }: AskedAbout): Promise<Ended | undefined> {
  const found = await findIntent(table, tenantId, id);
  if (!found.ok || !isTerminal(found.value.status)) return undefined;
  const { status, executions } = found.value;
  const execution = executions.find((each) => each.executionId === executionId);
  return execution && { status, legs: execution.legs };
}

async function findEndedLeg({ table }: Run, about: AskedAbout, order: number): Promise<Ended | undefined> {
  const leg = await findLeg(table, about, order);
  const isOver = leg !== undefined && leg.status !== "pending" && leg.status !== "executing";
  return isOver ? { status: leg.status, legs: [leg] } : undefined;
}
