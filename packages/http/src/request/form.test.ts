import { lazily, type Route } from "@intents/contract/route.ts";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { eventFor } from "../../test/event-fixture.ts";
import { parseForm } from "./form.ts";

const on = "POST /v2/things";
const bare: Route = {
  ...{ on, group: "parties", summary: "", description: "", auth: "key" },
  answers: { status: 200, data: lazily(() => z.looseObject({})) },
};
const bytesMax = 1_000;
const parts = {
  count: { required: true, description: "" },
  file: { required: true, file: ["application/pdf", "image/png"], bytesMax, description: "" },
  cover: { file: ["application/pdf"], bytesMax, description: "" },
  note: { required: true, description: "" },
} as const;
const fields = lazily(() =>
  z.object({ count: z.string().transform(Number).pipe(z.number("must be a number")), note: z.enum(["a", "b"]) }),
);
const strict: Route = { ...bare, form: "multipart", parts, fields };

const pdf = Uint8Array.from(Buffer.from("%PDF-1.7"));
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const text = Uint8Array.from(Buffer.from("text"));
const good = { count: "3", file: pdf, note: "a" };

async function parse(route: Route, sent: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(sent)) {
    form.set(name, typeof value === "string" ? value : new File([value], `${name}.pdf`));
  }
  const request = new Request("http://127.0.0.1", { method: "POST", body: form });
  const body = Buffer.from(await request.arrayBuffer()).toString("base64");
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  return parseForm(route, eventFor(on, { body, isBase64Encoded: true, headers }));
}
const shape = (...problems: string[]) => ({ ok: false, failure: { kind: "shape", problems } });
const isOf = (fileName: string, contentType: string, bytes: Uint8Array) => ({
  fileName,
  contentType,
  bytes: expect.toSatisfy((read: Uint8Array) => Buffer.from(read).equals(bytes)),
});

describe("a multipart form", () => {
  test("is its fields as their schema reads them, and its files with the types that their bytes show", async () => {
    const file = isOf("file.pdf", "application/pdf", pdf);
    expect(await parse(strict, good)).toEqual({ ok: true, value: { count: 3, note: "a", file } });
    const both = await parse(strict, { ...good, file: png, cover: pdf });
    const cover = isOf("cover.pdf", "application/pdf", pdf);
    expect(both).toMatchObject({ value: { file: isOf("file.png", "image/png", png), cover } });
  });

  const wrong = "note must be one of the following values: a, b";
  const missing = "note is required";
  test.each([
    ["no file", { count: "3", note: "a" }, ["file is required"]],
    [
      "files that are text",
      { ...good, file: "x", cover: "x" },
      ["file must be a file part of the form", "cover must be a file part of the form"],
    ],
    ["empty files", { ...good, file: new Uint8Array(), cover: pdf }, ["file must not be empty"]],
    ["text that is a file", { ...good, note: pdf }, ["note must be a text field"]],
    ["a field that is wrong", { ...good, note: "c" }, [wrong]],
    ["no field", { file: pdf }, ["count is required", missing]],
    [
      "what nobody asked for",
      { ...good, x: pdf, toString: "x", y: new Uint8Array() },
      ["property x should not exist", "property y should not exist", "property toString should not exist"],
    ],
    [
      "everything wrong is told of its parts in order, those that are none or missing first",
      { x: "x", count: pdf, file: new Uint8Array(), cover: "x" },
      [
        "property x should not exist",
        "count must be a text field",
        "cover must be a file part of the form",
        "file must not be empty",
        missing,
      ],
    ],
  ])("with %s", async (_what, sent, problems) => {
    expect(await parse(strict, sent)).toEqual(shape(...problems));
  });

  test("with a file of no type that its part may have is 415, once nothing else is wrong", async () => {
    const refused = (expected: readonly string[]) => ({ ok: false, failure: { kind: "media_type", expected } });
    expect(await parse(strict, { ...good, file: text })).toEqual(refused(parts.file.file));
    expect(await parse(strict, { ...good, cover: png })).toEqual(refused(parts.cover.file));
    expect(await parse(strict, { ...good, file: text, note: "c" })).toEqual(shape(wrong));
  });

  test("with a file of more bytes than its part may have is too large", async () => {
    const file = new Uint8Array(bytesMax + 1);
    expect(await parse(strict, { ...good, file })).toMatchObject({
      failure: { kind: "too_large", limitBytes: bytesMax },
    });
  });

  test("of files alone needs no schema", async () => {
    const route: Route = { ...bare, form: "multipart", parts: { file: parts.file } };
    expect(await parse(route, { file: pdf })).toMatchObject({ value: { file: { fileName: "file.pdf" } } });
    expect(await parse(route, {})).toEqual(shape("file is required"));
  });
});

describe("a plain form", () => {
  const route: Route = { ...bare, form: "urlencoded", fields };
  const parsePlain = (body: string | null) => parseForm(route, eventFor(on, { body }));

  test("is its fields, of which the first counts where one is given twice, and others are passed over", () => {
    expect(parsePlain("note=a&count=3&note=b&x=1")).toEqual({ ok: true, value: { count: 3, note: "a" } });
  });

  test("with fields that are missing or wrong is a shape problem", () => {
    expect(parsePlain("note=c&count=3")).toEqual(shape("note must be one of the following values: a, b"));
    expect(parsePlain(null)).toEqual(shape("count is required", "note is required"));
  });
});

test.each([undefined, "any"] as const)("a route whose form is %s has none to read", (form) => {
  const route: Route = form === undefined ? bare : { ...bare, form };
  expect(parseForm(route, eventFor(on, { body: "x" }))).toEqual({ ok: true, value: undefined });
});
