import { basename, dirname, join } from "node:path";
import { routes } from "@intents/contract/routes.ts";
import { describe, expect, test } from "vitest";
import { importsOf, isProduct } from "./imports.ts";
import { type File, files, sources } from "./tidy-fixture.ts";
import { others, workers } from "./workers.ts";

const product = sources.filter(isProduct);
const fileAt = (path: string): File | undefined => files.find((file) => file.path === path);

/** A loop over what a store, a rail or a caller has many of, each of which may fail. */
const goesThroughMany = ({ text }: Pick<File, "text">): boolean =>
  /\bfor await \(|InTurns\(|\ballSettled\(|\bPromise\.all\((?!\[)/.test(text);

const looping = product.filter(
  (file) => /^(functions|packages\/execution\/src)\//.test(file.path) && goesThroughMany(file),
);

/** The functions that no request reaches, each with its kinds of messages or its jobs, if it has several. */
const driven = product
  .filter(({ path }) => /^functions\/[^/]+\.ts$/.test(path))
  .flatMap(({ path, text }) => {
    const name = basename(path, ".ts");
    const isRequested = Object.values(routes).some(({ group }) => group === name);
    if (isRequested || ["authorizer", "fallback"].includes(name)) return [];
    const kinds = [...text.matchAll(/^ {4}case "(\w+)":|^ {2}"([\w-]+)": (?:async )?\(deadlineMs\)/gm)];
    return kinds.length === 0 ? name : kinds.map(([, message, job]) => `${name} ${message ?? job}`);
  });

/** Whether a file of tests has a test of exactly this name. */
const holds = ({ text }: Pick<File, "text">, name: string): boolean =>
  [...text.matchAll(/\btest(?:\.each\([^)]*\))?\(\s*"([^"]+)"/g)].some(([, said]) => said === name);

/** Whether a file of tests imports this file, or lies beside it and reaches it through its callers. */
const isAbout = ({ path, text }: File, target: string): boolean =>
  dirname(path) === dirname(target) ||
  [...importsOf({ text }), ...(text.match(/(?<=import\(")[^"]+/g) ?? [])].some(
    (name) =>
      (name.startsWith(".") ? join(dirname(path), name) : name.replace(/^@intents\/(\w+)/, "packages/$1/src")) ===
      target,
  );

describe("a worker that goes through many things", () => {
  test.each(workers)(
    "$worker: has a test of one that fails for good beside others",
    ({ file, test: name, testFile }) => {
      const path = testFile ?? file.replace(/\.ts$/, ".test.ts");
      const tests = fileAt(path);
      if (tests === undefined) throw new Error(`There is no ${path}`);
      expect(fileAt(file)).toBeDefined();
      expect([name, holds(tests, name)]).toEqual([name, true]);
      expect([path, isAbout(tests, file)]).toEqual([path, true]);
    },
  );

  test("is in the table, or is none for a reason that stands beside it", () => {
    const known = new Set([...workers.map(({ file }) => file), ...Object.keys(others)]);
    expect(looping.map(({ path }) => path).filter((path) => !known.has(path))).toEqual([]);
  });

  test("is in the table whatever message, job or stream drives it", () => {
    const known = [...workers.flatMap(({ drivenBy = [] }) => drivenBy), ...Object.keys(others)];
    expect(driven.length).toBeGreaterThan(8);
    expect(driven.filter((each) => !known.includes(each))).toEqual([]);
  });

  test("is in the table only as long as it is one", () => {
    const files = new Set(workers.map(({ file }) => file));
    const drives = workers.flatMap(({ drivenBy = [] }) => drivenBy);
    const stale = Object.keys(others).filter(
      (name) => !driven.includes(name) && !looping.some(({ path }) => path === name),
    );
    expect(stale).toEqual([]);
    expect(Object.keys(others).filter((name) => files.has(name) || drives.includes(name))).toEqual([]);
    expect(drives.filter((each) => !driven.includes(each))).toEqual([]);
  });

  test.each([
    "for await (const page of pages) await work(page);",
    "await mapInTurns(items, 8, work);",
    "await settleInTurns(items, 8, work, named);",
    "await Promise.allSettled(items.map(work));",
    "await Promise.all(items.map(work));",
  ])("is known by its loop: %s", (text) => {
    expect(goesThroughMany({ text })).toBe(true);
    expect(goesThroughMany({ text: "await Promise.all([findOne(), findOther()]);" })).toBe(false);
  });
});
