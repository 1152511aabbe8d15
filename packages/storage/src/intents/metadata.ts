import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { hasMetadata, type Metadata } from "@intents/domain/metadata.ts";
import { parseTimerKey } from "../table/key-owners.ts";
import { type IntentKey, type Key, keysOf } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { fetchItems, findRecord, newRecord, replacedRecord } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import type { Action } from "../table/transact.ts";
import { divide } from "./parts.ts";

// The metadata of an intent stands beside it, because a change of the intent during a claim would be lost, or would fail
// the commit after the rail has accepted.

const keyOf = ({ tenantId, id }: IntentKey): Key => keysOf(tenantId).intentMetadata(id);

/** The metadata of an intent, read strongly; undefined where there is none. */
export const findMetadata = (table: Table, about: IntentKey): Promise<Metadata | undefined> =>
  findRecord<Metadata>(table, keyOf(about));

/** The same of a draft, which knows whether it may have some: one without costs no read. */
export const findDraftMetadata = async (table: Table, draft: PaymentIntent): Promise<Metadata | undefined> =>
  draft.mayHaveMetadata === true ? findMetadata(table, draft) : undefined;

/** A page asks for so many records of metadata for each of its intents; those of others may lie between. */
const ASKED_FOR_EACH = 2;

/**
 * The metadata of intents with these keys, by their partitions, as it was a moment ago. All of a tenant's lie in one partition,
 * by id: of intents that have none, one look at their range costs what a single record costs. Those that lie behind too
 * many others are read one by one.
 */
export async function readMetadata(table: Table, keys: readonly Key[]): Promise<ReadonlyMap<string, Metadata>> {
  const found = new Map<string, Metadata>();
  const owners = [...new Set(keys.map(({ PK }) => PK))].flatMap((PK) => parseTimerKey(PK) ?? []);
  const intents = owners.filter(({ owner }) => owner === undefined);
  for (const [tenantId, own] of Map.groupBy(intents, (intent) => intent.tenantId)) {
    const ids = own.map(({ id }) => id).toSorted();
    for (const item of await readRange(table, tenantId, ids))
      found.set(keysOf(tenantId).intent(String(item["SK"])).PK, fromDoc<Metadata>(item));
  }
  return found;
}

async function readRange(table: Table, tenantId: string, ids: readonly string[]): Promise<Record<string, unknown>[]> {
  const [from = "", to = ""] = [ids[0], ids.at(-1)];
  const pages = queryPages(table, {
    KeyConditionExpression: "PK = :pk AND SK BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).intentMetadata("").PK, ":from": from, ":to": to },
    Limit: ASKED_FOR_EACH * ids.length,
  });
  for await (const { Items = [], LastEvaluatedKey: last } of pages) {
    const left = last === undefined ? [] : ids.filter((id) => id > String(last["SK"]));
    const keys = left.map((id) => keysOf(tenantId).intentMetadata(id));
    const others = keys.length === 0 ? [] : await fetchItems(table, keys, { isStrong: false });
    const asked = new Set(ids);
    return [...Items, ...others].filter((item) => item !== undefined).filter(({ SK }) => asked.has(String(SK)));
  }
  return [];
}

/** The write of new metadata, which must still be as it was read; without any there is no record. */
export function metadataAction(
  table: Table,
  about: IntentKey,
  before: Metadata | undefined,
  after: Metadata | undefined,
): Action[] {
  const key = keysOf(about.tenantId).intentMetadata(about.id);
  if (before === undefined) return addedMetadata(table, about, after);
  if (hasMetadata(after)) return [{ label: METADATA_LABEL, write: { Put: replacedRecord(table, key, before, after) } }];
  const unchanged = { ConditionExpression: "doc = :before", ExpressionAttributeValues: { ":before": toDoc(before) } };
  return [{ label: METADATA_LABEL, write: { Delete: { TableName: table.name, Key: key, ...unchanged } } }];
}

/** The write of the first metadata of an intent; without any there is no record. */
export const addedMetadata = (table: Table, { tenantId, id }: IntentKey, metadata: Metadata | undefined): Action[] =>
  hasMetadata(metadata)
    ? [{ label: METADATA_LABEL, write: { Put: newRecord(table, keysOf(tenantId).intentMetadata(id), metadata) } }]
    : [];

/** The label of writes of metadata. */
const METADATA_LABEL = "metadata";

/** The write by which an intent has no metadata any more, whatever it was. */
export const forgetMetadata = (table: Table, about: IntentKey): Action => ({
  label: METADATA_LABEL,
  write: { Delete: { TableName: table.name, Key: keysOf(about.tenantId).intentMetadata(about.id) } },
});

/**
 * The write by which a draft knows that it may have metadata. It changes neither version nor `updatedAt`; another change of
 * the draft that was made without knowing it fails, and is made again.
 */
export function noteMetadata(table: Table, draft: PaymentIntent): Action[] {
  if (draft.status !== "draft" || draft.submission !== undefined || draft.mayHaveMetadata === true) return [];
  const noted: PaymentIntent = { ...draft, mayHaveMetadata: true };
  return [
    {
      label: "intent",
      write: {
        Update: {
          TableName: table.name,
          Key: keysOf(draft.tenantId).intent(draft.id),
          UpdateExpression: "SET doc = :doc, mayHaveMetadata = :yes",
          ConditionExpression:
            "version = :version AND attribute_not_exists(executionId) AND attribute_not_exists(mayHaveMetadata)",
          ExpressionAttributeValues: { ":doc": toDoc(divide(noted).rest), ":yes": 1, ":version": draft.version },
        },
      },
    },
  ];
}
