import { readFileSync } from "node:fs";
import { join } from "node:path";
import { namesOf } from "@intents/deployment/names.ts";
import { type Client, openClient } from "../service/client.ts";
import { runCommand } from "./command.ts";
import { ACCOUNT, type Emulator, REGION } from "./emulator.ts";

export const root = join(import.meta.dirname, "../../..");
const CDK = join(root, "node_modules/aws-cdk/bin/cdk");
const CDK_MS_MAX = 540_000;

/**
 * Stage `sandbox` in the emulator, used as the README says: by the command lines of the CDK and of the operator, of the
 * checkout in the folder `from`.
 */
export function openStage({ url, folder, environment }: Emulator, from = root) {
  const names = namesOf({ stage: "sandbox" });
  const cdk = (cwd: string, ...args: readonly string[]) =>
    runCommand(process.execPath, [CDK, ...args], { env: environment, cwd, timeoutMs: CDK_MS_MAX });

  /** Deploys the checkout, and gives the address of the API. */
  async function deploy(): Promise<string> {
    const file = join(folder, "outputs.json");
    // The output does not go to the project's cdk.out, which is the user's.
    const where = ["--context", `emulated=${url}`, "--output", join(folder, "cdk.out"), "--outputs-file", file];
    await cdk(from, "deploy", "--all", "--require-approval", "never", ...where);
    const outputs = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, string>>;
    const { BaseUrl } = outputs[names.service] ?? {};
    if (BaseUrl === undefined) throw new Error("The deployment has no output BaseUrl");
    return BaseUrl;
  }

  /** The output of an operator's command by somebody's credentials, which must succeed. */
  const operateAs =
    (credentials: Readonly<Record<string, string>>) =>
    async (command: string, ...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
      const all = [...command.split(" "), ...args, "--stage", "sandbox", "--json", "--yes", "--reason", "a test"];
      const env = { ...environment, ...credentials };
      const main = join(from, "packages/operator/src/main.ts");
      return JSON.parse(await runCommand(process.execPath, [main, ...all], { env, timeoutMs: 60_000 }));
    };
  const operate = operateAs({});

  return {
    ...{ names, deploy, operate, operateAs },
    /** Deploys into an empty account, and gives a client of its first tenant. */
    async begin(): Promise<Client> {
      // This runs in a folder without an app, so that none is synthesized.
      await cdk(folder, "bootstrap", `aws://${ACCOUNT}/${REGION}`);
      const url = await deploy();
      await operate("tenants create 1001 --country AU", "--name", "First");
      const { apiKey } = await operate("keys create first --tenant 1001");
      return openClient(url, String(apiKey));
    },
  };
}
