import type { RailDescription } from "@intents/domain/rails/description.ts";

const DAY_MS = 86_400_000;

/** A rail behind docs/rail-api.yaml, without its address. By contract it remembers 30 days; a day less is sure. */
export const httpTerms: Omit<RailDescription, "address"> = {
  name: "http",
  remembersMs: 29 * DAY_MS,
  maxUsd: "2000000",
  questionMax: 100,
  corridors: "all",
};
