import { describe, expect, test } from "vitest";
import { fileForm, pdf, savedDocumentBody, tuitionBody } from "./client.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

// Over HTTP each rule has one case: packages/http/src/request and packages/domain/src/parties prove how forms are read.

const { client } = await openService();

const MEGABYTE = 1024 * 1024;
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2]);
const textFile = new TextEncoder().encode("%PDF is what this text opens with, and no more");

const upload = (form: FormData) => client.call("POST", "/v2/documents", { form });

describe("an upload", () => {
  test("is recognized by its content, whatever name and type were declared, and waits a day for its payment", async () => {
    type Uploaded = Readonly<{ expiresAt: string }>;
    const form = fileForm(png, "../page.html", "application/pdf");
    const { expiresAt, ...document } = await client.must<Uploaded>("POST", "/v2/documents", { form });
    expect(document).toEqual({
      documentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      fileName: "page.png",
      contentType: "image/png",
      sizeBytes: png.length,
    });
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  test("of exactly 4 MB is taken, and of more, also than the gateway passes on, is 413", async () => {
    for (const bytes of [4 * MEGABYTE + 1, 12 * MEGABYTE])
      expectEnvelope(await upload(fileForm(pdf(bytes))), 413, "[GEN9013]");
    expect((await upload(fileForm(pdf(4 * MEGABYTE)))).status).toBe(201);
  });

  test("of another type is 415, and of nothing, of another part or cut off 400", async () => {
    expectEnvelope(await upload(fileForm(textFile)), 415, "[GEN9015]");
    const raw = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 x';
    const send = (type: string) => client.call("POST", "/v2/documents", { raw, headers: { "Content-Type": type } });
    expectEnvelope(await send("application/pdf"), 415, "[GEN9015]");
    expectShape(await send("multipart/form-data; boundary=b"), "body");
    expectShape(await upload(fileForm(new Uint8Array())), "file");
    expectShape(await upload(fileForm(pdf(), "a.pdf", "application/pdf", "document")), "document", "file");
  });
});

describe("the three kinds of document id", () => {
  /** The findings of dry-run for an intent whose payer's identity document is `documentId`. */
  const missingWith = async (documentId: string) => {
    const [{ _id }, quote] = await Promise.all([client.newStudent(), client.newQuote()]);
    const { id } = await client.must<{ id: string }>("POST", "/v2/payment-intents", {
      body: tuitionBody(_id, quote, documentId),
    });
    const { rule } = await client.must<{ rule: { missingRequirements: string[] } }>(
      "POST",
      `/v2/payment-intents/${id}/dry-run`,
    );
    return rule.missingRequirements;
  };
  const newIds = async () => {
    const [{ _id }, uploaded] = await Promise.all([client.newStudent(), client.uploadPdf()]);
    const { legacyDocumentId: saved } = await client.saveDocument(`/v2/students/${_id}`, uploaded);
    const { documentId: minted } = await client.must<{ documentId: string }>(
      "POST",
      `/v2/students/${_id}/documents/${saved}/use`,
    );
    return { party: `/v2/students/${_id}`, uploaded, saved, minted };
  };

  test("only an uploaded one can be saved, and only a saved one used or downloaded, which serves no payment", async () => {
    const { party, uploaded, saved, minted } = await newIds();
    expect(await missingWith(saved)).toEqual(["instructions.manualPayment.payerIdentityDocumentId"]);
    for (const sourceDocumentId of [saved, minted, "nothing"]) {
      expectShape(
        await client.call("POST", `${party}/documents`, { body: { ...savedDocumentBody, sourceDocumentId } }),
        "sourceDocumentId",
      );
    }
    for (const id of [uploaded, minted, "nothing"]) {
      expectEnvelope(await client.call("POST", `${party}/documents/${id}/use`), 404, "[GEN9003]");
      expectEnvelope(await client.call("GET", `${party}/documents/${id}/content`), 404, "[GEN9003]");
    }
  });

  test("one that a submitted payment consumed serves no other and cannot be saved; a saved one still mints ids", async () => {
    const { party, uploaded, saved, minted } = await newIds();
    for (const documentId of [uploaded, minted]) {
      const [{ _id }, quote] = await Promise.all([client.newStudent(), client.newQuote()]);
      const { id } = await client.must<{ id: string }>("POST", "/v2/payment-intents", {
        body: tuitionBody(_id, quote, documentId),
      });
      expect((await client.submit(id)).status).toBe(200);
      expect(await missingWith(documentId)).toEqual(["instructions.manualPayment.payerIdentityDocumentId"]);
    }
    const body = { ...savedDocumentBody, sourceDocumentId: uploaded };
    expectShape(await client.call("POST", `${party}/documents`, { body }), "sourceDocumentId");
    expect((await client.call("POST", `${party}/documents/${saved}/use`)).status).toBe(201);
    expect((await client.call("GET", `${party}/documents/${saved}/content`)).status).toBe(200);
  });
});
