import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand } from "../deployed/command.ts";
import { openService } from "./service-fixture.ts";
import { usual } from "./shared-service.ts";

// A stranger's steps with an address and a key, and nothing of this project. The stage's pages know no key.

const { service } = await openService({ ...usual, STAGE: "sandbox" });
const KEY = "demo:demo-secret";
/** How the pages call a key. */
const NO_KEY = "<CLIENT_ID>:<SECRET>";

const read = async (url: string): Promise<string> => {
  const answer = await fetch(url);
  expect([url, answer.status]).toEqual([url, 200]);
  return answer.text();
};

/** The Markdown of a guide, found by its title in the list that the stage has for programs. */
async function guideOf(title: string): Promise<string> {
  const list = await read(`${service.url}/docs/llms.txt`);
  const [, link = ""] = new RegExp(`^- \\[${title}\\]\\(([^)]+)\\)`, "m").exec(list) ?? [];
  return read(link);
}

/** The first code of a section, copied with the key put in. */
function copyOf(guide: string, section: string, language: string): string {
  const [, code = ""] =
    new RegExp(`^## ${section}$[\\s\\S]*?^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(guide) ?? [];
  expect([section, code]).not.toEqual([section, ""]);
  return code.replaceAll(NO_KEY, KEY);
}

/** This ends a program that hangs. */
const RUN_MS_MAX = 170_000;
const folder = mkdtempSync(join(tmpdir(), "stranger-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (file: string, ...args: readonly string[]): Promise<string> =>
  runCommand(file, args, { cwd: folder, timeoutMs: RUN_MS_MAX });

describe.concurrent("an address and a key lead to a completed payment, by the stage's own pages alone", () => {
  test("in curl", async () => {
    const output = await run("bash", "-eu", "-c", copyOf(await guideOf("Start with HTTP"), "Pay with curl", "sh"));
    expect(output).toContain('"missingRequirements":[]');
    expect(output).toMatch(/"status":"completed"\s*$/);
  });

  test("in Python, without a package", async () => {
    const program = copyOf(await guideOf("Start with HTTP"), "Pay with Python", "python");
    expect(await run("python3", "-c", program)).toBe("[]\ncompleted\n");
  });

  test("in TypeScript, by the client that the stage serves", async () => {
    const guide = await guideOf("First payment");
    // npm would look for a project in the folders above.
    writeFileSync(join(folder, "package.json"), "{}");
    await run("bash", "-eu", "-c", copyOf(guide, "Install", "sh"));
    writeFileSync(join(folder, "first-payment.mts"), copyOf(guide, "A first payment", "ts"));
    const lines = copyOf(guide, "A first payment", "sh");
    // The machine's own Node.js may be older than the page asks for.
    const output = await run("bash", "-eu", "-c", lines.replace(/^node /m, `'${process.execPath}' `));
    expect(output).toMatch(/^\[\]\n[\s\S]*accountNumber[\s\S]*\ncompleted\s*$/);
  });
});
