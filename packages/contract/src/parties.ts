import { documentTypes } from "@intents/domain/parties/document.ts";
import * as z from "zod";
import { studentFields } from "./party-details.ts";
import { defineRoutes, lazily } from "./route.ts";
import { DeletedDocument, MintedDocument, SaveDocumentBody, SavedDocument, SavedDocuments } from "./saved-documents.ts";
import { payerFields } from "./saved-payers.ts";
import { externalId, givenExternalId, givenMetadata, metadata, metadataChanges, timestamp } from "./shapes.ts";

/** The tenant's own id is set with the record, for good; its notes can change. */
const ownId = () => ({ externalId: externalId().exactOptional() });
const ownNotes = () => ({ metadata: metadata().exactOptional() });

const StudentBody = lazily(() =>
  z
    .strictObject({ ...studentFields(), ...ownId(), ...ownNotes() })
    .meta({ id: "StudentInput", description: "A student" }),
);
const StudentChanges = lazily(() => changesOf("Student", { ...studentFields(), ...ownNotes() }));

const PayerBody = lazily(() =>
  z.strictObject({ ...payerFields(), ...ownId(), ...ownNotes() }).meta({ id: "PayerInput", description: "A payer" }),
);
const PayerChanges = lazily(() => changesOf("Payer", { ...payerFields(), ...ownNotes() }));

/** The fields of a PUT: each may be left out, and `null` removes one that a record need not have. */
const changesOf = (name: string, fields: Readonly<Record<string, z.ZodType>>): z.ZodObject =>
  z
    .strictObject(
      Object.fromEntries(
        Object.entries(fields).map(([field, schema]) => {
          const inner = field.replace(/^\w/, (letter) => letter.toUpperCase());
          return [field, changeOf(`${name}${inner}`, schema).exactOptional()];
        }),
      ),
    )
    .meta({ id: `${name}Changes`, description: "Fields that are left out stay; null removes one" });

function changeOf(name: string, schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodExactOptional)) return schema;
  const field = schema.unwrap() as z.ZodType;
  const { description = "" } = z.globalRegistry.get(field) ?? {};
  const inner = field instanceof z.ZodRecord ? metadataChanges() : field;
  const change = field instanceof z.ZodObject ? changesOf(name, field.shape) : inner;
  return z.nullable(change).describe(`${description}; null removes it`);
}

const stored = () => ({
  _id: z.string().describe("The record's id"),
  externalId: givenExternalId().exactOptional(),
  metadata: givenMetadata().exactOptional(),
  createdAt: timestamp("When the record was saved"),
  updatedAt: timestamp("When the record was last changed"),
});
const alias = { id: z.string().describe("The same as `_id`") };

const Student = lazily(() =>
  z.object({ ...studentFields(), ...stored() }).meta({ id: "Student", description: "A saved student" }),
);
const StudentItem = lazily(() =>
  Student().extend(alias).meta({ id: "StudentItem", description: "A saved student in a list" }),
);
const Payer = lazily(() =>
  z.object({ ...payerFields(), ...stored() }).meta({ id: "Payer", description: "A saved payer" }),
);
const PayerItem = lazily(() => Payer().extend(alias).meta({ id: "PayerItem", description: "A saved payer in a list" }));

const DeletedParty = lazily(() =>
  z
    .object({ _id: z.string().describe("The id of the record that is gone") })
    .meta({ id: "DeletedParty", description: "A student or payer that was deleted" }),
);

const partyErrors = ["not_found"] as const;
const changeErrors = ["not_found", "stale"] as const;
const exampleStudent = { firstName: "Ana", lastName: "Silva", email: "ana.silva@example.com", countryCode: "BR" };

const common = { group: "parties", auth: "key" } as const;

/** Calls about saved documents are the same for students and payers. */
const useDocument = {
  ...common,
  summary: "Mint a single-use document id from a saved document",
  description:
    "Each payment needs a document id of its own: the copy is consumed when its intent is submitted, and expires if that does not happen promptly.",
  answers: { status: 201, data: MintedDocument },
  errors: partyErrors,
} as const;
const deleteDocument = {
  ...common,
  summary: "Delete a saved document",
  description: "For good. Copies of it that were minted for a payment stay with that payment.",
  answers: { status: 200, data: DeletedDocument },
  errors: partyErrors,
} as const;
const getContent = {
  ...common,
  summary: "The saved document itself",
  description: "The file as it was uploaded, as a download.",
  answers: { status: 200, file: documentTypes },
  errors: partyErrors,
} as const;

export const partyRoutes = defineRoutes({
  createStudent: {
    ...common,
    on: "POST /v2/students",
    summary: "Save a student",
    description: "A person for whom, or by whom, tuition is paid. Name the record by its `_id` in intents.",
    body: StudentBody,
    answers: { status: 201, data: Student, location: "students/{_id}" },
    example: exampleStudent,
  },
  listStudents: {
    ...common,
    on: "GET /v2/students",
    summary: "List students, newest first",
    description: "The tenant's students.",
    query: { list: "STUDENT" },
    answers: { status: 200, list: "students", item: StudentItem },
  },
  getStudent: {
    ...common,
    on: "GET /v2/students/{id}",
    summary: "Get a student",
    description: "By its `_id`.",
    answers: { status: 200, data: Student },
    errors: partyErrors,
  },
  updateStudent: {
    ...common,
    on: "PUT /v2/students/{id}",
    summary: "Change a student; fields that are left out stay, and null removes one",
    description: "Payments that were submitted keep the details that they were submitted with.",
    body: StudentChanges,
    answers: { status: 200, data: Student },
    errors: changeErrors,
    example: { phone: "+5511987654321" },
  },
  deleteStudent: {
    ...common,
    on: "DELETE /v2/students/{id}",
    summary: "Delete a student and the documents saved on it",
    description:
      "For good. Drafts that name it lack a party from then on; submitted payments keep the details that they were submitted with.",
    answers: { status: 200, data: DeletedParty },
    errors: partyErrors,
  },
  saveStudentDocument: {
    ...common,
    on: "POST /v2/students/{id}/documents",
    summary: "Save an uploaded document on a student for reuse",
    description: "Keeps a copy of an upload on the student. The upload stays good for a payment.",
    body: SaveDocumentBody,
    answers: { status: 201, data: SavedDocument, location: "documents/{legacyDocumentId}/content" },
    errors: partyErrors,
  },
  listStudentDocuments: {
    ...common,
    on: "GET /v2/students/{id}/documents",
    summary: "List a student's saved documents: metadata only",
    description: "What the documents are, without their content.",
    answers: { status: 200, data: SavedDocuments, listed: "documents" },
    errors: partyErrors,
  },
  useStudentDocument: { ...useDocument, on: "POST /v2/students/{id}/documents/{legacyDocumentId}/use" },
  deleteStudentDocument: { ...deleteDocument, on: "DELETE /v2/students/{id}/documents/{legacyDocumentId}" },
  getStudentDocumentContent: { ...getContent, on: "GET /v2/students/{id}/documents/{legacyDocumentId}/content" },
  createPayer: {
    ...common,
    on: "POST /v2/payers",
    summary: "Save a payer",
    description: "A person or company that pays for others. Name the record by its `_id` in intents.",
    body: PayerBody,
    answers: { status: 201, data: Payer, location: "payers/{_id}" },
    example: {
      payerType: "individual",
      email: "rui.silva@example.com",
      profile: { firstName: "Rui", lastName: "Silva" },
    },
  },
  listPayers: {
    ...common,
    on: "GET /v2/payers",
    summary: "List payers, newest first",
    description: "The tenant's payers.",
    query: { list: "PAYER" },
    answers: { status: 200, list: "payers", item: PayerItem },
  },
  getPayer: {
    ...common,
    on: "GET /v2/payers/{id}",
    summary: "Get a payer",
    description: "By its `_id`.",
    answers: { status: 200, data: Payer },
    errors: partyErrors,
  },
  updatePayer: {
    ...common,
    on: "PUT /v2/payers/{id}",
    summary: "Change a payer; fields that are left out stay, and null removes one",
    description: "Payments that were submitted keep the details that they were submitted with.",
    body: PayerChanges,
    answers: { status: 200, data: Payer },
    errors: changeErrors,
    example: { address: { country: "BR", city: "Recife" } },
  },
  deletePayer: {
    ...common,
    on: "DELETE /v2/payers/{id}",
    summary: "Delete a payer and the documents saved on it",
    description:
      "For good. Drafts that name it lack a party from then on; submitted payments keep the details that they were submitted with.",
    answers: { status: 200, data: DeletedParty },
    errors: partyErrors,
  },
  savePayerDocument: {
    ...common,
    on: "POST /v2/payers/{id}/documents",
    summary: "Save an uploaded document on a payer for reuse",
    description: "Keeps a copy of an upload on the payer. The upload stays good for a payment.",
    body: SaveDocumentBody,
    answers: { status: 201, data: SavedDocument, location: "documents/{legacyDocumentId}/content" },
    errors: partyErrors,
  },
  listPayerDocuments: {
    ...common,
    on: "GET /v2/payers/{id}/documents",
    summary: "List a payer's saved documents: metadata only",
    description: "What the documents are, without their content.",
    answers: { status: 200, data: SavedDocuments, listed: "documents" },
    errors: partyErrors,
  },
  usePayerDocument: { ...useDocument, on: "POST /v2/payers/{id}/documents/{legacyDocumentId}/use" },
  deletePayerDocument: { ...deleteDocument, on: "DELETE /v2/payers/{id}/documents/{legacyDocumentId}" },
  getPayerDocumentContent: { ...getContent, on: "GET /v2/payers/{id}/documents/{legacyDocumentId}/content" },
});
