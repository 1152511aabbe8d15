import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { changesOf } from "@intents/domain/events/status-change.ts";
import type { Failure } from "@intents/domain/failure.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { type AuditEvent, auditActions } from "../audit/intents.ts";
import { eventActions } from "../events/events.ts";
import type { Count } from "../table/counters.ts";
import { type IntentKey, keysOf } from "../table/keys.ts";
import { findItems } from "../table/records.ts";
import { changeKey } from "../table/shared-keys.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import type { Action } from "../table/transact.ts";
import { divide, partActions, wholeItems } from "./parts.ts";

export async function findIntent(table: Table, tenantId: string, id: string): Promise<Result<PaymentIntent, Failure>> {
  const { Item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: keysOf(tenantId).intent(id), ConsistentRead: true }),
  );
  if (Item === undefined) return fail({ kind: "not_found", resource: "payment intent" });
  const [whole = Item] = await wholeItems(table, [Item]);
  return ok(fromDoc<PaymentIntent>(whole));
}

/** The intents with these keys, which must differ, in no order; a key without an intent is left out. */
export async function findIntents(table: Table, keys: readonly IntentKey[]): Promise<PaymentIntent[]> {
  const items = await findItems(
    table,
    keys.map(({ tenantId, id }) => keysOf(tenantId).intent(id)),
  );
  return (await wholeItems(table, items)).map((item) => fromDoc<PaymentIntent>(item));
}

/** The attributes of what an intent waits for: a timer, a watch, or nothing. */
type Waits = Readonly<Record<string, string | number>>;

/**
 * The writes of a changed intent, its audit entry and what callers are told of it, and the intent as it will be stored.
 * `before` is the intent as it was read, or undefined for a new one. The write labelled `intent` fails when the intent was
 * changed since, or when another worker has claimed it.
 */
export function intentActions<After extends PaymentIntent>(
  table: Table,
  before: PaymentIntent | undefined,
  after: After,
  events: readonly AuditEvent[],
  waits: (intent: After) => Waits,
): { intent: After; actions: Action[] } {
  const numbered = { ...after, version: (before?.version ?? 0) + 1 };
  const { actions: audit, head } = auditActions(table, numbered, events);
  const intent = head === undefined ? numbered : { ...numbered, auditHead: head };
  const Item = { ...toItem(intent), ...waits(intent) };
  const write = { Put: { TableName: table.name, Item, ...conditionOn(before) } };
  const { tenantId, id: about, version: step, externalId } = intent;
  const changed = { tenantId, about, atMs: Date.parse(intent.updatedAt), step, externalId };
  const changes = eventActions(table, changed, changesOf(before, intent));
  return {
    intent,
    actions: [{ label: "intent", write }, ...partActions(table, before, intent, Item), ...audit, ...changes],
  };
}

/** The condition for writing an intent: it is new, claimed by the writer, or unchanged since it was read (H4, H5). */
function conditionOn(before: PaymentIntent | undefined) {
  if (before === undefined) return { ConditionExpression: "attribute_not_exists(PK)" };
  const { submission, version, mayHaveMetadata } = before;
  if (submission === undefined) {
    // Metadata may have been noted down since, which changes no version: what does not know it begins anew.
    return {
      ConditionExpression: `version = :version AND attribute_${mayHaveMetadata ? "" : "not_"}exists(mayHaveMetadata)`,
      ExpressionAttributeValues: { ":version": version },
    };
  }
  const { executionId, attempt } = submission;
  return {
    ConditionExpression: "executionId = :executionId AND attempt = :attempt",
    ExpressionAttributeValues: { ":executionId": executionId, ":attempt": attempt },
  };
}

/** The condition that an intent is as it was read. */
export const sameIntent = ({ name: TableName }: Table, intent: PaymentIntent): Action => ({
  label: "intent",
  write: { ConditionCheck: { TableName, Key: keysOf(intent.tenantId).intent(intent.id), ...conditionOn(intent) } },
});

/** The item of an intent: its document as one string, and beside it the attributes that indexes and conditions need. */
export function toItem(intent: PaymentIntent) {
  const keys = keysOf(intent.tenantId);
  const parent = intent.createdFrom?.paymentIntentId;
  const { submission } = intent;
  const { rest, parts } = divide(intent);
  const list = keys.list("INTENT");
  const children = parent === undefined ? undefined : keys.children(parent);
  return {
    ...keys.intent(intent.id),
    listPK: list,
    listSK: intent.id,
    changeSK: changeKey(intent.updatedAt, intent.id),
    facetPK: keys.facet(list, intentCountKey(intent)),
    ...(children !== undefined && { ownerPK: children, ownerFacetPK: keys.facet(children, intentCountKey(intent)) }),
    ...(intent.externalId !== undefined && { externalPK: keys.ofExternalId("INTENT", intent.externalId) }),
    version: intent.version,
    ...(intent.mayHaveMetadata && { mayHaveMetadata: 1 }),
    ...(submission !== undefined && { executionId: submission.executionId, attempt: submission.attempt }),
    ...(parts !== undefined && { parts }),
    doc: toDoc(rest),
  };
}

/** The fields that lists of intents are counted by: each combination of their values has its own count key (H25). */
export const intentFacets = ["status", "useCase", "deliveryMode"] as const;
export const intentCountKey = (intent: PaymentIntent): string => intentFacets.map((facet) => intent[facet]).join("|");

/** The values that all intents under a count key share. */
export const fromCountKey = (countKey: string): object =>
  Object.fromEntries(countKey.split("|").map((value, index) => [intentFacets[index], value]));

export const INTENT_COUNTER = "INTENT";
export const childCounter = (parentId: string): string => `CHILDREN#${parentId}`;

/** The changes of counters that a change of an intent makes. */
export function countsOf(before: PaymentIntent | undefined, after: PaymentIntent): Count[] {
  const parent = after.createdFrom?.paymentIntentId;
  const keys = { ...(before !== undefined && { from: intentCountKey(before) }), to: intentCountKey(after) };
  const counts: Count[] = [{ counter: INTENT_COUNTER, ...keys }];
  return parent === undefined ? counts : [...counts, { counter: childCounter(parent), ...keys }];
}
