import { type BatchGetCommand, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, describe, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { batching } from "./batching.ts";
import { findItems, findRecord } from "./records.ts";
import { toDoc } from "./table.ts";

const store = await startTable();
afterAll(store.stop);
let sent: object[] = [];
const send = (command: GetCommand) => {
  sent.push(command);
  return store.table.db.send(command);
};
const table = { ...store.table, db: Object.create(store.table.db, { send: { value: send } }) };

const key = (id: string | number) => ({ PK: `record ${id}`, SK: "RECORD" });
async function put(...ids: readonly (string | number)[]) {
  const items = ids.map((id) => ({ ...key(id), doc: toDoc({ id }) }));
  await Promise.all(items.map((Item) => table.db.send(new PutCommand({ TableName: table.name, Item }))));
  sent = [];
}
const asked = () => sent.map((command) => (command as BatchGetCommand).input.RequestItems?.[table.name]);

describe("reads by key that start together", () => {
  test("are one call, strong if one of them is, and each has its own items", async () => {
    await put("a", "b", "c");
    const reads = batching(table);
    const weak = reads.db.send(new GetCommand({ TableName: table.name, Key: key("b") }));
    const [a, b, missing, several] = await Promise.all([
      findRecord(reads, key("a")),
      weak,
      findRecord(reads, key("nobody")),
      findItems(reads, [key("c"), key("a"), key("nothing")]),
    ]);
    expect([a, b.Item?.["PK"], missing]).toEqual([{ id: "a" }, key("b").PK, undefined]);
    expect(several.map(({ PK }) => PK)).toEqual([key("c").PK, key("a").PK]);
    const keys = ["b", "a", "nobody", "c", "nothing"].map(key);
    expect(asked()).toEqual([{ Keys: keys, ConsistentRead: true }]);
  });

  test("are weak if all are", async () => {
    await put("d", "e");
    const reads = batching(table);
    await Promise.all(["d", "e"].map((id) => reads.db.send(new GetCommand({ TableName: table.name, Key: key(id) }))));
    expect(asked()).toMatchObject([{ ConsistentRead: false }]);
  });

  test("of more keys than a call takes are several calls", async () => {
    const ids = Array.from({ length: 120 }, (_, index) => index);
    await put(...ids);
    const reads = batching(table);
    const found = await Promise.all(ids.map((id) => findRecord(reads, key(id))));
    expect(found).toEqual(ids.map((id) => ({ id })));
    expect(sent).toHaveLength(2);
  });

  test("fail together, and later ones do not", async () => {
    const failing = {
      ...table,
      db: Object.create(table.db, { send: { value: () => Promise.reject(new Error("down")) } }),
    };
    const reads = batching(failing);
    const outcomes = await Promise.allSettled([findRecord(reads, key("a")), findRecord(reads, key("b"))]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(findRecord(reads, key("a"))).rejects.toThrow("down");
  });
});

test("reads that follow each other, parts of items, and writes are calls of their own", async () => {
  await put("f");
  const reads = batching(table);
  expect(await findRecord(reads, key("f"))).toEqual({ id: "f" });
  await reads.db.send(new PutCommand({ TableName: table.name, Item: { ...key("f"), doc: toDoc({ id: "g" }) } }));
  expect(await findRecord(reads, key("f"))).toEqual({ id: "g" });
  const part = { TableName: table.name, Key: key("f"), ProjectionExpression: "SK" };
  expect(await reads.db.send(new GetCommand(part))).toMatchObject({ Item: { SK: "RECORD" } });
  expect(sent).toHaveLength(4);
});
