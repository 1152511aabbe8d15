import { describe, expect, test } from "vitest";
import { breaches, circles, type Layers, unusedArrows } from "./imports.ts";
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

  test("have no circle: no file stands on one that stands on it, not even for a type", () => {
    expect(circles(sources)).toEqual([]);
  });

  test("are one table: a package that has no row of it does not exist, nor does a row without a package", () => {
    const manifests = files.flatMap(({ path }) => /^(.+)\/package\.json$/.exec(path)?.[1] ?? []);
    const rows = Object.keys(layers).filter((row) => !row.includes("/src/"));
    expect(rows.toSorted()).toEqual(manifests.toSorted());
  });
});

describe("of files that break them", () => {
  const table: Layers = {
    "packages/top": { on: "bottom", uses: "zod node:" },
    "packages/bottom": { on: "", uses: "", floors: "failure.ts quotes amounts" },
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
    expect([breaches(well, table), circles(well)]).toEqual([[], []]);
  });

  test.each<[string, File, string]>([
    ["an upper package is imported", file(quote, "@intents/top/a.ts"), "must not import @intents/top/a.ts"],
    ["an upper folder is imported", file(money, "../quotes/quote.ts"), "must not import ../quotes/quote.ts"],
    ["a loose file on top is imported", file(quote, "../failure.ts"), "must not import ../failure.ts"],
    ["another's package is imported", file(quote, "zod"), "must not import zod"],
    ["a fixture is imported", file(quote, "./quote-fixture.ts"), "must not import ./quote-fixture.ts"],
    ["a folder is not of the table", file("packages/bottom/src/odds/end.ts"), "stands on no floor"],
    ["a package is not of the table", file("packages/odds/src/end.ts"), "stands in no layer"],
  ])("one is found where %s", (_, wrong, problem) => {
    expect(breaches([wrong], table)).toEqual([`${wrong.path} ${problem}`]);
  });

  test("a circle is found though its imports are for types alone, and over more than two files", () => {
    const answer = "packages/bottom/src/quotes/answer.ts";
    const round = [
      file(quote, "./answer.ts"),
      file(answer, "../amounts/money.ts"),
      file(money, "@intents/bottom/quotes/quote.ts"),
    ];
    expect(circles(round)).toEqual([[quote, answer, money]]);
  });

  test("an arrow that nobody needs is found", () => {
    expect(unusedArrows([file("packages/top/src/a.ts", "zod", "node:fs")], table)).toEqual([
      "packages/top does not need bottom",
    ]);
  });
});
