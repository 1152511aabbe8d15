import { readFileSync } from "node:fs";
import { join } from "node:path";
import { namesOf } from "@intents/deployment/names.ts";
import { runConsole } from "../service/console-fixture.ts";
import { runCommand } from "./command.ts";
import { ACCOUNT, type Emulator, REGION } from "./emulator.ts";

const root = join(import.meta.dirname, "../../..");
const CDK = join(root, "node_modules/aws-cdk/bin/cdk");
const OPERATOR = join(root, "packages/operator/src/main.ts");
const CDK_MS_MAX = 540_000;

/** A deployment's differences from this project as it stands. */
export type Version = Readonly<{
  /** The address of the emulator by which the API is known. */
  address?: string;
  /** Another checkout of the project. */
  from?: string;
  /** A restored table, for the functions to work on. */
  table?: string;
  /** Whether the functions are to have another code than that of the project. */
  isChanged?: boolean;
}>;

const codeOf = (isChanged: boolean): Readonly<Record<string, string>> => (isChanged ? { CHANGED_CODE: "1" } : {});

/** Stage `sandbox` in the emulator, used as the README says: by the CDK's and the operator's command lines. */
export function openStage({ url, folder, environment }: Emulator, prefix?: string) {
  const seconds = new Map<string, number>();
  const names = namesOf({ stage: "sandbox", prefix });

  async function cdk(step: string, cwd: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const startMs = performance.now();
    const env = { ...environment, ...more };
    const output = await runCommand(process.execPath, [CDK, ...args], { env, cwd, timeoutMs: CDK_MS_MAX });
    seconds.set(step, (performance.now() - startMs) / 1000);
    return output;
  }

  // The output does not go to the project's cdk.out, which is the user's.
  const all = (address: string) => [
    ...["--all", "--context", `emulated=${address}`, "--output", join(folder, `${names.service}.out`)],
    ...(prefix === undefined ? [] : ["--context", `prefix=${prefix}`]),
  ];
  // The stacks to destroy are found by their names, which the project's own app knows as well.
  const probed = (address: string) => ["--app", "node packages/acceptance/deployed/app.ts", ...all(address)];

  const where = ["--stage", "sandbox", ...(prefix === undefined ? [] : ["--prefix", prefix])];

  /** The output of an operator's command by somebody's credentials, which must succeed. */
  function operateAs(credentials: Readonly<Record<string, string>>) {
    return async (...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
      const command = [OPERATOR, ...args, ...where, "--json", "--yes", "--reason", "smoke test"];
      const env = { ...environment, ...credentials };
      const printed = await runCommand(process.execPath, command, { env, timeoutMs: 60_000 });
      return JSON.parse(printed) as Record<string, unknown>;
    };
  }

  return {
    names,
    /** The time that each step took, in seconds. */
    seconds: seconds as ReadonlyMap<string, number>,
    // This runs in a folder without an app, so that none is synthesized.
    bootstrap: () => cdk("bootstrap", folder, ["bootstrap", `aws://${ACCOUNT}/${REGION}`]),

    /** Deploys a version, and tells the address of the API. */
    async deploy(step: string, version: Version = {}): Promise<string> {
      const { address = url, from = root, table, isChanged = false } = version;
      const file = join(folder, "outputs.json");
      const args = ["deploy", ...probed(address), "--require-approval", "never", "--outputs-file", file];
      if (table !== undefined) args.push("--context", `mainTable=${table}`);
      await cdk(step, from, args, codeOf(isChanged));
      const outputs = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, string>>;
      const { BaseUrl } = outputs[names.service] ?? {};
      if (BaseUrl === undefined) throw new Error("The deployment has no output BaseUrl");
      return BaseUrl;
    },
    /** Throws when the deployed stacks differ from those that a deployment would make now. */
    diff: ({ address = url, isChanged = false }: Version) =>
      cdk("diff", root, ["diff", "--fail", ...probed(address)], codeOf(isChanged)),
    destroy: () => cdk("destroy", root, ["destroy", "--force", ...all(url)]),

    operate: operateAs({}),
    operateAs,

    /** The operator's console of the stage, on this machine. */
    openConsole: () => runConsole([...where, "console"], environment),
  };
}
