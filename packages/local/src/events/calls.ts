import type { IncomingHttpHeaders } from "node:http";

/** One call of a function to a store. Of the items it tells only their keys. */
export type StoreCall = Readonly<{
  store: "DynamoDB" | "S3" | "SQS";
  command: string;
  /** Table and key, bucket and object key, or queue: one for each item that the call names. */
  targets: readonly string[];
  /** The attributes that a call to the table names beside its items' own. */
  attributes?: readonly string[];
  status: number;
  durationMs: number;
  capacityUnits?: number;
}>;

type Tree = Readonly<{ [name: string]: unknown }>;
type Named = Pick<StoreCall, "store" | "command" | "targets" | "attributes">;

/** The store, the operation and the items of a request of the AWS SDK. */
export function nameCall(url: string, headers: IncomingHttpHeaders, body: unknown): Named {
  const [service, command = ""] = String(headers["x-amz-target"] ?? "").split(".");
  if (service === "AmazonSQS") return { store: "SQS", command, targets: queueTargets(toTree(body)) };
  if (command !== "") {
    const targets = tableTargets(toTree(body)).map(hideAddresses);
    return { store: "DynamoDB", command, targets, attributes: attributesIn(body) };
  }
  return nameObjectCall(new URL(url, "http://s3"), headers);
}

/** A copy tells its source as well, and a list the prefix that it asks for. */
function nameObjectCall({ pathname, searchParams }: URL, headers: IncomingHttpHeaders): Named {
  const [, bucket = "", ...key] = decodeURIComponent(pathname).split("/");
  const target = [bucket, searchParams.get("prefix") ?? key.join("/")].join(" ");
  const [, source] = /^[^/]+\/(.+)$/.exec(decodeURIComponent(String(headers["x-amz-copy-source"] ?? ""))) ?? [];
  const command = searchParams.has("list-type") ? "ListObjectsV2" : "CompleteMultipartUpload";
  return {
    store: "S3",
    command: searchParams.get("x-id") ?? command,
    targets: [source === undefined ? target : `${target} ${source}`],
  };
}

function queueTargets({ QueueUrl, Entries }: Tree): string[] {
  const queue = String(QueueUrl).split("/").at(-1) ?? "";
  return [Array.isArray(Entries) ? `${queue} (${Entries.length})` : queue];
}

function tableTargets(body: Tree): string[] {
  const { TransactItems, RequestItems, TableName, IndexName, KeyConditionExpression } = body;
  if (Array.isArray(TransactItems)) {
    return TransactItems.flatMap((item) =>
      Object.entries(toTree(item)).map(([action, part]) => `${itemOf(toTree(part))} (${action})`),
    );
  }
  if (RequestItems !== undefined) {
    return Object.entries(toTree(RequestItems)).flatMap(([table, asked]) => {
      const { Keys } = toTree(asked);
      return Array.isArray(Keys) ? Keys.map((key) => `${table} ${keyOf(toTree(key))}`) : [table];
    });
  }
  if (KeyConditionExpression === undefined) return [itemOf(body)];
  const index = IndexName === undefined ? "" : `.${String(IndexName)}`;
  return [`${String(TableName)}${index} ${partitionOf(body)}`];
}

const itemOf = ({ TableName, Key, Item }: Tree): string => `${String(TableName)} ${keyOf(toTree(Key ?? Item))}`;

const keyOf = ({ PK, SK }: Tree): string => `${textOf(PK)} ${textOf(SK)}`;

/** The attributes that a scan or an update names; none of a scan that reads them all. */
function attributesIn(body: unknown): string[] {
  const { Key, ExpressionAttributeNames, Select, ...asked } = toTree(body);
  if (Key === undefined && Select !== "SPECIFIC_ATTRIBUTES") return [];
  const parts = ["Projection", "Filter", "Update", "Condition"].map((part) => asked[`${part}Expression`] ?? "");
  const words = parts.join(", ").match(/(?<![:\w])[#a-z]\w*(?!\w*\s*\()/gi) ?? [];
  const names = words.filter((word) => !/^(SET|REMOVE|ADD|DELETE|AND|OR|NOT|IN|BETWEEN)$/.test(word));
  const named = names.map((name) => String(toTree(ExpressionAttributeNames)[name] ?? name));
  return [...new Set([...Object.keys(toTree(Key)), ...named])];
}

/** The partition that a query reads: the value its key condition compares for equality. */
function partitionOf({ KeyConditionExpression, ExpressionAttributeValues }: Tree): string {
  const [, name = ""] = /=\s*(:\w+)/.exec(String(KeyConditionExpression)) ?? [];
  return textOf(toTree(ExpressionAttributeValues)[name]);
}

/** An attribute as DynamoDB writes it: `{ "S": "text" }`. */
const textOf = (attribute: unknown): string => String(Object.values(toTree(attribute))[0] ?? "");

/** Hides email addresses, which some keys contain. */
const hideAddresses = (target: string): string => target.replaceAll(/[^\s#]+@[^\s#]+/g, "***");

const toTree = (value: unknown): Tree => (typeof value === "object" && value !== null ? (value as Tree) : {});

/** The capacity units of a call over all its tables, as DynamoDB states them. */
export function capacityOf(answer: unknown): number | undefined {
  const { ConsumedCapacity } = toTree(answer);
  if (ConsumedCapacity === undefined) return undefined;
  return [ConsumedCapacity].flat().reduce<number>((sum, part) => sum + Number(toTree(part)["CapacityUnits"] ?? 0), 0);
}
