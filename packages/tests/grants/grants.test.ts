import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { functionGrants } from "@intents/infra/function-grants.ts";
import { grantsUsed } from "@intents/infra/judge-fixture.ts";
import { expect, test } from "vitest";
import { exceptions } from "./exceptions.ts";
import { idleExceptions, unusedIn } from "./unused.ts";

const root = join(import.meta.dirname, "../../..");

test("every function has a row of grants", () => {
  const files = readdirSync(join(root, "functions")).filter((name) => /^[\w-]+\.ts$/.test(name));
  expect(Object.keys(functionGrants).toSorted()).toEqual(files.map((name) => name.replace(".ts", "")).toSorted());
});

test("each exception is a grant, and the test that shows its way exists", () => {
  expect(idleExceptions()).toEqual([]);
  for (const { shownBy: [file, words] = [] } of exceptions)
    if (file !== undefined) {
      expect(existsSync(join(root, file)), file).toBe(true);
      expect(readFileSync(join(root, file), "utf8")).toContain(words);
    }
});

test("a grant that nothing used, and that is no exception, is named", () => {
  const unused = unusedIn(new Set(["authorizer get apiKey"]));
  expect(unused).not.toContain("authorizer get apiKey");
  expect(unused).not.toContain("copy-history put historyCopy");
  expect(unused).toContain("parties put documentRead");
});

test("a call uses the grant of its own kind of record, and not that of a counter named like it", () => {
  const grants = { intent: ["query", "update"], counter: ["query", "update"] } as const;
  const used = (action: string, key: string) =>
    grantsUsed(grants, { action: `dynamodb:${action}`, on: "main", leadingKeys: [key] });
  expect(used("UpdateItem", "T#1001#COUNT#INTENT#0")).toEqual(["update counter"]);
  expect(used("Query", "T#1001#INTENT#1")).toEqual(["query intent"]);
});

test("a grant of some attributes is used by calls that name no others", () => {
  const used = (...attributes: readonly string[]) =>
    grantsUsed(
      { intentTimer: ["update"] },
      { action: "dynamodb:UpdateItem", on: "main", leadingKeys: ["T#1001#INTENT#1"], attributes },
    );
  expect(used("PK", "SK", "dueAt")).toEqual(["update intentTimer"]);
  expect(used("PK", "SK", "doc")).toEqual([]);
});
