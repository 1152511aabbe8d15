import { readFileSync } from "node:fs";
import { errorTable } from "@intents/contract/errors.ts";
import { faultTable } from "@intents/contract/faults.ts";
import { expect, test } from "vitest";
import { buildDocs } from "./build.tsx";
import { toGuide } from "./guides.ts";
import { anchorOf } from "./text.tsx";

const file = new URL("../../../../docs/guides/errors.md", import.meta.url);
const source = readFileSync(file, "utf8");
const rows = Object.entries({ ...faultTable, ...errorTable });

test("every error of the table has an anchor in its guide, with its status, its words and what to do", () => {
  const { html } = toGuide("errors", source);
  for (const [name, row] of rows) {
    const id = "code" in row ? anchorOf(row.code) : name.replaceAll("_", "-");
    const [, section = ""] = html.split(`<h3 id="${id}">`);
    expect(section.split("<h3")[0], name).toContain(`${row.status}: ${row.message.replaceAll("'", "&#39;")}`);
    expect(section.split("<h3")[0], name).toMatch(/Cause: \S.*<\/li>\n<li>Do: \S/s);
  }
});

test("links to files of guides lead to their pages, and those to the client's guide to the first", () => {
  const { html } = toGuide("money", "[a](errors.md#gen9002) [b](../../packages/client/README.md#lists) [c](#rounding)");
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    "errors#gen9002",
    "first-payment#lists",
    "#rounding",
  ]);
});

const document = {
  info: { description: "" },
  tags: [{ name: "rates", description: "Quotes" }],
  paths: {
    "/v2/quotes": {
      post: {
        ...{ operationId: "createQuote", summary: "Price payouts", description: "`[QOT0003]`", tags: ["rates"] },
        security: [],
        responses: { "201": { description: "Created" } },
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } } },
      },
    },
  },
  components: {
    schemas: {
      Tree: { properties: { name: { description: "<b>" }, under: { items: { $ref: "#/components/schemas/Tree" } } } },
    },
  },
};

test("a shape that holds itself is told once, texts of the document are no markup, and codes lead to their error", () => {
  const pages = buildDocs(
    { document, guides: { errors: source }, changelog: "", clientPackage: "" },
    { script: "a.js", style: "a.css" },
  );
  const page = pages["reference-rates"] ?? "";
  expect(page.match(/id="Tree"/g)).toHaveLength(1);
  expect(page).toContain('As <a href="#Tree">Tree</a>');
  expect(page).toContain("&lt;b>");
  expect(page).toContain('href="errors#qot0003"');
});
