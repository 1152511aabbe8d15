import { type GuideName, guideTitles } from "./guides.ts";
import { BASE_URL_PLACE } from "./places.ts";

/** The first paragraph of a guide behind its heading, on one line. */
function openingOf(markdown: string): string {
  const [, opening = ""] = /^# .*\n\n((?:[^\n#|`-].*\n)+)/m.exec(markdown) ?? [];
  return opening
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Links of a guide as they are under `/docs`, where the client's README is a guide among the others. */
const linkedFiles = (markdown: string): string =>
  markdown
    .replaceAll(/\]\((?:\.\.\/)*(?:packages\/)?client\/README\.md/g, "](first-payment.md")
    .replaceAll(/\]\((?:\.\.\/)*docs\/guides\//g, "](");

/** The documentation for programs that read: each guide as Markdown, and a list of them (https://llmstxt.org). */
export function toTexts(guides: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const known = Object.entries(guideTitles).filter(([name]) => guides[name] !== undefined) as [GuideName, string][];
  const lines = known.map(([name, title]) => {
    const opening = openingOf(guides[name] ?? "");
    return `- [${title}](${BASE_URL_PLACE}/docs/${name}.md)${opening && `: ${opening}`}`;
  });
  const list = [
    "# Payment Intent Service",
    "",
    "> Cross-border payments by one typed resource, the payment intent: create a draft, judge it by a dry-run, pay it by a submit.",
    "",
    "## Guides",
    "",
    ...lines,
    "",
    "## Reference",
    "",
    `- [OpenAPI 3.1](${BASE_URL_PLACE}/v2/openapi.json): every call, field and error, for tools that read it`,
    `- [Reference pages](${BASE_URL_PLACE}/docs/reference): the same for people`,
    "",
  ];
  return {
    ...Object.fromEntries(known.map(([name]) => [`${name}.md`, linkedFiles(guides[name] ?? "")])),
    "llms.txt": list.join("\n"),
  };
}
