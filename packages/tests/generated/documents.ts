import { toOpenApi } from "@intents/contract/openapi/document.ts";
import examples from "@intents/contract/openapi/recorded.json" with { type: "json" };
import { routes } from "@intents/contract/routes.ts";
import { browsers } from "@intents/deployment/browsers.ts";
import { errorSections } from "@intents/site/docs/errors.ts";
import { scenarioSections } from "@intents/site/docs/scenarios.ts";
import { architecturePage } from "./architecture.ts";
import { fieldTable, keptTable } from "./privacy.ts";

/** A file in git that `pnpm generate` writes, in whole or in part. */
export type Generated = Readonly<{
  path: string;
  /** Makes the file's text from its present one, which has the parts that people write. */
  text: (present: string) => string | Promise<string>;
}>;

/**
 * Every generated file, each after those that it is made from. Templates are made of bundles, and bundles of the first
 * rows: the last rows load templates only when they are asked for their text.
 */
export const generated: readonly Generated[] = [
  { path: "docs/openapi.json", text: () => `${JSON.stringify(toOpenApi(routes, examples), null, 1)}\n` },
  {
    path: "docs/guides/errors.md",
    text: (guide) => withPart(guide, /(?<=^## Every error\n\n)[\s\S]*/m, `${errorSections()}\n`),
  },
  {
    path: "docs/guides/scenarios.md",
    text: (guide) => withPart(guide, /(?<=^## Every scenario\n\n)[\s\S]*/m, `${scenarioSections()}\n`),
  },
  { path: "docs/privacy.md", text: (page) => [keptTable(), fieldTable()].reduce(withTable, page) },
  {
    path: "docs/integrate.md",
    text: (page) =>
      withPart(page, /(?<=^- \*\*Browsers\.\*\* ).*(?= and newer can pay)/m, browsers.map(toName).join(", ")),
  },
  ...["docs/costs.md", "docs/deploy.md"].map((path) => ({
    path,
    text: async (page: string) =>
      (await import("../costs/tables.ts"))
        .tables()
        .filter(([of]) => of === path)
        .reduce((text, [, table]) => withTable(text, table), page),
  })),
  {
    path: "docs/operate.md",
    text: async (page) =>
      withPart(page, /^\| alarm \|[\s\S]*?(?=\n\n## )/m, (await import("../house/alarms.ts")).alarmTable()),
  },
  { path: "docs/architecture.md", text: (page) => architecturePage(page) },
  { path: "docs/grants.md", text: async () => (await import("../grants/table.ts")).grantsPage() },
];

/** A text with another part in place of one. Throws where it has no such part. */
function withPart(text: string, part: RegExp, written: string): string {
  if (!part.test(text)) throw new Error(`No part of the text is ${part}`);
  return text.replace(part, () => written);
}

/** A text with a table in place of the one that has the same head. */
function withTable(text: string, table: string): string {
  const [head = ""] = table.split("\n");
  const [before, after] = text.split(`\n${head}\n`);
  if (after === undefined) throw new Error(`No table of the text has the head ${head}`);
  return `${before}\n${table}${after.slice(after.indexOf("\n\n"))}`;
}

/** "Chrome 100" */
const toName = (browser: string): string =>
  browser.replace(/^[a-z]/, (first) => first.toUpperCase()).replace(/(?=\d)/, " ");
