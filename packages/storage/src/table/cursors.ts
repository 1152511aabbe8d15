import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { cursorKey } from "./shared-keys.ts";
import type { Table } from "./table.ts";

/** The key after which a job that goes through everything continues; undefined when it starts at the beginning. */
export async function findCursor({ db, name }: Table, job: string): Promise<string | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName: name, Key: cursorKey(job) }));
  const after: unknown = Item?.["after"];
  return typeof after === "string" ? after : undefined;
}

/** Remembers the key at which a job has stopped, or, with undefined, that it came to the end. */
export async function replaceCursor({ db, name }: Table, job: string, after: string | undefined): Promise<void> {
  await db.send(new PutCommand({ TableName: name, Item: { ...cursorKey(job), after } }));
}
