import assert from "node:assert/strict";
import { cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openClient } from "../../acceptance/service/client.ts";
import { newKey } from "../../acceptance/service/tuition.ts";
import {
  API_KEY,
  contract,
  findNodeTools,
  findPythonTools,
  folder,
  type Missing,
  type NodeTools,
  run,
  scratchFolder,
} from "./tools.ts";

type Command = readonly string[];

/** The commands that generate a client, check its types strictly, and do the job with it, in a folder of its own. */
type Client = Readonly<{ generate: Command; check: Command; job: Command; modules?: string }>;

/** What a job tells of its payment and of the lists. */
type Outcome = Readonly<{
  id: string;
  status: string;
  missing: readonly string[];
  account?: string;
  paymentIds: readonly number[];
  completed: readonly string[];
  found: readonly string[];
}>;

/** A client in TypeScript, whose generator is a program of an npm package. */
function inTypeScript(name: string, generator: (program: NodeTools["program"]) => Command) {
  return async (): Promise<Client | Missing> => {
    const tools = await findNodeTools();
    if ("missing" in tools) return tools;
    const { modules, program } = tools;
    const script = `import { doJob } from ${JSON.stringify(`../built/${name}/job.js`)};
      process.stdout.write(JSON.stringify(await doJob(...process.argv.slice(1))));`;
    return {
      generate: [process.execPath, ...generator(program)],
      check: [process.execPath, program("typescript", "tsc"), "--project", "../tsconfig.json"],
      job: [process.execPath, "--input-type=module", "--eval", script],
      modules,
    };
  };
}

async function inPython(): Promise<Client | Missing> {
  const tools = await findPythonTools();
  if ("missing" in tools) return tools;
  const { python } = tools;
  const output = ["--output-path", "generated", "--meta", "none", "--config", "config.yaml", "--fail-on-warning"];
  return {
    generate: [python, "-m", "openapi_python_client", "generate", "--path", contract, ...output],
    check: [python, "-m", "mypy", "--strict", "job.py"],
    job: [python, "job.py"],
  };
}

/** The clients by the folders of their jobs, each with how it is made here, or why it cannot be. */
export const clients = {
  "openapi-fetch": inTypeScript("openapi-fetch", (program) => [
    ...[program("openapi-typescript", "openapi-typescript"), contract, "--output", "generated/schema.d.ts"],
  ]),
  "hey-api": inTypeScript("hey-api", (program) => [
    ...[program("@hey-api/openapi-ts", "openapi-ts"), "--file", "hey-api.config.mjs", "--silent", "--no-log-file"],
  ]),
  orval: inTypeScript("orval", (program) => [
    ...[program("orval", "orval"), "--config", "orval.config.mjs", "--fail-on-warnings"],
  ]),
  python: inPython,
} satisfies Readonly<Record<string, () => Promise<Client | Missing>>>;

/** Generates and checks a client, does the job with it at the service at `url`, and throws where anything is wrong. */
export async function tryClient(name: string, { generate, check, job, modules }: Client, url: string): Promise<void> {
  const cwd = prepareFolder(name, modules);
  const perform = ([file = "", ...args]: Command): Promise<string> => run({ file, args, cwd });
  await perform(generate);
  await perform(check);
  const before = await completedPayments(url);
  const outcome: Outcome = JSON.parse(await perform([...job, url, API_KEY]));
  const { id } = outcome;
  assert.equal(typeof outcome.account, "string");
  assert.equal(outcome.paymentIds.length, 1);
  assert.deepEqual(
    { status: outcome.status, missing: outcome.missing, completed: outcome.completed, found: outcome.found },
    { status: "completed", missing: [], completed: [id, ...before], found: [id] },
  );
}

/** A new folder with the job and all it needs but the client. */
function prepareFolder(name: string, modules: string | undefined): string {
  // It is not below node_modules, because TypeScript compiles nothing there.
  const home = scratchFolder(`clients/${name}`);
  rmSync(home, { recursive: true });
  for (const part of ["requests.ts", "tsconfig.json", name]) {
    cpSync(join(folder, "clients", part), join(home, part), { recursive: true });
  }
  writeFileSync(join(home, "package.json"), JSON.stringify({ type: "module" }));
  if (modules !== undefined) symlinkSync(modules, join(home, "node_modules"));
  return join(home, name);
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
