import { grantsUsed, nameOf } from "@intents/infra/grants-fixture.ts";
import type { Call, Statement } from "@intents/infra/judge-fixture.ts";
import { note } from "../suite/notes.ts";

/** Notes the grants by which a function's calls are allowed. */
export function noteGrants(name: string, policy: readonly Statement[], calls: readonly Call[]): void {
  for (const grant of calls.flatMap((call) => grantsUsed(policy, call))) note("grants", `${name} ${nameOf(grant)}`);
}
