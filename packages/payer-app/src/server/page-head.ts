import { guardHash } from "./guard.ts";

/** The icon of pages: a lock, as a data URL. */
export const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0b5d66" d="M7 10V7.5a5 5 0 0 1 10 0V10h2v11H5V10zm2 0h6V7.5a3 3 0 0 0-6 0z"/></svg>',
)}`;

/**
 * Headers of a page (H43, H44). The page runs one script and one style sheet of its own, beside `inline`, the source of a
 * script within it, and calls its own service. It tells nobody its address, because whoever knows the address can pay.
 */
const headersOf = (inline: string) => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `script-src 'self'${inline}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
});

export const pageHeaders = headersOf("");
/** Headers of the page of payers. */
export const payerPageHeaders = headersOf(` '${guardHash}'`);
