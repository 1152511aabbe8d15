import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder: string | undefined;

/** Before the tests of a tier: the policies of all functions as deployed. Services of tests judge their calls by them. */
export async function setup(): Promise<void> {
  const [{ synthesize }, { functionsOf, policyOf }] = await Promise.all([
    import("@intents/infra/synth-fixture.ts"),
    import("@intents/infra/policy-fixture.ts"),
  ]);
  // Some functions are in production alone: they are replayed, and not driven.
  const policies = [synthesize("production"), synthesize("sandbox")].flatMap((made) =>
    functionsOf(made).map((name) => [name, policyOf(made, name)] as const),
  );
  folder = mkdtempSync(join(tmpdir(), "policies-"));
  const file = join(folder, "policies.json");
  writeFileSync(file, JSON.stringify(Object.fromEntries(policies)));
  process.env["FUNCTION_POLICIES"] = file;
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true });
}
