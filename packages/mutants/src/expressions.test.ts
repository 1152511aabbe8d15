import { describe, expect, test } from "vitest";
import { changeExpression } from "./expressions.ts";

describe("a condition", () => {
  test.each([
    ["version = :version", ["(version = :version OR NOT version = :version)", "version <> :version"]],
    [
      "attribute_exists(PK) AND used <= :most",
      [
        "(attribute_exists(PK) OR NOT attribute_exists(PK)) AND used <= :most",
        "attribute_not_exists(PK) AND used <= :most",
        "attribute_exists(PK) AND (used <= :most OR NOT used <= :most)",
        "attribute_exists(PK) AND used < :most",
      ],
    ],
    [
      "attribute_not_exists(PK) OR (taken AND at > :now)",
      [
        "(attribute_not_exists(PK) AND NOT attribute_not_exists(PK)) OR (taken AND at > :now)",
        "(attribute_not_exists(PK) OR NOT attribute_not_exists(PK)) OR (taken AND at > :now)",
        "attribute_exists(PK) OR (taken AND at > :now)",
        "attribute_not_exists(PK) OR ((taken AND at > :now) AND NOT (taken AND at > :now))",
        "attribute_not_exists(PK) OR ((taken AND at > :now) OR NOT (taken AND at > :now))",
        "attribute_not_exists(PK) OR ((taken OR NOT taken) AND at > :now)",
        "attribute_not_exists(PK) OR (taken AND (at > :now OR NOT at > :now))",
        "attribute_not_exists(PK) OR (taken AND at >= :now)",
      ],
    ],
  ])("%s loses each clause, and says of each something else, with all its names in use", (text, changed) => {
    expect(changeExpression(text, "ConditionExpression")).toEqual(changed);
  });

  test("is known by its text where it has a name of its own, and that of a query is left alone", () => {
    expect(changeExpression("attribute_exists(PK)", undefined)).toHaveLength(2);
    expect(changeExpression("PK = :pk AND dueAt <= :until", "KeyConditionExpression")).toEqual([]);
    expect(changeExpression("anything else", "label")).toBeUndefined();
  });
});

describe("an update", () => {
  test.each([
    ["SET a = :a, b = :b", ["SET mutant = :a, b = :b", "SET a = :a, mutant = :b"]],
    ["SET #ttl = :ttl", ["SET mutant = if_not_exists(#ttl, :ttl)"]],
    [
      "ADD used :count SET #ttl = if_not_exists(#ttl, :ttl)",
      [
        "ADD mutant :count SET #ttl = if_not_exists(#ttl, :ttl)",
        "ADD used :count SET mutant = if_not_exists(#ttl, :ttl)",
      ],
    ],
    [
      "SET a = b REMOVE c, d",
      ["SET mutant = b REMOVE c, d", "SET a = b REMOVE mutant, d", "SET a = b REMOVE c, mutant"],
    ],
  ])("%s misses each of its effects", (text, changed) => {
    expect(changeExpression(text, "UpdateExpression")).toEqual(changed);
  });
});
