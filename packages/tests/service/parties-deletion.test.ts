import { describe, expect, test } from "vitest";
import { type ErrorBody, payerBody, studentBody, tuitionBody } from "./client.ts";
import { expectEnvelope } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { storedFiles } from "./stored-files.ts";

const { client, service } = await openService();

describe.each([
  { kind: "student", path: "/v2/students", least: studentBody },
  { kind: "payer", path: "/v2/payers", least: payerBody },
])("a $kind", ({ path, least }) => {
  const create = (body: object) => client.must<{ _id: string }>("POST", path, { body });

  test("goes for good with its documents, and is 404 from then on, to a repeated DELETE as well", async () => {
    const body = least();
    const [{ _id }, other] = [await create(body), await create(body)];
    const { legacyDocumentId } = await client.saveDocument(`${path}/${_id}`);
    const found = `${path}?filter[email]=${body.email}`;
    expect((await client.call<{ total: number }>("GET", found)).body.total).toBe(2);
    expect(await client.must("DELETE", `${path}/${_id}`)).toEqual({ _id });
    const gone = [
      ["DELETE", ""],
      ["GET", ""],
      ["GET", "/documents"],
      ["GET", `/documents/${legacyDocumentId}/content`],
      ["POST", `/documents/${legacyDocumentId}/use`],
    ] as const;
    for (const [method, rest] of gone) {
      expectEnvelope(await client.call(method, `${path}/${_id}${rest}`), 404, "[GEN9003]");
    }
    expect((await storedFiles(service.url, "saved/")).filter((key) => key.endsWith(legacyDocumentId))).toEqual([]);
    const left = await client.call<{ total: number }>("GET", found);
    expect([left.body.total, await client.must("GET", `${path}/${other._id}`)]).toEqual([1, other]);
  });

  test("loses a document that is deleted, and no other; ids minted from it before stay good", async () => {
    const { _id } = await create(least());
    const saved = `${path}/${_id}/documents`;
    const [doomed, other] = [await client.saveDocument(`${path}/${_id}`), await client.saveDocument(`${path}/${_id}`)];
    const { legacyDocumentId } = doomed;
    const { documentId } = await client.must<{ documentId: string }>("POST", `${saved}/${legacyDocumentId}/use`);
    expect(await client.must("DELETE", `${saved}/${legacyDocumentId}`)).toEqual({ legacyDocumentId });
    expectEnvelope(await client.call("DELETE", `${saved}/${legacyDocumentId}`), 404, "[GEN9003]");
    expectEnvelope(await client.call("GET", `${saved}/${legacyDocumentId}/content`), 404, "[GEN9003]");
    expect(await client.must("GET", saved)).toEqual({ documents: [other] });
    expect((await storedFiles(service.url, "saved/")).join(" ")).not.toContain(legacyDocumentId);
    expect((await storedFiles(service.url, "kept/")).join(" ")).toContain(documentId);
    const [student, quote] = await Promise.all([client.newStudent(), client.newQuote()]);
    const body = tuitionBody(student._id, quote, documentId);
    const { id } = await client.must<{ id: string }>("POST", "/v2/payment-intents", { body });
    expect((await client.submit(id)).status).toBe(200);
  });
});

test("a draft that names a deleted party asks for it, and a submitted payment keeps the details of its submit", async () => {
  const [draft, paid] = await Promise.all([client.newTuitionIntent(), client.newTuitionIntent()]);
  const partyOf = (intent: Readonly<Record<string, unknown>>) => String(Object(intent["payer"]).partyId);
  const { email } = await client.must<{ email: string }>("GET", `/v2/students/${partyOf(paid)}`);
  expect((await client.submit(paid.id)).status).toBe(200);
  for (const intent of [draft, paid]) await client.must("DELETE", `/v2/students/${partyOf(intent)}`);
  const refused = await client.submit<ErrorBody>(draft.id);
  expectEnvelope(refused, 400, "[GEN9002]");
  expect(refused.body.details).toMatchObject({ missingRequirements: ["payer.partyId"] });
  const { executions } = await client.waitForStatus(paid.id, ["executing", "completed"]);
  expect(executions).toMatchObject([{ payer: { firstName: "Ana", email } }]);
});
