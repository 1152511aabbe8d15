import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { TableSchema } from "@intents/deployment/table-schema.ts";

// The capacity that DynamoDB charges, by the rules of its developer guide ("DynamoDB read and write operations"). The
// embedded store reports the same sums; only these rules tell which partition of which index each unit is for.

/** An item as the store has it, each attribute with its type. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** Units for one partition of a table or of one of its indexes. */
export type Units = Readonly<{ index?: string; partition: string; units: number }>;

const WRITE_BYTES = 1_024;
const READ_BYTES = 4_096;

/** The units that a write costs the table and its indexes; undefined stands for an item that does not exist. */
export function writeUnits(
  schema: TableSchema,
  partition: string,
  {
    before,
    after,
    isTransaction,
  }: Readonly<{ before: Item | undefined; after: Item | undefined; isTransaction: boolean }>,
): Units[] {
  const size = Math.max(sizeOf(before), sizeOf(after));
  const own = { partition, units: kilobytes(size) * (isTransaction ? 2 : 1) };
  // Indexes follow later and outside of the transaction, which does not double their units.
  return [own, ...schema.indexes.flatMap((index) => indexUnits(schema, index, before, after))];
}

/** The units of reading one item by its key; a missing one costs as much as the smallest. */
export const readUnits = (item: Item | undefined, isStrong: boolean): number =>
  Math.max(1, Math.ceil(sizeOf(item) / READ_BYTES)) * (isStrong ? 1 : 0.5);

type Index = TableSchema["indexes"][number];

/** An entry whose keys change is written twice: it is deleted in one place and put in another. */
function indexUnits(schema: TableSchema, index: Index, before: Item | undefined, after: Item | undefined): Units[] {
  const [was, is] = [entryOf(schema, index, before), entryOf(schema, index, after)];
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  const toUnits = (entry: Item | undefined, size = sizeOf(entry)): Units[] =>
    entry === undefined
      ? []
      : [{ index: index.name, partition: textOf(entry[index.partitionKey.name]), units: kilobytes(size) }];
  const places = [was, is].map((entry) =>
    JSON.stringify([index.partitionKey, index.sortKey].map(({ name }) => entry?.[name])),
  );
  return places[0] === places[1] ? toUnits(is, Math.max(sizeOf(was), sizeOf(is))) : [...toUnits(was), ...toUnits(is)];
}

/** An item's entry in an index, its keys sorted by name; undefined if it lacks a key of the index. */
function entryOf(schema: TableSchema, { partitionKey, sortKey }: Index, item: Item | undefined) {
  if (item?.[partitionKey.name] === undefined || item[sortKey.name] === undefined) return undefined;
  const keys = [schema.partitionKey, schema.sortKey, partitionKey, sortKey].map(({ name }) => name);
  const held = Object.entries(item).filter(([name]) => keys.includes(name));
  return Object.fromEntries(held.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const kilobytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / WRITE_BYTES));

export const textOf = (value: AttributeValue | undefined): string => value?.S ?? value?.N ?? "";

const sizeOf = (item: Item = {}): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value), 0);

/** The items of this service hold texts and numbers alone; a number takes a byte for two of its digits, and one more. */
function valueSize({ S, N }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N === undefined) throw new Error("An attribute is neither a text nor a number");
  const digits = N.replace(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
  return Math.ceil(digits.length / 2) + 1 + (N.startsWith("-") ? 1 : 0);
}
