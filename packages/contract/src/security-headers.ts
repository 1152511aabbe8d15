/** Headers of every answer: come by TLS alone for a year, and never guess at a content type. */
export const securityHeaders = {
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
} as const;
