import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { readUpload, type Upload } from "./uploads.ts";

const folder = mkdtempSync(join(tmpdir(), "uploads-"));
const path = join(folder, "passport.pdf");
writeFileSync(path, "%PDF-1.4");
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = new TextEncoder().encode("%PDF-1.4");

test.each<[string, () => Upload, string]>([
  ["a path", () => path, "passport.pdf"],
  ["a URL of a file", () => pathToFileURL(path), "passport.pdf"],
  ["a Blob", () => new Blob([bytes]), "upload"],
  ["a File", () => new File([bytes], "id.pdf"), "id.pdf"],
  ["bytes", () => ({ name: "id.pdf", content: bytes }), "id.pdf"],
  ["a Blob under a name", () => ({ name: "id.pdf", content: new Blob([bytes]) }), "id.pdf"],
  ["a stream of the web", () => ({ name: "id.pdf", content: new Blob([bytes]).stream() }), "id.pdf"],
  ["a stream of Node.js", () => ({ name: "id.pdf", content: createReadStream(path, { highWaterMark: 3 }) }), "id.pdf"],
])("%s is read to its end", async (_, open, name) => {
  const part = await readUpload(open());
  expect([part.name, await part.content.text()]).toEqual([name, "%PDF-1.4"]);
});

test("a file that is not there is named", async () => {
  await expect(readUpload(join(folder, "none.pdf"))).rejects.toThrow("none.pdf");
});

describe("an upload that is given up ends with the signal's reason", () => {
  const reason = new Error("enough");

  test.each<[string, () => Upload]>([
    ["a path", () => path],
    ["a Blob", () => new Blob([bytes])],
    ["a stream", () => ({ name: "id.pdf", content: new Blob([bytes]).stream() })],
  ])("before it begins: %s", async (_, open) => {
    await expect(readUpload(open(), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("while a file is read", async () => {
    const controller = new AbortController();
    const reading = readUpload(path, controller.signal);
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  test("between the chunks of a stream, which is closed", async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    async function* endless() {
      try {
        for (;;) {
          yield bytes;
          controller.abort(reason);
        }
      } finally {
        closed.resolve();
      }
    }
    await expect(readUpload({ name: "id.pdf", content: endless() }, controller.signal)).rejects.toBe(reason);
    await closed.promise;
  });

  test("and while a stream gives nothing", async () => {
    const controller = new AbortController();
    const content = new ReadableStream<Uint8Array>({ pull: () => controller.abort(reason) }, { highWaterMark: 0 });
    await expect(readUpload({ name: "id.pdf", content }, controller.signal)).rejects.toBe(reason);
  });
});
