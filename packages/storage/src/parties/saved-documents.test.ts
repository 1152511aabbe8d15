import type { SavedDocument } from "@intents/domain/parties/document.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import {
  addSavedDocument,
  deleteSavedDocument,
  findSavedDocument,
  listSavedDocuments,
  SAVED_DOCUMENTS_MAX,
} from "./documents.ts";
import { addParty } from "./parties.ts";

const AT = "2026-11-21T09:00:00.000Z";

const { table, stop } = await startTable();
afterAll(stop);

const saved = (legacyDocumentId: string): SavedDocument => ({
  legacyDocumentId,
  type: "identity",
  fileName: "passport.pdf",
  contentType: "application/pdf",
  objectKey: `saved/1001/STUDENT/1/${legacyDocumentId}`,
  sizeBytes: 400,
  sha256: "00",
  createdAt: AT,
});

describe("a document saved on a party", () => {
  test("is found and listed for that party only until it is deleted, and its id is taken once", async () => {
    const party = {
      _id: "ana",
      firstName: "Ana",
      lastName: "Silva",
      email: "a@example.com",
      createdAt: AT,
      updatedAt: AT,
    };
    await addParty(table, "1001", "STUDENT", party);
    for (const id of ["a", "b"]) await addSavedDocument(table, "1001", "STUDENT", "ana", saved(id));
    const other = { ...saved("a"), fileName: "other.pdf" };
    await expect(addSavedDocument(table, "1001", "STUDENT", "ana", other)).rejects.toThrow();
    expect(await listSavedDocuments(table, "1001", "STUDENT", "ana")).toEqual([saved("a"), saved("b")]);
    expect(await findSavedDocument(table, "1001", "STUDENT", "ana", "b")).toEqual(saved("b"));
    expect(await findSavedDocument(table, "1001", "PAYER", "ana", "b")).toBeUndefined();
    expect(await listSavedDocuments(table, "1001", "PAYER", "ana")).toEqual([]);
    expect(await listSavedDocuments(table, "1002", "STUDENT", "ana")).toEqual([]);
    await deleteSavedDocument(table, "1001", "STUDENT", "ana", "a");
    expect(await listSavedDocuments(table, "1001", "STUDENT", "ana")).toEqual([saved("b")]);
  });

  test("is not saved when there is no such party", async () => {
    expect(await addSavedDocument(table, "1001", "STUDENT", "nobody", saved("a"))).toBe(false);
    expect(await listSavedDocuments(table, "1001", "STUDENT", "nobody")).toEqual([]);
  });

  test("is listed with at most 99 others", async () => {
    const ids = Array.from({ length: SAVED_DOCUMENTS_MAX + 1 }, (_, index) => String(index).padStart(4, "0"));
    const times = { createdAt: AT, updatedAt: AT };
    await addParty(table, "1001", "PAYER", { _id: "many", payerType: "business", email: "m@example.com", ...times });
    for (const id of ids) await addSavedDocument(table, "1001", "PAYER", "many", saved(id));
    const listed = await listSavedDocuments(table, "1001", "PAYER", "many");
    expect(listed.map(({ legacyDocumentId }) => legacyDocumentId)).toEqual(ids.slice(0, SAVED_DOCUMENTS_MAX));
  });
});
