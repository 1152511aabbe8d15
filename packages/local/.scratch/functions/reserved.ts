import { openTable } from "@intents/storage/table.ts";
import { routes } from "@intents/contract/routes.ts";
import { putFile, openFiles } from "@intents/storage/files.ts";
import { openQueue } from "@intents/storage/queue.ts";
import * as z from "zod";
import { GetCommand } from "../../node_modules/@intents/storage/node_modules/@aws-sdk/lib-dynamodb";
const table = openTable(process.env["TABLE_NAME"] ?? "intents");
const files = openFiles("b"); const schema = z.object({ a: z.string() });
let q: unknown;
export const handler = async (event: any) => {
  q ??= openQueue("x");
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: { PK: "T#1", SK: "x" }, ConsistentRead: true }));
  await table.db.send(new GetCommand({ TableName: table.name, Key: { PK: "T#2", SK: "x" }, ConsistentRead: true }));
  if (event.path === "/file") await putFile(files, "x", new Uint8Array(3), "text/plain");
  return { statusCode: 200, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ n: Object.keys(routes).length, Item, ok: schema.safeParse(event).success }) };
};
