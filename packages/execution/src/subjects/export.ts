import { toIntentAnswer } from "@intents/domain/answers/intent-answer.ts";
import { intentPrivacy } from "@intents/domain/answers/privacy.ts";
import { toCommissionAnswer } from "@intents/domain/commissions/commission.ts";
import type { SavedPayer, Student } from "@intents/domain/parties/party.ts";
import { toPayerAnswer, toStudentAnswer } from "@intents/domain/parties/party.ts";
import { pick } from "@intents/domain/pick.ts";
import { eraseFrom } from "@intents/domain/privacy/erasure.ts";
import { partyRoles } from "@intents/domain/privacy/subject.ts";
import { type DocumentReader, traceRead } from "@intents/storage/audit/document-reads.ts";
import { findFile } from "@intents/storage/files/files.ts";
import { findMetadata } from "@intents/storage/intents/metadata.ts";
import { listSavedDocuments } from "@intents/storage/parties/documents.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { type FailedItem, settleInTurns } from "@intents/storage/table/in-turns.ts";
import type { Run } from "../run.ts";
import { findOwnDocuments } from "./documents.ts";
import { type FoundParty, findFormer, findIntents, findParties, type SubjectQuery, subjectOf } from "./find.ts";
import { commissionsOf } from "./names.ts";

/**
 * All that is kept of a person: records as JSON, and files by their paths; a document without its file `isGone`. `failed`
 * names what could not be read, so that the export lacks it.
 */
export type SubjectExport = Readonly<{
  failed: readonly FailedItem[];
  parties: readonly object[];
  payments: readonly object[];
  commissions: readonly object[];
  documents: readonly object[];
  files: ReadonlyMap<string, Uint8Array>;
}>;

type Stores = Pick<Run, "table" | "files" | "now" | "random">;
/** A file, and the student, payer or payment that it was found by. */
type StoredFile = Readonly<{
  ownerId: string;
  objectKey: string;
  fileName: string;
  contentType: string;
  sizeBytes: number;
}>;

/** Collects what is kept of a person, and of others in the same payments nothing. A file without a trace is left out. */
export async function exportSubject(
  stores: Stores,
  asked: SubjectQuery,
  reader: DocumentReader,
): Promise<SubjectExport> {
  const { table, files } = stores;
  const { tenantId } = asked;
  const [parties, former] = await Promise.all([findParties(table, asked), findFormer(table, asked)]);
  const failed: FailedItem[] = [];
  const stored = new Map<string, StoredFile>();
  for (const { kind, party } of parties) {
    const saved = await listSavedDocuments(table, tenantId, kind, party._id);
    for (const document of saved) stored.set(document.legacyDocumentId, { ...document, ownerId: party._id });
  }
  const payments: object[] = [];
  const commissions: object[] = [];
  for await (const found of findIntents(table, tenantId, subjectOf(asked, parties, former))) {
    const { intent, roles } = found;
    const others = partyRoles.filter((role) => !roles.includes(role));
    const [extras, metadata] = await Promise.all([findReviewState(table, intent), findMetadata(table, intent)]);
    payments.push(eraseFrom(toIntentAnswer(intent, { ...extras, metadata }), intentPrivacy, others));
    const collect = async () => {
      commissions.push(...(await commissionsOf(table, found)).map(toCommissionAnswer));
      for (const { ref, document } of await findOwnDocuments(table, found))
        stored.set(ref.documentId, { ...document, ownerId: intent.id });
    };
    await settleInTurns([intent], 1, collect, { failed, nameOf: ({ id }) => `payment ${id}` });
  }
  const read = new Map<string, Uint8Array>();
  const readOne = async ([id, document]: readonly [string, StoredFile]) => {
    const file = `documents/${id}.${document.contentType.split("/").at(-1)}`;
    await traceRead(stores, { tenantId, ownerId: document.ownerId, documentId: id, reader });
    const bytes = await findFile(files, document.objectKey);
    if (bytes !== undefined) read.set(file, bytes);
    // A file that is gone, by the retention of documents or by a fault, must not keep the person from all others.
    const place = bytes === undefined ? { isGone: true } : { file };
    return { ...place, ...pick(document, ["fileName", "contentType", "sizeBytes"]) };
  };
  const named = { failed, nameOf: ([id]: readonly [string, StoredFile]) => `document ${id}` };
  const documents = await settleInTurns([...stored], 1, readOne, named);
  return { parties: parties.map(toPartyAnswer), payments, commissions, documents, files: read, failed };
}

const toPartyAnswer = ({ kind, party }: FoundParty): object =>
  kind === "STUDENT"
    ? { kind: "student", ...toStudentAnswer(party as Student) }
    : { kind: "payer", ...toPayerAnswer(party as SavedPayer) };
