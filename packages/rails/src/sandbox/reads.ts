import {
  paginateQuery as paginateRailQuery,
  BatchGetCommand as RailBatchGetCommand,
  GetCommand as RailGetCommand,
  ScanCommand as RailScanCommand,
} from "@aws-sdk/lib-dynamodb";
import type { ExecutionKey } from "@intents/domain/rails/rail.ts";
import { keysIn, type RailTable, toPayment } from "./items.ts";
import type { RailPayment } from "./payment.ts";

/** A page of all tenants' payments is searched for among so many items. */
const SCANNED_MAX = 1000;

export async function findPayment(table: RailTable, tenantId: string, executionId: string) {
  const Key = keysIn(table).payment(tenantId, executionId);
  const { Item } = await table.db.send(new RailGetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item === undefined ? undefined : toPayment(Item);
}

/** The payments of at most 100 executions, by their keys as text; those that do not exist are left out. */
export async function findPayments(
  table: RailTable,
  asked: readonly ExecutionKey[],
): Promise<ReadonlyMap<string, RailPayment>> {
  const keys = new Map(
    asked.map(({ tenantId, executionId }) => {
      const key = keysIn(table).payment(tenantId, executionId);
      return [JSON.stringify(key), key] as const;
    }),
  );
  const RequestItems = { [table.name]: { Keys: [...keys.values()], ConsistentRead: true } };
  const { Responses, UnprocessedKeys } = await table.db.send(new RailBatchGetCommand({ RequestItems }));
  if ((UnprocessedKeys?.[table.name]?.Keys ?? []).length > 0) throw new Error("The store put off a part of a batch");
  const found = Responses?.[table.name] ?? [];
  return new Map(found.map((item) => [JSON.stringify({ PK: item["PK"], SK: item["SK"] }), toPayment(item)]));
}

/** The payment that a checkout token stands for. */
export async function findPaymentByToken(table: RailTable, token: string): Promise<RailPayment | undefined> {
  const Key = keysIn(table).checkout(token);
  const { Item } = await table.db.send(new RailGetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item === undefined ? undefined : findPayment(table, String(Item["tenantId"]), String(Item["executionId"]));
}

/**
 * At most `limit` payments of a tenant, newest first. An `executionId` names that execution and, for bulk, those of
 * its recipients (`<execution>:<order>`, H11).
 */
export async function listPayments(table: RailTable, tenantId: string, limit: number, executionId?: string) {
  const pages = paginateRailQuery(
    { client: table.db },
    {
      TableName: table.name,
      KeyConditionExpression: "PK = :pk AND SK BETWEEN :first AND :last",
      ExpressionAttributeValues: {
        ":pk": keysIn(table).payment(tenantId, "").PK,
        ":first": executionId ?? " ",
        ":last": lastKey(executionId),
      },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    },
  );
  const found: RailPayment[] = [];
  for await (const { Items = [] } of pages) {
    found.push(...Items.map(toPayment));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** The last sort key of a list: that of an execution includes its parts, `<executionId>:<order>`; a part has none. */
function lastKey(executionId: string | undefined): string {
  if (executionId === undefined) return "\uffff";
  return executionId.includes(":") ? executionId : `${executionId}:\uffff`;
}

type Key = Readonly<{ PK: string; SK: string }>;

/**
 * A page of all tenants' payments that were accepted since `sinceMs`, in no order: at most `limit`, and perhaps none
 * although there are more. `after` is where the next page begins, absent on the last.
 */
export async function scanPayments(
  table: RailTable,
  { sinceMs, after, limit }: Readonly<{ sinceMs: number; after: Key | undefined; limit: number }>,
): Promise<{ payments: RailPayment[]; after?: Key }> {
  // Reading all of a table costs in proportion to it, which only a simulation can afford.
  const page = await table.db.send(
    new RailScanCommand({
      TableName: table.name,
      FilterExpression: "begins_with(PK, :ours) AND attribute_exists(payment)",
      ExpressionAttributeValues: { ":ours": keysIn(table).tenants },
      ConsistentRead: true,
      Limit: SCANNED_MAX,
      ExclusiveStartKey: after,
    }),
  );
  const found = (page.Items ?? [])
    .map((item) => ({ item, payment: toPayment(item) }))
    .filter(({ payment }) => payment.acceptedAtMs >= sinceMs);
  const last = found.length > limit ? found[limit - 1]?.item : page.LastEvaluatedKey;
  return {
    payments: found.slice(0, limit).map(({ payment }) => payment),
    ...(last !== undefined && { after: { PK: String(last["PK"]), SK: String(last["SK"]) } }),
  };
}

/** The cursor from which a page begins; callers do not look into it. */
export const toCursor = ({ PK, SK }: Key): string => Buffer.from(`${PK}\n${SK}`).toString("base64url");

export function readCursor(cursor: string): Key | undefined {
  const [PK, SK, ...others] = Buffer.from(cursor, "base64url").toString().split("\n");
  return PK && SK && others.length === 0 ? { PK, SK } : undefined;
}
