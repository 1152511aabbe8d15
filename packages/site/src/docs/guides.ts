import { Marked, type Tokens } from "marked";

/** A guide: the name of its page, its source, and what is made of it. */
export type Guide = Readonly<{
  name: string;
  title: string;
  html: string;
  /** Its sections, by which it is searched; the first begins with the guide's title. */
  sections: readonly Section[];
}>;

type Section = Readonly<{ id: string; title: string; text: string; isFirst: boolean }>;

/** The guides in the order in which they are read: their pages, which have the names of their files, and their titles. */
export const guideTitles = {
  http: "Start with HTTP",
  "first-payment": "First payment",
  money: "Money",
  lifecycle: "Lifecycle and polling",
  events: "Events",
  idempotency: "Idempotency and retries",
  errors: "Errors",
  splits: "Splits",
  batches: "Batches",
  links: "Payment links",
  commissions: "Commissions",
  lists: "Lists",
  sandbox: "Sandbox",
  limits: "Limits",
  languages: "Other languages",
  "from-stripe": "Coming from Stripe",
} as const;
export type GuideName = keyof typeof guideTitles;

/** A guide from its Markdown. Links to other files of guides become links to their pages. */
export function toGuide(name: GuideName, markdown: string): Guide {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
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
      ...{ id, title: unmarked(title), text: unmarked(rest) },
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

/** The text of HTML that marked has made. */
const unmarked = (html: string): string =>
  html
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
