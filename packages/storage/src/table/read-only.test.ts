import { DeleteCommand, type GetCommand, PutCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { keysOf } from "./keys.ts";
import { readOnly } from "./read-only.ts";
import { addRecord, findRecord } from "./records.ts";

let store: Awaited<ReturnType<typeof startTable>>;
beforeAll(async () => {
  store = await startTable();
});
afterAll(() => store.stop());

const Key = keysOf("1001").tenant();

test("what is only read tells what is stored", async () => {
  await addRecord(store.table, Key, { name: "Acme" });
  expect(await findRecord(readOnly(store.table), Key)).toEqual({ name: "Acme" });
});

test.each([
  ["put", (TableName: string) => new PutCommand({ TableName, Item: Key })],
  ["update", (TableName: string) => new UpdateCommand({ TableName, Key })],
  ["delete", (TableName: string) => new DeleteCommand({ TableName, Key })],
  [
    "transaction",
    (TableName: string) => new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item: Key } }] }),
  ],
])("a %s never reaches the store", async (_what, write) => {
  const { db, name } = readOnly(store.table);
  await expect(db.send(write(name) as unknown as GetCommand)).rejects.toThrow("only read");
});
