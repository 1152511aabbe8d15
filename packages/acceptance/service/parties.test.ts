import { describe, expect, test } from "vitest";
import { fileForm, payerBody, pdf, savedDocumentBody, studentBody } from "./client.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { create, tuition } from "./tuition.ts";

const { client } = await openService();

const leastIntent = {
  useCase: "education_provider_tuition",
  deliveryMode: "manual",
  amountMode: "payer_fixed",
  termsAccepted: true,
};
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

/** A day on which nobody can have been born, in no time zone. */
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

describe.each([
  {
    kind: "student",
    path: "/v2/students",
    least: studentBody,
    every: everyStudentField,
    needs: ["firstName", "lastName", "email"],
  },
  { kind: "payer", path: "/v2/payers", least: payerBody, every: everyPayerField, needs: ["payerType", "email"] },
])("a $kind", ({ path, least, every, needs }) => {
  type Party = { _id: string; createdAt: string; updatedAt: string };
  const create = (body: object) => client.must<Party>("POST", path, { body });

  test("is answered as it was sent, with an _id of 24 hex characters and its times, and read back alike", async () => {
    for (const body of [least(), every()]) {
      const party = await create(body);
      const { _id, createdAt, updatedAt, ...fields } = party;
      expect(fields).toEqual(body);
      expect(_id).toMatch(/^[0-9a-f]{24}$/);
      expect(new Date(createdAt).toISOString()).toBe(updatedAt);
      expect(await client.must("GET", `${path}/${_id}`)).toEqual(party);
    }
  });

  test("needs its required fields, all named at once", async () => {
    expectShape(await client.call("POST", path, { body: {} }), ...needs);
  });

  test("may have the same email as another: there is no such rule", async () => {
    const body = least();
    const [one, other] = await Promise.all([create(body), create(body)]);
    expect(one._id).not.toBe(other._id);
  });

  test("keeps the fields that a PUT leaves out, changes those it names, and shows it in updatedAt", async () => {
    const body = every();
    const party = await create(body);
    const email = `changed.${body.email}`;
    const changed = await client.must<Party>("PUT", `${path}/${party._id}`, { body: { email } });
    expect(changed).toEqual({ ...party, email, updatedAt: expect.any(String) });
    expect(changed.updatedAt > party.updatedAt).toBe(true);
    expect(await client.must("GET", `${path}/${party._id}`)).toEqual(changed);
    const found = await client.call<{ total: number }>("GET", `${path}?filter[email]=${email}`);
    expect(found.body.total).toBe(1);
    expect((await client.call<{ total: number }>("GET", `${path}?filter[email]=${body.email}`)).body.total).toBe(0);
  });

  test("loses the optional fields that a PUT names with null, and keeps those that it needs", async () => {
    const body = every();
    const party = await create(body);
    const optional = Object.keys(body).filter((name) => !needs.includes(name));
    const nulls = Object.fromEntries(optional.map((name) => [name, null]));
    const left = await client.must<Party>("PUT", `${path}/${party._id}`, { body: nulls });
    const { createdAt, _id, updatedAt, ...kept } = left;
    expect(kept).toEqual(Object.fromEntries(Object.entries(body).filter(([name]) => needs.includes(name))));
    expect(await client.must("GET", `${path}/${_id}`)).toEqual(left);
    expectShape(
      await client.call("PUT", `${path}/${_id}`, { body: Object.fromEntries(needs.map((name) => [name, null])) }),
      ...needs,
    );
    expectShape(await client.call("POST", path, { body: { ...least(), ...nulls } }), ...optional);
  });

  test("takes an empty PUT, and refuses one of _id, of unknown fields, of null and of a wrong value", async () => {
    const { _id } = await create(least());
    expect((await client.call("PUT", `${path}/${_id}`, { body: {} })).status).toBe(200);
    const body = { _id, nickname: "x", email: null, createdAt: "2020-01-01T00:00:00.000Z" };
    expectShape(await client.call("PUT", `${path}/${_id}`, { body }), "_id", "nickname", "email", "createdAt");
  });

  test.each(["000000000000000000000000", "nobody", "%F0%9F%98%80"])(
    "%s is 404 to GET, PUT and its documents",
    async (id) => {
      const asked = [
        client.call("GET", `${path}/${id}`),
        client.call("PUT", `${path}/${id}`, { body: {} }),
        client.call("DELETE", `${path}/${id}`),
        client.call("DELETE", `${path}/${id}/documents/${id}`),
        client.call("GET", `${path}/${id}/documents`),
        client.call("POST", `${path}/${id}/documents`, {
          body: { ...savedDocumentBody, sourceDocumentId: await client.uploadPdf() },
        }),
        client.call("POST", `${path}/${id}/documents/${id}/use`),
        client.call("GET", `${path}/${id}/documents/${id}/content`),
      ];
      for (const reply of await Promise.all(asked)) expectEnvelope(reply, 404, "[GEN9003]");
    },
  );

  test("is not found under the other kind's path", async () => {
    const { _id } = await create(least());
    const other = path === "/v2/students" ? "/v2/payers" : "/v2/students";
    expectEnvelope(await client.call("GET", `${other}/${_id}`), 404, "[GEN9003]");
  });
});

test.each([
  [
    "phone",
    [
      "1234",
      "+1 (2) 3-4",
      "1".repeat(21),
      "55+11987",
      "++5511987",
      "+55 11 98765 ext. 4",
      "5".repeat(41),
      "5511\n987",
      "+",
      "",
    ],
  ],
  ["dob", ["2003-02-29", "29/02/2004", "2004-02-29T00:00:00Z", "2950-01-31", tomorrow(), ""]],
  ["countryCode", ["BRA", "br", "XX", ""]],
  ["email", ["ana", "ana@", "ana@example", `${"a".repeat(250)}@example.com`]],
  ["firstName", ["", "  ", "a\u0000b", "a\nb", "x".repeat(141), 7, null, ["Ana"]]],
  ["taxIdentificationNumber", ["", "x".repeat(65)]],
] as const)("a student's %s of a wrong form is refused and named", async (field, values) => {
  for (const value of values) {
    const reply = await client.call("POST", "/v2/students", { body: { ...studentBody(), [field]: value } });
    expectShape(reply, field);
  }
});

test("names in any script, 140 characters long, survive as they are", async () => {
  for (const firstName of ["Zoë", "李小龍", "محمد", "O'Brien-Šmíd", "👩‍🎓", "ẞ".repeat(140), "toString", "__proto__"]) {
    const { _id } = await client.newStudent({ firstName });
    expect(await client.must("GET", `/v2/students/${_id}`)).toMatchObject({ firstName });
  }
});

test("a phone is taken as people write it, and kept so", async () => {
  for (const phone of ["+55 (11) 98765-4321", "(02) 9351 2222", "0049.30.123456", "(+351) 911 222 333", "12345"]) {
    expect(await client.newStudent({ phone })).toMatchObject({ phone });
    expect(await client.newPayer({ profile: { phone } })).toMatchObject({ profile: { phone } });
  }
});

test("a birthday is in the past, wherever it is stated", async () => {
  const dob = tomorrow();
  expectShape(await client.call("POST", "/v2/payers", { body: { ...payerBody(), profile: { dob } } }), "profile.dob");
  const { _id } = await client.newStudent({ dob: "1926-01-31" });
  expectShape(await client.call("PUT", `/v2/students/${_id}`, { body: { dob } }), "dob");
  const payer = { role: "student", details: { firstName: "Ana", lastName: "Silva", dob } };
  expectShape(
    await client.call("POST", "/v2/payment-intents", { body: { ...leastIntent, payer } }),
    "payer.details.dob",
  );
});

test("a payer loses the nested fields that a PUT names with null, and no others", async () => {
  const { _id, profile, address } = await client.newPayer(everyPayerField());
  const body = { profile: { phone: null }, address: { line1: null, city: "Braga" } };
  const { phone, ...profileLeft } = profile as Record<string, unknown>;
  const { line1, ...addressLeft } = address as Record<string, unknown>;
  expect(await client.must("PUT", `/v2/payers/${_id}`, { body })).toMatchObject({
    profile: profileLeft,
    address: { ...addressLeft, city: "Braga" },
  });
  expect(await client.must("GET", `/v2/payers/${_id}`)).not.toHaveProperty("profile.phone");
});

test("a payer's nested problems are named by their dotted paths, all at once", async () => {
  const body = {
    ...payerBody(),
    payerType: "alien",
    profile: { phone: "1", nick: "x" },
    address: { country: "BRA", zip: "1" },
  };
  const reply = await client.call("POST", "/v2/payers", { body });
  expectShape(reply, "payerType", "profile.phone", "profile.nick", "address.country", "address.zip");
});

test("changes of one student at once are all kept", async () => {
  const { _id } = await client.newStudent();
  const changes = { phone: "+5511987654321", city: "c", state: "s", postcode: "p", addressLine1: "a" };
  const replies = await Promise.all(
    Object.entries(changes).map(([name, value]) =>
      client.call("PUT", `/v2/students/${_id}`, { body: { [name]: value } }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await client.must("GET", `/v2/students/${_id}`)).toMatchObject(changes);
});

describe.each(["students", "payers"])("a document saved on one of the %s", (kind) => {
  const newParty = async () => {
    const { _id } = await (kind === "students" ? client.newStudent() : client.newPayer());
    return `/v2/${kind}/${_id}`;
  };

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

  test("may be saved again from the same upload, which saving does not consume", async () => {
    const [one, other, upload] = await Promise.all([newParty(), newParty(), client.uploadPdf()]);
    const [first, second] = [await client.saveDocument(one, upload), await client.saveDocument(other, upload)];
    expect(first.legacyDocumentId).not.toBe(second.legacyDocumentId);
  });

  test("may be saved from an upload that a draft names already, which the draft keeps", async () => {
    const { body, documentId } = await tuition(client);
    await create(client, body);
    const { legacyDocumentId } = await client.saveDocument(await newParty(), documentId);
    expect(legacyDocumentId).not.toBe(documentId);
  });

  test("has the type identity and its own content type, and every problem is named", async () => {
    const [party, sourceDocumentId] = await Promise.all([newParty(), client.uploadPdf()]);
    const save = (changes: object) =>
      client.call("POST", `${party}/documents`, { body: { ...savedDocumentBody, sourceDocumentId, ...changes } });
    expectShape(await save({ type: "purpose_proof" }), "type");
    expectShape(await save({ contentType: "image/png" }), "contentType");
    expectShape(await save({ contentType: "text/html", fileName: "", extra: 1 }), "contentType", "fileName", "extra");
    expectShape(
      await client.call("POST", `${party}/documents`, { body: {} }),
      "sourceDocumentId",
      "type",
      "fileName",
      "contentType",
    );
  });

  test("is not reached by another party's path", async () => {
    const [party, other] = await Promise.all([newParty(), newParty()]);
    const { legacyDocumentId } = await client.saveDocument(party);
    expectEnvelope(await client.call("POST", `${other}/documents/${legacyDocumentId}/use`), 404, "[GEN9003]");
    expectEnvelope(await client.call("GET", `${other}/documents/${legacyDocumentId}/content`), 404, "[GEN9003]");
    expect(await client.must("GET", `${other}/documents`)).toEqual({ documents: [] });
  });
});
