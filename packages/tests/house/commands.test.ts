import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { contextNames } from "@intents/infra/deployment.ts";
import { createProgram } from "@intents/operator/program.ts";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { suites } from "../suite/parts.ts";
import { files, root } from "./tidy-fixture.ts";

// Every command line in the documents exists: scripts, the operator's commands with their options, the names of `-c`.
// Every script is run, by a part of a suite, by CI or by a test.

type Command = ReturnType<typeof createProgram>;

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>;
};
const program = createProgram();
/** Commands of the package manager itself. */
const ofPnpm = ["install", "exec"];
const groups = program.commands.filter(({ commands }) => commands.length > 0).map((command) => command.name());

/** The lines for a shell, and the spans of code, of a document or a workflow. */
function codeIn({ path, text }: { path: string; text: string }): string[] {
  if (path.endsWith(".yml")) return runsIn(text);
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, "").split("\n"));
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, "");
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span.replaceAll(/\s+/g, " "));
  return [...lines, ...spans].map((line) => line.trim());
}

/** A gap in a command line, which a person or a shell fills in. */
const GAP = /^('?<[^>]+>'?|…|\.\.\.|"?\$.*)$/;

/** A whole command line with something in each gap that its place takes. */
function fillIn(words: readonly string[]): string[] {
  const options = allOf(program).flatMap((command) => command.options);
  return words.map((word, index) => {
    if (!GAP.test(word)) return word.replace(/^(['"])(.*)\1$/, "$2");
    const option = options.find(({ long, argChoices }) => long === words[index - 1] && argChoices !== undefined);
    return option?.argChoices?.[0] ?? "1001";
  });
}
const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

/** The refusal of a command line, which is parsed and not run; undefined where it is taken. Prose may name a part of one. */
function refusalOf(words: readonly string[], isWhole: boolean): string | undefined {
  // "operator …" is any command.
  if (GAP.test(words[0] ?? "")) return undefined;
  const asked = createProgram();
  for (const command of allOf(asked)) {
    command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    if (command.commands.length === 0) command.action(() => undefined);
    if (isWhole) continue;
    for (const option of command.options) Object.assign(option, { mandatory: false, required: false, optional: true });
    for (const argument of command.registeredArguments) argument.required = false;
  }
  try {
    asked.parse(fillIn(words), { from: "user" });
  } catch (error) {
    const { exitCode, message } = error as Error & Readonly<{ exitCode?: number }>;
    if (exitCode === undefined) throw error;
    return exitCode === 0 ? undefined : message;
  }
  return undefined;
}

/** Words of a command line: `<a gap>` may have spaces, as what stands in quotes has. */
const WORDS = /'[^']*'|"[^"]*"|<[^>]+>|[^\s]+/g;

/** Lists a line's unknown scripts, options and commands. */
function missingIn(line: string): string[] {
  const called = [...line.matchAll(/\bpnpm(?:@12)?(?: --silent)? (?:run )?([a-z][\w:]*)/g)].map(
    ([, name = ""]) => name,
  );
  const unknown = called.filter((name) => !(name in scripts || ofPnpm.includes(name) || name === "run"));
  const options = [...line.matchAll(/(?:^|\s)-c (\w+)=/g)].map(([, name = ""]) => name);
  const strange = options.filter((name) => !contextNames.some((known) => known === name));
  // A line that calls the program is run as it stands.
  const [, typed] = /(?:^|\bpnpm(?:@12)? (?:--silent )?|\$\()(?:operator|op) ((?:<[^>]+>|[^|;&)>])*)/.exec(line) ?? [];
  const bare = groups.some((group) => line.startsWith(`${group} `)) ? line : undefined;
  const wrong = refusalOf((typed ?? bare ?? "…").match(WORDS) ?? [], typed !== undefined);
  return [...unknown, ...strange, ...(wrong === undefined ? [] : [wrong])].map((what) => `${what}: ${line}`);
}

const documents = files.filter(({ path }) => /^(README|docs\/(?!decisions|specification).*)\.(md|yml)$/.test(path));

test.each(documents.map((file) => [file.path, file] as const))("%s tells people to type what exists", (_path, file) => {
  expect(codeIn(file).flatMap(missingIn)).toEqual([]);
});

test("every command of an operator stands in a document", () => {
  const texts = documents.flatMap(codeIn).join("\n");
  const names = program.commands.flatMap((group) =>
    group.commands.length === 0 ? group.name() : group.commands.map((command) => `${group.name()} ${command.name()}`),
  );
  // Shells call `complete`.
  expect(names.filter((name) => name !== "complete" && !new RegExp(`\\b${name}\\b`).test(texts))).toEqual([]);
});

test("what does not exist is noticed", () => {
  const wrong = [
    ["npx -y pnpm@12 run depoy", "depoy"],
    ["npx -y pnpm@12 run deploy -c stge=production", "stge"],
    ["pnpm operator --stage production ledger verfy", "error: unknown command 'verfy'\n(Did you mean verify?)"],
    ["operator keys list", "error: required option '--tenant <id>' not specified"],
    ["X=$(op keys create acme)", "error: required option '--tenant <id>' not specified"],
    ["intents resolve 1 --tenant 1001 --ass failed", "error: unknown option '--ass'\n(Did you mean --as?)"],
  ] as const;
  for (const [line, what] of wrong) expect(missingIn(line)).toEqual([`${what}: ${line}`]);
  expect(missingIn("npx -y pnpm@12 operator --stage production ledger match --days 29")).toEqual([]);
});

/** Scripts that a test runs: it names their file, or runs them by their name. */
const tests: Readonly<Record<string, string>> = {
  start: "packages/tests/service/launched.whole.test.ts",
  dev: "packages/tests/service/launched.whole.test.ts",
  examples: "packages/tests/service/examples.whole.test.ts",
  listen: "packages/tests/service/webhook-receivers.whole.test.ts",
  operator: "packages/tests/service/readme.whole.test.ts",
  pictures: "packages/tests/browser/pictures.whole.test.ts",
  "rail:check": "packages/rails/src/check/check.test.ts",
  replay: "packages/tests/service/replay-command.whole.test.ts",
  sbom: "packages/tests/suite/sbom.test.ts",
};

const AN_ACCOUNT = "they need an account: packages/tests/deployed runs the same program on an emulator";
/** Scripts that nothing runs, and why. */
const unrun: Readonly<Record<string, string>> = {
  ...{ cdk: AN_ACCOUNT, deploy: AN_ACCOUNT, destroy: AN_ACCOUNT },
  "pnpm:devPreinstall": "an installation prints its line",
  fuzz: "packages/tests/contract calls the same tool in its own process",
};

const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? "";
const parts = Object.values(suites).flatMap((steps) => steps.flat().map(({ command }) => command.join(" ")));

/** Whether a test runs a script: by its name, or by its file, which it finds from its own folder or from the root. */
function isTested(name: string, line: string): boolean {
  const [test = "", text] = [tests[name], textOf(tests[name] ?? "")];
  const file = /\S+\.(ts|mjs)\b/.exec(line)?.[0];
  if (file === undefined) return text.includes(`"run", "${name}"`);
  return [...text.matchAll(/"([^"\s]+)"/g)].some(([, said = ""]) => [said, join(dirname(test), said)].includes(file));
}

function isRun(name: string): boolean {
  return (
    scripts[name]?.split(" && ").every((line) => {
      const [, next] = /^pnpm run (\S+)$/.exec(line) ?? [];
      if (next !== undefined) return isRun(next);
      const [, tier] = /^vitest run .*--project (\w+)/.exec(line) ?? [];
      if (tier !== undefined) return parts.some((part) => part.includes(`--project ${tier}`));
      return parts.some((part) => `${part} `.startsWith(`${line} `)) || isTested(name, line);
    }) === true
  );
}

test("every script is run by a part of a suite, by CI or by a test", () => {
  const byCi = [...textOf(".ci/run").matchAll(/^run npx -y pnpm@12 (\S+)$/gm)].map(([, name]) => name);
  const left = Object.keys(scripts).filter((name) => !byCi.includes(name) && !isRun(name));
  expect(left.toSorted()).toEqual(Object.keys(unrun).toSorted());
});

type Step = Readonly<{ run?: string; uses?: string; with?: Readonly<Record<string, unknown>> }>;
type Job = Readonly<{
  steps: readonly Step[];
  environment?: string;
  needs?: string;
  permissions?: Readonly<Record<string, string>>;
}>;
const jobsOf = (text: string) => (parse(text) as { jobs: Readonly<Record<string, Job>> }).jobs;

function runsIn(text: string): string[] {
  return Object.values(jobsOf(text)).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
}

describe("the sample of a pipeline", () => {
  const text = files.find(({ path }) => path === "docs/pipeline/deploy.yml")?.text ?? "";
  const jobs = jobsOf(text);
  const usesOf = ({ steps }: Job) => steps.flatMap(({ uses }) => uses ?? []);

  test("tests before anything is deployed, and deploys to production last, once somebody has approved", () => {
    expect(Object.entries(jobs).map(([name, { needs, environment }]) => [name, needs, environment])).toEqual([
      ["test", undefined, undefined],
      ["diff", "test", "diff"],
      ["sandbox", "test", "sandbox"],
      ["production", "sandbox", "production"],
    ]);
    expect(jobs["test"]?.steps.map(({ run }) => run)).toContain("npx -y pnpm@12 test");
  });

  test("keeps no key: every job that reaches AWS takes a role by OIDC, and none has more permissions", () => {
    expect(text).not.toMatch(/secrets\.|aws-access-key-id|aws-secret-access-key/);
    for (const [name, job] of Object.entries(jobs)) {
      const reaches = job.environment !== undefined;
      expect(usesOf(job).join(" ").includes("aws-actions/configure-aws-credentials@"), name).toBe(reaches);
      expect(job.permissions, name).toEqual(reaches ? { contents: "read", "id-token": "write" } : undefined);
    }
    expect(parse(text)).toMatchObject({ permissions: { contents: "read" } });
  });

  test("takes every action at a commit, which no tag can lead to other code", () => {
    for (const uses of Object.values(jobs).flatMap(usesOf)) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/);
  });

  test("compares templates alone for a pull request, which needs no role that deploys", () => {
    expect(jobs["diff"]?.steps.at(-1)?.run).toMatch(/^npx -y pnpm@12 cdk diff --method=template /);
  });
});
