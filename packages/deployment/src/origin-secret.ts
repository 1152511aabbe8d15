/** The header by which CloudFront proves that a request comes through it: the setting ORIGIN_SECRET (H39). */
export const ORIGIN_SECRET_HEADER = "x-origin-secret";
