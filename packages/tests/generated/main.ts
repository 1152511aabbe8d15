import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBundles } from "@intents/infra/bundle.ts";
import { generated } from "./documents.ts";

// `pnpm generate` writes all generated files. Git does not hold some of them: the client's sources and the bundles.

const root = join(import.meta.dirname, "../../..");
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

for (const { path, text } of generated) {
  say(path);
  const file = join(root, path);
  writeFileSync(file, await text(readFileSync(file, "utf8")));
}
say("docs/standing.md");
const PAYMENTS = "packages/operator/src/payment-rows.test.ts";
execFileSync("vitest", ["run", "--project", "unit", PAYMENTS, "--update"], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
say("The client's sources and the bundles");
await ensureBundles();
say("The examples in docs/openapi.json are recordings of a running service: `pnpm examples` records them anew.");
