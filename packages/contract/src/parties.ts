import { documentTypes } from "@intents/domain/parties/document.ts";
import { payerTypes } from "@intents/domain/quotes/lookup.ts";
import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { birthday, countryCode, email, id, NAME_MAX, phone, text, timestamp } from "./shapes.ts";

const studentFields = () => ({
  firstName: text(NAME_MAX),
  lastName: text(NAME_MAX),
  email: email(),
  phone: phone().exactOptional(),
  dob: birthday().exactOptional(),
  addressLine1: text(NAME_MAX).exactOptional(),
  city: text(NAME_MAX).exactOptional(),
  state: text(NAME_MAX).exactOptional(),
  postcode: text(20).exactOptional(),
  countryCode: countryCode().exactOptional(),
  taxIdentificationNumber: text(64).exactOptional(),
});

/** Inline details of an intent: the fields of students and payers, none of them required. */
export const partyDetails = () =>
  z
    .strictObject({ ...studentFields(), payerType: z.enum(payerTypes), companyName: text(NAME_MAX) })
    .partial()
    .refine((details) => Object.keys(details).length > 0, "must have at least one field")
    .transform((details) => Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)));

/** The payer of a link: the same fields, of which a name and an email address are required. */
export const payerDetails = () =>
  z.strictObject({
    ...studentFields(),
    payerType: z.enum(payerTypes).exactOptional(),
    companyName: text(NAME_MAX).exactOptional(),
  });

const StudentBody = lazily(() => z.strictObject(studentFields()));
const StudentChanges = lazily(() => changesOf(studentFields()));

const payerFields = () => ({
  payerType: z.enum(["individual", "business"]),
  email: email(),
  profile: z
    .strictObject({
      firstName: text(NAME_MAX).exactOptional(),
      lastName: text(NAME_MAX).exactOptional(),
      companyName: text(NAME_MAX).exactOptional(),
      phone: phone().exactOptional(),
      dob: birthday().exactOptional(),
    })
    .exactOptional(),
  address: z
    .strictObject({
      country: countryCode().exactOptional(),
      line1: text(NAME_MAX).exactOptional(),
      city: text(NAME_MAX).exactOptional(),
      state: text(NAME_MAX).exactOptional(),
      postalCode: text(20).exactOptional(),
    })
    .exactOptional(),
});

const PayerBody = lazily(() => z.strictObject(payerFields()));
const PayerChanges = lazily(() => changesOf(payerFields()));

/** The fields of a PUT: each may be left out, and `null` removes one that a record need not have. */
const changesOf = (fields: Readonly<Record<string, z.ZodType>>): z.ZodObject =>
  z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, changeOf(schema).exactOptional()])),
  );

function changeOf(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodExactOptional)) return schema;
  const field = schema.unwrap();
  return z.nullable(field instanceof z.ZodObject ? changesOf(field.shape) : field);
}

const SaveDocumentBody = lazily(() =>
  z.strictObject({
    sourceDocumentId: id(),
    type: z.literal("identity"),
    fileName: text(255),
    contentType: z.enum(documentTypes),
  }),
);

const stored = () => ({ _id: z.string(), createdAt: timestamp(), updatedAt: timestamp() });
const Student = lazily(() => z.looseObject({ ...studentFields(), ...stored() }).meta({ id: "Student" }));
const Payer = lazily(() => z.looseObject({ ...payerFields(), ...stored() }).meta({ id: "Payer" }));
const SavedDocument = lazily(() =>
  z
    .looseObject({
      legacyDocumentId: z.uuid(),
      type: z.literal("identity"),
      fileName: z.string(),
      contentType: z.enum(documentTypes),
      sizeBytes: z.int(),
      createdAt: timestamp(),
    })
    .meta({ id: "SavedDocument" }),
);
const SavedDocuments = lazily(() => z.looseObject({ documents: z.array(SavedDocument()) }));
const MintedDocument = lazily(() => z.looseObject({ documentId: z.uuid(), expiresAt: timestamp() }));

const partyErrors = ["not_found"] as const;
const changeErrors = ["not_found", "stale"] as const;
const exampleStudent = { firstName: "Ana", lastName: "Silva", email: "ana.silva@example.com", countryCode: "BR" };

export const partyRoutes = defineRoutes({
  createStudent: {
    on: "POST /v2/students",
    group: "parties",
    summary: "Save a student",
    auth: "key",
    body: StudentBody,
    answers: { status: 201, data: Student, location: "students/{_id}" },
    example: exampleStudent,
  },
  listStudents: {
    on: "GET /v2/students",
    group: "parties",
    summary: "List students, newest first",
    auth: "key",
    query: { list: "STUDENT" },
    answers: { status: 200, list: "students", item: Student },
  },
  getStudent: {
    on: "GET /v2/students/{id}",
    group: "parties",
    summary: "Get a student",
    auth: "key",
    answers: { status: 200, data: Student },
    errors: partyErrors,
  },
  updateStudent: {
    on: "PUT /v2/students/{id}",
    group: "parties",
    summary: "Change a student; fields that are left out stay, and null removes one",
    auth: "key",
    body: StudentChanges,
    answers: { status: 200, data: Student },
    errors: changeErrors,
    example: { phone: "+5511987654321" },
  },
  saveStudentDocument: {
    on: "POST /v2/students/{id}/documents",
    group: "parties",
    summary: "Save an uploaded document on a student for reuse",
    auth: "key",
    body: SaveDocumentBody,
    answers: { status: 201, data: SavedDocument, location: "documents/{legacyDocumentId}/content" },
    errors: partyErrors,
  },
  listStudentDocuments: {
    on: "GET /v2/students/{id}/documents",
    group: "parties",
    summary: "List a student's saved documents: metadata only",
    auth: "key",
    answers: { status: 200, data: SavedDocuments, listed: "documents" },
    errors: partyErrors,
  },
  useStudentDocument: {
    on: "POST /v2/students/{id}/documents/{legacyDocumentId}/use",
    group: "parties",
    summary: "Mint a single-use document id from a saved document",
    auth: "key",
    answers: { status: 201, data: MintedDocument },
    errors: partyErrors,
  },
  getStudentDocumentContent: {
    on: "GET /v2/students/{id}/documents/{legacyDocumentId}/content",
    group: "parties",
    summary: "The saved document itself",
    auth: "key",
    answers: { status: 200, file: documentTypes },
    errors: partyErrors,
  },
  createPayer: {
    on: "POST /v2/payers",
    group: "parties",
    summary: "Save a payer",
    auth: "key",
    body: PayerBody,
    answers: { status: 201, data: Payer, location: "payers/{_id}" },
    example: {
      payerType: "individual",
      email: "rui.silva@example.com",
      profile: { firstName: "Rui", lastName: "Silva" },
    },
  },
  listPayers: {
    on: "GET /v2/payers",
    group: "parties",
    summary: "List payers, newest first",
    auth: "key",
    query: { list: "PAYER" },
    answers: { status: 200, list: "payers", item: Payer },
  },
  getPayer: {
    on: "GET /v2/payers/{id}",
    group: "parties",
    summary: "Get a payer",
    auth: "key",
    answers: { status: 200, data: Payer },
    errors: partyErrors,
  },
  updatePayer: {
    on: "PUT /v2/payers/{id}",
    group: "parties",
    summary: "Change a payer; fields that are left out stay, and null removes one",
    auth: "key",
    body: PayerChanges,
    answers: { status: 200, data: Payer },
    errors: changeErrors,
    example: { address: { country: "BR", city: "Recife" } },
  },
  savePayerDocument: {
    on: "POST /v2/payers/{id}/documents",
    group: "parties",
    summary: "Save an uploaded document on a payer for reuse",
    auth: "key",
    body: SaveDocumentBody,
    answers: { status: 201, data: SavedDocument, location: "documents/{legacyDocumentId}/content" },
    errors: partyErrors,
  },
  listPayerDocuments: {
    on: "GET /v2/payers/{id}/documents",
    group: "parties",
    summary: "List a payer's saved documents: metadata only",
    auth: "key",
    answers: { status: 200, data: SavedDocuments, listed: "documents" },
    errors: partyErrors,
  },
  usePayerDocument: {
    on: "POST /v2/payers/{id}/documents/{legacyDocumentId}/use",
    group: "parties",
    summary: "Mint a single-use document id from a saved document",
    auth: "key",
    answers: { status: 201, data: MintedDocument },
    errors: partyErrors,
  },
  getPayerDocumentContent: {
    on: "GET /v2/payers/{id}/documents/{legacyDocumentId}/content",
    group: "parties",
    summary: "The saved document itself",
    auth: "key",
    answers: { status: 200, file: documentTypes },
    errors: partyErrors,
  },
});
