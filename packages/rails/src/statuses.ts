import type { ExecutionKey, Rail, StatusAnswer } from "@intents/domain/rails/rail.ts";

/** A rail that tells of one execution at a time is asked about so many side by side. */
const SIDE_BY_SIDE = 10;

/**
 * How many executions stand, in their order: by one question where the rail can, else one by one. Those that come after
 * the time is over are left out.
 */
export async function askForAll(
  { status, statuses }: Pick<Rail, "status" | "statuses">,
  asked: readonly ExecutionKey[],
  isOver: () => boolean = () => false,
): Promise<readonly StatusAnswer[]> {
  if (statuses !== undefined) return statuses(asked);
  const answers: StatusAnswer[] = [];
  for (let start = 0; start < asked.length && !isOver(); start += SIDE_BY_SIDE) {
    const some = asked.slice(start, start + SIDE_BY_SIDE);
    answers.push(...(await Promise.all(some.map(({ tenantId, executionId }) => status(tenantId, executionId)))));
  }
  return answers;
}
