import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { runCommand } from "../../deployed/command.ts";
import { findTool, homeOf, lacksPython, works } from "../../deployed/installation.ts";
import { noRateLimit } from "../../service/client.ts";

export const folder = import.meta.dirname;
export const textOf = (file: string): string => readFileSync(join(folder, file), "utf8");

export const API_KEY = "demo:demo-secret";

/** A service that settles at once and lets tools ask as fast as they can. */
export const haste = { ...noRateLimit, SANDBOX_SETTLE_SECONDS: "0.2", POLL_INTERVAL_SECONDS: "0.2" };

/** Programs and libraries of one lockfile. */
type Kit = Readonly<{
  /** The files that pin them: another text is another installation. */
  files: readonly string[];
  install: string;
  /** A command that works in an installation; false if the machine's own part of it has gone. */
  check: string;
  /** Names the machine's missing prerequisite. */
  lacks: () => Promise<string | undefined>;
}>;

const kits = {
  node: {
    files: ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"],
    ...{ install: "npx -y pnpm@12 install --frozen-lockfile", check: "true", lacks: async () => undefined },
  },
  python: {
    files: ["requirements.txt"],
    install: "python3 -m venv . && bin/python -m pip install --quiet --requirement requirements.txt",
    check: "bin/python -c ''",
    lacks: () => lacksPython(11),
  },
  java: {
    files: ["clients/java/pom.xml"],
    install: "mvn -B -q -DoutputDirectory=. org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies",
    check: "javac -version",
    lacks: () => lacksOf("javac -version", "mvn -version"),
  },
  go: {
    files: ["clients/go/go.mod", "clients/go/go.sum"],
    install: "go build -o oapi-codegen github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen",
    check: "go version",
    lacks: () => lacksOf("go version"),
  },
} as const satisfies Readonly<Record<string, Kit>>;

export type KitName = keyof typeof kits;

/** The homes of kits for the environment of a script: `NODE_TOOLS`, `PYTHON_TOOLS`, `JAVA_TOOLS`, `GO_TOOLS`. */
export type Tools = Readonly<Record<string, string>>;

/** Why a kit cannot be had on this machine. */
export type Missing = Readonly<{ missing: string }>;

/** Kits, installed first if needed. */
export async function findTools(...names: readonly KitName[]): Promise<Tools | Missing> {
  const tools: Record<string, string> = {};
  for (const name of names) {
    const found = await findKit(name, kits[name]);
    if ("missing" in found) return found;
    tools[`${name.toUpperCase()}_TOOLS`] = found.home;
  }
  return tools;
}

function findKit(name: KitName, { files, install, check, lacks }: Kit) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(textOf(file));
  const home = homeOf(`contract-${name}-${hash.digest("hex").slice(0, 12)}`);
  return findTool({
    ...{ name: `The ${name} packages of packages/tests/contract/tools`, home, lacks },
    isInstalled: () => works("sh", "-c", `cd "$0" && ${check}`, home),
    fill: async (fresh, run) => {
      for (const file of files) await copyFile(join(folder, file), join(fresh, basename(file)));
      await run("sh", ["-c", install]);
    },
  });
}

async function lacksOf(...commands: readonly string[]): Promise<string | undefined> {
  for (const command of commands) if (!(await works("sh", "-c", command))) return `no ${command.split(" ")[0]}`;
  return undefined;
}

/** A folder for the files of tools, which git ignores. It stays, for a look at it. */
export function scratchFolder(name: string): string {
  const path = join(folder, "../../../../.scratch", name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** The environment of scripts: kits, the contract, and tools that report to nobody. */
export const environmentOf = (tools: Tools) => ({
  ...{ ...process.env, ...tools, CONTRACT: join(folder, "../../../../docs/openapi.json") },
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
});

/** This ends a script that hangs. */
const SCRIPT_MS_MAX = 600_000;

/** The output of a script of the shell, whose arguments are `$@`; throws, with its end, when it fails. */
export const run = (tools: Tools, cwd: string, script: string, ...args: readonly string[]): Promise<string> =>
  runCommand("sh", ["-c", script, "sh", ...args], { cwd, env: environmentOf(tools), timeoutMs: SCRIPT_MS_MAX });
