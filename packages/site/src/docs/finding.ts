import MiniSearch from "minisearch";
import type { Entry } from "./entries.ts";

/** Everything that can be found as JSON, put in by the bundling step; a text stays in the one file that names it. */
declare const SEARCH_INDEX: string;

/** A search result; `excerpt`: the entry's text around the first match. */
export type Found = Readonly<{ title: string; href: string; place: string; excerpt: string }>;
export type Find = (question: string) => readonly Found[];

/** A search in all pages. */
export const openPages = (): Find => openIndex(JSON.parse(SEARCH_INDEX));

const FOUND_MAX = 20;

/**
 * A search for the entries with all words of a question, or words that begin like them, the best first. Where none has
 * them all, as of a whole sentence, it finds entries with some.
 */
export function openIndex(entries: readonly Entry[]): Find {
  const index = new MiniSearch<number>({
    fields: ["title", "place", "text"],
    extractField: (id, field) => {
      const [title, , place, text] = entries[id] ?? [];
      return field === "id" ? id : { title, place, text }[field];
    },
    tokenize: wordsOf,
    searchOptions: {
      prefix: true,
      boost: { title: 4, place: 2 },
      // One slip in a longer word; codes of errors are all alike.
      fuzzy: (word) => (word.length > 5 && !/\d/.test(word) ? 1 : false),
      tokenize: (question) => question.split(SEPARATORS),
    },
  });
  index.addAll([...entries.keys()]);
  return (question) => {
    const all = index.search(question, { combineWith: "AND" });
    const found = all.length > 0 ? all : index.search(question);
    return found.slice(0, FOUND_MAX).flatMap(({ id, terms }) => {
      const entry = entries[id];
      if (entry === undefined) return [];
      const [title, href, place, text] = entry;
      return [{ title, href, place, excerpt: excerptOf(text, terms) }];
    });
  };
}

/** Characters between words: neither underscores nor hyphens, which are parts of names. */
const SEPARATORS = /[^\p{L}\p{N}_-]+/u;

/** The words of a text, and what begins within them: `purposeProofId`, `ProofId` and `Id`. */
const wordsOf = (text: string): string[] =>
  text
    .split(SEPARATORS)
    .flatMap((word) => [
      word,
      ...[...word.matchAll(/[_-]|(?<=\p{Ll})(?=\p{Lu})/gu)].map(({ 0: between, index }) =>
        word.slice(index + between.length),
      ),
    ]);

const EXCERPT_LENGTH = 140;

/** The part of a text in which the first of some words stands, in lower case; its beginning if there is none. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const before = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - EXCERPT_LENGTH / 3);
  const start = before === 0 ? 0 : text.indexOf(" ", before) + 1;
  const end = start + EXCERPT_LENGTH;
  return `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}
