import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cellsOf, type Generator, generators, rowOf } from "./generators.ts";

const folder = join(import.meta.dirname, "..");
const textOf = (file: string): string => readFileSync(join(folder, file), "utf8");
const guide = textOf("../../docs/guides/languages.md");
const all: [string, Generator][] = Object.entries(generators);

test("the guide has a row for each client that is tried, with the options it is tried with, and no other", () => {
  const [, ...rows] = guide.split("\n").filter((line) => /^\| (?!---)/.test(line));
  expect(rows).toEqual(all.map(([, generator]) => rowOf(cellsOf(generator))));
});

test("the guide has the configuration with which openapi-python-client is tried", () => {
  expect(guide).toContain(`\`\`\`json\n${textOf("clients/openapi-python-client/config.json")}\`\`\``);
});

/** The lines that pin versions, each up to the version. */
const pins: Readonly<Record<string, string>> = {
  "openapi-generator": "\nopenapi-generator-cli==",
  "openapi-python-client": "\nopenapi-python-client==",
  "oapi-codegen": "oapi-codegen/oapi-codegen/v2 v",
  "openapi-fetch, with openapi-typescript": '"openapi-typescript": "',
  "our own client, under Bun": '"bun": "',
  "our own client, under Deno": '"deno": "',
};
const pinned = ["package.json", "requirements.txt", "clients/go.mod"].map(textOf).join("\n");

test.each(all)("%s has a job, and the version that is installed", (name, { program, version, job = name }) => {
  expect(pinned).toMatch(new RegExp(`${pins[program]}${version}["\\s]`));
  expect(existsSync(join(folder, "clients", job))).toBe(true);
});
