import type { PaymentDocument } from "@intents/domain/document.ts";
import { documentsOf, type PaymentIntent } from "@intents/domain/payment-intent.ts";
import { timerFor } from "@intents/domain/timer.ts";
import { findDocuments, keepDocument } from "@intents/storage/documents.ts";
import { copyFile, type Files } from "@intents/storage/files.ts";
import { changeIntent } from "@intents/storage/intents.ts";
import { keysOf } from "@intents/storage/keys.ts";
import type { Run } from "./run.ts";

/** Stores a new draft with its audit entries, its counters and the timer that would cancel it. */
export async function createIntent(run: Run, files: Files, intent: PaymentIntent): Promise<PaymentIntent> {
  const { table, settings } = run;
  const { createdBy: actor, createdAt: at } = intent;
  const timer = timerFor(intent, settings, run.now());
  const documentIds = documentsOf(intent).map(({ documentId }) => documentId);
  const documents = await findDocuments(table, intent.tenantId, documentIds);
  if (timer !== undefined) await keepUploads(run, files, intent.tenantId, [...documents.values()], timer.dueAtMs);
  const { useCase, deliveryMode, amountMode } = intent;
  const { verdict, intent: stored } = await changeIntent(table, {
    guard: { kind: "new" },
    after: intent,
    timer,
    shards: settings.timerShards,
    events: [
      { event: "paymentIntent.created", actor, at, data: { useCase, deliveryMode, amountMode } },
      { event: "paymentIntent.terms_accepted", actor, at },
    ],
  });
  if (!verdict.done) throw new Error("A new intent's id is already in use");
  return stored;
}

/**
 * A tenant's upload that an intent names lives as long as its draft, and its bytes leave the area that is emptied after two days
 * (H58). Minted ids keep their own, short life. Before the intent is stored: what is kept in vain does no harm.
 */
async function keepUploads(
  run: Run,
  files: Files,
  tenantId: string,
  documents: readonly PaymentDocument[],
  untilMs: number,
): Promise<void> {
  const uploads = documents.filter(
    ({ source, expiresAtMs, consumedBy }) => source === "upload" && consumedBy === undefined && expiresAtMs > run.now(),
  );
  await Promise.all(
    uploads.map(async (document) => {
      const objectKey = keysOf(tenantId).object("kept", document.documentId);
      if (document.objectKey !== objectKey) await copyFile(files, document.objectKey, objectKey);
      await keepDocument(run.table, tenantId, document, { untilMs, objectKey });
    }),
  );
}
