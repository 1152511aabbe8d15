/** Answers about a link may be this old, because they are kept at the edge. */
const CACHED_MS = 5_000;
/** A link may open earlier than it said, when its payer or tenant frees it, and a clock may be wrong. */
const SOONEST_MS = 10_000;
const LATEST_MS = 20_000;

/** The wait before a held link is looked at again, which opens in `opensInMs`; `random` is in [0, 1). */
export const reopenDelayMs = (opensInMs: number, random: number): number =>
  Math.min(LATEST_MS, Math.max(SOONEST_MS, opensInMs + CACHED_MS)) * (1 + 0.2 * random);
