/** The heading of the parts of the changelog that callers notice. */
const FOR_CALLERS = "For callers";

/** The callers' part of the changelog, version by version. Only links to guides are kept: pages have no other files. */
export function changesForCallers(changelog: string): string {
  const versions = changelog.split(/^## /m).slice(1);
  return versions
    .map((version) => {
      const [name = "", ...parts] = version.split(/^### /m);
      const part = parts.find((text) => text.startsWith(`${FOR_CALLERS}\n`));
      if (part === undefined) throw new Error(`The changelog tells callers nothing of ${name.trim()}`);
      return `## ${name.trim()}\n\n${linkedToGuides(part.slice(FOR_CALLERS.length).trim())}\n`;
    })
    .join("\n");
}

const linkedToGuides = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]*)\]\(([^)]*)\)/g, (link, text: string, target: string) => {
    if (target.startsWith("http")) return link;
    return target.startsWith("guides/") ? `[${text}](${target.slice("guides/".length)})` : text;
  });
