import type { ComponentChildren } from "preact";
import type { Assets } from "../document/document.tsx";
import { type Group, readGroups } from "./calls.ts";
import { changesForCallers } from "./changes.ts";
import { type Entry, toEntries } from "./entries.ts";
import { type Guide, type GuideName, guideParts, guideTitles, toGuide } from "./guides.ts";
import { titleOfCall } from "./journey.ts";
import { type Contents, renderDocsPage } from "./layout.tsx";
import type { OpenApi } from "./openapi.ts";
import { MISSING_PAGE, withPlaces } from "./places.ts";
import { ReferenceIndex, ReferencePage } from "./reference.tsx";
import { toTexts } from "./texts.ts";

/** The documentation's sources: the API's document, guides in Markdown by name, changelog, client package's name. */
export type Sources = Readonly<{
  document: OpenApi;
  guides: Readonly<Record<string, string>>;
  changelog: string;
  clientPackage: string;
}>;

/** The guides as stages tell them. That of changes ends with the changelog. */
const markdownOf = ({ guides, changelog, clientPackage }: Sources) =>
  Object.fromEntries(
    Object.entries(guides).map(([name, text]) => {
      const whole = name === ("changes" satisfies GuideName) ? `${text}\n${changesForCallers(changelog)}` : text;
      return [name, withPlaces(whole, clientPackage)];
    }),
  );

function guidesOf(sources: Sources) {
  const guides = markdownOf(sources);
  return (Object.keys(guideTitles) as GuideName[]).flatMap((name) =>
    guides[name] === undefined ? [] : [toGuide(name, guides[name])],
  );
}

/** The texts for programs beside the pages, by name. */
export const textsOf = (sources: Sources): Readonly<Record<string, string>> => toTexts(markdownOf(sources));

/** Everything that can be searched for, which the script of the pages loads when it is first asked. */
export const searchIndex = (sources: Sources): Entry[] =>
  toEntries({ guides: guidesOf(sources), groups: readGroups(sources.document) });

/** All pages by their names below `/docs/`; that of `/docs` itself has none. */
export function buildDocs(sources: Sources, assets: Assets): Readonly<Record<string, string>> {
  const { document } = sources;
  const guides = guidesOf(sources);
  const groups = readGroups(document);
  const contents = contentsOf(guides, groups);
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

/** The pages, part by part. */
const contentsOf = (guides: readonly Guide[], groups: readonly Group[]): Contents => [
  ...Object.entries(guideParts).map(([title, names]) => ({
    title,
    links: guides.flatMap((guide) => (guide.name in names ? [{ page: guide.name, text: guide.title }] : [])),
  })),
  {
    title: "Reference",
    links: [
      { page: "reference", text: "All calls" },
      ...groups.map(({ page, name, calls }) => ({
        page,
        text: name,
        inside: calls.map(({ operation: { operationId: id } }) => ({ id, text: titleOfCall(id) })),
      })),
    ],
  },
];

const Missing = () => (
  <>
    <h1>No such page</h1>
    <p class="lead">
      The documentation has no page at this address. <a href="../docs">All guides and calls</a> stand on its first page.
    </p>
  </>
);

const First = ({ contents }: Readonly<{ contents: Contents }>) => (
  <>
    <h1>Documentation</h1>
    <p class="lead">Guides for who calls the API, and every call, field and error of it.</p>
    <div class="parts">
      {contents.map(({ title, links }) => (
        <section key={title} class="card">
          <h2>{title}</h2>
          <ul class="links">
            {links.map(({ page, text }) => (
              <li key={page}>
                <a href={`docs/${page}`}>{text}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  </>
);
