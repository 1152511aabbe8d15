import { randomBytes } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { newRecordId } from "@intents/domain/ids.ts";
import type { PaymentDocument } from "@intents/domain/parties/document.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { keysOf } from "../table/keys.ts";
import { type Action, transact } from "../table/transact.ts";
import {
  addDocument,
  addPayerDocument,
  consumeDocument,
  dropDocument,
  findDocument,
  findDocuments,
  findPayerDocuments,
  keepDocument,
  releaseDocument,
  reserveDocument,
  spendDocument,
} from "./documents.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const TENANT = "1001";

const { table, stop } = await startTable();
afterAll(stop);

const fields = {
  source: "upload",
  contentType: "application/pdf",
  fileName: "passport.pdf",
  sizeBytes: 400,
  sha256: "00",
} as const;

async function newDocument(changes: Partial<PaymentDocument> = {}): Promise<PaymentDocument> {
  const documentId = crypto.randomUUID();
  const document: PaymentDocument = {
    ...fields,
    documentId,
    objectKey: `tmp/${TENANT}/${documentId}`,
    expiresAtMs: NOW_MS + 1000,
    ...changes,
  };
  await addDocument(table, TENANT, document);
  return document;
}
const write = async (action: Action) => (await transact(table, () => [action])).done;
const reserve = (id: string, executionId: string, nowMs = NOW_MS) =>
  write(reserveDocument(table, TENANT, { documentId: id }, executionId, nowMs));
const release = (id: string, executionId: string) =>
  write(releaseDocument(table, TENANT, { documentId: id }, executionId));
const consume = (id: string, executionId: string) =>
  write(consumeDocument(table, TENANT, { documentId: id }, executionId, "intent"));
const ttlOf = async (id: string) =>
  (await table.db.send(new GetCommand({ TableName: table.name, Key: keysOf(TENANT).document(id) }))).Item?.["ttl"];

describe("a document", () => {
  test("is found as it was stored, and by its own tenant only", async () => {
    const document = await newDocument();
    expect(await findDocument(table, TENANT, document.documentId)).toEqual(document);
    expect(await findDocument(table, "1002", document.documentId)).toBeUndefined();
  });

  test("that 20 executions want at once is reserved by one of them, and by none later", async () => {
    const { documentId } = await newDocument();
    const names = Array.from({ length: 20 }, (_, index) => `execution-${index}`);
    const reserved = await Promise.all(names.map((name) => reserve(documentId, name)));
    expect(reserved.filter(Boolean)).toHaveLength(1);
    const winner = names[reserved.indexOf(true)]!;
    expect(await reserve(documentId, winner)).toBe(false);
    expect(await findDocument(table, TENANT, documentId)).toMatchObject({ executionId: winner });
  });

  test("is deleted by TTL 30 days after its expiry, but not while it is reserved (H13)", async () => {
    const { documentId } = await newDocument();
    const ttl = await ttlOf(documentId);
    expect(ttl).toBe((NOW_MS + 1000) / 1000 + 30 * 86_400);
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

  test("cannot be reserved from the millisecond at which it expires", async () => {
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

  test("lives as long as the draft, and a second draft never shortens its life", async () => {
    const document = await newDocument();
    await keepDocument(table, TENANT, document, kept);
    const after = { ...document, expiresAtMs: kept.untilMs, objectKey: kept.objectKey };
    expect(await findDocument(table, TENANT, document.documentId)).toEqual(after);
    await keepDocument(table, TENANT, document, { ...kept, untilMs: NOW_MS + 5 });
    expect(await findDocument(table, TENANT, document.documentId)).toEqual(after);
  });

  test("does not change once a submit has reserved it", async () => {
    const document = await newDocument();
    await reserve(document.documentId, "ours");
    await keepDocument(table, TENANT, document, kept);
    expect(await findDocument(table, TENANT, document.documentId)).toEqual({ ...document, executionId: "ours" });
    expect(await ttlOf(document.documentId)).toBeUndefined();
  });

  test("does not change once a link has spent it", async () => {
    const document = await newDocument();
    await write(spendDocument(table, TENANT, document, "link", NOW_MS));
    await keepDocument(table, TENANT, document, kept);
    expect(await findDocument(table, TENANT, document.documentId)).toEqual({ ...document, consumedBy: "link" });
    expect(await ttlOf(document.documentId)).toBeUndefined();
  });
});

/** A document that a payer uploaded on a link. */
async function newUpload(changes: Partial<PaymentDocument> = {}) {
  const ref = { linkId: newRecordId(NOW_MS, randomBytes), documentId: crypto.randomUUID() };
  const { linkId, documentId } = ref;
  const stored: PaymentDocument = {
    ...fields,
    documentId,
    objectKey: keysOf(TENANT).payerUpload(linkId, documentId),
    expiresAtMs: NOW_MS + 1000,
    ...changes,
  };
  await addPayerDocument(table, TENANT, linkId, stored);
  return { ref, stored, find: async () => (await findPayerDocuments(table, TENANT, [ref]))[0] };
}

describe("a payer's upload", () => {
  test("is found by its link and its id, in the order asked for, and by no other link or tenant", async () => {
    const [first, second] = [await newUpload(), await newUpload()];
    const refs = [second.ref, first.ref, { ...first.ref, linkId: second.ref.linkId }, second.ref];
    const found = await findPayerDocuments(table, TENANT, refs);
    expect(found).toEqual([second.stored, first.stored, undefined, second.stored]);
    expect(await findPayerDocuments(table, "1002", [first.ref])).toEqual([undefined]);
  });

  test("is not found for its tenant, whatever id the tenant forms from it", async () => {
    const { ref } = await newUpload();
    const { linkId, documentId } = ref;
    const joined = ["-", "#", "/", "", " "].map((joint) => `${linkId}${joint}${documentId}`);
    const ids = [documentId, ...joined, `LINKDOCUMENT#${linkId}#${documentId}`, documentId.toUpperCase(), ""];
    expect(await findDocuments(table, TENANT, ids)).toEqual(new Map());
  });

  test("has its bytes with the execution that reserved it, and at their former place once it is released", async () => {
    const { ref, stored, find } = await newUpload();
    expect(await write(reserveDocument(table, TENANT, ref, "ours", NOW_MS))).toBe(true);
    const objectKey = `payers/kept/${TENANT}/${ref.linkId}/${ref.documentId}/ours`;
    expect(await find()).toEqual({ ...stored, executionId: "ours", objectKey });
    expect(await write(releaseDocument(table, TENANT, ref, "ours"))).toBe(true);
    expect(await find()).toEqual(stored);
    await write(reserveDocument(table, TENANT, ref, "theirs", NOW_MS));
    await write(consumeDocument(table, TENANT, ref, "theirs", "intent"));
    expect(await find()).toMatchObject({ consumedBy: "intent", objectKey: objectKey.replace("ours", "theirs") });
  });

  test("can be dropped once it has expired and nobody has reserved it, and then nobody can reserve it", async () => {
    const { ref, stored, find } = await newUpload();
    const drop = (nowMs: number) => dropDocument(table, TENANT, ref, nowMs);
    expect(await drop(stored.expiresAtMs - 1)).toBe(false);
    await write(reserveDocument(table, TENANT, ref, "ours", NOW_MS));
    expect(await drop(stored.expiresAtMs)).toBe(false);
    await write(releaseDocument(table, TENANT, ref, "ours"));
    expect(await drop(stored.expiresAtMs)).toBe(true);
    expect(await drop(stored.expiresAtMs)).toBe(true);
    expect(await find()).toBeUndefined();
    expect(await write(reserveDocument(table, TENANT, ref, "ours", NOW_MS))).toBe(false);
  });
});

test("documents are found in any number, each once, and unknown ones have no entry", async () => {
  const made = await Promise.all(Array.from({ length: 130 }, () => newDocument()));
  const ids = made.map(({ documentId }) => documentId);
  const found = await findDocuments(table, TENANT, [...ids, ids[0]!, crypto.randomUUID(), "unknown"]);
  expect([...found.keys()].toSorted()).toEqual(ids.toSorted());
});
