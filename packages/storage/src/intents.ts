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
  const { guard, also = [] } = change;
  const before = guard.kind === "new" ? undefined : guard.before;
  const { intent, actions } = intentActions(table, change);
  const verdict = await transact(table, () => [
    ...actions,
    timerAction(table, change.shards, intent, change.timer),
    ...countActions(intent.tenantId, countsOf(before, intent), table),
    ...also,
  ]);
  return { verdict, intent };
}

/**
 * The writes of an intent and its audit entries. By themselves they are for an intent that waits for nothing and is
 * counted as before, in the transaction that changes another one.
 */
export function intentActions(
  table: Table,
  { guard, after, events }: Pick<IntentChange, "guard" | "after" | "events">,
): { intent: PaymentIntent; actions: Action[] } {
  const version = guard.kind === "new" ? 1 : guard.before.version + 1;
  const numbered = { ...after, version };
  const { actions: audit, head } = auditActions(table, numbered, events);
  const intent: PaymentIntent = head === undefined ? numbered : { ...numbered, auditHead: head };
  const write = { Put: { TableName: table.name, Item: toItem(intent), ...condition(guard) } };
  return { intent, actions: [{ label: "intent", write }, ...audit] };
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
export function toItem(intent: PaymentIntent) {
  const keys = keysOf(intent.tenantId);
  const parent = intent.createdFrom?.paymentIntentId;
  const { submission } = intent;
  const list = keys.list("INTENT");
  const children = parent === undefined ? undefined : keys.children(parent);
  return {
    ...keys.intent(intent.id),
    listPK: list,
    listSK: intent.id,
    facetPK: keys.facet(list, intentCountKey(intent)),
    ...(children !== undefined && {
      ownerPK: children,
      ownerFacetPK: keys.facet(children, intentCountKey(intent)),
    }),
    version: intent.version,
    status: intent.status,
    useCase: intent.useCase,
    deliveryMode: intent.deliveryMode,
    amountMode: intent.amountMode,
    ...(submission !== undefined && { executionId: submission.executionId, attempt: submission.attempt }),
    doc: toDoc(intent),
  };
}

/** What lists of intents are counted by: one key for each combination of these (H25). */
export const intentFacets = ["status", "useCase", "deliveryMode"] as const;
export const intentCountKey = (intent: PaymentIntent): string => intentFacets.map((facet) => intent[facet]).join("|");

/** What the intents under a count key have in common. */
export const fromCountKey = (countKey: string): object =>
  Object.fromEntries(countKey.split("|").map((value, index) => [intentFacets[index], value]));

export const INTENT_COUNTER = "INTENT";
export const childCounter = (parentId: string): string => `CHILDREN#${parentId}`;

/** What a change of an intent counts. */
export function countsOf(before: PaymentIntent | undefined, after: PaymentIntent): Count[] {
  const parent = after.createdFrom?.paymentIntentId;
  const keys = { ...(before !== undefined && { from: intentCountKey(before) }), to: intentCountKey(after) };
  const counts: Count[] = [{ counter: INTENT_COUNTER, ...keys }];
  return parent === undefined ? counts : [...counts, { counter: childCounter(parent), ...keys }];
}
