import { DynamoDBClient, TransactionCanceledException, TransactionInProgressException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Action, StoreBusy, transact } from "./transact.ts";

const client = new DynamoDBClient({ region: "us-east-1" });
const db = DynamoDBDocumentClient.from(client);
const table = { db, client, name: "table" };
const store = mockClient(db);
beforeEach(() => store.reset());
afterAll(() => client.destroy());

const action = (label: string): Action => ({ label, write: { Put: { TableName: "table", Item: { PK: label } } } });
const actions = () => [action("first"), action("second")];
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: "",
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
const writes = () => store.commandCalls(TransactWriteCommand).length;

describe("a transaction", () => {
  test("that a condition refuses is a verdict, named by its label and not tried again (H16)", async () => {
    store.on(TransactWriteCommand).rejects(cancelled("None", "ConditionalCheckFailed"));
    expect(await transact(table, actions)).toEqual({ done: false, failed: ["second"] });
    expect(writes()).toBe(1);
  });

  test("that a condition refuses while others conflict is a verdict all the same", async () => {
    store.on(TransactWriteCommand).rejects(cancelled("TransactionConflict", "ConditionalCheckFailed"));
    expect(await transact(table, actions)).toEqual({ done: false, failed: ["second"] });
  });

  test.each([
    ["conflicts", cancelled("TransactionConflict", "None")],
    ["is throttled", cancelled("ThrottlingError", "ProvisionedThroughputExceeded")],
  ])("that %s is tried again, with the number of the try", async (_, error) => {
    store.on(TransactWriteCommand).rejectsOnce(error).rejectsOnce(error).resolves({});
    const tries: number[] = [];
    const build = (attempt: number) => {
      tries.push(attempt);
      return actions();
    };
    expect(await transact(table, build)).toEqual({ done: true });
    expect(tries).toEqual([0, 1, 2]);
  });

  test("that is in progress already is asked for again by its token, since it may be written meanwhile", async () => {
    const error = new TransactionInProgressException({ message: "", $metadata: {} });
    store.on(TransactWriteCommand).rejectsOnce(error).rejectsOnce(cancelled("TransactionConflict")).resolves({});
    expect(await transact(table, actions)).toEqual({ done: true });
    const [first, second, third] = store.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input);
    expect(second).toEqual(first);
    expect(third?.ClientRequestToken).not.toBe(first?.ClientRequestToken);
  });

  test("that stays contended gives up within its deadline, and says so", async () => {
    store.on(TransactWriteCommand).rejects(cancelled("TransactionConflict", "None"));
    const startMs = performance.now();
    await expect(transact(table, actions)).rejects.toThrow(StoreBusy);
    expect(performance.now() - startMs).toBeLessThan(4_000);
    expect(writes()).toBeGreaterThan(2);
  });

  test.each([
    ["a wrong item", cancelled("ValidationError", "None")],
    ["no reason", cancelled("None", "None")],
    ["a fault", new Error("socket hang up")],
  ])("that fails for %s is a fault, at once", async (_, error) => {
    store.on(TransactWriteCommand).rejects(error);
    await expect(transact(table, actions)).rejects.toThrow(error);
    expect(writes()).toBe(1);
  });
});
