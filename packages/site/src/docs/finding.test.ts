import { readdirSync, readFileSync } from "node:fs";
import { errorTable } from "@intents/contract/errors.ts";
import { describe, expect, test } from "vitest";
import { buildDocs, type Sources, searchIndex, textsOf } from "./build.tsx";
import { readGroups } from "./calls.ts";
import { openIndex } from "./finding.ts";

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
const files = readdirSync(new URL("../../../../docs/guides", import.meta.url));
const sources: Sources = {
  clientPackage: "client-1.tgz",
  changelog: read("docs/CHANGELOG.md"),
  document: JSON.parse(read("docs/openapi.json")),
  guides: {
    ...Object.fromEntries(files.map((file) => [file.replace(".md", ""), read(`docs/guides/${file}`)])),
    "first-payment": read("packages/client/README.md"),
  },
};
const entries = searchIndex(sources);
const find = openIndex(entries);
const firstOf = (question: string): string | undefined => find(question)[0]?.href;

describe("the search of the documentation", () => {
  test("leads to places that there are, each of them once on its page", () => {
    const pages = buildDocs(sources, { script: "a.js", style: "a.css" });
    const places = Object.entries(pages).flatMap(([name, html]) => [
      name,
      ...[...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${name}#${id}`),
    ]);
    const known = new Set(places);
    expect(known.size).toBe(places.length);
    expect(entries.map(([, href]) => href).filter((href) => !known.has(href))).toEqual([]);
  });

  test("is not needed by programs, whose Markdown leads to other Markdown alone", () => {
    const texts = textsOf(sources);
    for (const [name, text] of Object.entries(texts)) {
      const files = [...text.matchAll(/\]\(([\w./-]+\.md)/g)].map(([, file = ""]) => file);
      expect([name, files.filter((file) => texts[file] === undefined)]).toEqual([name, []]);
    }
  });

  test.each<[string, string, string]>([
    ["the text of a guide", "rounded half up", "money#rounding"],
    ["its samples", "waitUntilFinal", "first-payment"],
    ["a call by its path", "POST /v2/quotes", "reference-rates#createQuote"],
    ["its method in the client", "createquote", "reference-rates#createQuote"],
    ["what it is for", "price payouts", "reference-rates#createQuote"],
    ["a field", "purposeProofDocumentId", "reference-payment-intents#RecipientInput.purposeProofDocumentId"],
    [
      "the beginning of a part of its name",
      "proofDoc",
      "reference-payment-intents#RecipientInput.purposeProofDocumentId",
    ],
    ["what it means", "the branch, in australia", "reference-payment-intents#TransactionBankDetails.bsb"],
    ["the part of a form", "commissionTotalAmount", "reference-commissions#CreateCommissionRequestForm."],
    ["how to authenticate", "authentication", "http"],
    ["webhooks", "webhook", "reference-webhooks"],
    ["what others call pages", "pagination", "from-stripe"],
    ["what others call expanding", "expand", "from-stripe"],
    ["the ways to call it", "curl", "http#pay-with-curl"],
    ["a language", "python", "http#pay-with-python"],
    ["a word with a slip", "idempotncy", "idempotency"],
    ["a sentence of which some words are known", "wherever do quotes expire, please", "reference-"],
  ])("finds %s: %s", (_what, question, href) => {
    expect(firstOf(question)).toContain(href);
  });

  test.each(Object.values(errorTable).flatMap((row) => ("code" in row ? [row.code] : [])))(
    "finds %s, in brackets or not, and no code that is like it",
    (code) => {
      const bare = code.replaceAll(/\W/g, "");
      for (const question of [code, bare, bare.toLowerCase()])
        expect(firstOf(question)).toBe(`errors#${bare.toLowerCase()}`);
      const others = find(code).filter(({ title }) => /^\[/.test(title) && title !== code);
      for (const { excerpt } of others) expect(excerpt).toContain(code);
    },
  );

  test("shows the text around what was found", () => {
    const text = `${"before ".repeat(40)}the needle ${"after ".repeat(40)}`;
    const [found] = openIndex([["Hay", "hay", "Guide", text]])("NEEDLE");
    expect(found).toMatchObject({ title: "Hay", href: "hay", place: "Guide" });
    expect(found?.excerpt).toMatch(/^… before .*the needle after .* …$/);
    expect(found?.excerpt.length).toBeLessThan(150);
  });

  test("prefers a title to a text, and finds nothing by nothing", () => {
    const some = openIndex([
      ["Lists", "1", "", "of errors"],
      ["Errors", "2", "", "of lists"],
    ]);
    expect(some("errors").map(({ href }) => href)).toEqual(["2", "1"]);
    expect(some(" \t") && some("…")).toEqual([]);
  });
});

test("each call can be tried with every header that it takes", () => {
  const pages = buildDocs(sources, { script: "a.js", style: "a.css" });
  for (const { page, calls } of readGroups(sources.document))
    for (const { operation } of calls) {
      const [, section = ""] = (pages[page] ?? "").split(`<section id="${operation.operationId}"`);
      const [form = ""] = /<form class="step trying"[\s\S]*?<\/form>/.exec(section) ?? [];
      const fields = [...form.matchAll(/ name="header:([^"]+)"/g)].map(([, name]) => name);
      const headers = (operation.parameters ?? []).flatMap(({ in: place, name }) => (place === "header" ? [name] : []));
      expect([operation.operationId, fields]).toEqual([operation.operationId, headers]);
    }
});
