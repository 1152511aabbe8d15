import { createHash } from "node:crypto";
import { newNumericId, newRecordId, newUuid } from "@intents/domain/ids.ts";
import type { SavedDocument } from "@intents/domain/parties/document.ts";
import type { Payee } from "@intents/domain/parties/payee.ts";
import type { Run } from "@intents/execution/run.ts";
import { putFile } from "@intents/storage/files/files.ts";
import { addSavedDocument } from "@intents/storage/parties/documents.ts";
import { addParty } from "@intents/storage/parties/parties.ts";
import { addPayee } from "@intents/storage/parties/payees.ts";
import { keysOf } from "@intents/storage/table/keys.ts";

/** A saved student with an identity document, who pays from `countryCode`. */
export type Person = Readonly<{ studentId: string; countryCode: string; passport: SavedDocument }>;

/** The payers and payees of the demo. */
export type Cast = Readonly<{
  students: readonly [Person, ...Person[]];
  schools: readonly [Payee, ...Payee[]];
  supplier: Payee;
}>;

const students = [
  { firstName: "Ana", lastName: "Silva", countryCode: "BR" },
  { firstName: "Diego", lastName: "Rojas", countryCode: "CL" },
  { firstName: "Priya", lastName: "Nair", countryCode: "IN" },
  { firstName: "Minh", lastName: "Tran", countryCode: "VN" },
  { firstName: "Lucía", lastName: "Gómez", countryCode: "CO" },
  { firstName: "Kenji", lastName: "Mori", countryCode: "JP" },
] as const;

const schools = [
  { name: "Riverside College", countryCode: "AU", currencyCode: "AUD" },
  { name: "Maple Language School", countryCode: "CA", currencyCode: "CAD" },
] as const;
const supplier = { name: "Harbour Student Housing", countryCode: "AU", currencyCode: "AUD" } as const;

/** Adds the demo's people and payees to a tenant: new ones each time, so that a second demo disturbs nothing. */
export async function hireCast(run: Run, tenantId: string): Promise<Cast> {
  const nowMs = run.now();
  const createdAt = new Date(nowMs).toISOString();
  let payeeId = newNumericId(nowMs, run.random);

  async function newPayee(payee: Readonly<{ name: string; countryCode: string; currencyCode: string }>) {
    const made: Payee = { id: payeeId++, ...payee, tenantId, createdAt };
    if (!(await addPayee(run.table, made, true))) throw new Error(`The payee id ${made.id} is taken: try again`);
    return made;
  }

  async function newStudent({ firstName, lastName, countryCode }: (typeof students)[number]): Promise<Person> {
    const studentId = newRecordId(nowMs, run.random);
    const email = `${firstName}.${lastName}.${studentId.slice(-6)}@example.com`.toLowerCase().normalize("NFD");
    await addParty(run.table, tenantId, "STUDENT", {
      _id: studentId,
      firstName,
      lastName,
      countryCode,
      createdAt,
      updatedAt: createdAt,
      email: email.replaceAll(/[^a-z0-9.@]/g, ""),
    });
    const passport = await newPassport(studentId, `${firstName} ${lastName}`);
    await addSavedDocument(run.table, tenantId, "STUDENT", studentId, passport);
    return { studentId, countryCode, passport };
  }

  async function newPassport(studentId: string, name: string): Promise<SavedDocument> {
    const legacyDocumentId = newUuid(run.random);
    const objectKey = keysOf(tenantId).savedFile("STUDENT", studentId, legacyDocumentId);
    const bytes = new TextEncoder().encode(`%PDF-1.4 the passport of ${name}`);
    await putFile(run.files, objectKey, bytes, "application/pdf");
    return {
      legacyDocumentId,
      type: "identity",
      fileName: "passport.pdf",
      contentType: "application/pdf",
      objectKey,
      sizeBytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      createdAt,
    };
  }

  const [first, ...others] = students;
  const [school, ...otherSchools] = schools;
  return {
    students: [await newStudent(first), ...(await Promise.all(others.map(newStudent)))],
    schools: [await newPayee(school), ...(await Promise.all(otherSchools.map(newPayee)))],
    supplier: await newPayee(supplier),
  };
}
