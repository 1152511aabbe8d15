import { readFileSync } from "node:fs";
import { scenarioRules } from "@intents/domain/scenarios/rules.ts";
import { expect, test } from "vitest";
import { toGuide } from "./guides.ts";
import { scenarios } from "./scenarios.ts";

const file = new URL("../../../../docs/guides/scenarios.md", import.meta.url);
const source = readFileSync(file, "utf8");

test("every rule has a section, to which the table leads", () => {
  expect(scenarios().flatMap(([, rules]) => rules)).toEqual(expect.arrayContaining([...scenarioRules]));
  const { html } = toGuide("scenarios", source);
  const links = [...html.matchAll(/<td><a href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links).toHaveLength(scenarios().length);
  for (const id of links) expect(html).toContain(`<h3 id="${id}">`);
});
