import { grantsIn, nameOf } from "@intents/infra/grants-fixture.ts";
import { functionsOf, policyOf } from "@intents/infra/policy-fixture.ts";
import { synthesize } from "@intents/infra/synth-fixture.ts";

/** The names of what each function may do on any stage, in alphabetical order. Some functions are in production alone. */
export function grantedTo(): ReadonlyMap<string, readonly string[]> {
  const all = [synthesize("production"), synthesize("sandbox")].flatMap((made) =>
    functionsOf(made).map((name) => ({ name, grants: grantsIn(policyOf(made, name)).map(nameOf) })),
  );
  const byName = Map.groupBy(all, ({ name }) => name);
  return new Map(
    [...byName]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, stages]) => [name, [...new Set(stages.flatMap(({ grants }) => grants))].toSorted()]),
  );
}
