import { expect, test } from "vitest";
import { files } from "./tidy-fixture.ts";

const textOf = (path: string): string | undefined => files.find((file) => file.path === path)?.text;

/** The attacks of docs/security.md, each with what its last column names: files, and words of their tests' names. */
const attacks = (textOf("docs/security.md") ?? "").split("\n").flatMap((line) => {
  const [, attack, stops, tests] = /^\| (.+?) \| (.+) \| (.+) \|$/.exec(line) ?? [];
  return attack === undefined || stops === undefined || tests === undefined || attack === "attack"
    ? []
    : [{ attack, named: named(tests) }];
});

/** The files of a cell, each with words of its tests' names. */
function named(tests: string) {
  return [...tests.matchAll(/`([^`]+)`: ("[^"]+"(?:, "[^"]+")*)/g)];
}

/** The promises of docs/privacy.md, likewise. */
const promises = (textOf("docs/privacy.md") ?? "").split("\n").flatMap((line) => {
  const [, attack, tests = ""] = /^\| (.+?) \| (`[^`]+\.test\.ts`: .+) \|$/.exec(line) ?? [];
  return attack === undefined ? [] : [{ attack, named: named(tests) }];
});

test("how to report a weakness comes first", () => {
  expect(textOf("docs/security.md")).toMatch(/^# Security\n\n## Reporting a weakness\n/);
});

test("attacks and promises are listed", () => {
  expect(attacks.length).toBeGreaterThan(5);
  expect(promises.length).toBeGreaterThan(5);
});

test.each([...attacks, ...promises])("the tests that try this exist: $attack", ({ named }) => {
  expect(named).not.toHaveLength(0);
  for (const [, path = "", names = ""] of named) {
    expect(path).toMatch(/\.test\.ts$/);
    for (const [, words = ""] of names.matchAll(/"([^"]+)"/g)) expect(textOf(path), path).toContain(words);
  }
});
