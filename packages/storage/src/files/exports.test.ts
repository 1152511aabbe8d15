import { afterAll, describe, expect, test } from "vitest";
import { startFiles } from "../../test/files-fixture.ts";
import { keysOf } from "../table/keys.ts";
import { storeExport } from "./exports.ts";
import { readFile } from "./files.ts";

const MB = 1024 * 1024;

const { files, keysBelow: listKeys, stop } = await startFiles();
afterAll(stop);

/** Text of so many bytes, in pieces of at most 1 MB, all of which differ. */
async function* textOf(bytes: number): AsyncGenerator<string> {
  for (let at = 0; at < bytes; at += MB) yield String(at / MB).padEnd(Math.min(MB, bytes - at), "x");
}

const NOW_MS = Date.now();
let exported = 0;
/** An export of a tenant of its own. */
function newFile() {
  const tenantId = `t${++exported}`;
  const keys = keysOf(tenantId);
  const uploadKey = keys.object("tmp", crypto.randomUUID());
  const keyOf = (hash: string) => keys.object("exports", hash);
  return { tenantId, uploadKey, keyOf, contentType: "text/csv; charset=utf-8", fileName: "commissions-2026-10.csv" };
}
const keysBelow = (area: "tmp" | "exports", tenantId: string) => listKeys(keysOf(tenantId).object(area, ""));

async function store(bytes: number) {
  const file = newFile();
  const stored = await storeExport(files, file, textOf(bytes), NOW_MS);
  const [key = ""] = await keysBelow("exports", file.tenantId);
  const texts: string[] = [];
  for await (const text of textOf(bytes)) texts.push(text);
  const whole = Buffer.from(texts.join(""));
  expect(Buffer.compare(await readFile(files, key), whole)).toBe(0);
  return { stored, whole };
}

/** Calls `noteName` with the name of each command to S3, until the function that it gives is called. */
async function watchCommands(noteName: (name: string) => void): Promise<() => void> {
  const { middlewareStack } = await files.client();
  const watch = { step: "initialize", name: "watch" } as const;
  middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        noteName(String(commandName));
        return next(args);
      },
    watch,
  );
  return () => middlewareStack.remove(watch.name);
}

describe("an export", () => {
  test.each([0, 1, 4 * MB])("of %i bytes is stored, and answered with its bytes", async (bytes) => {
    const { stored, whole } = await store(bytes);
    expect("bytes" in stored && Buffer.compare(stored.bytes, whole)).toBe(0);
  });

  // Up to 5 MB go in one piece, and more in parts, of which the last may have any size or not be needed.
  test.each([4 * MB + 1, 5 * MB, 5 * MB + 1, 10 * MB + 1])(
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

  test("of 16 MB is sent while its rows are read: each 5 MB at once, so that memory holds one part", async () => {
    let readBytes = 0;
    async function* counted() {
      for await (const text of textOf(16 * MB)) {
        readBytes += text.length;
        yield text;
      }
    }
    const readAtParts: number[] = [];
    const unwatch = await watchCommands((name) => {
      if (name === "UploadPartCommand") readAtParts.push(readBytes / MB);
    });
    await storeExport(files, newFile(), counted(), NOW_MS);
    unwatch();
    expect(readAtParts).toEqual([5, 10, 15, 16]);
  });

  test("whose rows cannot all be read is not stored, not even in part", async () => {
    async function* broken() {
      yield* textOf(6 * MB);
      throw new Error("the store is gone");
    }
    const file = newFile();
    await expect(storeExport(files, file, broken(), NOW_MS)).rejects.toThrow("the store is gone");
    expect([...(await keysBelow("tmp", file.tenantId)), ...(await keysBelow("exports", file.tenantId))]).toEqual([]);
  });

  test.each([1, 5 * MB + 1])("of %i bytes that is asked for again is the same object, stored once", async (bytes) => {
    const file = newFile();
    const ask = (changes: object = {}, nowMs = NOW_MS) =>
      storeExport(files, { ...file, uploadKey: `${file.uploadKey}-${++exported}`, ...changes }, textOf(bytes), nowMs);
    const puts: string[] = [];
    const unwatch = await watchCommands((name) => {
      if (/^(Put|Copy)Object/.test(name)) puts.push(name);
    });
    await ask();
    await Promise.all([ask(), ask()]);
    expect([puts.length, (await keysBelow("exports", file.tenantId)).length]).toEqual([1, 1]);
    await ask({}, NOW_MS + 89 * 86_400_000);
    expect([puts.length, (await keysBelow("exports", file.tenantId)).length]).toEqual([2, 1]);
    await ask({ fileName: "commissions-2026-11.csv" });
    expect(await keysBelow("exports", file.tenantId)).toHaveLength(2);
    unwatch();
  });
});
