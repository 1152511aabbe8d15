import { expect, test } from "vitest";
import { files, sources } from "./tidy-fixture.ts";

/** Words that stand where a noun or an actor could: `docs/style.md`, Prose. */
const UNNAMED =
  /\b(what|who|whom|whose|whoever|whatever|whichever|which|those|somebody|nobody|anybody|(is|are|was|were|be|been) (told|asked|said|made|done|held|taken|given|shown|known|kept|judged|named))\b/gi;

/** Their most in a sentence: with one more, readers whose third language is English read it twice. */
const UNNAMED_MAX = 2;

/** Openings of a comment that hide its subject. */
const CLAUSE = /^(What|Who|Whom|Whose|Whoever|Those|That|As long as|So many|So much|Such)\b/;

/** The sentences of a text: each ends before a capital, a quote or a bracket. */
const sentencesOf = (text: string): string[] => text.replace(/\s+/g, " ").split(/(?<=[.!?:;]) (?=[A-Z`"[(])/);

/** The sentences of a document, without its code; a cell of a table is one at least. */
const sentencesIn = (document: string): string[] =>
  document
    .replace(/```.*?```|<!--.*?-->|^#[^\n]*/gms, "")
    .split(/\n\s*\n|\n(?=[-*|\d])|\|/)
    .flatMap(sentencesOf);

/** The comments of a source; lines of `//` that follow one another are one. */
const commentsIn = (source: string): string[] =>
  [...source.matchAll(/\/\*\*?([\s\S]*?)\*\/|((?:^[ \t]*\/\/[^\n]*\n)+)|(?<=[;,{}()] )\/\/([^\n]*)/gm)].map((found) =>
    (found[1] ?? found[2] ?? found[3] ?? "").replace(/^[ \t]*(\*|\/\/)[ \t]?/gm, "").trim(),
  );

const namesTooLittle = (sentence: string): boolean => (sentence.match(UNNAMED)?.length ?? 0) > UNNAMED_MAX;

test("no sentence of the documents has more than two words that name nothing", () => {
  const documents = files.filter(({ path }) => /^(README|docs\/.*)\.md$/.test(path));
  const worst = documents.flatMap(({ path, text }) =>
    sentencesIn(text)
      .filter(namesTooLittle)
      .map((sentence) => ({ path, sentence })),
  );
  expect(worst).toEqual([]);
});

test("no comment opens with a clause, or has such a sentence", () => {
  // The client's own are those of the published document.
  const written = sources.filter(({ path }) => !/^packages\/client\/src\/(api|schemas)\//.test(path));
  const worst = written.flatMap(({ path, text }) =>
    commentsIn(text)
      .filter((comment) => CLAUSE.test(comment) || sentencesOf(comment).some(namesTooLittle))
      .map((comment) => ({ path, comment })),
  );
  expect(worst).toEqual([]);
});

test.each([
  ["What is told, to whom.", true],
  ["The rail answers.", false],
])("the ranking sees %s", (text, isBad) => {
  expect(namesTooLittle(sentencesIn(`# Who\n\n${text}\n`)[1] ?? "")).toBe(isBad);
  expect(commentsIn(`/** ${text} */\nconst a = 1;`).some((comment) => CLAUSE.test(comment))).toBe(isBad);
});
