import { readFileSync } from "node:fs";
import { join } from "node:path";
import { grantsIn, grantsUsed, nameOf } from "@intents/infra/grants-fixture.ts";
import { isAllowed } from "@intents/infra/judge-fixture.ts";
import { expect, test } from "vitest";
import { exceptions } from "./exceptions.ts";
import { idleExceptions, unusedIn } from "./unused.ts";

const root = join(import.meta.dirname, "../../..");

test("each exception is a grant, and the test that shows its way exists", () => {
  expect(idleExceptions()).toEqual([]);
  for (const { shownBy } of exceptions)
    if (shownBy !== undefined) expect(readFileSync(join(root, shownBy[0]), "utf8")).toContain(shownBy[1]);
});

test("a grant that nothing used, and that is no exception, is named", () => {
  const unused = unusedIn(new Set(["authorizer read APIKEY#*"]));
  expect(unused).not.toContain("authorizer read APIKEY#*");
  expect(unused).toContain("parties put T#*#READ#*");
  expect(unused.filter((grant) => grant.includes("putLogEvents"))).toEqual([]);
});

test("a call uses the grant of its own kind of key, and not that of a counter named like it", () => {
  const statements = [
    {
      effect: "Allow",
      actions: ["dynamodb:UpdateItem", "dynamodb:Query"],
      on: ["main"],
      condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["T#*#INTENT#*", "T#*#COUNT#*"] } },
    },
  ];
  const used = (action: string, key: string) => {
    const call = { action: `dynamodb:${action}`, on: "main", leadingKeys: [key] };
    expect(isAllowed(statements, call)).toBe(true);
    return grantsUsed(statements, call).map(nameOf);
  };
  expect(grantsIn(statements).map(nameOf)).toHaveLength(4);
  expect(used("UpdateItem", "T#1001#COUNT#INTENT#0")).toEqual(["update T#*#COUNT#*"]);
  expect(used("Query", "T#1001#INTENT#1")).toEqual(["read T#*#INTENT#*"]);
});
