import { DynamoDBClient, TransactionCanceledException, TransactionInProgressException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { tableOf } from "./table.ts";
import { type Action, SENT_WITHIN_MS, StoreBusy, StoreUnsure, transact } from "./transact.ts";

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
  /** No answer, until the wait is given up. */
  hanging: (signal?: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(Object.assign(new Error("aborted"), { name: "AbortError" })));
    }),
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

/** A table whose requests come to `outcomes`, one after the other, and to the last of them for good. */
function tableWith(...outcomes: (keyof typeof transport)[]) {
  let sent = 0;
  const slow = new DynamoDBClient({
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    maxAttempts: 3,
    requestHandler: {
      handle: (_: unknown, options: { abortSignal?: AbortSignal } = {}) =>
        transport[outcomes[Math.min(sent++, outcomes.length - 1)] ?? "written"](options.abortSignal),
      metadata: { handlerProtocol: "http/1.1" },
    } as never,
  });
  return { ...tableOf(slow, "table"), sent: () => sent };
}

describe.concurrent("a transaction that stays contended", () => {
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

describe("a dated write", () => {
  const AT_MS = Date.UTC(2026, 10, 21, 9);
  const dated = (ms: number): Action[] => [{ ...action("event"), datedMs: ms }, action("other")];
  /** A table whose clock stands at the time of each request after the other. */
  function tableAt(times: readonly number[], ...outcomes: (keyof typeof transport)[]) {
    const slow = tableWith(...outcomes);
    // The clock is read before each request, and once before the first.
    let read = 0;
    return { ...slow, now: () => times[Math.min(read++, times.length - 1)] ?? 0 };
  }
  const inTime = AT_MS + SENT_WITHIN_MS;

  test("is sent up to its last moment", async () => {
    const written = tableAt([inTime], "written");
    expect(await transact(written, () => dated(AT_MS))).toEqual({ done: true });
    expect(await transact(tableAt([AT_MS - 60_000], "written"), () => dated(AT_MS))).toEqual({ done: true });
  });

  test("is not sent after it, and provably not written", async () => {
    const late = tableAt([inTime + 1], "written");
    await expect(transact(late, () => dated(AT_MS))).rejects.toThrow(StoreBusy);
    expect(late.sent()).toBe(0);
    await expect(transact(tableAt([AT_MS, inTime, inTime + 1], "throttled"), () => dated(AT_MS))).rejects.toThrow(
      StoreBusy,
    );
  });

  test("is not repeated after it, neither by the SDK nor with another token", async () => {
    const lost = tableAt([AT_MS, AT_MS, inTime + 1], "lost", "written");
    await expect(transact(lost, () => dated(AT_MS))).rejects.toThrow(StoreUnsure);
    expect(lost.sent()).toBe(1);
    const cancelled = tableAt([AT_MS, AT_MS, AT_MS, inTime + 1], "conflict", "written");
    await expect(transact(cancelled, () => dated(AT_MS))).rejects.toThrow(StoreBusy);
    expect(cancelled.sent()).toBe(1);
  });

  test("is not waited for after it: whether it was written is not known", async () => {
    const hanging = tableAt([inTime - 50], "hanging");
    await expect(transact(hanging, () => dated(AT_MS))).rejects.toThrow(StoreUnsure);
  });
});
