import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { createdMsOf, loadCollection } from "@intents/acceptance/service/collections.ts";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import type { ListKind } from "@intents/domain/lists/resources.ts";
import { awsEnvironment } from "@intents/local/local-settings.ts";
import { startDynamoDb } from "@intents/local/stores/dynamodb.ts";
import { createTables } from "@intents/local/stores/tables.ts";
import { listRecords, type Page } from "@intents/storage/lists/lists.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { chunksOf } from "@intents/storage/table/records.ts";
import { openTable, type Table } from "@intents/storage/table/table.ts";
import { type Goal, median, type Row, toRow } from "./figures.ts";
import { interleave, type Plan } from "./plan.ts";

const sizes = { small: 1_000, large: 100_000 } as const;
type Size = keyof typeof sizes;
const CALLS_PER_ROUND = 25;

type Shape = Readonly<{
  name: string;
  kind?: ListKind;
  query: (records: number) => Partial<ListQuery>;
  /** Set where the total is counted one by one, so that its cost grows with the number of matches. */
  isTotalCounted?: true;
}>;

const dateOf = (index: number) => new Date(createdMsOf(index)).toISOString();
const filtered = (filter: ListQuery["filter"]) => () => ({ filter });

const shapes: readonly Shape[] = [
  { name: "default order", query: () => ({}) },
  { name: "oldest first", query: () => ({ sort: [{ path: "createdAt", descending: false }] }) },
  { name: "status", query: filtered({ status: "draft" }) },
  { name: "status $in", query: filtered({ status: { $in: ["draft", "failed"] } }) },
  { name: "deliveryMode", query: filtered({ deliveryMode: "bulk" }) },
  { name: "useCase", query: filtered({ useCase: "supplier_payment" }) },
  { name: "status and deliveryMode", query: filtered({ status: "completed", deliveryMode: "manual" }) },
  { name: "parent", query: filtered({ "createdFrom.paymentIntentId": "parent-1" }) },
  { name: "parent and status", query: filtered({ "createdFrom.paymentIntentId": "parent-1", status: "draft" }) },
  { name: "email", kind: "STUDENT", query: filtered({ email: "student7@example.com" }) },
  {
    name: "email $in",
    kind: "STUDENT",
    query: filtered({ email: { $in: ["student7@example.com", "student70@example.com"] } }),
  },
  {
    name: "created in some minutes",
    query: (records) => ({ filter: { createdAt: { $gte: dateOf(records / 2), $lt: dateOf(records / 2 + 400) } } }),
  },
  {
    name: "created in the newer half",
    query: (records) => ({ filter: { createdAt: { $gte: dateOf(records / 2) } } }),
    isTotalCounted: true,
  },
];

type Store = Readonly<{ table: Table; bare: DynamoDBDocumentClient }>;

/** The cost of lists of a large tenant, against the same lists of a small one, and against a bare query. */
export async function measureLists({ rounds }: Plan): Promise<Row[]> {
  const dynamodb = await startDynamoDb(undefined);
  await createTables(dynamodb.endpoint, { lists: mainTableSchema });
  Object.assign(process.env, awsEnvironment({ dynamodb: dynamodb.endpoint, s3AndSqs: "", queueUrl: "" }));
  const table = openTable("lists");
  const bare = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const store: Store = { table, bare };
  for (const [tenantId, size] of Object.entries(sizes)) await loadCollection(table, tenantId, size);
  const rows: Row[] = [];
  for (const shape of shapes) rows.push(...(await measureShape(store, shape, rounds)));
  rows.push(...(await measureChanges(store, rounds)));
  rows.push(...(await measureDepth(store, rounds)));
  rows.push(...(await measureThousand(store, rounds)));
  for (const client of [table.client, bare]) client.destroy();
  await dynamodb.stop();
  return rows;
}

const base = { filter: {}, sort: [], population: [], skip: 0, limit: 50, stripped: [] };

async function list(
  { table }: Store,
  tenantId: string,
  kind: ListKind,
  query: Partial<ListQuery>,
  isExplained = false,
): Promise<Page<unknown>> {
  const page = await listRecords(table, tenantId, kind, { ...base, ...query }, { isExplained });
  if (!page.ok) throw new Error(JSON.stringify(page.failure));
  if (page.value.items.length === 0) throw new Error("The list that was measured is empty");
  return page.value;
}

async function unitsOf(page: Promise<Page<unknown>>, isTotalCounted?: boolean): Promise<number> {
  const reads = (await page).explain?.reads;
  return (reads?.page.readUnits ?? Number.NaN) + (isTotalCounted ? 0 : (reads?.total.readUnits ?? Number.NaN));
}

const medianMs = async (call: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let calls = 0; calls < CALLS_PER_ROUND; calls++) {
    const startMs = performance.now();
    await call();
    times.push(performance.now() - startMs);
  }
  return median(times);
};

async function measureShape(store: Store, shape: Shape, rounds: number): Promise<Row[]> {
  const { name, kind = "INTENT", query, isTotalCounted } = shape;
  const call = (size: Size, isExplained = false) => list(store, size, kind, query(sizes[size]), isExplained);
  const units = (size: Size) => unitsOf(call(size, true), isTotalCounted);
  await Promise.all([call("small"), call("large")]);
  const times = await interleave(rounds, {
    small: () => medianMs(() => call("small")),
    large: () => medianMs(() => call("large")),
  });
  const title = `list by ${name}, of 100,000 against of 1,000`;
  return [
    toRow({
      name: isTotalCounted ? `${title}, without its total` : title,
      unit: "read units",
      ours: [await units("large")],
      baseline: [await units("small")],
      goal: { atMost: 1.1 },
    }),
    toRow({
      name: title,
      unit: "ms",
      ours: times.large,
      baseline: times.small,
      ...(!isTotalCounted && { goal: { atMost: 1.1 } }),
    }),
  ];
}

/** The payments that changed lately, as somebody who follows them asks for, and a full page: against the default list. */
async function measureChanges(store: Store, rounds: number): Promise<Row[]> {
  const CHANGED = 10;
  const since = { updatedAt: { $gte: dateOf(sizes.large - CHANGED) } };
  const byChange = { sort: [{ path: "updatedAt", descending: false }] };
  const asked = { changed: { ...byChange, filter: since }, page: byChange, list: {} };
  const call = (name: keyof typeof asked, isExplained = false) =>
    list(store, "large", "INTENT", asked[name], isExplained);
  const times = await interleave(rounds, {
    changed: () => medianMs(() => call("changed")),
    page: () => medianMs(() => call("page")),
    list: () => medianMs(() => call("list")),
  });
  const against = async (name: string, ours: "changed" | "page", goal: { goal?: Goal }) => [
    toRow({
      ...{ name, unit: "read units", ...goal },
      ours: [await unitsOf(call(ours, true))],
      baseline: [await unitsOf(call("list", true))],
    }),
    toRow({ ...{ name, unit: "ms", ...goal }, ours: times[ours], baseline: times.list }),
  ];
  return [
    ...(await against(`${CHANGED} changed since, of 100,000, against the default list`, "changed", {
      goal: { atMost: 1.2 },
    })),
    // Each record is fetched by its key, which is the price of an index that is cheap to write (Decision 017).
    ...(await against("page of 50 by the last change, against the default list", "page", {})),
  ];
}

/** A page far into a list by its cursor, and one behind skipped records, each against the first page. */
async function measureDepth(store: Store, rounds: number): Promise<Row[]> {
  const DEPTH = 50_000;
  const query = { filter: { status: "completed" } };
  const call = (changes: Partial<ListQuery>, isExplained = false) =>
    list(store, "large", "INTENT", { ...query, ...changes }, isExplained);
  const { nextCursor: cursor = "" } = await call({ skip: DEPTH - 50 });
  const pages = { deep: { cursor }, skipped: { skip: 200 }, first: {} };
  const times = await interleave(rounds, {
    deep: () => medianMs(() => call(pages.deep)),
    skipped: () => medianMs(() => call(pages.skipped)),
    first: () => medianMs(() => call(pages.first)),
  });
  const units = async (changes: Partial<ListQuery>) => [await unitsOf(call(changes, true))];
  const against = async (name: string, page: "deep" | "skipped", atMost: number) => [
    toRow({
      ...{ name, unit: "read units", goal: { atMost } },
      ours: await units(pages[page]),
      baseline: await units(pages.first),
    }),
    toRow({ name, unit: "ms", ours: times[page], baseline: times.first, goal: { atMost } }),
  ];
  return [
    ...(await against(`page by cursor at ${DEPTH}, against the first page`, "deep", 1.1)),
    ...(await against("page at skip 200, against the first page", "skipped", 1.5)),
  ];
}

/** A list of 1,000 against the bare calls for the same items: a query of their keys, and a hundred at a time. */
async function measureThousand(store: Store, rounds: number): Promise<Row[]> {
  const { reads } = (await list(store, "large", "INTENT", { limit: 1_000 }, true)).explain ?? {};
  const bare = await queryBare(store, 1_000);
  const times = await interleave(rounds, {
    ours: () => medianMs(() => list(store, "large", "INTENT", { limit: 1_000 })),
    bare: () => medianMs(() => queryBare(store, 1_000)),
  });
  const name = "list of 1,000, against a bare query";
  const units = (reads?.page.readUnits ?? Number.NaN) + (reads?.total.readUnits ?? Number.NaN);
  const calls = (reads?.page.storeCalls ?? Number.NaN) + (reads?.total.storeCalls ?? Number.NaN);
  return [
    toRow({ name, unit: "ms", ours: times.ours, baseline: times.bare, goal: { atMost: 1.3 } }),
    toRow({ name, unit: "read units", ours: [units], baseline: [bare.units], goal: { atMost: 1.3 } }),
    toRow({
      name: `calls of the store for a list of 1,000 (${(bare.bytes / 1_000_000).toFixed(1)} MB)`,
      unit: "calls per MB begun",
      ours: [calls / Math.ceil(bare.bytes / 1_000_000)],
      goal: { atMost: 2 },
    }),
  ];
}

async function queryBare({ table, bare }: Store, count: number): Promise<{ units: number; bytes: number }> {
  let left = count;
  let units = 0;
  let bytes = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const output = await bare.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: "byCreation",
        KeyConditionExpression: "listPK = :pk",
        ExpressionAttributeValues: { ":pk": keysOf("large").list("INTENT") },
        ScanIndexForward: false,
        Limit: left,
        ReturnConsumedCapacity: "TOTAL",
        ExclusiveStartKey: start,
      }),
    );
    left -= output.Count ?? 0;
    units += output.ConsumedCapacity?.CapacityUnits ?? 0;
    const keys = (output.Items ?? []).map(({ PK, SK }) => ({ PK, SK }));
    for (const Keys of chunksOf(keys, 100)) {
      const RequestItems = { [table.name]: { Keys } };
      const batch = await bare.send(new BatchGetCommand({ RequestItems, ReturnConsumedCapacity: "TOTAL" }));
      units += batch.ConsumedCapacity?.[0]?.CapacityUnits ?? 0;
      bytes += (batch.Responses?.[table.name] ?? []).reduce(
        (sum, item) => sum + Buffer.byteLength(JSON.stringify(item)),
        0,
      );
    }
    start = output.LastEvaluatedKey;
  } while (start !== undefined && left > 0);
  return { units, bytes };
}
