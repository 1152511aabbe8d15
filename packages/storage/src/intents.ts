import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Failure } from "@intents/domain/failure.ts";
import type { PaymentIntent } from "@intents/domain/payment-intent.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { Timer } from "@intents/domain/timer.ts";
import { type AuditEvent, auditActions } from "./audit.ts";
import { type Count, countActions } from "./counters.ts";
import { keysOf } from "./keys.ts";
import { fromDoc, type Table, toDoc } from "./table.ts";
import { timerAction } from "./timers.ts";
import { type Action, transact, type Verdict } from "./transact.ts";

export async function findIntent(table: Table, tenantId: string, id: string): Promise<Result<PaymentIntent, Failure>> {
  const { Item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: keysOf(tenantId).intent(id), ConsistentRead: true }),
  );
  return Item === undefined
    ? fail({ kind: "not_found", resource: "payment intent" })
    : ok(fromDoc<PaymentIntent>(Item));
}

/** What must still hold when an intent is written: it is new, unchanged since it was read, or claimed by us (H4, H5). */
export type Guard =
  | Readonly<{ kind: "new" }>
  | Readonly<{ kind: "unchanged"; before: PaymentIntent }>
  | Readonly<{ kind: "claimed"; before: PaymentIntent; executionId: string; attempt: number }>;

/** Everything that one change of an intent writes, all of it or nothing. */
export type IntentChange = Readonly<{
  guard: Guard;
  after: PaymentIntent;
  timer: Timer | undefined;
  shards: number;
  events: readonly AuditEvent[];
  /** Writes of other records that belong to this change: documents, the stored answer. */
  also?: readonly Action[];
}>;

/**
 * Writes a change of an intent with its timer, audit entries and counters in one transaction, and gives the intent as
 * stored. A verdict labelled `intent` means that the guard did not hold.
 */
export async function changeIntent(
  table: Table,
  change: IntentChange,
): Promise<{ verdict: Verdict; intent: PaymentIntent }> {
  const { guard, events, also = [] } = change;
  const before = guard.kind === "new" ? undefined : guard.before;
  const numbered = { ...change.after, version: (before?.version ?? 0) + 1 };
  const { actions: audit, head } = auditActions(table, numbered, events);
  const intent: PaymentIntent = head === undefined ? numbered : { ...numbered, auditHead: head };
  const { tenantId } = intent;
  const verdict = await transact(table, () => [
    { label: "intent", write: { Put: { TableName: table.name, Item: toItem(intent), ...condition(guard) } } },
    timerAction(table, change.shards, intent, change.timer),
    ...audit,
    ...countActions(tenantId, countsOf(before, intent), table),
    ...also,
  ]);
  return { verdict, intent };
}

function condition(guard: Guard) {
  switch (guard.kind) {
    case "new":
      return { ConditionExpression: "attribute_not_exists(PK)" };
    case "unchanged":
      return {
        ConditionExpression: "version = :version",
        ExpressionAttributeValues: { ":version": guard.before.version },
      };
    case "claimed":
      return {
        ConditionExpression: "executionId = :executionId AND attempt = :attempt",
        ExpressionAttributeValues: { ":executionId": guard.executionId, ":attempt": guard.attempt },
      };
  }
}

/** The item: the document as one string, and beside it what conditions and filters look at. */
function toItem(intent: PaymentIntent) {
  const keys = keysOf(intent.tenantId);
  const parent = intent.createdFrom?.paymentIntentId;
  const { submission } = intent;
  return {
    ...keys.intent(intent.id),
    listPK: keys.list("INTENT"),
    listSK: intent.id,
    ...(parent !== undefined && { ownerPK: keys.children(parent) }),
    version: intent.version,
    status: intent.status,
    useCase: intent.useCase,
    deliveryMode: intent.deliveryMode,
    amountMode: intent.amountMode,
    ...(submission !== undefined && { executionId: submission.executionId, attempt: submission.attempt }),
    doc: toDoc(intent),
  };
}

/** What lists of intents are counted by: one key per status, use case and delivery mode (H25). */
export const intentCountKey = ({ status, useCase, deliveryMode }: PaymentIntent): string =>
  [status, useCase, deliveryMode].join("|");

export const INTENT_COUNTER = "INTENT";
export const childCounter = (parentId: string): string => `CHILDREN#${parentId}`;

function countsOf(before: PaymentIntent | undefined, after: PaymentIntent): Count[] {
  const parent = after.createdFrom?.paymentIntentId;
  const keys = { ...(before !== undefined && { from: intentCountKey(before) }), to: intentCountKey(after) };
  const counts: Count[] = [{ counter: INTENT_COUNTER, ...keys }];
  return parent === undefined ? counts : [...counts, { counter: childCounter(parent), ...keys }];
}
