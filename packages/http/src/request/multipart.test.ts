import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventFor } from "../../test/event-fixture.ts";
import { parseParts } from "./multipart.ts";

const FILE_BYTES_MAX = 1_000;

const encode = async (form: FormData) => {
  const request = new Request("http://127.0.0.1", { method: "POST", body: form });
  return { bytes: Buffer.from(await request.arrayBuffer()), contentType: request.headers.get("content-type") ?? "" };
};
const parseBytes = (bytes: Buffer, contentType: string) =>
  parseParts(
    eventFor("POST /v2/documents", {
      body: bytes.toString("base64"),
      isBase64Encoded: true,
      headers: { "content-type": contentType },
    }),
    FILE_BYTES_MAX,
  );
const parse = async (form: FormData) => {
  const { bytes, contentType } = await encode(form);
  return parseBytes(bytes, contentType);
};
const file = (bytes: Uint8Array<ArrayBuffer>, name: string) => new File([bytes], name, { type: "application/pdf" });
const malformed = { ok: false, failure: { kind: "shape", problems: ["body must be a complete multipart form"] } };
const tooLarge = { ok: false, failure: { kind: "too_large", limitBytes: FILE_BYTES_MAX } };

describe("a form", () => {
  test("is its files, to the byte, and its fields", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: FILE_BYTES_MAX }), fc.string(), async (bytes, note) => {
        const form = new FormData();
        form.set("file", file(Uint8Array.from(bytes), "proof.pdf"));
        form.set("note", note);
        const parsed = await parse(form);
        const { files, fields } = parsed.ok ? parsed.value : expect.unreachable();
        expect(files.get("file")?.fileName).toBe("proof.pdf");
        expect(Buffer.from(files.get("file")?.bytes ?? []).equals(bytes)).toBe(true);
        // Browsers send every line break of a field as CRLF.
        expect(fields.get("note")).toBe(note.replace(/\r\n|\r|\n/g, "\r\n"));
      }),
      { numRuns: 50 },
    );
  });

  test("with a part given twice, or text that is not UTF-8, is refused by what is wrong with it", async () => {
    const twice = new FormData();
    twice.append("total", "1");
    twice.append("total", "2");
    expect(await parse(twice)).toEqual({
      ok: false,
      failure: { kind: "shape", problems: ["total must be given once"] },
    });
    const head = '--B\r\nContent-Disposition: form-data; name="total"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), Buffer.of(0xff), Buffer.from("\r\n--B--\r\n")]);
    const problems = ["body must be UTF-8 outside of its files"];
    const parsed = parseBytes(body, "multipart/form-data; boundary=B");
    expect(parsed).toEqual({ ok: false, failure: { kind: "shape", problems } });
  });

  test("with a file of one byte too many, or too many parts, is too large", async () => {
    const large = new FormData();
    large.set("file", file(new Uint8Array(FILE_BYTES_MAX + 1), "a.pdf"));
    expect(await parse(large)).toEqual(tooLarge);
    const many = new FormData();
    for (let part = 0; part < 21; part++) many.set(`field${part}`, "x");
    expect(await parse(many)).toEqual(tooLarge);
  });

  test("may be announced in any case, its boundary in quotes and behind other parameters", () => {
    const part = '--b?\r\nContent-Disposition: form-data; name="note"\r\n\r\nx\r\n--b?--\r\n';
    const parsed = parseBytes(Buffer.from(part), 'Multipart/Form-Data; charset=utf-8; Boundary="b?"');
    expect(parsed).toEqual({ ok: true, value: { files: new Map(), fields: new Map([["note", "x"]]) } });
  });

  test.each(["application/json", "multipart/mixed; boundary=x", "multipart/form-data", ""])(
    "is not what %j announces",
    (contentType) => {
      expect(parseBytes(Buffer.from("--x--\r\n"), contentType)).toEqual({
        ok: false,
        failure: { kind: "media_type", expected: ["multipart/form-data"] },
      });
    },
  );

  test("that is cut off anywhere is refused as incomplete, or empty, and no file is taken of it", async () => {
    const form = new FormData();
    form.set("file", file(Uint8Array.from(Buffer.from("%PDF-1.7 proof")), "a.pdf"));
    const { bytes, contentType } = await encode(form);
    const end = bytes.lastIndexOf("--");
    for (let length = 1; length <= end; length++) {
      expect(parseBytes(bytes.subarray(0, length), contentType), `of ${length} bytes`).toEqual(malformed);
    }
    const empty = { files: new Map(), fields: new Map() };
    expect(parseBytes(bytes.subarray(0, 0), contentType)).toEqual({ ok: true, value: empty });
  });

  test("of any bytes is read or refused, and never a fault", () => {
    const pieces = fc.constantFrom("--x", "--x--", "\r\n", 'Content-Disposition: form-data; name="a"', ";", "\0", "é");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const parsed = parseBytes(Buffer.from(parts.join("")), "multipart/form-data; boundary=x");
        expect(parsed.ok ? "ok" : parsed.failure.kind).toMatch(/^(ok|shape|too_large)$/);
      }),
    );
  });
});
