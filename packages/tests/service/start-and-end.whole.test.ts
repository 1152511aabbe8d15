import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBundles } from "@intents/infra/bundle.ts";
import { fileOfDynoxide } from "@intents/local/stores/dynoxide.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchService, runToEnd } from "./service.ts";

describe("a machine for which there is no embedded DynamoDB", () => {
  // Node, and what it loads, still knows its platform: only the name by which the store is looked up is another.
  const otherPlatform = "data:text/javascript,Object.defineProperty(process,'arch',{value:'riscv64'})";
  const env = { NODE_OPTIONS: `--import=${otherPlatform}` };

  test("is told in one line what to do, when it has no Java either, and nothing is left running", async () => {
    const { exitCode, stdout, stderr } = await runToEnd({ ...env, PATH: "" });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^No embedded DynamoDB for linux-riscv64,[^\n]*\(no Java\)[^\n]*DYNAMODB_LOCAL[^\n]*DYNAMODB_ENDPOINT[^\n]*\n$/,
    );
  });

  test("is told when the folder of DynamoDB Local is another one", async () => {
    const { stderr } = await runToEnd({ ...env, DYNAMODB_LOCAL: import.meta.dirname });
    expect(stderr).toMatch(/^[^\n]*\((no Java|no DynamoDBLocal\.jar in DYNAMODB_LOCAL|Java \d+, not .*)\)[^\n]*\n$/);
  });
});

describe("start itself, for a platform of which the workspace has no build", () => {
  // It is told as the script of package.json tells it; no other start may fetch anything.
  const asStart =
    "data:text/javascript,Object.defineProperty(process,'arch',{value:'riscv64'});process.argv.push('--fetch')";
  let folder: string;
  beforeAll(async () => {
    await ensureBundles();
    folder = mkdtempSync(join(tmpdir(), "npx-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The environment of a machine with this npx, and without Java. */
  function machineWith(npx: string) {
    const bin = mkdtempSync(join(folder, "bin-"));
    writeFileSync(join(bin, "npx"), `#!/bin/sh\n${npx}\n`, { mode: 0o755 });
    return { NODE_OPTIONS: `--import=${asStart}`, PATH: bin };
  }
  /** Like npx: it takes one package of one version, and runs it in a process below its own. */
  const standIn = (log: string) =>
    `[ "$1 $2" = "-y dynoxide@1.2.1" ] || exit 9\nshift 2\necho "$@" >> '${log}'\n'${fileOfDynoxide("dynoxide")}' "$@"\nexit $?`;
  const TOLD = "No embedded DynamoDB for linux-riscv64 is installed: npx fetches dynoxide 1.2.1 once, some MB\n";

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "the build that npx fetches keeps the data, is told, and ends with the service, by %s",
    async (signal) => {
      const log = join(folder, `asked-${signal}`);
      const file = join(folder, `data-${signal}`);
      const service = await launchService({ ...machineWith(standIn(log)), DATA_DIR: file });
      expect(service.output()).toContain(TOLD);
      expect(service.output()).toContain("embedded DynamoDB (dynoxide, by npx)");
      const asked = readFileSync(log, "utf8").trim().split("\n");
      const [, host, , port] = asked[1]?.split(" ") ?? [];
      expect(asked).toEqual(["--version", `--host ${host} --port ${port} --db-path ${file}/dynamodb.db`]);
      const store = `http://${host}:${port}`;
      expect((await fetch(store)).status).toBeGreaterThan(0);
      await service.kill(signal);
      await expect
        .poll(() =>
          fetch(store).then(
            () => "answers",
            () => "gone",
          ),
        )
        .toBe("gone");
    },
  );

  test("a port that somebody takes before the store does is left to him", async () => {
    const [log, taken] = [join(folder, "asked-twice"), join(folder, "taken")];
    const busy = `if [ "$3" != --version ] && [ ! -e '${taken}' ]; then : > '${taken}'; echo 'error: port 1 is already in use' >&2; exit 1; fi`;
    const service = await launchService(machineWith(`${busy}\n${standIn(log)}`));
    expect(service.output()).toContain("embedded DynamoDB (dynoxide, by npx)");
    await service.stop();
  });

  test.each([
    ["without a network", "echo 'npm error code EAI_AGAIN' >&2; exit 1", "no network"],
    ["where the registry lacks it", "echo 'npm error code E404' >&2; exit 1", "the npm registry has no dynoxide@1.2.1"],
    ["where it does not run", "echo 'no build for this' >&2; exit 3", "npx ended with 3: no build for this"],
    ["without npx", "exit 127", "no npx"],
  ])("%s one line says why, and the last one what to do", async (_, npx, cause) => {
    const { exitCode, stdout, stderr } = await runToEnd(machineWith(npx));
    expect([exitCode, stdout]).toEqual([1, ""]);
    const [line, refused, last, ...rest] = stderr.split("\n");
    expect(`${line}\n`).toBe(TOLD);
    expect(refused).toBe(
      `npx cannot run dynoxide (${cause}): DynamoDB Local is tried, which Maven fetches once, 51 MB`,
    );
    expect(last).toMatch(/^No embedded DynamoDB for linux-riscv64, .*\(no Java\).*https:\/\/\S+ .*DYNAMODB_ENDPOINT/);
    expect(rest).toEqual([""]);
  });
});
