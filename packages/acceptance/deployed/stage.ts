import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import { ACCOUNT, type Emulator, REGION } from "./emulator.ts";

const root = join(import.meta.dirname, "../../..");
const CDK = join(root, "node_modules/aws-cdk/bin/cdk");
const OPERATOR = join(root, "packages/operator/src/main.ts");
const CDK_MS_MAX = 540_000;

/** Stage `sandbox` in the emulator, used as the README says: by the CDK's and the operator's command lines. */
export function openStage({ url, folder, environment: env }: Emulator) {
  const seconds = new Map<string, number>();

  async function cdk(step: string, cwd: string, ...args: readonly string[]): Promise<string> {
    const startMs = performance.now();
    const output = await runCommand(process.execPath, [CDK, ...args], { env, cwd, timeoutMs: CDK_MS_MAX });
    seconds.set(step, (performance.now() - startMs) / 1000);
    return output;
  }

  // The output does not go to the project's cdk.out, which is the user's.
  const all = (address: string) => ["--all", "--context", `emulated=${address}`, "--output", join(folder, "cdk.out")];
  // The stacks to destroy are found by their names, which the project's own app knows as well.
  const probed = (address: string) => ["--app", "node packages/acceptance/deployed/app.ts", ...all(address)];

  return {
    /** The time that each step took, in seconds. */
    seconds: seconds as ReadonlyMap<string, number>,
    // This runs in a folder without an app, so that none is synthesized.
    bootstrap: () => cdk("bootstrap", folder, "bootstrap", `aws://${ACCOUNT}/${REGION}`),

    /** Deploys an API behind the emulator's `address`, and tells the address of the API. */
    async deploy(step: string, address = url): Promise<string> {
      const file = join(folder, "outputs.json");
      await cdk(step, root, "deploy", ...probed(address), "--require-approval", "never", "--outputs-file", file);
      const outputs = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, string>>;
      const { BaseUrl } = outputs["payment-intents-sandbox"] ?? {};
      if (BaseUrl === undefined) throw new Error("The deployment has no output BaseUrl");
      return BaseUrl;
    },
    /** Throws when the deployed stacks differ from those that a deployment would make now. */
    diff: (address: string) => cdk("diff", root, "diff", "--fail", ...probed(address)),
    destroy: () => cdk("destroy", root, "destroy", "--force", ...all(url)),

    /** The output of an operator's command, which must succeed. */
    async operate(...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
      const options = ["--stage", "sandbox", "--json", "--yes", "--reason", "smoke test"];
      const printed = await runCommand(process.execPath, [OPERATOR, ...args, ...options], { env, timeoutMs: 60_000 });
      return JSON.parse(printed) as Record<string, unknown>;
    },
  };
}
