import type { ComponentChildren } from "preact";
import { render } from "preact-render-to-string";
import { type Assets, renderDocument } from "../document/document.tsx";
import { SETTINGS_PLACE } from "./places.ts";

/** A page and its name in words; `inside` are its calls, which are listed while it is shown. */
type Link = Readonly<{ page: string; text: string; inside?: readonly Readonly<{ id: string; text: string }>[] }>;
/** All pages, part by part. */
export type Contents = readonly Readonly<{ title: string; links: readonly Link[] }>[];

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
      <search hidden>
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
          {contents.map((part) => (
            <Links key={part.title} {...{ name, base }} {...part} />
          ))}
        </details>
      </nav>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  </>
);

type LinksProps = Readonly<{ title: string; name: string; base: string; links: readonly Link[] }>;

const Links = ({ title, name, base, links }: LinksProps) => (
  <>
    <p>
      <b>{title}</b>
    </p>
    <ul>
      {links.map(({ page, text, inside = [] }) => (
        <li key={page}>
          <a href={base + page} aria-current={page === name ? "page" : undefined}>
            {text}
          </a>
          {page === name && inside.length > 0 && (
            <ul>
              {inside.map((call) => (
                <li key={call.id}>
                  <a href={`#${call.id}`}>{call.text}</a>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  </>
);
