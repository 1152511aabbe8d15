import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Table } from "./table.ts";

/** Whether callers are turned away for now, and when they may come back (SPEC, Errors: 503). */
export type Maintenance = Readonly<{ on: boolean; retryAfterSeconds: number }>;

const Key = { PK: "SETTING#MAINTENANCE", SK: "SETTING" };
const off: Maintenance = { on: false, retryAfterSeconds: 0 };

export async function readMaintenance(table: Table): Promise<Maintenance> {
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key }));
  return Item === undefined ? off : { on: Item["on"] === true, retryAfterSeconds: Number(Item["retryAfterSeconds"]) };
}

export async function writeMaintenance(table: Table, maintenance: Maintenance): Promise<void> {
  await table.db.send(new PutCommand({ TableName: table.name, Item: { ...Key, ...maintenance } }));
}
