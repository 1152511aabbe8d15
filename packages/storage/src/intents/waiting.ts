import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { readCounts } from "../table/counters.ts";
import { keysOf } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { findItems } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { fromCountKey, INTENT_COUNTER } from "./intents.ts";

/** An intent that has not ended, without the parts of a batch; and whether the record has a timer, and a watch. */
export type Waiting = Readonly<{ intent: PaymentIntent; has: Readonly<Record<"dueShard" | "watchPK", boolean>> }>;

/** DynamoDB reads at most this many items at once. */
const PAGE = 100;

/** The keys under which intents of these statuses are counted, those that have any, in one order for good. */
export async function listCountKeys(table: Table, tenantId: string, statuses: readonly string[]): Promise<string[]> {
  const counts = await readCounts(table, tenantId, INTENT_COUNTER);
  const isWanted = (countKey: string) => statuses.includes((fromCountKey(countKey) as { status: string }).status);
  return [...counts].flatMap(([key, count]) => (count > 0 && isWanted(key) ? key : [])).toSorted();
}

/** The intents under a count key after an id, in the order of their ids, page by page, each read strongly. */
export async function* readWaiting(
  table: Table,
  tenantId: string,
  { countKey, after = "" }: Readonly<{ countKey: string; after?: string }>,
): AsyncGenerator<Waiting[]> {
  const keys = keysOf(tenantId);
  const pages = queryPages(table, {
    IndexName: "byFacet",
    KeyConditionExpression: "facetPK = :facet AND listSK > :after",
    ExpressionAttributeValues: { ":facet": keys.facet(keys.list("INTENT"), countKey), ":after": after || " " },
    Limit: PAGE,
  });
  for await (const { Items = [] } of pages) {
    const items = await findItems(
      table,
      Items.map(({ listSK }) => keys.intent(String(listSK))),
    );
    yield items
      .map((item) => {
        const has = { dueShard: item["dueShard"] !== undefined, watchPK: item["watchPK"] !== undefined };
        return { intent: fromDoc<PaymentIntent>(item), has };
      })
      .toSorted((one, other) => (one.intent.id < other.intent.id ? -1 : 1));
  }
}

/** Gives an intent the timer or watch that it lacks; false when it was changed since it was read, or has one by now. */
export async function restoreWait(
  { db, name }: Table,
  { tenantId, id, version }: Pick<PaymentIntent, "tenantId" | "id" | "version">,
  waits: Readonly<Record<string, string | number>>,
): Promise<boolean> {
  const attributes = Object.keys(waits);
  try {
    await db.send(
      new UpdateCommand({
        TableName: name,
        Key: keysOf(tenantId).intent(id),
        UpdateExpression: `SET ${attributes.map((attribute) => `#${attribute} = :${attribute}`).join(", ")}`,
        ConditionExpression: [
          "version = :version",
          ...attributes.map((attribute) => `attribute_not_exists(#${attribute})`),
        ].join(" AND "),
        ExpressionAttributeNames: Object.fromEntries(attributes.map((attribute) => [`#${attribute}`, attribute])),
        ExpressionAttributeValues: {
          ":version": version,
          ...Object.fromEntries(attributes.map((attribute) => [`:${attribute}`, waits[attribute]])),
        },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
