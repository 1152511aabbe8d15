import { expect, test } from "vitest";
import { addresses, synthesizeAnew } from "./synth-fixture.ts";

test.each([
  ["sandbox", {}],
  ["production", addresses],
] as const)("a deployment to %s breaks no rule of CloudFormation", (stage, context) => {
  expect(synthesizeAnew(stage, context, "all").findings).toEqual([]);
});
