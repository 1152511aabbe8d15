import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { cursorKey } from "./keys.ts";
import type { Table } from "./table.ts";

/** After what a job that walks everything goes on; undefined when it begins at the beginning. */
export async function findCursor({ db, name }: Table, job: string): Promise<string | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName: name, Key: cursorKey(job) }));
  const after: unknown = Item?.["after"];
  return typeof after === "string" ? after : undefined;
}

/** Remembers where a job has stopped, or that it came to the end. */
export async function replaceCursor({ db, name }: Table, job: string, after: string | undefined): Promise<void> {
  await db.send(new PutCommand({ TableName: name, Item: { ...cursorKey(job), after } }));
}
