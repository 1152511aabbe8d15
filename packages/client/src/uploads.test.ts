import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
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

test("a file that is not there is named, and an aborted stream ends with the signal's reason", async () => {
  await expect(readUpload(join(folder, "none.pdf"))).rejects.toThrow("none.pdf");
  const controller = new AbortController();
  async function* endless() {
    for (;;) {
      yield bytes;
      controller.abort(new Error("enough"));
    }
  }
  await expect(readUpload({ name: "id.pdf", content: endless() }, controller.signal)).rejects.toThrow("enough");
});
