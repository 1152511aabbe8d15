import { startS3AndSqs } from "@intents/local/stores/s3-and-sqs.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { keysOf } from "../table/keys.ts";
import { copyFile, type Files, openFiles, putFile, readFile } from "./files.ts";

const keys = keysOf("1001");
const bytes = Uint8Array.from({ length: 4 * 1024 * 1024 }, (_, index) => index % 251);

let files: Files;
let stop: () => Promise<void>;
beforeAll(async () => {
  const store = await startS3AndSqs(undefined, ["documents"]);
  vi.stubEnv("AWS_ENDPOINT_URL_S3", store.endpoint);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  files = openFiles("documents");
  stop = store.stop;
});
afterAll(async () => {
  (await files.client()).destroy();
  vi.unstubAllEnvs();
  await stop();
});

describe("a file", () => {
  test("of 4 MB is read back to the byte", async () => {
    await putFile(files, keys.object("tmp", "large"), bytes, "image/png");
    expect(Buffer.compare(await readFile(files, keys.object("tmp", "large")), bytes)).toBe(0);
  });

  test("copied once or twice is there under both keys, the same", async () => {
    const [from, to] = [keys.object("tmp", "a"), keys.object("kept", "a")];
    await putFile(files, from, Buffer.from("%PDF-1.4"), "application/pdf");
    await copyFile(files, from, to);
    await copyFile(files, from, to);
    for (const key of [from, to]) expect(Buffer.from(await readFile(files, key)).toString()).toBe("%PDF-1.4");
  });

  test("that is not there can be neither read nor copied", async () => {
    await expect(readFile(files, keys.object("tmp", "none"))).rejects.toThrow();
    await expect(copyFile(files, keys.object("tmp", "none"), keys.object("kept", "none"))).rejects.toThrow();
    await expect(readFile(files, keys.object("kept", "none"))).rejects.toThrow();
  });
});
