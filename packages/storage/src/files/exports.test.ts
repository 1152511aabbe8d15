import { afterAll, describe, expect, test } from "vitest";
import { keysOf } from "../table/keys.ts";
import { storeExport } from "./exports.ts";
import { readFile } from "./files.ts";
import { startFiles } from "./files-fixture.ts";

const MB = 1024 * 1024;

const { files, stop } = await startFiles();
afterAll(stop);

/** Text of so many bytes, in pieces of at most 1 MB, all of which differ. */
async function* textOf(bytes: number): AsyncGenerator<string> {
  for (let at = 0; at < bytes; at += MB) yield String(at / MB).padEnd(Math.min(MB, bytes - at), "x");
}

async function store(bytes: number) {
  const key = keysOf("1001").object("exports", crypto.randomUUID());
  const file = { key, contentType: "text/csv; charset=utf-8", fileName: "commissions-2026-10.csv" };
  const stored = await storeExport(files, file, textOf(bytes));
  const texts: string[] = [];
  for await (const text of textOf(bytes)) texts.push(text);
  const whole = Buffer.from(texts.join(""));
  expect(Buffer.compare(await readFile(files, key), whole)).toBe(0);
  return { stored, whole };
}

describe("an export", () => {
  test.each([0, 1, 4 * MB])("of %i bytes is stored, and answered with its bytes", async (bytes) => {
    const { stored, whole } = await store(bytes);
    expect("bytes" in stored && Buffer.compare(stored.bytes, whole)).toBe(0);
  });

  // Up to 5 MB go in one piece, and more in parts, of which the last may have any size or not be needed.
  test.each([4 * MB + 1, 5 * MB - 1, 5 * MB, 5 * MB + 1, 10 * MB, 13 * MB + 5])(
    "of %i bytes is stored, and answered with a link that downloads it as a file",
    async (bytes) => {
      const { stored, whole } = await store(bytes);
      if ("bytes" in stored) throw new Error("It was answered with its bytes");
      const download = await fetch(stored.location);
      expect([download.status, download.headers.get("content-disposition")]).toEqual([
        200,
        'attachment; filename="commissions-2026-10.csv"',
      ]);
      expect(Buffer.compare(Buffer.from(await download.arrayBuffer()), whole)).toBe(0);
    },
  );

  test("whose rows cannot all be read is not stored, not even in part", async () => {
    async function* broken() {
      yield* textOf(6 * MB);
      throw new Error("the store is gone");
    }
    const key = keysOf("1001").object("exports", "broken");
    const file = { key, contentType: "text/csv", fileName: "a.csv" };
    await expect(storeExport(files, file, broken())).rejects.toThrow("the store is gone");
    await expect(readFile(files, key)).rejects.toThrow();
  });
});
