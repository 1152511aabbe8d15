import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openServers } from "../../test/http-fixture.ts";
import { openSecrets } from "./secrets.ts";

const folder = mkdtempSync(join(tmpdir(), "secrets-"));
const file = join(folder, "secret");
afterAll(() => rmSync(folder, { recursive: true }));

describe("the secrets in a file", () => {
  let nowMs: number;
  beforeEach(() => {
    nowMs = 0;
  });
  const open = () => openSecrets(`file:${file}`, "http://127.0.0.1:9000", () => nowMs);

  test("are its lines: the first signs, the others are valid as well", async () => {
    writeFileSync(file, " newest \n\nbefore\n");
    expect(await open()()).toEqual(["newest", "before"]);
  });

  test("are read again after five minutes, and not earlier", async () => {
    writeFileSync(file, "first");
    const secrets = open();
    await secrets();
    writeFileSync(file, "second\nfirst\n");
    nowMs = 299_999;
    expect(await secrets()).toEqual(["first"]);
    nowMs = 300_000;
    expect(await secrets()).toEqual(["second", "first"]);
  });

  test("stay in use while they cannot be read again, and are found again soon after they can", async () => {
    writeFileSync(file, "first");
    const secrets = open();
    await secrets();
    rmSync(file);
    nowMs = 300_000;
    expect(await secrets()).toEqual(["first"]);
    writeFileSync(file, "second");
    nowMs = 309_999;
    expect(await secrets()).toEqual(["first"]);
    nowMs = 310_000;
    expect(await secrets()).toEqual(["second"]);
  });

  test("that were never read are a fault, and so is a file without any", async () => {
    rmSync(file);
    await expect(open()()).rejects.toThrow("ENOENT");
    writeFileSync(file, "\n");
    await expect(open()()).rejects.toThrow("there is none at its place");
  });

  describe("of a rail", () => {
    const weak = "s".repeat(31);
    const strong = "s".repeat(32);
    const openAt = (url: string) => openSecrets(`file:${file}`, url, () => nowMs);

    test.each(["http://127.0.0.1:9000", "http://localhost:9000", "http://[::1]:9000/v1"])(
      "at %s may be short",
      async (url) => {
        writeFileSync(file, "s");
        expect(await openAt(url)()).toEqual(["s"]);
      },
    );

    test.each([weak, `${strong}\n${weak}`])("elsewhere have at least 32 characters each: not %j", async (text) => {
      writeFileSync(file, text);
      await expect(openAt("https://rail.example")()).rejects.toThrow("it must have at least 32 characters");
      writeFileSync(file, strong);
      expect(await openAt("https://rail.example")()).toEqual([strong]);
    });

    test("that become too short do not replace those in use", async () => {
      writeFileSync(file, strong);
      const secrets = openAt("https://rail.example");
      await secrets();
      writeFileSync(file, weak);
      nowMs = 300_000;
      expect(await secrets()).toEqual([strong]);
    });
  });
});

describe("the secrets of a name in Secrets Manager", () => {
  const { serveHttp, closeAll } = openServers();
  afterEach(() => {
    closeAll();
    vi.unstubAllEnvs();
  });

  /** A Secrets Manager that has these versions. */
  async function serve(versions: Readonly<Record<string, string>>): Promise<string[]> {
    const asked: string[] = [];
    const url = await serveHttp(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      asked.push(`${request.headers["x-amz-target"]} ${body}`);
      const { VersionStage } = JSON.parse(body) as { VersionStage: string };
      const SecretString = versions[VersionStage];
      if (SecretString !== undefined) response.end(JSON.stringify({ SecretString }));
      else response.writeHead(400).end(JSON.stringify({ __type: "ResourceNotFoundException", message: "No version" }));
    });
    vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", url);
    vi.stubEnv("AWS_REGION", "us-east-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
    return asked;
  }
  const read = openReader("payment-intents/production/connector-secret");

  test("are its current version and the one before", async () => {
    const asked = await serve({ AWSCURRENT: "newest", AWSPREVIOUS: "before" });
    expect(await read()).toEqual(["newest", "before"]);
    for (const call of asked) expect(call).toContain(`GetSecretValue {"SecretId":"payment-intents/production/`);
    expect(asked).toHaveLength(2);
  });

  test("are the only one of a secret that was never changed", async () => {
    await serve({ AWSCURRENT: "only" });
    expect(await read()).toEqual(["only"]);
  });

  test("that do not exist are a fault", async () => {
    await serve({});
    await expect(read()).rejects.toThrow("No version");
  });
});

/** Reads anew each time. */
function openReader(name: string) {
  return () => openSecrets(name, "http://127.0.0.1:9000", Date.now)();
}
