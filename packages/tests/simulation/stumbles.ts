import type { Rail, StatusAnswer } from "@intents/domain/rails/rail.ts";
import { InjectedFault } from "./scheduler.ts";

const silent: StatusAnswer = { kind: "unavailable", reason: "the rail stumbles over one of them" };

/**
 * Executions over which their rail stumbles for good: every question that is also about one of them fails as a whole, and
 * a request to pay such a recipient of a batch throws.
 */
export function openStumbles(healed: Readonly<{ stumbling: boolean }>) {
  const chosen = new Set<string>();
  const isOver = (executionId: string): boolean => !healed.stumbling && chosen.has(executionId);

  const over = (rail: Rail): Rail => {
    const { execute, status, statuses, cancel } = rail;
    return {
      ...rail,
      execute: async (order, executionId) => {
        if (executionId.includes(":") && isOver(executionId)) throw new InjectedFault("the rail's answer is a riddle");
        return execute(order, executionId);
      },
      status: async (tenantId, executionId) => (isOver(executionId) ? silent : status(tenantId, executionId)),
      cancel: async (tenantId, executionId) => (isOver(executionId) ? silent : cancel(tenantId, executionId)),
      statuses:
        statuses &&
        (async (asked) =>
          asked.some(({ executionId }) => isOver(executionId)) ? asked.map(() => silent) : statuses(asked)),
    };
  };
  return {
    ...{ over, isChosen: (executionId: string) => chosen.has(executionId), size: () => chosen.size },
    choose: (executionId: string) => void chosen.add(executionId),
  };
}
