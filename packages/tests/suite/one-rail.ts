import type { RealRail } from "@intents/deployment/real-rails.ts";

/** The real rails of unit tests: one that serves every corridor. */
export const realRails: readonly RealRail[] = [
  {
    name: "http",
    place: "connector",
    remembersMs: 29 * 86_400_000,
    maxUsd: "2000000",
    questionMax: 100,
    corridors: "all",
    scenarios: { version: "1.0.0", maxRecipients: { manual: 10, link: 3, bulk: 500 } },
  },
];
