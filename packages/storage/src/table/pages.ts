import { paginateQuery, paginateScan, type QueryCommandInput, type ScanCommandInput } from "@aws-sdk/lib-dynamodb";
import type { ScannedAttribute } from "./record-kinds.ts";
import type { Table } from "./table.ts";

/** The pages of a query, at most 1 MB each. A page is read when it is asked for: a loop that breaks reads no more. */
export const queryPages = ({ db, name }: Table, query: Omit<QueryCommandInput, "TableName">) =>
  paginateQuery({ client: db }, { TableName: name, ...query });

/**
 * The pages of a scan of the table, read strongly, each when it is asked for. A scan names what it reads, because a role
 * may scan these attributes alone.
 */
export const scanPages = (
  { db, name }: Table,
  attributes: readonly ScannedAttribute[],
  scan: Omit<ScanCommandInput, "TableName" | "ConsistentRead" | "Select" | "ProjectionExpression"> = {},
) =>
  paginateScan(
    { client: db },
    {
      TableName: name,
      ConsistentRead: true,
      Select: "SPECIFIC_ATTRIBUTES",
      ProjectionExpression: attributes.join(", "),
      ...scan,
    },
  );

/** All items of a query, in its order. */
export async function queryAll(
  table: Table,
  query: Omit<QueryCommandInput, "TableName">,
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const { Items = [] } of queryPages(table, query)) items.push(...Items);
  return items;
}
