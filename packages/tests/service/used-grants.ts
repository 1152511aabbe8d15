import { type FunctionName, functionGrants } from "@intents/infra/function-grants.ts";
import { type Call, grantsUsed } from "@intents/infra/judge-fixture.ts";
import { note } from "../suite/notes.ts";

/** Notes the grants by which a function's calls are allowed. */
export function noteGrants(name: string, calls: readonly Call[]): void {
  const grants = functionGrants[name as FunctionName];
  for (const grant of calls.flatMap((call) => grantsUsed(grants, call))) note("grants", `${name} ${grant}`);
}
