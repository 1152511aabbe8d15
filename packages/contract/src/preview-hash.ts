/** The header by which a submit is held to a preview, and what it must be: SHA-256 in lower-case hexadecimal. */
export const PREVIEW_HASH_HEADER = "Preview-Hash";
export const PREVIEW_HASH = /^[0-9a-f]{64}$/;
