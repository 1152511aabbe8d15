/** The names of each page's script and style, put in by the bundling step (infra/bundle.ts). */
declare const PAGE_NAMES: Readonly<Record<"payer" | "home", Readonly<Record<"script" | "style", string>>>>;

export const pageNames = PAGE_NAMES;
