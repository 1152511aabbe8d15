import { expect, test } from "vitest";
import { files } from "./tidy-fixture.ts";

/** Words that stand where a noun or an actor could: `docs/style.md`, Prose. */
const UNNAMED =
  /\b(what|who|whom|whose|whoever|whatever|whichever|which|those|somebody|nobody|anybody|(is|are|was|were|be|been) (told|asked|said|made|done|held|taken|given|shown|known|kept|judged|named))\b/gi;

/** So many of them a sentence may have: one more, and readers whose third language is English read it twice. */
const UNNAMED_MAX = 3;

/** The sentences of a document, without its code; a cell of a table is one at least. */
const sentencesOf = (text: string): string[] =>
  text
    .replace(/```.*?```|<!--.*?-->|^#[^\n]*/gms, "")
    .split(/\n\s*\n|\n(?=[-*|\d])|\|/)
    .flatMap((part) => part.replace(/\s+/g, " ").split(/(?<=[.!?:;]) (?=[A-Z`"[(])/));

test("no sentence of the documents has more than three words that name nothing", () => {
  const documents = files.filter(({ path }) => /^(README|docs\/.*)\.md$/.test(path));
  const worst = documents.flatMap(({ path, text }) =>
    sentencesOf(text).flatMap((sentence) => {
      const { length } = sentence.match(UNNAMED) ?? [];
      return (length ?? 0) > UNNAMED_MAX ? [{ path, sentence, length }] : [];
    }),
  );
  expect(worst).toEqual([]);
  const counted = sentencesOf("# Who\n\nWhat is told, to whom and by whom. It is `x`.\n").map((one) =>
    one.match(UNNAMED),
  );
  expect(counted.map((found) => found?.length)).toEqual([undefined, 4, undefined]);
});
