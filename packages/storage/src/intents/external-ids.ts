import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { type IntentKey, keysOf } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { chunksOf } from "../table/records.ts";
import type { Table } from "../table/table.ts";
import { type Action, transact } from "../table/transact.ts";

/** The entries that the transaction of an intent takes beside its other items; DynamoDB takes 100 in all. */
const WITHIN_MAX = 50;
const CHUNK = 100;

type Recipients = IntentKey & Pick<PaymentIntent, "recipients">;

/**
 * The writes of the entries by which an intent is found by its recipients' own ids, for the transaction that stores the
 * intent. Those of a large batch, which that cannot hold, are stored at once: an entry without an intent leads nowhere.
 */
export async function indexRecipients(table: Table, intent: Recipients): Promise<Action[]> {
  const entries = externalIdsOf(intent).map((externalId) => entryOf(table, intent, externalId));
  for (const chunk of chunksOf(entries.slice(WITHIN_MAX), CHUNK)) await transact(table, () => chunk);
  return entries.slice(0, WITHIN_MAX);
}

/** The newest payments of a tenant that have its own id, or a recipient with it; `before` is the id of a newer one. */
export async function findByExternalId(
  table: Table,
  { tenantId, externalId }: Readonly<{ tenantId: string; externalId: string }>,
  { before, limit }: Readonly<{ before: string | undefined; limit: number }>,
): Promise<IntentKey[]> {
  const found = await Promise.all(
    (["INTENT", "RECIPIENT"] as const).map((of) =>
      readNewestKeys(table, keysOf(tenantId).ofExternalId(of, externalId), { before, limit }),
    ),
  );
  const newestFirst = [...new Set(found.flat())].toSorted().toReversed();
  return newestFirst.slice(0, limit).map((id) => ({ tenantId, id }));
}

async function readNewestKeys(
  table: Table,
  partition: string,
  { before, limit }: Readonly<{ before: string | undefined; limit: number }>,
): Promise<string[]> {
  const pages = queryPages(table, {
    IndexName: "byExternalId",
    KeyConditionExpression: `externalPK = :pk${before === undefined ? "" : " AND listSK < :before"}`,
    ExpressionAttributeValues: { ":pk": partition, ...(before !== undefined && { ":before": before }) },
    ScanIndexForward: false,
    Limit: limit,
  });
  const ids: string[] = [];
  for await (const { Items = [] } of pages) {
    ids.push(...Items.map(({ listSK }) => String(listSK)));
    if (ids.length >= limit) break;
  }
  return ids;
}

/** Deletes the entries of its recipients' own ids. */
export async function unindexRecipients(table: Table, { tenantId, id, ...intent }: Recipients): Promise<void> {
  const keys = externalIdsOf(intent).map((externalId) => keysOf(tenantId).recipientExternalId(id, externalId));
  for (const chunk of chunksOf(keys, CHUNK)) {
    const gone = chunk.map((Key) => ({ label: "externalId", write: { Delete: { TableName: table.name, Key } } }));
    await transact(table, () => gone);
  }
}

const externalIdsOf = ({ recipients }: Pick<PaymentIntent, "recipients">): string[] => [
  ...new Set(recipients.flatMap(({ externalId }) => externalId ?? [])),
];

function entryOf(table: Table, { tenantId, id }: IntentKey, externalId: string): Action {
  const keys = keysOf(tenantId);
  const place = { externalPK: keys.ofExternalId("RECIPIENT", externalId), listSK: id };
  const Item = { ...keys.recipientExternalId(id, externalId), ...place };
  return { label: "externalId", write: { Put: { TableName: table.name, Item } } };
}
