import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readGroups } from "@intents/site/docs/calls.ts";
import { samplesOf } from "@intents/site/docs/samples.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../deployed/command.ts";
import { root } from "../house/tidy-fixture.ts";
import { openService } from "./service-fixture.ts";

// The client as a stranger gets it: packed, installed into an empty folder, and used as its README says.

const { service } = await openService();
const readme = readFileSync(join(root, "packages/client/README.md"), "utf8");
const blocksIn = (language: string, text = readme): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, block = ""]) => block);

const guidesFolder = join(root, "docs/guides");
const guides = readdirSync(guidesFolder).map((file) => {
  const text = readFileSync(join(guidesFolder, file), "utf8");
  const queries = [...text.matchAll(/^\| .* \| `((?:filter|sort|population).*)` \|$/gm)].map(([, query = ""]) => query);
  return {
    name: file.replace(/\.md$/, ""),
    queries,
    program: blocksIn("ts", text).join("\n"),
    shown: blocksIn("json", text),
  };
});

/** SPEC, "Querying": the operators that a filter may have. */
const operators = [
  ...["$eq", "$gt", "$gte", "$lt", "$lte", "$ne", "$in", "$nin", "$or", "$and", "$not", "$nor"],
  ...["$exists", "$type", "$elemMatch", "$size", "$all"],
];

/** This ends a program that hangs. */
const RUN_MS_MAX = 170_000;
const folder = mkdtempSync(join(tmpdir(), "client-guide-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (file: string, ...args: readonly string[]): Promise<string> =>
  runCommand(file, args, { cwd: folder, timeoutMs: RUN_MS_MAX });

/** Compiles a program as its author would, and runs what comes of it on a Node.js. */
async function perform(node: string, name: string, program: string, options: readonly string[]): Promise<string> {
  writeFileSync(join(folder, `${name}.ts`), program.replaceAll("http://127.0.0.1:3000", service.url));
  const strict = ["--strict", "--skipLibCheck", "false", "--module", "nodenext", "--outDir", "."];
  await run(process.execPath, join(root, "node_modules/typescript/bin/tsc"), `${name}.ts`, ...strict, ...options);
  return run(node, `${name}.js`);
}

beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "passport.pdf"), "%PDF-1.4 a passport");
  // The line of the service's own page, which has the version. Nothing else is fetched: it has no dependencies.
  const page = await (await fetch(`${service.url}/docs/first-payment.md`)).text();
  const [install = ""] = blocksIn("sh", page);
  expect(install).toContain(service.url);
  await run("bash", "-euc", install.replace("npm install", "npm install --no-audit --no-fund"));
});

test("it is installed by itself, and nothing in it leads back to this workspace", async () => {
  const installed = await run("find", "node_modules", "-type", "f");
  const files = installed.trim().split("\n");
  expect(files.filter((file) => file.endsWith("package.json")).toSorted()).toEqual([
    "node_modules/@intents/client/dist/cjs/package.json",
    "node_modules/@intents/client/package.json",
  ]);
  expect(files).toContain("node_modules/@intents/client/README.md");
  const [license, manifest] = ["LICENSE", "package.json"].map((file) =>
    readFileSync(join(folder, "node_modules/@intents/client", file), "utf8"),
  );
  expect(license).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
  expect(JSON.parse(manifest ?? "")).toMatchObject({ license: "Apache-2.0" });
  for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
    const text = readFileSync(join(folder, file), "utf8");
    const imported = [...text.matchAll(/\b(?:from |import |import\(|require\()"([^"]+)"/g)].map(
      ([, name = ""]) => name,
    );
    expect([file, imported.filter((name) => !/^(\.|node:)/.test(name))]).toEqual([file, []]);
  }
});

/** The types of Node.js, as those have them who ask for `@types/node`. */
function provideNodeTypes(): void {
  const types = join(folder, "node_modules/@types");
  mkdirSync(types, { recursive: true });
  if (!existsSync(join(types, "node"))) symlinkSync(join(root, "node_modules/@types/node"), join(types, "node"));
}

describe("its README", () => {
  const samples = blocksIn("ts");

  test("leads to a completed payment by its first sample, twice in a row, in a project without any types but TypeScript's own", async () => {
    // The machine's own Node.js may be older than that of the tests.
    const [own = process.execPath] = (await run("which", "-a", "node")).trim().split("\n").toReversed();
    const output = await perform(own, "first", samples[0] ?? "", ["--target", "es2022"]);
    for (const printed of [output, await run(own, "first.js")])
      expect(printed).toMatch(/^\[\]\n[\s\S]*accountNumber[\s\S]*\ncompleted\n$/);
  });

  test("has samples that compile in the strictest project, on Node.js without a browser's types, and run one after another", async () => {
    provideNodeTypes();
    const program = samples.join("\n");
    const strictest = ["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--target", "es2023"];
    const output = await perform(process.execPath, "all", program, [
      ...strictest,
      "--lib",
      "es2023",
      "--types",
      "node",
    ]);
    expect(output).toMatch(/^completed$/m);
    expect(output).toContain("lastName: must not be empty");
    expect(output).toMatch(/passport\.pdf 19 paymentId,/);
    expect(output).toMatch(/^pay here: http.*\/pay\/plink_/m);
    expect(output).toMatch(/^GET \/v2\/users\/me 1 200 /m);
  });
});

test("the reference has a program for each call that compiles in a strict project", async () => {
  const calls = readGroups(JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8"))).flatMap(
    (group) => group.calls,
  );
  const files = calls.map((call) => {
    const { code = "" } = samplesOf(call).find(({ language }) => language === "ts") ?? {};
    const ids = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, id = ""]) => `declare const ${id}: ${typeOfId(id)};\n`);
    // Each is a module, though it may import nothing.
    writeFileSync(join(folder, `${call.operation.operationId}.ts`), `export {};\n${ids.join("")}${code}`);
    return `${call.operation.operationId}.ts`;
  });
  provideNodeTypes();
  const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom"];
  await run(process.execPath, join(root, "node_modules/typescript/bin/tsc"), ...files, ...options, "--types", "node");
});
const typeOfId = (id: string): string => (id === "type" ? '"provider" | "company"' : "string");

/** Expects the guide's field names and kinds in a value, and its exact statuses and codes. */
function expectShape(actual: unknown, shown: unknown, at: string): void {
  if (typeof shown !== "object" || shown === null) {
    expect(typeof actual, at).toBe(typeof shown);
    if (/\.(status|code)$/.test(at)) expect(actual, at).toEqual(shown);
    return;
  }
  expect(Array.isArray(actual), at).toBe(Array.isArray(shown));
  for (const [name, part] of Object.entries(shown))
    expectShape((actual as Readonly<Record<string, unknown>>)[name], part, `${at}.${name}`);
}

describe("the guides", () => {
  const withSamples = guides.filter(({ program }) => program !== "");

  beforeAll(async () => {
    // A program's output is kept for comparison with its guide.
    const keep = "const told = [];\nconsole.log = (value) => told.push(value ?? null);\n";
    const tell = "process.on('exit', () => process.stdout.write(JSON.stringify(told)));\n";
    writeFileSync(join(folder, "told.mjs"), keep + tell);
    for (const { name, program } of withSamples)
      writeFileSync(join(folder, `${name}.ts`), program.replaceAll("http://127.0.0.1:3000", service.url));
    const files = withSamples.map(({ name }) => `${name}.ts`);
    const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom", "--outDir", "."];
    await run(process.execPath, join(root, "node_modules/typescript/bin/tsc"), ...files, ...options);
  });

  async function expectTwice({ name, shown }: (typeof guides)[number]): Promise<void> {
    for (let repetition = 0; repetition < 2; repetition++) {
      const printed = JSON.parse(await run(process.execPath, "--import", "./told.mjs", `${name}.js`)) as unknown[];
      expect(printed, name).toHaveLength(shown.length);
      for (const [index, block] of shown.entries()) expectShape(printed[index], JSON.parse(block), name);
    }
  }
  const claim = "$name has samples that compile, run twice in a row, and answer as it shows";
  // One shows the newest payment of all; the others wait for theirs at the same time.
  const isAlone = ({ name }: (typeof guides)[number]) => name === "sandbox";
  test.concurrent.each(withSamples.filter((guide) => !isAlone(guide)))(claim, expectTwice);
  test.each(withSamples.filter(isAlone))(claim, expectTwice);

  const queries = guides.flatMap((guide) => guide.queries);
  test("have a query for every operator", () => {
    for (const operator of operators) expect(queries.join("\n")).toContain(`[${operator}]`);
  });

  test.each(queries)("have a query that is answered: %s", async (query) => {
    const headers = { "X-API-Key": "demo:demo-secret" };
    const { status } = await fetch(`${service.url}/v2/payment-intents?${encodeURI(query)}`, { headers });
    expect(status).toBe(200);
  });
});
