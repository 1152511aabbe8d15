import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { type DisabledReason, disabled, type WebhookEndpoint } from "@intents/domain/webhooks/endpoint.ts";
import type { EndpointHealth } from "@intents/domain/webhooks/endpoint-health.ts";
import { type OperatorChange, operatorAudit } from "../audit/operators.ts";
import type { After } from "../events/cursor.ts";
import { eventActions } from "../events/events.ts";
import { keysOf } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { findRecord, listPartition, newRecord, replacedRecord } from "../table/records.ts";
import { webhookRegisterKey } from "../table/shared-keys.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { type Action, transact } from "../table/transact.ts";
import { addedSecret, deletedSecret, type EndpointKey, rotatedSecret } from "./secrets.ts";

/** How far an endpoint has come in its tenant's feed, and how it takes what it is sent. */
export type Progress = Readonly<{
  /** Everything before this place is delivered, given up, or waits on a record of its own. */
  cursor: After;
  standing: EndpointHealth;
  /** Waiting deliveries of events before this place are given up, as their tenant asked. */
  skipped?: After;
  /** The running replay. */
  replay?: Replay;
  /** Until then one worker alone delivers to the endpoint. */
  leasedUntilMs?: number;
  /** The moment of the last change, so that no two are alike. */
  atMs: number;
}>;

/** Events sent again, after new ones: of those before `until`, events up to `after` are done. */
export type Replay = Readonly<{ from: string; until: string; after: After }>;

/** An endpoint beside its progress. */
export type Followed = Readonly<{ endpoint: WebhookEndpoint; progress: Progress }>;

/** All endpoints of a tenant, oldest first, each with its progress. */
export async function listEndpoints(table: Table, tenantId: string): Promise<Followed[]> {
  const items = await listPartition(table, keysOf(tenantId).webhook("").PK);
  const byKey = new Map(items.map((item) => [String(item["SK"]), item]));
  return items.flatMap((item) => {
    const progress = byKey.get(`${item["SK"]}#PROGRESS`);
    if (progress === undefined) return [];
    return { endpoint: fromDoc<WebhookEndpoint>(item), progress: fromDoc<Progress>(progress) };
  });
}

export const findEndpoint = (table: Table, { tenantId, id }: EndpointKey) =>
  findRecord<WebhookEndpoint>(table, keysOf(tenantId).webhook(id));

export const findProgress = (table: Table, { tenantId, id }: EndpointKey) =>
  findRecord<Progress>(table, keysOf(tenantId).webhookProgress(id));

/** The tenants that have endpoints. */
export async function listHookedTenants(table: Table): Promise<string[]> {
  const tenants = new Set<string>();
  const query = {
    KeyConditionExpression: "PK = :pk",
    ExpressionAttributeValues: { ":pk": webhookRegisterKey("", "").PK },
    ProjectionExpression: "SK",
  };
  for await (const { Items = [] } of queryPages(table, query))
    for (const { SK } of Items) tenants.add(String(SK).split("#")[0] ?? "");
  return [...tenants];
}

/**
 * Stores a new endpoint with its secret; its first event is the next one from `progress` on. False when another endpoint
 * has taken its slot.
 */
export async function addEndpoint(
  table: Table,
  tenantId: string,
  { endpoint, progress, secret }: Followed & Readonly<{ secret: string }>,
  change: OperatorChange,
): Promise<boolean> {
  const { id, slot = id } = endpoint;
  const keys = keysOf(tenantId);
  const verdict = await transact(table, () => [
    { label: "endpoint", write: { Put: newRecord(table, keys.webhook(id), endpoint) } },
    { label: "progress", write: { Put: newRecord(table, keys.webhookProgress(id), progress) } },
    { label: "register", write: { Put: newRecord(table, webhookRegisterKey(tenantId, slot), {}) } },
    addedSecret(table, { tenantId, id }, secret),
    operatorAudit(table, tenantId, change),
  ]);
  return verdict.done;
}

/** Replaces an endpoint as it was read, and its progress if it is to go on elsewhere; false when either has changed. */
export async function replaceEndpoint(
  table: Table,
  tenantId: string,
  [before, after]: readonly [WebhookEndpoint, WebhookEndpoint],
  progress: readonly [Progress, Progress] | undefined,
  change: OperatorChange,
): Promise<boolean> {
  const { id } = before;
  const keys = keysOf(tenantId);
  const progressed: Action[] =
    progress === undefined
      ? []
      : [{ label: "progress", write: { Put: replacedRecord(table, keys.webhookProgress(id), ...progress) } }];
  const verdict = await transact(table, () => [
    { label: "endpoint", write: { Put: replacedRecord(table, keys.webhook(id), before, after) } },
    ...progressed,
    operatorAudit(table, tenantId, change),
  ]);
  return verdict.done;
}

/** Deletes an endpoint with its secret; its deliveries stay as long as they would. */
export async function deleteEndpoint(
  table: Table,
  key: EndpointKey & Pick<WebhookEndpoint, "slot">,
  change: OperatorChange,
): Promise<void> {
  const { tenantId, id, slot = id } = key;
  const keys = keysOf(tenantId);
  const gone = [keys.webhook(id), keys.webhookProgress(id), webhookRegisterKey(tenantId, slot)];
  await transact(table, () => [
    // Its slot may be another's by the time that a second deletion comes.
    ...gone.map((Key, index): Action => {
      const there = index === 0 && { ConditionExpression: "attribute_exists(PK)" };
      return { label: "endpoint", write: { Delete: { TableName: table.name, Key, ...there } } };
    }),
    deletedSecret(table, key),
    operatorAudit(table, tenantId, change),
  ]);
}

/** Gives an endpoint a new secret beside the present one; false when it has gone. */
export async function replaceSecret(
  table: Table,
  key: EndpointKey,
  secret: Readonly<{ secret: string; formerUntilMs: number }>,
  change: OperatorChange,
): Promise<boolean> {
  const verdict = await transact(table, () => [
    rotatedSecret(table, key, secret),
    operatorAudit(table, key.tenantId, change),
  ]);
  return verdict.done;
}

/** Disables an endpoint by itself, and tells its tenant by an event. One that has changed meanwhile is left as it is. */
export async function disableEndpoint(
  table: Table,
  tenantId: string,
  before: WebhookEndpoint,
  reason: Exclude<DisabledReason, "asked">,
  nowMs: number,
): Promise<void> {
  const { id } = before;
  const after = disabled(before, reason, nowMs);
  const changed = { tenantId, about: id, atMs: nowMs, step: after.changes };
  await transact(table, () => [
    { label: "endpoint", write: { Put: replacedRecord(table, keysOf(tenantId).webhook(id), before, after) } },
    ...eventActions(table, changed, [{ of: "webhookEndpoint", id, status: "disabled" }]),
  ]);
}

/** Replaces the progress as it was read; false when another has, or when it is to be looked at again (`nudged`). */
export async function replaceProgress(
  table: Table,
  { tenantId, id }: EndpointKey,
  [before, after]: readonly [Progress, Progress],
  { isLast }: Readonly<{ isLast: boolean }>,
): Promise<boolean> {
  const { ConditionExpression, ...put } = replacedRecord(table, keysOf(tenantId).webhookProgress(id), before, after);
  const unseen = isLast ? " AND attribute_not_exists(nudged)" : "";
  return holds(() => table.db.send(new PutCommand({ ...put, ConditionExpression: ConditionExpression + unseen })));
}

/** Asks whoever delivers to the endpoint to look once more before it ends. */
export async function nudgeWorker(table: Table, { tenantId, id }: EndpointKey): Promise<void> {
  await holds(() =>
    table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keysOf(tenantId).webhookProgress(id),
        UpdateExpression: "SET nudged = :true",
        ConditionExpression: "attribute_exists(PK)",
        ExpressionAttributeValues: { ":true": true },
      }),
    ),
  );
}

async function holds(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
