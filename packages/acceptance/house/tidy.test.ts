import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type File, files, root, sources } from "./tidy-fixture.ts";

/**
 * Who may import whom (DESIGN, section 2): the place on the left may import the names on the right; one that ends in
 * `/` or `:` stands for all that begin with it. biome.json says the same, and the last tests here hold both together.
 */
const mayImport: Readonly<Record<string, string>> = {
  "packages/domain": "./ ../ big.js countries-list",
  "packages/deployment": "./ ../ node:",
  "packages/contract": "./ ../ @intents/domain/ zod",
  "packages/contract/src/openapi.ts": "./ ../ @intents/domain/ zod zod-openapi",
  "packages/storage": "./ ../ @intents/domain/ @aws-sdk/ node:",
  "packages/rails": "./ ../ @intents/domain/ @aws-sdk/ zod node:",
  "packages/execution": "./ ../ @intents/domain/ @intents/storage/ @intents/rails/ @intents/deployment/ node:",
  "packages/http":
    "./ ../ @intents/domain/ @intents/contract/ @intents/storage/ @intents/deployment/ @aws-sdk/ " +
    "@aws-lambda-powertools/ @middy/ @remix-run/multipart-parser aws-lambda qs zod node:",
  "packages/payer-app": "./ ../ preact preact/ preact-render-to-string",
  "packages/operator":
    "./ ../ @intents/domain/ @intents/storage/ @intents/execution/ @intents/deployment/ " +
    "@aws-sdk/ cli-table3 commander node:",
  "packages/mutants": "./ ../ vite vitest vitest/node node:",
  // The whole service on one machine, and what is done with it: everything.
  "packages/local": "",
  "packages/acceptance": "",
  "packages/bench": "",
  functions:
    "./ ../ @intents/domain/ @intents/contract/ @intents/storage/ @intents/rails/ @intents/execution/ " +
    "@intents/http/ @intents/payer-app/ @intents/deployment/ @aws-lambda-powertools/ @middy/ aws-lambda node:",
  infra: "./ ../ @intents/contract/ @intents/deployment/ aws-cdk-lib aws-cdk-lib/ cdk-nag constructs esbuild node:",
};
const places = Object.keys(mayImport);
const namesFor = (place: string): string[] => mayImport[place]!.split(" ");

const isAllowed = (place: string, name: string): boolean =>
  namesFor(place).some((entry) => (/(^|[/:])$/.test(entry) ? name.startsWith(entry) : name === entry));

/** What runs in production or on one machine: neither tests nor what only tests import. */
const product = sources.filter(
  ({ path }) => !/^packages\/(acceptance|bench)\/|(\.test|-fixture|\.config)\.ts$/.test(path),
);

const placeOf = (path: string): string | undefined =>
  places.filter((place) => path === place || path.startsWith(`${place}/`)).toSorted((a, b) => b.length - a.length)[0];

const importsOf = ({ text }: File): string[] =>
  [...text.matchAll(/\b(?:from |import |import\()"([^"\s]+)"/g)].map(([, name]) => name!);

describe("the layers", () => {
  test("every source stands in a place that the table names", () => {
    expect(product.filter(({ path }) => placeOf(path) === undefined).map(({ path }) => path)).toEqual([]);
  });

  test.each(places)("%s imports only what lies inward of it", (place) => {
    const strays = product
      .filter(({ path }) => placeOf(path) === place)
      .flatMap((file) => importsOf(file).map((name) => ({ path: file.path, name })))
      .filter(({ name }) => !isAllowed(place, name) || name.endsWith("-fixture.ts"));
    expect(strays).toEqual([]);
  });

  /** What a file does, without what it says of it. */
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

  test("the OpenAPI document is written from the contract and part of no function", () => {
    const importers = product.filter((file) => importsOf(file).some((name) => name.endsWith("/openapi.ts")));
    expect(importers.map(({ path }) => path)).toEqual([]);
  });
});

describe("the files", () => {
  test.each([
    ["has more than 300 lines", (text: string) => text.trimEnd().split("\n").length > 300],
    ["calls the console", (text: string) => /\bconsole\.\w/.test(text)],
    ["passes on what another file defines", (text: string) => /^export\b[^;"]*\bfrom\s*"/m.test(text)],
  ])("no source %s", (_, isUntidy) => {
    expect(sources.filter(({ text }) => isUntidy(text)).map(({ path }) => path)).toEqual([]);
  });

  test("no file names a folder of somebody's machine", () => {
    const machines = ["work", "root", "home", "Users", "tmp"].join("|");
    const path = new RegExp(`(?<![\\w./-])/(${machines})(/|\\b)`);
    const telling = files.filter((file) => file.path !== "pnpm-lock.yaml" && path.test(file.text));
    expect(telling.map((file) => file.path)).toEqual([]);
  });
});

describe("biome", () => {
  const toName = (entry: string) => (entry === "node:" ? "node:fs" : entry.endsWith("/") ? `${entry}probe.ts` : entry);
  const workspaces = places.filter((place) => !place.endsWith(".ts")).map((place) => place.replace("packages/", ""));
  const names = [
    ...new Set([
      ...places
        .flatMap(namesFor)
        .filter((entry) => entry !== "")
        .map(toName),
      ...workspaces.map((name) => `@intents/${name}/probe.ts`),
      "../../storage/src/probe.ts",
    ]),
  ];
  const probeIn = (place: string): string =>
    place.endsWith(".ts") ? place : place.startsWith("packages/") ? `${place}/src/probe.ts` : `${place}/probe.ts`;

  let copy: string;
  let report: string;

  // Biome judges one file per place, each of which imports everything there is.
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "tidy-"));
    for (const file of ["biome.json", ".gitignore"]) copyFileSync(join(root, file), join(copy, file));
    const imports = [`import { z } from "zod";`, ...names.map((name) => `import "${name}";`)].join("\n");
    for (const place of places) {
      mkdirSync(dirname(join(copy, probeIn(place))), { recursive: true });
      writeFileSync(join(copy, probeIn(place)), imports);
    }
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
    const options = ["lint", "--only=style/noRestrictedImports", "--reporter=github", "--max-diagnostics=none"];
    report = spawnSync(process.execPath, [biome, ...options], { cwd: copy, encoding: "utf8" }).stdout;
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const isRefused = (place: string, line: number): boolean => report.includes(`/${probeIn(place)},line=${line},`);

  test.each(places)("refuses %s whatever the table does not allow it, and nothing else", (place) => {
    const refused = names.filter((_, index) => isRefused(place, index + 2));
    expect(refused).toEqual(names.filter((name) => !isAllowed(place, name)));
  });

  test.each(places)("refuses %s the named import of zod", (place) => {
    expect(isRefused(place, 1)).toBe(true);
  });
});
