/** The pages by their names, put in by the bundling step (infra/bundle.ts): they always are those of the deployment. */
declare const DOCS_PAGES: Readonly<Record<string, string>>;
/** The texts for programs beside them: each guide as Markdown, and a list of all. */
declare const DOCS_TEXTS: Readonly<Record<string, string>>;

export const docsPages: ReadonlyMap<string, string> = new Map(Object.entries(DOCS_PAGES));
export const docsTexts: ReadonlyMap<string, string> = new Map(Object.entries(DOCS_TEXTS));
