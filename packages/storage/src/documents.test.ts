import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { PaymentDocument } from "@intents/domain/document.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  addDocument,
  consumeDocument,
  findDocument,
  findDocuments,
  keepDocument,
  releaseDocument,
  reserveDocument,
} from "./documents.ts";
import { keysOf } from "./keys.ts";
import type { Table } from "./table.ts";
import { startTable } from "./table-fixture.ts";
import { type Action, transact } from "./transact.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const TENANT = "1001";

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ table, stop } = await startTable());
});
afterAll(() => stop());

async function newDocument(changes: Partial<PaymentDocument> = {}): Promise<PaymentDocument> {
  const documentId = crypto.randomUUID();
  const document: PaymentDocument = {
    documentId,
    source: "upload",
    objectKey: `tmp/${TENANT}/${documentId}`,
    contentType: "application/pdf",
    fileName: "passport.pdf",
    sizeBytes: 400,
    sha256: "00",
    expiresAtMs: NOW_MS + 1000,
    ...changes,
  };
  await addDocument(table, TENANT, document);
  return document;
}
const write = async (action: Action) => (await transact(table, () => [action])).done;
const reserve = (id: string, executionId: string, nowMs = NOW_MS) =>
  write(reserveDocument(table, TENANT, id, executionId, nowMs));
const release = (id: string, executionId: string) => write(releaseDocument(table, TENANT, id, executionId));
const consume = (id: string, executionId: string) => write(consumeDocument(table, TENANT, id, executionId, "intent"));
const ttlOf = async (id: string) =>
  (await table.db.send(new GetCommand({ TableName: table.name, Key: keysOf(TENANT).document(id) }))).Item?.["ttl"];

describe("a document", () => {
  test("is found as it was stored, and by its own tenant only", async () => {
    const document = await newDocument();
    expect(await findDocument(table, TENANT, document.documentId)).toEqual(document);
    expect(await findDocument(table, "1002", document.documentId)).toBeUndefined();
  });

  test("of 20 executions at once is reserved by one, and by nobody again", async () => {
    const { documentId } = await newDocument();
    const names = Array.from({ length: 20 }, (_, index) => `execution-${index}`);
    const reserved = await Promise.all(names.map((name) => reserve(documentId, name)));
    expect(reserved.filter(Boolean)).toHaveLength(1);
    const winner = names[reserved.indexOf(true)]!;
    expect(await reserve(documentId, winner)).toBe(false);
    expect(await findDocument(table, TENANT, documentId)).toMatchObject({ executionId: winner });
  });

  test("is not deleted by TTL while it is reserved, and may be again once it was released (H13)", async () => {
    const { documentId } = await newDocument();
    const ttl = await ttlOf(documentId);
    expect(ttl).toBeTypeOf("number");
    await reserve(documentId, "ours");
    expect(await ttlOf(documentId)).toBeUndefined();
    expect(await release(documentId, "theirs")).toBe(false);
    expect(await release(documentId, "ours")).toBe(true);
    expect(await ttlOf(documentId)).toBe(ttl);
    expect(await reserve(documentId, "theirs")).toBe(true);
  });

  test("once consumed is neither released nor reserved again", async () => {
    const { documentId } = await newDocument();
    expect(await consume(documentId, "ours")).toBe(false);
    await reserve(documentId, "ours");
    expect(await consume(documentId, "theirs")).toBe(false);
    expect(await consume(documentId, "ours")).toBe(true);
    expect(await release(documentId, "ours")).toBe(false);
    expect(await reserve(documentId, "ours")).toBe(false);
    expect(await findDocument(table, TENANT, documentId)).toMatchObject({ consumedBy: "intent" });
  });

  test("cannot be reserved from the millisecond on at which it expires", async () => {
    const { documentId, expiresAtMs } = await newDocument();
    expect(await reserve(documentId, "ours", expiresAtMs)).toBe(false);
    expect(await reserve(documentId, "ours", expiresAtMs - 1)).toBe(true);
  });

  test("that does not exist cannot be reserved", async () => {
    expect(await reserve(crypto.randomUUID(), "ours")).toBe(false);
  });
});

describe("a document that a draft names", () => {
  const kept = { untilMs: NOW_MS + 86_400_000, objectKey: `kept/${TENANT}/x` };

  test("lives as long as the draft, and no shorter for a later, shorter draft", async () => {
    const document = await newDocument();
    await keepDocument(table, TENANT, document, kept);
    const after = { ...document, expiresAtMs: kept.untilMs, objectKey: kept.objectKey };
    expect(await findDocument(table, TENANT, document.documentId)).toEqual(after);
    await keepDocument(table, TENANT, document, { ...kept, untilMs: NOW_MS + 5 });
    expect(await findDocument(table, TENANT, document.documentId)).toEqual(after);
  });

  test("is left alone once a submit has reserved it", async () => {
    const document = await newDocument();
    await reserve(document.documentId, "ours");
    await keepDocument(table, TENANT, document, kept);
    expect(await findDocument(table, TENANT, document.documentId)).toEqual({ ...document, executionId: "ours" });
    expect(await ttlOf(document.documentId)).toBeUndefined();
  });
});

test("documents are found in any number, each once, and unknown ones have no entry", async () => {
  const made = await Promise.all(Array.from({ length: 130 }, () => newDocument()));
  const ids = made.map(({ documentId }) => documentId);
  const found = await findDocuments(table, TENANT, [...ids, ids[0]!, "unknown"]);
  expect([...found.keys()].toSorted()).toEqual(ids.toSorted());
});
