import { describe, expect, test } from "vitest";
import { breaches, type Layers, unusedArrows } from "./imports.ts";
import { layers } from "./layers.ts";
import { type File, files, sources } from "./tidy-fixture.ts";

describe("the layers", () => {
  test("allow every import there is, and have a place for every file", () => {
    const inPackages = sources.filter(({ path }) => path.includes("/"));
    expect(breaches(inPackages, layers)).toEqual([]);
  });

  test("allow nothing that no file needs", () => {
    expect(unusedArrows(sources, layers)).toEqual([]);
  });

  test("are one table: a package that has no row of it does not exist, nor does a row without a package", () => {
    const manifests = files.flatMap(({ path }) => /^(.+)\/package\.json$/.exec(path)?.[1] ?? []);
    expect(Object.keys(layers).toSorted()).toEqual(manifests.toSorted());
  });
});

describe("of files that break them", () => {
  const table: Layers = {
    "packages/top": { on: "bottom" },
    "packages/bottom": { on: "", floors: "failure.ts quotes amounts" },
  };
  const file = (path: string, ...imports: string[]): File => ({
    path,
    text: imports.map((name) => `import type { A } from "${name}";`).join("\n"),
  });
  const quote = "packages/bottom/src/quotes/quote.ts";
  const money = "packages/bottom/src/amounts/money.ts";

  test("none is found where all is well", () => {
    const well = [
      file("packages/top/src/a.ts", "@intents/bottom/quotes/quote.ts", "zod", "node:fs", "./b.ts"),
      file("packages/bottom/src/failure.ts", "./quotes/quote.ts"),
      file(quote, "../amounts/money.ts", "./answer.ts"),
      file("packages/bottom/src/amounts/money.test.ts", "@intents/top/a.ts", "vitest"),
    ];
    expect(breaches(well, table)).toEqual([]);
  });

  test.each<[string, File, string]>([
    ["an upper package is imported", file(quote, "@intents/top/a.ts"), "must not import @intents/top/a.ts"],
    ["an upper folder is imported", file(money, "../quotes/quote.ts"), "must not import ../quotes/quote.ts"],
    ["a loose file on top is imported", file(quote, "../failure.ts"), "must not import ../failure.ts"],
    ["a fixture is imported", file(quote, "./quote-fixture.ts"), "must not import ./quote-fixture.ts"],
    ["a folder is not of the table", file("packages/bottom/src/odds/end.ts"), "stands on no floor"],
    ["a package is not of the table", file("packages/odds/src/end.ts"), "stands in no layer"],
  ])("one is found where %s", (_, wrong, problem) => {
    expect(breaches([wrong], table)).toEqual([`${wrong.path} ${problem}`]);
  });

  test("an arrow that nobody needs is found", () => {
    expect(unusedArrows([file("packages/top/src/a.ts", "zod")], table)).toEqual(["packages/top does not need bottom"]);
  });
});
