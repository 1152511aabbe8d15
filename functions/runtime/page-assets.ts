/** A file of a page. Its name holds a hash of the content, so that browsers may keep it forever. */
type Asset = Readonly<{ name: string; contentType: string; text: string }>;

/** The files of all pages, put in by the bundling step (infra/bundle.ts), so that they always fit their deployment. */
declare const PAGE_ASSETS: readonly Asset[];

export const pageAssets = PAGE_ASSETS;
