import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../../acceptance/deployed/command.ts";
import {
  findTool,
  homeOf,
  installPython,
  lacksPython,
  pythonIn,
  works,
} from "../../acceptance/deployed/installation.ts";
import { noRateLimit } from "../../acceptance/service/client.ts";
import type { Need } from "./generators.ts";

export const folder = join(import.meta.dirname, "..");
export const contract = join(folder, "../../docs/openapi.json");

export const API_KEY = "demo:demo-secret";

/** A service that settles at once and lets tools ask as fast as they can. */
export const haste = { ...noRateLimit, SANDBOX_SETTLE_SECONDS: "0.2", POLL_INTERVAL_SECONDS: "0.2" };

/** A folder for what tools write, which git ignores. It stays, for a look at it. */
export function scratchFolder(name: string): string {
  const path = join(folder, "../../.scratch", name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** A program with its arguments, in the folder in which it runs. */
export type Program = Readonly<{ file: string; args: readonly string[]; cwd: string }>;

/** This ends a program that hangs. */
const PROGRAM_MS_MAX = 600_000;
const env = { ...process.env, CONTRACT: contract, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

/** The output of a program; throws, with its end, when the program fails. */
export const run = ({ file, args, cwd }: Program): Promise<string> =>
  runCommand(file, args, { cwd, env, timeoutMs: PROGRAM_MS_MAX });

/** Runs a program that writes where this one does, for as long as it takes; throws when it fails. */
export async function runInSight({ file, args, cwd }: Program): Promise<void> {
  const [exitCode] = await once(spawn(file, args, { cwd, env, stdio: "inherit" }), "exit");
  if (exitCode !== 0) throw new Error(`it ended with ${String(exitCode)}`);
}

/** Why a tool cannot be had on this machine. */
export type Missing = Readonly<{ missing: string }>;

/** Where the npm packages are, and the file of a program of one, for Node.js to run. */
export type NodeTools = Readonly<{ modules: string; program: (packageName: string, name: string) => string }>;

/** A version of the tools is what these files say: another text is another installation. */
const versionOf = (...names: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const name of names) hash.update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 12);
};

/** The tools of this package's own lockfile, which the workspace does not install. */
export async function findNodeTools(): Promise<NodeTools | Missing> {
  const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"];
  const home = homeOf(`conformance-node-${versionOf(...files)}`);
  const found = await findTool({
    ...{ name: "The npm packages of packages/conformance", home },
    isInstalled: async () => existsSync(home),
    lacks: async () => undefined,
    fill: async (fresh, run) => {
      for (const name of files) await copyFile(join(folder, name), join(fresh, name));
      await run("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile"]);
    },
  });
  if ("missing" in found) return found;
  const modules = join(home, "node_modules");
  const program = (packageName: string, name: string): string => {
    const { bin } = JSON.parse(readFileSync(join(modules, packageName, "package.json"), "utf8"));
    return join(modules, packageName, typeof bin === "string" ? bin : bin[name]);
  };
  return { modules, program };
}

/** The tools that make clients: TypeScript's packages, a Python, oapi-codegen, and the folder of Java's libraries. */
export type Tools = NodeTools & Readonly<{ python: string; codegen: string; libraries: string }>;

const finders: Readonly<Record<Need, () => Promise<Partial<Tools> | Missing>>> = {
  node: findNodeTools,
  python: () => findPythonTools(),
  java: async (): Promise<Partial<Tools> | Missing> =>
    (await works("java", "-version")) ? {} : { missing: "no java" },
  maven: findJavaLibraries,
  go: findGoTools,
};

/** The tools for what is needed, installed first where the machine lets them be. */
export async function findTools(needs: readonly Need[]): Promise<Tools | Missing> {
  const tools: Partial<Tools> = {};
  for (const need of needs) {
    const found = await finders[need]();
    if ("missing" in found) return found;
    Object.assign(tools, found);
  }
  return tools as Tools;
}

/** The libraries that a client in Java stands on. */
async function findJavaLibraries(): Promise<Readonly<{ libraries: string }> | Missing> {
  const pom = "clients/java/pom.xml";
  const home = homeOf(`conformance-java-${versionOf(pom)}`);
  const compiles = () => works("javac", "-version");
  const found = await findTool({
    ...{ name: "The Java libraries of packages/conformance", home },
    isInstalled: async () => existsSync(home) && (await compiles()),
    lacks: async () => {
      if (!(await compiles())) return "no javac";
      return (await works("mvn", "-version")) ? undefined : "no mvn";
    },
    fill: (fresh, run) =>
      run("mvn", [
        ...["-B", "-q", "-f", join(folder, pom), `-DoutputDirectory=${fresh}`],
        "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies",
      ]),
  });
  return "missing" in found ? found : { libraries: home };
}

/** oapi-codegen of the jobs' own go.mod. */
async function findGoTools(): Promise<Readonly<{ codegen: string }> | Missing> {
  const files = ["go.mod", "go.sum"];
  const home = homeOf(`conformance-go-${versionOf(...files.map((name) => `clients/${name}`))}`);
  const hasGo = () => works("go", "version");
  const found = await findTool({
    ...{ name: "The Go modules of packages/conformance", home },
    isInstalled: async () => existsSync(home) && (await hasGo()),
    lacks: async () => ((await hasGo()) ? undefined : "no go"),
    fill: async (fresh, run) => {
      for (const name of files) await copyFile(join(folder, "clients", name), join(fresh, name));
      await run("go", ["build", "-o", "oapi-codegen", "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen"]);
    },
  });
  return "missing" in found ? found : { codegen: join(home, "oapi-codegen") };
}

/** The Python that has the tools of requirements.txt. */
export const findPythonTools = () =>
  findPython(`tools-${versionOf("requirements.txt")}`, 11, "--requirement", join(folder, "requirements.txt"));

const STANDARD_WEBHOOKS = "1.1.0";

/** The Python that has the library of Standard Webhooks. */
export const findPythonWebhooks = () =>
  findPython(`webhooks-${STANDARD_WEBHOOKS}`, 9, `standardwebhooks==${STANDARD_WEBHOOKS}`);

/** An environment of Python 3.`minor` or newer with what pip is told to install. */
async function findPython(
  name: string,
  minor: number,
  ...wanted: readonly string[]
): Promise<Readonly<{ python: string }> | Missing> {
  const home = homeOf(`conformance-python-${name}`);
  const python = pythonIn(home);
  const found = await findTool({
    ...{ name: "The Python packages of packages/conformance", home },
    // The Python that made the environment may have gone.
    isInstalled: () => works(python, "-c", ""),
    lacks: () => lacksPython(minor),
    fill: installPython(...wanted),
  });
  return "missing" in found ? found : { python };
}
