import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openClient } from "../../acceptance/service/client.ts";
import { newKey } from "../../acceptance/service/tuition.ts";
import { type ClientName, type Generator, generators } from "./generators.ts";
import { API_KEY, contract, findTools, folder, type Missing, run, scratchFolder, type Tools } from "./tools.ts";

type Command = readonly string[];

/** The commands that generate a client, check that it compiles, and do the job with it, in a folder of its own. */
type Client = Readonly<{ generate: Command; checks: readonly Command[]; job: Command; modules?: string }>;

type Maker = (tools: Tools, options: Command, url: string) => Client | Promise<Client>;

/** A job's report on its payment and the lists. */
type Outcome = Readonly<{
  id: string;
  status: string;
  missing: readonly string[];
  account?: string;
  paymentIds: readonly number[];
  completed: readonly string[];
  found: readonly string[];
}>;

/** openapi-generator by its package on PyPI; the package's command names the folder of before the installation moved. */
const generateInto = (output: string, { python }: Tools, options: Command): Command => [
  ...[python, "-c", "from openapi_generator_cli import cli; cli()", "generate"],
  ...["-i", contract, "-o", output, ...options],
];

const compile = ({ program }: Tools, ...options: Command): Command => [
  ...[process.execPath, program("typescript", "tsc"), "--project", "../tsconfig.json", ...options],
];

const inJava: Maker = (tools, options) => {
  const sources = '$(find generated/src/main Job.java -name "*.java")';
  return {
    generate: generateInto("generated", tools, options),
    checks: [["sh", "-c", `javac -nowarn -d built -cp "$0/*" ${sources}`, tools.libraries]],
    job: ["java", "-cp", `built:${tools.libraries}/*`, "Job"],
  };
};

const inGo = (generate: Command): Client => ({ generate, checks: [["go", "build", "-o", "job", "."]], job: ["./job"] });

const inPython = ({ python }: Tools, generate: Command, types: Command): Client => ({
  generate,
  checks: [
    [python, "-m", "compileall", "-q", "."],
    [python, "-m", "mypy", "--strict", "--config-file=", ...types, "job.py"],
  ],
  job: [python, "job.py"],
});

const inTypeScript = (name: ClientName, tools: Tools, generate: Command, ...options: Command): Client => ({
  generate,
  checks: [compile(tools, ...options)],
  job: [process.execPath, "../main.mjs", `../built/${name}/job.js`],
  modules: tools.modules,
});

/** Our own client, as the service at `url` serves it, in a runtime that takes TypeScript as it is. */
const inRuntime = async (url: string, check: Command, program: Command): Promise<Client> => {
  const page = await (await fetch(`${url}/docs/first-payment`)).text();
  const [file = ""] = /docs\/client-[^ <]+\.tgz/.exec(page) ?? [];
  return {
    generate: ["npm", "install", "--no-save", "--prefix", "..", `${url}/${file}`],
    checks: [check],
    job: [...program, "../main.mjs", "job.ts"],
  };
};

const makers: Readonly<Record<ClientName, Maker>> = {
  java: inJava,
  go: (tools, options) => inGo(generateInto("generated", tools, options)),
  "oapi-codegen": ({ codegen }, options) => inGo([codegen, ...options, "-o", "generated/client.go", contract]),
  // The settings that openapi-generator writes for mypy say that its types are not strict.
  python: (tools, options) => inPython(tools, generateInto(".", tools, options), ["--follow-imports=silent"]),
  "openapi-python-client": (tools, options) => {
    const output = ["--output-path", "generated", "--overwrite", "--meta", "none", "--fail-on-warning"];
    const generate = [tools.python, "-m", "openapi_python_client", "generate", "--path", contract];
    return inPython(tools, [...generate, ...output, ...options], []);
  },
  "typescript-fetch": (tools, options) => {
    const generate = generateInto("generated", tools, options);
    // Its own runtime is not written for these two, which `strict` does not ask for.
    const lenient = ["--noUncheckedIndexedAccess", "false", "--noImplicitOverride", "false"];
    return inTypeScript("typescript-fetch", tools, generate, ...lenient);
  },
  "openapi-fetch": (tools) => {
    const program = tools.program("openapi-typescript", "openapi-typescript");
    return inTypeScript("openapi-fetch", tools, [
      ...[process.execPath, program, contract, "--output", "generated/schema.d.ts"],
    ]);
  },
  bun: (tools, _, url) => inRuntime(url, compile(tools), [tools.program("bun", "bun")]),
  deno: ({ program }, _, url) => {
    const deno = [process.execPath, program("deno", "deno")];
    return inRuntime(url, [...deno, "check", "job.ts"], [...deno, "run", "--allow-all"]);
  },
};

/** Generates and checks a client, does the job with it at the service at `url`, and throws where anything is wrong. */
export async function tryClient(name: ClientName, url: string): Promise<Missing | undefined> {
  const { needs, options, job: jobName = name }: Generator = generators[name];
  const tools = await findTools(needs);
  if ("missing" in tools) return tools;
  const { generate, checks, job, modules } = await makers[name](tools, options?.split(" ") ?? [], url);
  const cwd = prepareFolder(name, jobName, modules);
  const perform = ([file = "", ...args]: Command): Promise<string> => run({ file, args, cwd });
  for (const command of [generate, ...checks]) await perform(command);
  const before = await completedPayments(url);
  const outcome: Outcome = JSON.parse(await perform([...job, url, API_KEY]));
  const { id } = outcome;
  assert.equal(typeof outcome.account, "string");
  assert.equal(outcome.paymentIds.length, 1);
  assert.deepEqual(
    { status: outcome.status, missing: outcome.missing, completed: outcome.completed, found: outcome.found },
    { status: "completed", missing: [], completed: [id, ...before], found: [id] },
  );
  return undefined;
}

/** A new folder with the job and all it needs but the client. */
function prepareFolder(name: string, job: string, modules: string | undefined): string {
  // It is not below node_modules, because TypeScript compiles nothing there.
  const home = scratchFolder(`clients/${name}`);
  rmSync(home, { recursive: true });
  for (const part of ["requests.ts", "main.mjs", "tsconfig.json", "go.mod", "go.sum", job]) {
    cpSync(join(folder, "clients", part), join(home, part), { recursive: true });
  }
  mkdirSync(join(home, job, "generated"));
  writeFileSync(join(home, "package.json"), JSON.stringify({ type: "module" }));
  if (modules !== undefined) symlinkSync(modules, join(home, "node_modules"));
  return join(home, job);
}

/** All completed payments, newest first, of which there are enough for a job to meet a second page. */
async function completedPayments(url: string): Promise<string[]> {
  const client = openClient(url);
  for (let made = 0; made < 3; made++) {
    const { id } = await client.newTuitionIntent();
    await client.submit(id, newKey());
    await client.waitForStatus(id, "completed");
  }
  const path = "/v2/payment-intents?filter[status]=completed&sort=-createdAt&limit=1000";
  const { paymentIntents } = await client.must<{ paymentIntents: readonly Readonly<{ id: string }>[] }>("GET", path);
  return paymentIntents.map(({ id }) => id);
}
