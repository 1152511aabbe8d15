import { defineRoutes } from "./route.ts";

// Pages are the same for everybody until another version is deployed.
const page = { group: "docs", auth: "public", cacheSeconds: 0, answers: { status: 200, page: "text/html" } } as const;

/** The routes of the documentation. A deployment may leave them out. */
export const docsRoutes = defineRoutes({
  showDocs: {
    ...page,
    on: "GET /docs",
    summary: "The documentation: guides, and the reference of all calls",
    description: "For browsers.",
  },
  showDocsPage: {
    ...page,
    on: "GET /docs/{page}",
    summary: "A guide, or a group of calls",
    description:
      "For browsers; `/docs` leads to all of them. `llms.txt` is a list of the guides, each of them is Markdown by its " +
      "name with `.md`, and the package of the client has its version in its name.",
    answers: { ...page.answers, beside: ["text/markdown", "text/plain", "application/gzip"] },
    errors: ["not_found"],
  },
});
