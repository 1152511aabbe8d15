import type { RailDescription } from "@intents/domain/rails.ts";

const DAY_MS = 86_400_000;

/** What a rail behind docs/rail-api.yaml is, but for where. It remembers 30 days by contract; a day less is sure. */
export const httpTerms: Omit<RailDescription, "address"> = {
  name: "http",
  remembersMs: 29 * DAY_MS,
  maxUsd: "2000000",
  corridors: "all",
};
