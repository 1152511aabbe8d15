import { type Actor, callerActor, type IntentEvent } from "@intents/domain/intents/audit-event.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { timerFor } from "@intents/domain/intents/timer.ts";
import { hasMetadata, type Metadata } from "@intents/domain/metadata.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import type { PaymentDocument } from "@intents/domain/parties/document.ts";
import { documentsOf } from "@intents/domain/scenarios/draft.ts";
import { copyFile } from "@intents/storage/files/files.ts";
import { indexRecipients } from "@intents/storage/intents/external-ids.ts";
import { addedMetadata } from "@intents/storage/intents/metadata.ts";
import { findDocuments, keepDocument } from "@intents/storage/parties/documents.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { change } from "../change.ts";
import type { Run } from "../run.ts";

/** Stores a caller's new draft with its metadata, audit entries, counters and the timer that would cancel it. */
export async function createIntent(
  run: Run,
  intent: PaymentIntent,
  caller: Pick<Caller, "userId" | "clientId">,
  metadata?: Metadata,
): Promise<PaymentIntent> {
  const timer = timerFor(intent, run.settings, run.now());
  const documentIds = documentsOf(intent).map(({ documentId }) => documentId);
  const documents = await findDocuments(run.table, intent.tenantId, documentIds);
  if (timer !== undefined) await keepUploads(run, intent.tenantId, [...documents.values()], timer.dueAtMs);
  const events = creationOf(intent, callerActor(caller));
  const after: PaymentIntent = hasMetadata(metadata) ? { ...intent, mayHaveMetadata: true } : intent;
  const created = await change(run, { before: undefined, after, events }, [
    ...(await indexRecipients(run.table, intent)),
    ...addedMetadata(run.table, intent, metadata),
  ]);
  if (!created.done) throw new Error("A new intent's id is already in use");
  return created.intent;
}

/** The audit event of a new intent. */
export function creationOf(intent: PaymentIntent, actor: Actor<"caller" | "payer">): IntentEvent[] {
  const { useCase, deliveryMode, amountMode } = intent;
  return [
    { name: "created", actor, data: { useCase, deliveryMode, amountMode } },
    { name: "terms_accepted", actor },
  ];
}

/**
 * Keeps the uploads that an intent names for as long as its draft lives: their bytes leave the area that is emptied
 * after two days (H58). Minted ids keep their own, short life. This is done before the intent is stored, because an
 * upload that is kept in vain does no harm.
 */
async function keepUploads(
  { table, files, now }: Run,
  tenantId: string,
  documents: readonly PaymentDocument[],
  untilMs: number,
): Promise<void> {
  const uploads = documents.filter(
    ({ source, expiresAtMs, consumedBy }) => source === "upload" && consumedBy === undefined && expiresAtMs > now(),
  );
  await Promise.all(
    uploads.map(async (document) => {
      const keys = keysOf(tenantId);
      const objectKey = keys.object("kept", document.documentId);
      if (document.objectKey !== objectKey)
        await copyFile(files, keys.storedObject(document.objectKey, "tmp"), objectKey);
      await keepDocument(table, tenantId, document, { untilMs, objectKey });
    }),
  );
}
