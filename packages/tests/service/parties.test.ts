import { describe, expect, test } from "vitest";
import { fileForm, payerBody, pdf, savedDocumentBody, studentBody } from "./client.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { create, tuition } from "./tuition.ts";

// Over HTTP each rule has one case: packages/contract/src/shapes.test.ts proves the forms of fields.

const { client } = await openService();

const everyStudentField = () => ({
  ...studentBody(),
  phone: "+5511987654321",
  dob: "2004-02-29",
  addressLine1: "Rua das Flores, 10",
  city: "São Paulo",
  state: "SP",
  postcode: "01000-000",
  countryCode: "BR",
  taxIdentificationNumber: "123.456.789-09",
});
const everyPayerField = () => ({
  ...payerBody(),
  payerType: "business",
  profile: { firstName: "Rui", lastName: "Silva", companyName: "Silva Lda", phone: "+351911222333", dob: "1970-01-31" },
  address: { country: "PT", line1: "Rua 1", city: "Porto", state: "Norte", postalCode: "4000-000" },
});

describe.each([
  {
    kind: "student",
    path: "/v2/students",
    other: "/v2/payers",
    least: studentBody,
    every: everyStudentField,
    needs: ["firstName", "lastName", "email"],
  },
  {
    kind: "payer",
    path: "/v2/payers",
    other: "/v2/students",
    least: payerBody,
    every: everyPayerField,
    needs: ["payerType", "email"],
  },
])("a $kind", ({ path, other, least, every, needs }) => {
  type Party = { _id: string; createdAt: string; updatedAt: string };
  const create = (body: object) => client.must<Party>("POST", path, { body });
  const totalOf = async (email: string) =>
    (await client.call<{ total: number }>("GET", `${path}?filter[email]=${email}`)).body.total;

  test("is answered as it was sent, with an _id of 24 hex characters and its times, and read back alike", async () => {
    for (const body of [least(), every()]) {
      const party = await create(body);
      const { _id, createdAt, updatedAt, ...fields } = party;
      expect(fields).toEqual(body);
      expect(_id).toMatch(/^[0-9a-f]{24}$/);
      expect(new Date(createdAt).toISOString()).toBe(updatedAt);
      expect(await client.must("GET", `${path}/${_id}`)).toEqual(party);
      expectEnvelope(await client.call("GET", `${other}/${_id}`), 404, "[GEN9003]");
      // An email may be another's, too: there is no such rule.
      expect((await create(body))._id).not.toBe(_id);
    }
    expectShape(await client.call("POST", path, { body: {} }), ...needs);
  });

  test("keeps the fields that a PUT leaves out, changes those it names, and shows it in updatedAt", async () => {
    const body = every();
    const party = await create(body);
    const email = `changed.${body.email}`;
    const changed = await client.must<Party>("PUT", `${path}/${party._id}`, { body: { email } });
    expect(changed).toEqual({ ...party, email, updatedAt: expect.any(String) });
    expect(changed.updatedAt > party.updatedAt).toBe(true);
    expect(await client.must("GET", `${path}/${party._id}`)).toEqual(changed);
    expect([await totalOf(email), await totalOf(body.email)]).toEqual([1, 0]);
  });

  test("loses the optional fields that a PUT names with null, and keeps those that it needs", async () => {
    const body = every();
    const { _id } = await create(body);
    const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
    const optional = Object.keys(body).filter((name) => !needs.includes(name));
    const left = await client.must<Party>("PUT", `${path}/${_id}`, { body: nulls(optional) });
    const { createdAt, _id: __, updatedAt, ...kept } = left;
    expect(kept).toEqual(Object.fromEntries(Object.entries(body).filter(([name]) => needs.includes(name))));
    expect(await client.must("GET", `${path}/${_id}`)).toEqual(left);
    const wrong = { ...nulls(needs), _id, nickname: "x", createdAt: "2020-01-01T00:00:00.000Z" };
    expectShape(await client.call("PUT", `${path}/${_id}`, { body: wrong }), ...Object.keys(wrong));
    expectShape(await client.call("POST", path, { body: { ...least(), ...nulls(optional) } }), ...optional);
    expect((await client.call("PUT", `${path}/${_id}`, { body: {} })).status).toBe(200);
  });
});

describe("a document saved on a party", () => {
  const newParty = async () => `/v2/payers/${(await client.newPayer())._id}`;

  test("has an id of its own, is listed without its content, and mints a fresh id at each use", async () => {
    const [party, upload] = await Promise.all([newParty(), client.uploadPdf()]);
    const saved = await client.saveDocument(party, upload);
    expect(saved).toEqual({
      ...savedDocumentBody,
      legacyDocumentId: expect.any(String),
      sizeBytes: 400,
      createdAt: expect.any(String),
    });
    expect(await client.must("GET", `${party}/documents`)).toEqual({ documents: [saved] });

    const use = () => client.must<{ documentId: string }>("POST", `${party}/documents/${saved.legacyDocumentId}/use`);
    const minted = [await use(), await use()].map(({ documentId }) => documentId);
    const ids = [upload, saved.legacyDocumentId, ...minted];
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test("downloads byte for byte, as an attachment that no browser interprets, under a harmless name", async () => {
    const party = await newParty();
    const bytes = pdf(100_000).map((byte, index) => (index < 5 ? byte : (index * 7) % 256));
    const { documentId } = await client.must<{ documentId: string }>("POST", "/v2/documents", {
      form: fileForm(bytes),
    });
    const body = { ...savedDocumentBody, sourceDocumentId: documentId, fileName: '../scans\\pässe "(1)*";.exe' };
    const saved = await client.must<{ legacyDocumentId: string }>("POST", `${party}/documents`, { body });

    const content = await client.call("GET", `${party}/documents/${saved.legacyDocumentId}/content`);
    expect(content.status).toBe(200);
    expect(Buffer.from(content.bytes).equals(Buffer.from(bytes))).toBe(true);
    expect(content.headers.get("content-type")).toBe("application/pdf");
    expect(content.headers.get("content-disposition")).toBe(
      "attachment; filename*=UTF-8''p%C3%A4sse%20%281%29%2A%3B.pdf",
    );
    expect(content.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("may be saved twice from the same upload, which neither saving nor a draft that names it consumes", async () => {
    const [one, two, { body, documentId }] = await Promise.all([newParty(), newParty(), tuition(client)]);
    await create(client, body);
    const [first, second] = [await client.saveDocument(one, documentId), await client.saveDocument(two, documentId)];
    expect(new Set([documentId, first.legacyDocumentId, second.legacyDocumentId]).size).toBe(3);
  });

  test("has the type identity and its own content type, and every problem is named", async () => {
    const [party, sourceDocumentId] = await Promise.all([newParty(), client.uploadPdf()]);
    const save = (changes: object) =>
      client.call("POST", `${party}/documents`, { body: { ...savedDocumentBody, sourceDocumentId, ...changes } });
    expectShape(await save({ contentType: "image/png" }), "contentType");
    const wrong = { type: "purpose_proof", contentType: "text/html", fileName: "", extra: 1 };
    expectShape(await save(wrong), ...Object.keys(wrong));
  });

  test("is not reached by another party's path", async () => {
    const [party, other] = await Promise.all([newParty(), newParty()]);
    const { legacyDocumentId } = await client.saveDocument(party);
    expectEnvelope(await client.call("POST", `${other}/documents/${legacyDocumentId}/use`), 404, "[GEN9003]");
    expectEnvelope(await client.call("GET", `${other}/documents/${legacyDocumentId}/content`), 404, "[GEN9003]");
    expect(await client.must("GET", `${other}/documents`)).toEqual({ documents: [] });
  });
});
