import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exceptions } from "./exceptions.ts";
import { declared, idleExceptions, unseenIn } from "./unseen.ts";

const root = join(import.meta.dirname, "../../..");

test("each exception is declared, and the test that shows it exists", () => {
  expect(idleExceptions()).toEqual([]);
  for (const { shownBy } of exceptions) expect(readFileSync(join(root, shownBy[0]), "utf8")).toContain(shownBy[1]);
});

test("an answer that nobody got, and that is no exception, is named", () => {
  const all = [...declared, "no route method_not_allowed"];
  const unseen = unseenIn(new Set(all.filter((answer) => answer !== "GET /v2/payees/{id} not_found")));
  expect(unseen).toContain("GET /v2/payees/{id} not_found");
  expect(unseen).not.toContain("GET /v2/payees/{id} ok");
  expect(unseen).not.toContain("method_not_allowed");
  expect(unseen).toContain("unauthorized");
});
