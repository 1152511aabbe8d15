import { DAY_MS } from "@intents/domain/durations.ts";
import { STUDENT_ID } from "@intents/domain/test/intent-fixture.ts";
import { putFile } from "@intents/storage/files/files.ts";
import { addSavedDocument, findDocument, findSavedDocument } from "@intents/storage/parties/documents.ts";
import { deleteParty } from "@intents/storage/parties/parties.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { afterAll, expect, test } from "vitest";
import { actAs } from "../../test/acting-fixture.ts";
import { failing } from "../../test/fault-fixture.ts";
import { startPayers } from "../../test/session-fixture.ts";
import { sweepDocuments } from "./retention.ts";
import { storeUpload } from "./upload.ts";

const { bucket, world, payers, stop } = await startPayers();
afterAll(stop);

const retention = { paymentsMs: 10 * DAY_MS, savedMs: 20 * DAY_MS };
const sweep = (deadlineMs = Number.POSITIVE_INFINITY) =>
  actAs("daily", () => sweepDocuments(world.run, retention, deadlineMs));
const { table } = world;
const pdf = { fileName: "passport.pdf", contentType: "application/pdf", bytes: Buffer.from("%PDF-1.7") } as const;

async function upload(): Promise<string> {
  const stored = await storeUpload(world.run, "1001", pdf, world.clock.ms);
  if (!stored.ok) throw new Error("The upload was refused");
  return stored.value.documentId;
}

/** A draft that names an upload of its own. */
async function draft() {
  const documentId = await upload();
  const { instructions } = await world.newDraft();
  const manualPayment = { ...instructions?.manualPayment, payerIdentityDocumentId: documentId };
  const { id } = await world.newDraft({ instructions: { manualPayment } });
  return { id, documentId };
}

const isKept = async (documentId: string): Promise<boolean> => {
  const record = await findDocument(table, "1001", documentId);
  const files = (await bucket.keysBelow("kept/")).filter((key) => key.includes(documentId));
  expect(files.length > 0).toBe(record !== undefined);
  return record !== undefined;
};

test("what a draft names is kept as long as the draft, and goes with its bytes when nobody has submitted it", async () => {
  const { documentId } = await draft();
  world.clock.ms += 13 * DAY_MS;
  await sweep();
  expect(await isKept(documentId)).toBe(true);
  world.clock.ms += 2 * DAY_MS;
  await sweep();
  expect(await isKept(documentId)).toBe(false);
});

test("what a payment has is kept while it runs, and for the time of the setting after its end", async () => {
  const { id, documentId } = await draft();
  expect(await world.submit(id)).toMatchObject({ ok: true });
  world.clock.ms += 30 * DAY_MS;
  await sweep();
  expect(await isKept(documentId)).toBe(true);
  await world.tick(id);
  expect((await world.get(id)).status).toBe("completed");
  world.clock.ms += 9 * DAY_MS;
  await sweep();
  expect(await isKept(documentId)).toBe(true);
  world.clock.ms += 2 * DAY_MS;
  expect(await sweep()).toMatchObject({ finished: true });
  expect(await isKept(documentId)).toBe(false);
});

test("what a payer uploaded goes like that as well", async () => {
  const link = await payers.publish();
  const documentId = await payers.upload(link);
  const childId = await payers.begin(link, { documentIds: [documentId] });
  world.clock.ms += 60_000;
  await world.tick(childId);
  expect((await world.get(childId)).status).toBe("completed");
  const kept = async () => (await bucket.keysBelow("payers/kept/")).filter((key) => key.includes(documentId)).length;
  await sweep();
  expect(await kept()).toBe(1);
  world.clock.ms += 11 * DAY_MS;
  await sweep();
  expect([await kept(), await payers.documentOf(link, documentId)]).toEqual([0, undefined]);
});

test("a saved document goes when it is old, or when a crash has left it without its party", async () => {
  const save = async () => {
    const legacyDocumentId = crypto.randomUUID();
    const objectKey = keysOf("1001").savedFile("STUDENT", STUDENT_ID, legacyDocumentId);
    await putFile(bucket.files, objectKey, pdf.bytes, pdf.contentType);
    const { bytes, ...file } = pdf;
    const createdAt = new Date(world.clock.ms).toISOString();
    const saved = { ...file, legacyDocumentId, type: "identity", objectKey, createdAt } as const;
    await addSavedDocument(table, "1001", "STUDENT", STUDENT_ID, { ...saved, sizeBytes: bytes.length, sha256: "00" });
    return legacyDocumentId;
  };
  const isSaved = async (id: string) =>
    (await findSavedDocument(table, "1001", "STUDENT", STUDENT_ID, id)) !== undefined;
  const old = await save();
  world.clock.ms += 19 * DAY_MS;
  const young = await save();
  await sweep();
  expect([await isSaved(old), await isSaved(young)]).toEqual([true, true]);
  world.clock.ms += DAY_MS;
  await sweep();
  expect([await isSaved(old), await isSaved(young)]).toEqual([false, true]);
  await deleteParty(table, "1001", "STUDENT", STUDENT_ID);
  await sweep();
  expect(await isSaved(young)).toBe(false);
  expect((await bucket.keysBelow("saved/1001/")).filter((key) => key.endsWith(old) || key.endsWith(young))).toEqual([]);
});

test("the sweep goes on where it stopped for want of time", async () => {
  await upload();
  expect(await sweep(world.clock.ms)).toEqual({ seen: 0, deleted: 0, finished: false });
  expect(await sweep()).toMatchObject({ finished: true });
});

test("a document that fails to be deleted for good keeps no other, and is named", async () => {
  const [broken, ...others] = [await upload(), await upload(), await upload()];
  world.clock.ms += 2 * DAY_MS;
  const as = failing(world.run, (call) => call.startsWith("DeleteObjectCommand") && call.includes(broken));
  await expect(sweepDocuments(as, retention, Number.POSITIVE_INFINITY)).rejects.toThrow(`1001/${broken}`);
  for (const documentId of others) expect(await findDocument(table, "1001", documentId)).toBeUndefined();
  expect(await findDocument(table, "1001", broken)).toBeDefined();
  // The next day begins anew.
  await sweep();
  expect(await findDocument(table, "1001", broken)).toBeUndefined();
});
