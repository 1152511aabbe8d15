import type { ComponentChildren } from "preact";
import { render } from "preact-render-to-string";
import { type Assets, renderDocument } from "../document/document.tsx";
import { SETTINGS_PLACE } from "./places.ts";

export type Contents = Readonly<{
  guides: readonly Readonly<{ name: string; title: string }>[];
  groups: readonly Readonly<{ name: string; page: string }>[];
}>;

type PageProps = Readonly<{ title: string; name: string; contents: Contents; children: ComponentChildren }>;

/** A page of the documentation as an HTML document, at `/docs` or below it. Its links are relative. */
export function renderDocsPage({ title, name, contents, children }: PageProps, assets: Assets): string {
  // The first page is beside the folder that all others are in.
  const base = name === "" ? "docs/" : "";
  const root = name === "" ? "" : "../";
  return renderDocument(
    `${title} – Payment Intent Service`,
    assets,
    root,
    `<body data-root="${root}" data-base="${base}" data-settings="${SETTINGS_PLACE}">
${render(<Shell {...{ name, contents, base, root }}>{children}</Shell>)}
</body>`,
  );
}

type ShellProps = Omit<PageProps, "title"> & Readonly<{ base: string; root: string }>;

const Shell = ({ name, contents, base, root, children }: ShellProps) => (
  <>
    <a class="skip" href="#content">
      To the content
    </a>
    <header>
      <p class="brand">
        <a href={root === "" ? "./" : root}>Payment Intent Service</a>
      </p>
      <search>
        <label class="hidden" for="search">
          Search
        </label>
        <input id="search" type="search" placeholder="Search" autocomplete="off" aria-controls="found" />
        <p id="found-said" class="hidden" role="status" />
        <ul id="found" class="found" aria-label="Found" hidden />
      </search>
    </header>
    <div class="docs">
      <nav aria-label="Documentation">
        <details open>
          <summary>Contents</summary>
          <Links title="Guides" {...{ name, base }} links={contents.guides.map((guide) => [guide.name, guide.title])} />
          <Links
            title="Reference"
            {...{ name, base }}
            links={[["reference", "All calls"], ...contents.groups.map((group) => [group.page, group.name] as const)]}
          />
        </details>
      </nav>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  </>
);

type LinksProps = Readonly<{
  title: string;
  name: string;
  base: string;
  links: readonly (readonly [string, string])[];
}>;

const Links = ({ title, name, base, links }: LinksProps) => (
  <>
    <p>
      <b>{title}</b>
    </p>
    <ul>
      {links.map(([page, text]) => (
        <li key={page}>
          <a href={base + page} aria-current={page === name ? "page" : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </>
);
