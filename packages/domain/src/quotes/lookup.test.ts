import { expect, test } from "vitest";
import { purposes } from "../scenarios/scenario.ts";
import { payerTypesByType, purposesByType } from "./lookup.ts";
import { paymentTypes } from "./quote.ts";

test("the three purpose lookups together are the purposes of an intent", () => {
  const listed = paymentTypes.flatMap((type) => purposesByType[type].map(({ id }) => id));
  expect(new Set(listed)).toEqual(new Set(purposes));
});

test.each(paymentTypes)("%s choices have one id and a name each", (type) => {
  for (const choices of [purposesByType[type], payerTypesByType[type]]) {
    expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length);
    for (const { name } of choices) expect(name).not.toBe("");
  }
});

test.each(paymentTypes)("students and parents may pay a %s", (type) => {
  expect(payerTypesByType[type].map(({ id }) => id)).toEqual(expect.arrayContaining(["student", "parent"]));
});

test("the commission purpose keeps the specification's spelling", () => {
  expect(purposesByType.company).toContainEqual({ id: "comission", name: "Commission" });
});
