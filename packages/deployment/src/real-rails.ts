const DAY_MS = 86_400_000;

/** A rail behind docs/rail-api.yaml: docs/rails.md tells how one is added (Decision 007). */
export type RealRail = Readonly<{
  /** The rail's name in its payments and in settings. It never changes. */
  name: string;
  /** Its address and its secret are put into the account as `<place>-url` and `<place>-secret`. */
  place: string;
  /** How long it surely remembers an executionId: a day less than it keeps executions (H1). */
  remembersMs: number;
  /** The most that one payment may send, worth in US dollars. */
  maxUsd: string;
  /** One question is about at most so many executions: 100 by the contract. */
  questionMax: number;
  /** The pairs of countries that it serves, ISO 3166-1 alpha-2. None for a rail that takes nothing new. */
  corridors: "all" | readonly Readonly<{ from: readonly string[]; to: readonly string[] }>[];
  scenarios: Readonly<{ version: string; maxRecipients: Readonly<{ manual: number; link: number; bulk: number }> }>;
}>;

/**
 * The rails of `CONNECTOR=http`, in the order in which a payment's corridor is looked up. The last one serves every
 * corridor.
 */
export const realRails: readonly RealRail[] = [
  {
    name: "http",
    place: "connector",
    remembersMs: 29 * DAY_MS,
    maxUsd: "2000000",
    questionMax: 100,
    corridors: "all",
    // SPEC, Limits: "one split-link connector allows at most 3". The other numbers are ours (DESIGN 8).
    scenarios: { version: "1.0.0", maxRecipients: { manual: 10, link: 3, bulk: 500 } },
  },
];
