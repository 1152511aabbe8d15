import { DynamoDBClient, TransactionCanceledException, TransactionInProgressException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { tableOf } from "./table.ts";
import { type Action, StoreBusy, StoreUnsure, transact } from "./transact.ts";

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
  ])("that %s is tried again, and built with the number of the try", async (_, error) => {
    store.on(TransactWriteCommand).rejectsOnce(error).rejectsOnce(error).resolves({});
    const tries: number[] = [];
    const build = (attempt: number) => {
      tries.push(attempt);
      return actions();
    };
    expect(await transact(table, build)).toEqual({ done: true });
    expect(tries).toEqual([0, 1, 2]);
  });

  test("that is in progress already is repeated with its token, since it may be written meanwhile", async () => {
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
    expect(performance.now() - startMs).toBeLessThan(20_000);
    expect(writes()).toBeGreaterThan(2);
  });

  test.each([
    ["a wrong item", cancelled("ValidationError", "None")],
    ["no reason", cancelled("None", "None")],
    ["a fault", new Error("socket hang up")],
  ])("that fails for %s is a fault, without another try", async (_, error) => {
    store.on(TransactWriteCommand).rejects(error);
    await expect(transact(table, actions)).rejects.toThrow(error);
    expect(writes()).toBe(1);
  });
});

/** The outcomes of single requests, as the SDK's transport sees them. */
const transport = {
  lost: () => Promise.reject(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" })),
  throttled: () => refusal("ThrottlingException"),
  inProgress: () => refusal("TransactionInProgressException"),
  conflict: () => refusal("TransactionCanceledException", { CancellationReasons: [{ Code: "TransactionConflict" }] }),
  written: () => answer(200, {}),
};
const answer = async (statusCode: number, body: object) => ({
  response: {
    statusCode,
    headers: { "content-type": "application/x-amz-json-1.0" },
    body: new TextEncoder().encode(JSON.stringify(body)),
  },
});
const refusal = (name: string, more: object = {}) =>
  answer(400, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...more });

describe.concurrent("a transaction that stays contended", () => {
  /** A table whose requests come to `outcomes`, one after the other, and to the last of them for good. */
  function tableWith(...outcomes: (keyof typeof transport)[]) {
    let sent = 0;
    const slow = new DynamoDBClient({
      region: "us-east-1",
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
      maxAttempts: 3,
      requestHandler: {
        handle: () => transport[outcomes[Math.min(sent++, outcomes.length - 1)] ?? "written"](),
        metadata: { handlerProtocol: "http/1.1" },
      } as never,
    });
    return { ...tableOf(slow, "table"), sent: () => sent };
  }

  test.each([
    ["is proven to have written nothing when it was only ever turned away", ["throttled"], StoreBusy],
    ["is proven to have written nothing when its last try was cancelled", ["lost", "conflict"], StoreBusy],
    [
      "may be written when an answer was lost, which the SDK itself asked for again",
      ["lost", "throttled"],
      StoreUnsure,
    ],
    ["may be written while an earlier request of its token is", ["inProgress"], StoreUnsure],
    ["may be written when an answer was lost after a cancelled try", ["conflict", "lost", "throttled"], StoreUnsure],
  ] as const)("%s", async (_, outcomes, expected) => {
    await expect(transact(tableWith(...outcomes), actions)).rejects.toThrow(expected);
  });

  test("is done when a later request with its token is written", async () => {
    const written = tableWith("lost", "throttled", "inProgress", "written");
    expect(await transact(written, actions)).toEqual({ done: true });
    expect(written.sent()).toBe(4);
  });
});
