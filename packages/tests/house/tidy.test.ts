import { describe, expect, test } from "vitest";
import { importsOf, isProduct } from "./imports.ts";
import { type File, files, sources } from "./tidy-fixture.ts";

const product = sources.filter(isProduct);

describe("what everybody relies on", () => {
  /** The code of a file, without its comments. */
  const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|"[^"\n]*"/gm, "");
  const asksRails = ({ text }: Pick<File, "text">): boolean => /\brails\b/.test(codeOf(text));
  const openers = ["packages/execution/src/open-run.ts", "packages/execution/src/run.ts"];

  test("every question to a rail goes through one file, which knows the rail of the claim and what it may forget", () => {
    const places = ["packages/execution/", "packages/operator/", "functions/", "packages/http/"];
    const asking = product.filter((file) => places.some((place) => file.path.startsWith(place)) && asksRails(file));
    expect(asking.map(({ path }) => path).filter((path) => !openers.includes(path))).toEqual([
      "packages/execution/src/rails/ask.ts",
    ]);
    const around = "const [rail] = run.rails; // asks a rail\nawait rail.execute(order, executionId);";
    expect([asksRails({ text: around }), asksRails({ text: '// rails\nimport { x } from "./rails.ts";' })]).toEqual([
      true,
      false,
    ]);
  });

  const writesIntents = ({ text }: Pick<File, "text">): boolean => /\bintentActions\b/.test(codeOf(text));

  test("every intent is written by one function, which derives its timer, its counters and its audit entries", () => {
    const writing = product.filter(writesIntents).map(({ path }) => path);
    expect(writing).toEqual(["packages/execution/src/change.ts", "packages/storage/src/intents/intents.ts"]);
    expect(writesIntents({ text: "transact(table, () => intentActions(table, before, after, []).actions);" })).toBe(
      true,
    );
  });

  const endsLinks = ({ text }: Pick<File, "text">): boolean => /\bcloseLink\b|\blinkClosedAt:/.test(codeOf(text));

  test("a link is ended by one function, which writes its record, its intent and its event together", () => {
    const ending = product.filter(endsLinks).map(({ path }) => path);
    expect(ending).toEqual([
      // Types alone: of an answer's field, and of the list language.
      "packages/contract/src/intent-answers.ts",
      "packages/domain/src/lists/resources.ts",
      "packages/execution/src/links/end.ts",
      "packages/storage/src/links/links.ts",
    ]);
    expect(endsLinks({ text: "const after = { ...link, linkClosedAt: at };" })).toBe(true);
  });

  test("the OpenAPI document is written from the contract and part of no function", () => {
    const importers = product.filter(({ path, text }) =>
      importsOf({ text }).some(
        (name) => !path.startsWith("packages/contract/src/openapi/") && /\/openapi\/|^zod-openapi$/.test(name),
      ),
    );
    expect(importers.map(({ path }) => path)).toEqual([]);
  });
});

test("no source passes on what another file defines, not even a type", () => {
  const passing = sources.filter(({ text }) => /^export\b[^;"]*\bfrom\s*"/m.test(text));
  expect(passing.map(({ path }) => path)).toEqual([]);
});

test("no file names a folder of somebody's machine", () => {
  const machines = ["work", "root", "home", "Users", "tmp"].join("|");
  const path = new RegExp(`(?<![\\w./-])/(${machines})(/|\\b)`);
  const telling = files.filter((file) => file.path !== "pnpm-lock.yaml" && path.test(file.text));
  expect(telling.map((file) => file.path)).toEqual([]);
});
