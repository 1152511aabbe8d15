/** The number of requests that one caller may send in a window, and what counts as one caller. */
export type RateLimit = Readonly<{
  limit: number;
  windowSeconds: number;
  /** `caller`: the API key, or the source address where none is sent. `token`: a link's token and the source address. */
  per: "caller" | "token";
  /** The verdict without a count in time: payments pass, guesses of passwords do not (H54). */
  whenUnknown: "allow" | "refuse";
}>;

/** SPEC, "Limits"; the public ones are ours (DESIGN 17). Windows begin at whole multiples of their length. */
export const rateLimits = {
  global: { limit: 200, windowSeconds: 1, per: "caller", whenUnknown: "allow" },
  login: { limit: 10, windowSeconds: 60, per: "caller", whenUnknown: "refuse" },
  signup: { limit: 5, windowSeconds: 60, per: "caller", whenUnknown: "refuse" },
  webhook_test: { limit: 10, windowSeconds: 60, per: "caller", whenUnknown: "allow" },
  chat: { limit: 10, windowSeconds: 60, per: "caller", whenUnknown: "allow" },
  conversation: { limit: 30, windowSeconds: 60, per: "caller", whenUnknown: "allow" },
  public_link: { limit: 120, windowSeconds: 60, per: "token", whenUnknown: "allow" },
  public_upload: { limit: 20, windowSeconds: 60, per: "token", whenUnknown: "allow" },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;
