import { documentReadRoutes } from "@intents/contract/document-reads.ts";
import { partyRoutes } from "@intents/contract/parties.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import { hasTooMuch, TOO_MUCH } from "@intents/domain/metadata.ts";
import { mergeParty, toPayerAnswer, toStudentAnswer } from "@intents/domain/parties/party.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { deleteDocument, deleteParty } from "@intents/execution/documents/deletion.ts";
import { listDocuments, readDocument, saveDocument, useDocument } from "@intents/execution/documents/saved.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { parseListQuery } from "@intents/http/lists/query.ts";
import type { Request } from "@intents/http/request/request.ts";
import { pageOfReads } from "@intents/storage/audit/document-reads.ts";
import { openFiles } from "@intents/storage/files/files.ts";
import { addParty, findParty, type PartyKind, type PartyOf, updateParty } from "@intents/storage/parties/parties.ts";
import { now, random, settings, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";
import { listPage } from "./runtime/list-page.ts";

/** The most reads of a page, where the caller does not say. */
const READS_LIMIT_DEFAULT = 100;

const documents = { table, files: openFiles(settings.BUCKET_NAME), random, now };

type PartyRequest = Pick<Request<typeof partyRoutes.getStudent>, "caller" | "params">;
type DocumentRequest = Pick<Request<typeof partyRoutes.useStudentDocument>, "caller" | "params">;

const noParty = (kind: PartyKind) =>
  fail({ kind: "not_found" as const, resource: kind === "STUDENT" ? "student" : "payer" });

/** The operations on one kind of party, which tell it by `toAnswer`. */
function operationsOn<Kind extends PartyKind, Answer extends object>(
  kind: Kind,
  toAnswer: (party: PartyOf[Kind]) => Answer,
) {
  return {
    create: async ({ caller, nowMs }: CreateRequest, fields: Omit<PartyOf[Kind], keyof Stamps>) => {
      const party = { ...stamped(nowMs), ...fields } as PartyOf[Kind];
      await addParty(table, caller.tenantId, kind, party);
      return ok(toAnswer(party));
    },

    get: async ({ caller, params }: PartyRequest) => {
      const party = await findParty(table, caller.tenantId, kind, params.id);
      return party === undefined ? noParty(kind) : ok(toAnswer(party));
    },

    change: async ({ caller, params, body, isCurrent, nowMs }: ChangeRequest) => {
      const merge = (stored: PartyOf[Kind]) => {
        const merged = mergeParty(stored, body, nowMs);
        return hasTooMuch(merged.metadata) ? undefined : merged;
      };
      const isAsKnown = (stored: PartyOf[Kind]) => isCurrent(toAnswer(stored));
      const party = await updateParty(table, caller.tenantId, kind, params.id, merge, isAsKnown);
      if (party === "stale") return fail({ kind: "stale" } as const);
      if (party === "unfit") return fail({ kind: "shape" as const, problems: [TOO_MUCH] });
      return party === undefined ? noParty(kind) : ok(toAnswer(party));
    },
  };
}

type CreateRequest = Pick<Request<typeof partyRoutes.createStudent>, "caller" | "nowMs">;
type ChangeRequest = PartyRequest &
  Readonly<{ body: Readonly<Record<string, unknown>>; isCurrent: (party: object) => boolean; nowMs: number }>;

const stamped = (nowMs: number) => {
  const createdAt = new Date(nowMs).toISOString();
  return { _id: newRecordId(nowMs, random), createdAt, updatedAt: createdAt };
};
type Stamps = ReturnType<typeof stamped>;

const students = operationsOn("STUDENT", toStudentAnswer);
const payers = operationsOn("PAYER", toPayerAnswer);

/** The owner of the documents that a request is about. */
const ownerOf = (kind: PartyKind, { caller: { tenantId }, params }: PartyRequest) => ({
  tenantId,
  kind,
  partyId: params.id,
});

/** The saved document that a request is about. */
const savedOf = (kind: PartyKind, request: DocumentRequest) => ({
  ...ownerOf(kind, request),
  legacyDocumentId: request.params.legacyDocumentId,
});

const readerOf = ({ caller, requestId }: Pick<Request<typeof partyRoutes.getStudent>, "caller" | "requestId">) => ({
  by: "tenant" as const,
  clientId: caller.clientId,
  requestId,
});

export const handler = endpoint(
  "parties",
  { ...partyRoutes, ...documentReadRoutes },
  {
    createStudent: (request) => students.create(request, request.body),
    createPayer: (request) => payers.create(request, request.body),
    listStudents: (request) => listPage("STUDENT", request),
    listPayers: (request) => listPage("PAYER", request),
    getStudent: (request) => students.get(request),
    getPayer: (request) => payers.get(request),
    updateStudent: (request) => students.change(request),
    updatePayer: (request) => payers.change(request),
    deleteStudent: (request) => deleteParty(documents, ownerOf("STUDENT", request)),
    deleteStudentDocument: (request) => deleteDocument(documents, savedOf("STUDENT", request)),
    saveStudentDocument: (request) => saveDocument(documents, ownerOf("STUDENT", request), request.body),
    deletePayer: (request) => deleteParty(documents, ownerOf("PAYER", request)),
    deletePayerDocument: (request) => deleteDocument(documents, savedOf("PAYER", request)),
    savePayerDocument: (request) => saveDocument(documents, ownerOf("PAYER", request), request.body),
    listStudentDocuments: (request) => listDocuments(documents, ownerOf("STUDENT", request)),
    listPayerDocuments: (request) => listDocuments(documents, ownerOf("PAYER", request)),
    useStudentDocument: (request) => useDocument(documents, savedOf("STUDENT", request)),
    usePayerDocument: (request) => useDocument(documents, savedOf("PAYER", request)),
    getStudentDocumentContent: (request) => readDocument(documents, savedOf("STUDENT", request), readerOf(request)),
    getPayerDocumentContent: (request) => readDocument(documents, savedOf("PAYER", request), readerOf(request)),
    listDocumentReads: async ({ caller: { tenantId }, parameters: { limit = READS_LIMIT_DEFAULT, ...asked } }) =>
      ok(await pageOfReads(table, { tenantId, limit, ...asked })),
  },
  { gate, parseList: parseListQuery },
);
