import { describe, expect, test } from "vitest";
import { fileForm, pdf, savedDocumentBody, tuitionBody } from "./client.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

const { client } = await openService();

const MEGABYTE = 1024 * 1024;
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2]);
const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2]);
const textFile = new TextEncoder().encode("%PDF is what this text opens with, and no more");

const upload = (form: FormData) => client.call("POST", "/v2/documents", { form });
type Uploaded = { documentId: string; contentType: string; fileName: string; sizeBytes: number; expiresAt: string };

describe("an upload", () => {
  test.each([
    { what: "a PDF", bytes: pdf(), contentType: "application/pdf", extension: "pdf" },
    { what: "a PNG", bytes: png, contentType: "image/png", extension: "png" },
    { what: "a JPEG", bytes: jpeg, contentType: "image/jpeg", extension: "jpg" },
  ])(
    "of $what is recognized by its content, whatever name and type were declared",
    async ({ bytes, contentType, extension }) => {
      for (const [name, type, fileName] of [
        ["page.html", "text/html", `page.${extension}`],
        [`x.${extension}`, "image/gif", `x.${extension}`],
        ["../\u202Egpj.exe", "image/png", `gpj.${extension}`],
        ["noextension", "", "noextension"],
      ] as const) {
        const document = await client.must<Uploaded>("POST", "/v2/documents", { form: fileForm(bytes, name, type) });
        expect(document).toEqual({
          documentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          fileName,
          contentType,
          sizeBytes: bytes.length,
          expiresAt: expect.any(String),
        });
      }
    },
  );

  test("waits a day for its payment", async () => {
    const { expiresAt } = await client.must<Uploaded>("POST", "/v2/documents", { form: fileForm(pdf()) });
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  test("of the same bytes twice is two documents", async () => {
    const bytes = pdf();
    const ids = await Promise.all(
      [1, 2].map(
        async () => (await client.must<Uploaded>("POST", "/v2/documents", { form: fileForm(bytes) })).documentId,
      ),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test("of exactly 4 MB is taken, and of one byte more is 413", async () => {
    expect((await upload(fileForm(pdf(4 * MEGABYTE)))).status).toBe(201);
    expectEnvelope(await upload(fileForm(pdf(4 * MEGABYTE + 1))), 413, "[GEN9013]");
  });

  test("of 12 MB, more than the gateway passes on, is 413 as well, and the service goes on", async () => {
    expectEnvelope(await upload(fileForm(pdf(12 * MEGABYTE))), 413, "[GEN9013]");
    expect((await upload(fileForm(pdf()))).status).toBe(201);
  });

  test.each([
    ["text that only begins like a PDF", textFile],
    ["an SVG", new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["a GIF", new TextEncoder().encode("GIF89a")],
    ["one byte", Uint8Array.from([0xff])],
  ])("of %s is 415, though it calls itself a PDF", async (_what, bytes) => {
    expectEnvelope(await upload(fileForm(bytes)), 415, "[GEN9015]");
  });

  test("of nothing is 400, and so are a missing part, a part of another name and a part that is no file", async () => {
    expectShape(await upload(fileForm(new Uint8Array())), "file");
    expectShape(await upload(fileForm(pdf(), "a.pdf", "application/pdf", "document")), "document", "file");
    const noFile = new FormData();
    noFile.set("file", "%PDF-1.7 as a field");
    expectShape(await upload(noFile), "file");
  });
});

describe("the wire format of an upload", () => {
  const sendRaw = (raw: string, contentType: string) =>
    client.call<{ data: Uploaded }>("POST", "/v2/documents", { raw, headers: { "Content-Type": contentType } });
  const part = (boundary: string, end = `\r\n--${boundary}--\r\n`) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 x${end}`;

  test("may quote its boundary, which may hold any allowed character", async () => {
    const { status, body } = await sendRaw(part("a'()+_,-./:=?b"), `multipart/form-data; boundary="a'()+_,-./:=?b"`);
    expect(status).toBe(201);
    expect(body.data.sizeBytes).toBe("%PDF-1.7 x".length);
  });

  test("may write its names in any case, and say its charset first", async () => {
    const { status } = await sendRaw(part("bound"), "Multipart/Form-Data; charset=utf-8; Boundary=bound");
    expect(status).toBe(201);
  });

  test.each([
    ["cut off within the file", part("bound", "")],
    ["cut off within its headers", part("bound").slice(0, 40)],
    ["without a part", "--bound--\r\n"],
    ["of another boundary", part("other")],
    ["that is empty", ""],
    ["that is JSON in truth", "{}"],
  ])("%s is 400", async (_what, raw) => {
    const { status, body } = await sendRaw(raw, "multipart/form-data; boundary=bound");
    expect({ status, ...body }).toMatchObject({ status: 400, error: "Bad Request", message: [expect.any(String)] });
  });

  test.each([
    "application/json",
    "application/pdf",
    "multipart/form-data",
    "multipart/mixed; boundary=bound",
    "text/plain",
  ])("of content type %s is 415", async (contentType) => {
    expectEnvelope(await sendRaw(part("bound"), contentType), 415, "[GEN9015]");
  });

  test("drops the path in a file's name, and gives a name to a file that has none", async () => {
    const names = [
      ["../../etc/passwd.pdf", "passwd.pdf"],
      ["C:\\\\docs\\\\a.pdf", "a.pdf"],
      ["", "document"],
    ] as const;
    for (const [sent, kept] of names) {
      const raw = part("bound").replace("a.pdf", sent);
      const { body } = await sendRaw(raw, "multipart/form-data; boundary=bound");
      expect(body, sent).toMatchObject({ data: { fileName: kept } });
    }
  });

  test("of a thousand parts is refused without harm", async () => {
    const field = '--bound\r\nContent-Disposition: form-data; name="n"\r\n\r\nv\r\n';
    const { status } = await sendRaw(field.repeat(1000) + part("bound"), "multipart/form-data; boundary=bound");
    expect([400, 413]).toContain(status);
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

  test("an uploaded and a minted one serve a payment, a saved one does not", async () => {
    const { uploaded, saved, minted } = await newIds();
    expect(await missingWith(uploaded)).toEqual([]);
    expect(await missingWith(minted)).toEqual([]);
    expect(await missingWith(saved)).toEqual(["instructions.manualPayment.payerIdentityDocumentId"]);
  });

  test("only an uploaded one can be saved, and only a saved one used or downloaded", async () => {
    const { party, uploaded, saved, minted } = await newIds();
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
