import { newLinkToken, newRecordId } from "@intents/domain/ids.ts";
import { planDraft } from "@intents/domain/intents/plan-draft.ts";
import type { PaymentDocument } from "@intents/domain/parties/document.ts";
import { document, quote, tuition } from "@intents/domain/test/intent-fixture.ts";
import { putFile } from "@intents/storage/files/files.ts";
import { addDocument, findDocument } from "@intents/storage/parties/documents.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { startFiles } from "@intents/storage/test/files-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { DRAFT_TTL_MS, startWorld } from "../../test/execution-fixture.ts";
import { createIntent } from "./create.ts";

const bucket = await startFiles();
const world = await startWorld(bucket.files);
afterAll(async () => {
  await world.stop();
  await bucket.stop();
});

const keys = keysOf("1001");

/** A tenant's document whose bytes are in the area that uploads go to first. */
async function upload(changes: Partial<PaymentDocument> = {}): Promise<string> {
  const documentId = crypto.randomUUID();
  const objectKey = `tmp/1001/${documentId}`;
  const expiresAtMs = world.clock.ms + 3_600_000;
  await putFile(bucket.files, objectKey, Buffer.from("%PDF-1.7"), "application/pdf");
  await addDocument(world.table, "1001", document(documentId, { objectKey, expiresAtMs, ...changes }));
  return documentId;
}

/** Stores a draft that names a document. */
async function draftWith(payerIdentityDocumentId: string) {
  const { quoteId } = quote([5001]);
  const manualPayment = { ...tuition.instructions.manualPayment, quoteId, payerIdentityDocumentId };
  const ids = { id: newRecordId(world.clock.ms, world.run.random), publicLinkId: newLinkToken(world.run.random) };
  const intent = planDraft({ ...tuition, instructions: { manualPayment } }, world.caller, ids);
  await createIntent({ ...world.run, files: bucket.files }, intent, world.caller);
}

const find = (id: string) => findDocument(world.table, "1001", id);

describe("a document that a new draft names", () => {
  test("lives as long as the draft when it was uploaded, and its bytes with it", async () => {
    const id = await upload();
    await draftWith(id);
    const objectKey = keys.object("kept", id);
    expect(await find(id)).toMatchObject({ objectKey, expiresAtMs: world.clock.ms + DRAFT_TTL_MS });
    expect(await bucket.keysBelow(objectKey)).toEqual([objectKey]);
  });

  test("lives as long as the last of several drafts", async () => {
    const id = await upload();
    await draftWith(id);
    world.clock.ms += 3_600_000;
    await draftWith(id);
    expect(await find(id)).toMatchObject({ expiresAtMs: world.clock.ms + DRAFT_TTL_MS });
  });

  test.each([
    ["was saved before, which has its own life", () => ({ source: "saved" as const })],
    ["has expired by now", () => ({ expiresAtMs: world.clock.ms })],
    ["a link has already", () => ({ consumedBy: "a link" })],
  ])("is left as it is when it %s", async (_, changes) => {
    const id = await upload(changes());
    const before = await find(id);
    await draftWith(id);
    expect(await find(id)).toEqual(before);
    expect(await bucket.keysBelow(keys.object("kept", id))).toEqual([]);
  });
});

test("the audit names the client that created an intent", async () => {
  const { id } = await world.newDraft();
  expect((await world.eventsOf(id))[0]).toMatchObject({ actor: "demo-user", clientId: "demo" });
});

test("an intent's id is used once", async () => {
  const ids = { id: newRecordId(world.clock.ms, world.run.random), publicLinkId: newLinkToken(world.run.random) };
  const intent = planDraft(tuition, world.caller, ids);
  await createIntent({ ...world.run, files: bucket.files }, intent, world.caller);
  await expect(createIntent({ ...world.run, files: bucket.files }, intent, world.caller)).rejects.toThrow(
    "already in use",
  );
});
