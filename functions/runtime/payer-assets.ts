/** A file of the payer page. Its name holds a hash of the content, so that browsers may keep it forever. */
export type Asset = Readonly<{ name: string; contentType: string; text: string }>;

/** The files, put in by the bundling step (infra/bundle.ts), so that they always fit the page of their deployment. */
declare const PAYER_ASSETS: Readonly<Record<"script" | "style", Asset>>;

export const payerAssets = PAYER_ASSETS;
