/** The header that holds a submit to a preview, and the form of its value: SHA-256 in lower-case hexadecimal. */
export const PREVIEW_HASH_HEADER = "Preview-Hash";
export const PREVIEW_HASH = /^[0-9a-f]{64}$/;
