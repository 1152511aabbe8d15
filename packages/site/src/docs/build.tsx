import type { ComponentChildren } from "preact";
import type { Assets } from "../document/document.tsx";
import { readGroups } from "./calls.ts";
import { type Entry, toEntries } from "./entries.ts";
import { type GuideName, guideTitles, toGuide } from "./guides.ts";
import { type Contents, renderDocsPage } from "./layout.tsx";
import type { OpenApi } from "./openapi.ts";
import { MISSING_PAGE, withPlaces } from "./places.ts";
import { ReferenceIndex, ReferencePage } from "./reference.tsx";
import { toTexts } from "./texts.ts";

/**
 * What the documentation is made of: the API's document, the Markdown of each guide that there is, by its name, and the
 * name of the client's package.
 */
export type Sources = Readonly<{
  document: OpenApi;
  guides: Readonly<Record<string, string>>;
  clientPackage: string;
}>;

const markdownOf = ({ guides, clientPackage }: Sources) =>
  Object.fromEntries(Object.entries(guides).map(([name, text]) => [name, withPlaces(text, clientPackage)]));

function guidesOf(sources: Sources) {
  const guides = markdownOf(sources);
  return (Object.keys(guideTitles) as GuideName[]).flatMap((name) =>
    guides[name] === undefined ? [] : [toGuide(name, guides[name])],
  );
}

/** What the pages have beside them for programs, by its name. */
export const textsOf = (sources: Sources): Readonly<Record<string, string>> => toTexts(markdownOf(sources));

/** Everything that can be searched for, which the script of the pages loads when it is first asked. */
export const searchIndex = (sources: Sources): Entry[] =>
  toEntries({ guides: guidesOf(sources), groups: readGroups(sources.document) });

/** All pages by their names below `/docs/`; that of `/docs` itself has none. */
export function buildDocs(sources: Sources, assets: Assets): Readonly<Record<string, string>> {
  const { document } = sources;
  const guides = guidesOf(sources);
  const groups = readGroups(document);
  const contents: Contents = { guides, groups };
  const page = (name: string, title: string, children: ComponentChildren) =>
    [name, renderDocsPage({ name, title, contents, children }, assets)] as const;
  return Object.fromEntries([
    page("", "Documentation", <First contents={contents} />),
    page(MISSING_PAGE, "No such page", <Missing />),
    page("reference", "Reference", <ReferenceIndex document={document} groups={groups} />),
    ...groups.map((group) => page(group.page, group.name, <ReferencePage document={document} group={group} />)),
    ...guides.map(({ name, title, html }) =>
      // The Markdown is the project's own.
      page(name, title, <article class="guide" dangerouslySetInnerHTML={{ __html: html }} />),
    ),
  ]);
}

const Missing = () => (
  <>
    <h1>No such page</h1>
    <p class="lead">
      The documentation has no page at this address. <a href="../docs">All guides and calls</a> stand on its first page.
    </p>
  </>
);

const First = ({ contents: { guides } }: Readonly<{ contents: Contents }>) => (
  <>
    <h1>Documentation</h1>
    <p class="lead">Guides for who calls the API, and every call, field and error of it.</p>
    <ul class="links">
      {[...guides, { name: "reference", title: "Reference: all calls" }].map(({ name, title }) => (
        <li key={name}>
          <a href={`docs/${name}`}>{title}</a>
        </li>
      ))}
    </ul>
  </>
);
