import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { grantsUsed, nameOf } from "@intents/infra/grants-fixture.ts";
import type { Call, Statement } from "@intents/infra/judge-fixture.ts";

/** The folder in which a run notes the grants that it uses, each process in a file of its own; undefined if it does not. */
const folder = process.env["GRANTS_USED"];
const noted = new Set<string>();

/** Notes the grants by which a function's calls are allowed, each once. */
export function noteGrants(name: string, policy: readonly Statement[], calls: readonly Call[]): void {
  if (folder === undefined) return;
  for (const call of calls)
    for (const grant of grantsUsed(policy, call)) {
      const line = `${name} ${nameOf(grant)}`;
      if (noted.has(line)) continue;
      noted.add(line);
      // A process that is killed has told what it used before.
      appendFileSync(join(folder, String(process.pid)), `${line}\n`);
    }
}
