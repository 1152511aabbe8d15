/** The pages by their names, put in by the bundling step (infra/bundle.ts): they always are those of the deployment. */
declare const DOCS_PAGES: Readonly<Record<string, string>>;

export const docsPages: ReadonlyMap<string, string> = new Map(Object.entries(DOCS_PAGES));
