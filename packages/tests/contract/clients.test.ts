import { expect, test } from "vitest";
import { clients } from "./tools/clients.ts";
import { textOf } from "./tools/tools.ts";

test("the guide has a row for each client that is tried, with the options it is tried with, and no other", () => {
  const [, ...rows] = textOf("../../../../docs/guides/languages.md").match(/^\| (?!---).+$/gm) ?? [];
  expect(rows).toEqual(
    clients.map(
      ({ language, generator, options }) =>
        `| ${language} | ${generator} | ${options === "" ? "none" : `\`${options}\``} |`,
    ),
  );
  for (const { generator } of clients) expect(generator).toMatch(/ \d+\.\d+\.\d+$/);
});
