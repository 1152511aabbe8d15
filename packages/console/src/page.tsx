import type { ComponentChildren } from "preact";
import { render } from "preact-render-to-string";
import { type Frame, linkTo } from "./frame.ts";

/** The pages that the navigation leads to, in its order. */
export const pages = {
  payments: "Payments",
  search: "Search",
  todo: "To do",
  requests: "Commission requests",
  reconciliation: "Reconciliation",
  queue: "Queue and timers",
  books: "Books",
} as const;
export type PageName = keyof typeof pages;

type PageProps = Readonly<{ frame: Frame; title: string; at?: PageName | undefined; children: ComponentChildren }>;

/** A page as an HTML document. It loads one script and one style sheet of its own, and nothing else. */
export function renderPage({ frame, title, at, children }: PageProps): string {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${frame.service}`}</title>
        <link rel="icon" href={icon} />
        <link rel="stylesheet" href="page.css" />
        <script type="module" src="client.js" />
      </head>
      <body>
        <a class="skip" href="#main">
          To the content
        </a>
        <Header frame={frame} at={at} />
        <main id="main" tabIndex={-1}>
          <h1>{title}</h1>
          {children}
        </main>
        <footer>
          Read at <time dateTime={frame.readAt}>{frame.readAt.slice(11, 19)}</time>, all times in UTC. Nothing on these
          pages changes anything.
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>\n${render(page)}\n`;
}

/** A chart of three bars, as a data URL. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0b5d66" d="M3 13h5v8H3zm6.5-6h5v14h-5zM16 3h5v18h-5z"/></svg>',
)}`;

const Header = ({ frame, at }: Pick<PageProps, "frame" | "at">) => (
  <header>
    <p class="brand">
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <path d="M4 20v-6M12 20V4M20 20v-9" />
      </svg>
      Payments console
      <span class={frame.isProduction ? "service live" : "service"}>{frame.service}</span>
    </p>
    {frame.tenants.length > 0 && <TenantChoice frame={frame} at={at} />}
    <nav aria-label="Pages">
      <ul>
        {Object.entries(pages).map(([name, title]) => (
          <li key={name}>
            <a href={linkTo(name, { tenant: frame.tenantId })} aria-current={name === at ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  </header>
);

const TenantChoice = ({ frame: { tenants, tenantId }, at }: Pick<PageProps, "frame" | "at">) => (
  <form class="tenant" action={at ?? "payments"}>
    <label for="tenant">Tenant</label>
    <select id="tenant" name="tenant" data-submits>
      {tenants.map((tenant) => (
        <option key={tenant.tenantId} value={tenant.tenantId} selected={tenant.tenantId === tenantId}>
          {tenant.tenantId} {tenant.name}
        </option>
      ))}
    </select>
    <button type="submit" class="quiet">
      Show
    </button>
  </form>
);
