import { Marked, type Tokens } from "marked";
import { codeBox, isLanguage } from "./code.ts";

/** A guide: the name of its page, its source, and what is made of it. */
export type Guide = Readonly<{
  name: string;
  title: string;
  html: string;
  /** Its sections, by which it is searched; the first begins with the guide's title. */
  sections: readonly Section[];
}>;

type Section = Readonly<{ id: string; title: string; text: string; isFirst: boolean }>;

/** The guides in the order in which they are read, part by part: their pages have the names of their files. */
export const guideParts = {
  Begin: {
    http: "Start with HTTP",
    "first-payment": "First payment",
    scenarios: "What to pay, and how",
    lifecycle: "Lifecycle and polling",
    languages: "Other languages",
    "from-stripe": "Coming from Stripe",
  },
  Pay: { money: "Money", splits: "Splits", batches: "Batches", links: "Payment links", commissions: "Commissions" },
  "Keep track": { events: "Events", idempotency: "Idempotency and retries", errors: "Errors", lists: "Lists" },
  "Try and run": { sandbox: "Sandbox", limits: "Limits", changes: "Changes" },
} as const;

type Parts = typeof guideParts;
export type GuideName = { [Part in keyof Parts]: keyof Parts[Part] }[keyof Parts];
export const guideTitles = Object.assign({}, ...Object.values(guideParts)) as Readonly<Record<GuideName, string>>;

/** A guide from its Markdown. Links to other files of guides become links to their pages. */
export function toGuide(name: GuideName, markdown: string): Guide {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = slugOf(text);
        const heading = `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>`;
        // The first heading is the page itself.
        if (depth === 1) return `${heading}\n`;
        return `<div class="heading">${heading}<a class="anchor" href="#${id}" aria-label="Link to ${plain(text)}">#</a></div>\n`;
      },
      code({ text, lang = "" }: Tokens.Code) {
        if (!isLanguage(lang)) throw new Error(`The guide ${name} has code in ${lang}, whose grammar is missing`);
        return `${codeBox(text, lang)}\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${pageOf(href)}">${this.parser.parseInline(tokens)}</a>`;
      },
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("");
        // A table that is wider than a phone scrolls by itself, by keyboard too.
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { name, title: guideTitles[name], html, sections: sectionsOf(html) };
}

/** The sections of a guide as plain text, code samples too. */
const sectionsOf = (html: string): Section[] =>
  [...html.matchAll(/<h([1-6]) id="([^"]*)">(.*?)<\/h\1>(.*?)(?=<h[1-6] id="|$)/gs)].map(
    ([, , id = "", title = "", rest = ""], index) => ({
      id,
      title: unmarked(title),
      text: unmarked(rest),
      isFirst: index === 0,
    }),
  );

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

/** The text of HTML that marked has made. Code is not parted where its colours change. */
const unmarked = (html: string): string =>
  html
    .replaceAll(/<figcaption>.*?<\/figcaption>|<a class="anchor".*?<\/a>|<\/?span[^>]*>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The anchor of a heading, as GitHub makes it. */
const slugOf = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

const plain = (text: string): string => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");

/** The page of a link: files of guides are pages beside each other, and the client's README is the first of them. */
const pageOf = (href: string): string =>
  href
    .replace(/^(\.\.\/)*(packages\/)?client\/README\.md/, "first-payment")
    .replace(/^(?:\.\.\/)*(?:docs\/guides\/)?([\w-]+)\.md/, "$1");
