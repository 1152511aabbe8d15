import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterAll, describe, expect, test } from "vitest";
import { readPartition, startTable } from "../../test/table-fixture.ts";
import { type Action, transact } from "./transact.ts";

const { table, stop } = await startTable();
afterAll(stop);

let partitions = 0;
const newPartition = () => `partition-${++partitions}`;

/** Adds an item that must not be there yet. */
const add = (PK: string, SK: string): Action => ({
  label: SK,
  write: { Put: { TableName: table.name, Item: { PK, SK }, ConditionExpression: "attribute_not_exists(PK)" } },
});
const countUp = (PK: string): Action => ({
  label: "count",
  write: {
    Update: {
      TableName: table.name,
      Key: { PK, SK: "count" },
      UpdateExpression: "ADD n :one",
      ExpressionAttributeValues: { ":one": 1 },
    },
  },
});
const storedIn = async (PK: string) => (await readPartition(table, PK)).map(({ SK }) => SK);

describe("a transaction on a real store", () => {
  test("writes all of its actions", async () => {
    const PK = newPartition();
    expect(await transact(table, () => [add(PK, "a"), add(PK, "b"), countUp(PK)])).toEqual({ done: true });
    expect(await storedIn(PK)).toEqual(["a", "b", "count"]);
  });

  test("writes nothing when one condition fails, and names it", async () => {
    const PK = newPartition();
    await transact(table, () => [add(PK, "b")]);
    const verdict = await transact(table, () => [add(PK, "a"), add(PK, "b"), countUp(PK)]);
    expect(verdict).toEqual({ done: false, failed: ["b"] });
    expect(await storedIn(PK)).toEqual(["b"]);
  });

  test("names every condition that fails, in the order of the actions", async () => {
    const PK = newPartition();
    await transact(table, () => [add(PK, "a"), add(PK, "c")]);
    const verdict = await transact(table, () => [add(PK, "c"), add(PK, "b"), add(PK, "a")]);
    expect(verdict).toEqual({ done: false, failed: ["c", "a"] });
  });

  test("that the store rejects as invalid is a fault, and writes nothing", async () => {
    const PK = newPartition();
    await expect(transact(table, () => [add(PK, "a"), add(PK, "")])).rejects.toThrow();
    await expect(transact(table, () => [add(PK, "a"), countUp(PK), countUp(PK)])).rejects.toThrow();
    expect(await storedIn(PK)).toEqual([]);
  });

  test("is done for one of 30 at once that want the same item, and the others get a verdict", async () => {
    const PK = newPartition();
    const verdicts = await Promise.all(
      Array.from({ length: 30 }, (_, index) => transact(table, () => [add(PK, "same"), add(PK, `own-${index}`)])),
    );
    expect(verdicts.filter(({ done }) => done)).toHaveLength(1);
    expect(verdicts.filter((verdict) => !verdict.done && verdict.failed.join() === "same")).toHaveLength(29);
    expect(await storedIn(PK)).toHaveLength(2);
  });

  test("is done for all of 50 at once that change one item without a condition", async () => {
    const PK = newPartition();
    await Promise.all(Array.from({ length: 50 }, () => transact(table, () => [countUp(PK)])));
    expect(await readPartition(table, PK)).toEqual([{ PK, SK: "count", n: 50 }]);
  });

  test("whose answer is lost is repeated without being done twice (H15)", async () => {
    const PK = newPartition();
    const db = DynamoDBDocumentClient.from(table.client);
    let sent = 0;
    db.middlewareStack.add(
      (next) => async (args) => {
        const answer = await next(args);
        sent += 1;
        if (sent === 1) throw Object.assign(new Error("the answer was lost"), { name: "TimeoutError" });
        return answer;
      },
      { step: "deserialize", priority: "high", name: "lostAnswer" },
    );
    expect(await transact({ ...table, db }, () => [add(PK, "a"), countUp(PK)])).toEqual({ done: true });
    db.middlewareStack.remove("lostAnswer");
    expect(sent).toBe(2);
    expect(await readPartition(table, PK)).toMatchObject([{ SK: "a" }, { SK: "count", n: 1 }]);
  });
});
