/** A file of the payer page. `name` holds a hash of the content, so that browsers may keep it for good. */
export type Asset = Readonly<{ name: string; contentType: string; text: string }>;

/** Put in by the bundling step (infra/bundle.ts), so that page and files of one deployment always fit together. */
declare const PAYER_ASSETS: Readonly<Record<"script" | "style", Asset>>;

export const payerAssets = PAYER_ASSETS;
