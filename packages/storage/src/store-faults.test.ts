import {
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
} from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { document, payee, storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { bindKey } from "./intents/submissions.ts";
import { listRecords } from "./lists/lists.ts";
import { findDocuments } from "./parties/documents.ts";
import { findPayees } from "./parties/payees.ts";
import { leaseTimer } from "./polling/timers.ts";
import { payeeKey } from "./table/shared-keys.ts";
import { StoreBusy, transact } from "./table/transact.ts";
import { takeFromWindow } from "./table/windows.ts";

const client = new DynamoDBClient({ region: "us-east-1" });
const db = DynamoDBDocumentClient.from(client);
const table = { db, client, name: "table" };
const store = mockClient(db);
beforeEach(() => store.reset());
afterAll(() => client.destroy());

const noted = { message: "", $metadata: {} };
const throttlings = [
  new ThrottlingException(noted),
  new ProvisionedThroughputExceededException(noted),
  new RequestLimitExceeded(noted),
];

describe("a transaction that the store turns away as a whole", () => {
  test.each(throttlings)("by %s is tried again", async (error) => {
    store.on(TransactWriteCommand).rejectsOnce(error).rejectsOnce(error).resolves({});
    expect(await transact(table, () => [])).toEqual({ done: true });
    expect(store.commandCalls(TransactWriteCommand)).toHaveLength(3);
  });
});

test.each(throttlings)("a single write that %s turns away is a fault, never a verdict", async (error) => {
  store.on(PutCommand).rejects(error).on(UpdateCommand).rejects(error);
  const timer = { tenantId: "1001", id: "i", dueAtMs: 1 };
  const binding = { payloadHash: "payload", firstSeenMs: 1, holder: "worker", busyUntilMs: 2 };
  await expect(bindKey(table, { tenantId: "1001", keyHash: "key" }, undefined, binding)).rejects.toThrow(error);
  await expect(leaseTimer(table, timer, 1)).rejects.toThrow(error);
  const window = { name: "second", subject: "key", startS: 1, lengthS: 1, limit: 1 };
  await expect(takeFromWindow(table, window, 1)).rejects.toThrow(error);
});

describe("a batch read of which the store puts a part off", () => {
  const items = [5001, 5002].map((id) => ({ ...payeeKey(id), doc: JSON.stringify(payee(id)) }));
  const putOff = (...ids: number[]) => ({ UnprocessedKeys: { table: { Keys: ids.map(payeeKey) } } });
  const asked = () =>
    store.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems?.["table"]?.Keys);

  test("is asked again for that part only, until it is whole", async () => {
    store
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { table: [items[0]!] }, ...putOff(5002) })
      .resolvesOnce({ Responses: { table: [] }, ...putOff(5002) })
      .resolvesOnce({ Responses: { table: [items[1]!] } });
    expect([...(await findPayees(table, [5001, 5002])).keys()]).toEqual([5001, 5002]);
    expect(asked()).toEqual([[5001, 5002].map(payeeKey), [payeeKey(5002)], [payeeKey(5002)]]);
  });

  test("again and again is StoreBusy, after a bounded number of tries", async () => {
    store.on(BatchGetCommand).resolves(putOff(5001));
    await expect(findPayees(table, [5001])).rejects.toThrow(StoreBusy);
    expect(asked().length).toBeLessThan(20);
  });

  test("still asks for the rest, a hundred at a time", async () => {
    const ids = Array.from({ length: 150 }, () => crypto.randomUUID());
    const asItem = (Key: Record<string, unknown>) => ({
      ...Key,
      doc: JSON.stringify(document(String(Key["PK"]).split("#").at(-1) ?? "")),
      expiresAtMs: 1,
    });
    store.on(BatchGetCommand).callsFake(({ RequestItems }) => {
      const keys: Record<string, unknown>[] = RequestItems.table.Keys;
      expect(keys.length).toBeLessThanOrEqual(100);
      return {
        Responses: { table: keys.slice(0, 60).map(asItem) },
        UnprocessedKeys: keys.length > 60 ? { table: { Keys: keys.slice(60) } } : {},
      };
    });
    expect([...(await findDocuments(table, "1001", ids)).keys()].toSorted()).toEqual(ids.toSorted());
  });
});

describe("a list that would read too much (H33)", () => {
  const query = listQuery({ filter: { amountMode: "legacy_reissue" }, limit: 10 });
  const next = { LastEvaluatedKey: { PK: "more" } };
  const queries = () => store.commandCalls(QueryCommand).length;

  test.each([
    ["although its pages come out empty", query, []],
    [
      "of what we drop",
      { ...query, filter: { name: "none" } },
      [{ PK: "one", doc: JSON.stringify(storedIntent({ name: "x".repeat(900_000) })) }],
    ],
  ])("ends within its budget and says what to narrow, %s", async (_, asked, Items) => {
    store.on(QueryCommand).resolves({ Items, ...next });
    store.on(BatchGetCommand).resolves({ Responses: { table: Items } });
    const page = await listRecords(table, "1001", "INTENT", asked);
    expect(page).toMatchObject({ ok: false, failure: { kind: "shape" } });
    expect(JSON.stringify(page)).toContain(
      "narrow it by externalId, recipients.externalId, status, useCase, deliveryMode, createdFrom.paymentIntentId, " +
        "createdAt or updatedAt",
    );
    expect(queries()).toBeLessThan(40);
  });

  test("reads on over pages that come out empty", async () => {
    const doc = JSON.stringify(storedIntent({ amountMode: "legacy_reissue" }));
    store
      .on(QueryCommand)
      .resolvesOnce({ Items: [], ...next })
      .resolvesOnce({ Items: [], ...next });
    store
      .on(QueryCommand)
      .resolvesOnce({ Items: [], ...next })
      .resolvesOnce(next)
      .resolvesOnce({ Items: [{ PK: "one", listSK: "one" }] });
    store.on(BatchGetCommand).resolves({ Responses: { table: [{ PK: "one", listSK: "one", doc }] } });
    store
      .on(QueryCommand, { FilterExpression: "attribute_exists(orders) OR attribute_exists(corrected)" })
      .resolves({ Items: [] });
    const page = await listRecords(table, "1001", "INTENT", query);
    expect(page).toMatchObject({ ok: true, value: { items: [{ amountMode: "legacy_reissue" }], total: 1 } });
  });
});

test("a read that finds the store gone is a fault, not an absence", async () => {
  const error = new Error("socket hang up");
  store.on(GetCommand).rejects(error).on(QueryCommand).rejects(error).on(BatchGetCommand).rejects(error);
  await expect(findPayees(table, [5001])).rejects.toThrow(error);
  await expect(listRecords(table, "1001", "INTENT", listQuery({ limit: 1 }))).rejects.toThrow(error);
});
