import type { Rail, StatusAnswer } from "@intents/domain/rails/rail.ts";

/** The ways in which a rail lies about an end, with their relative frequencies. */
export const lieKinds = { "another end": 5, "a cancellation": 2, "no such payment": 2, "a stranger's recipient": 2 };
export type LieKind = keyof typeof lieKinds;

/** Executions about which their rail tells something untrue a few times. The payment itself goes on as it is. */
export function openLies(healed: Readonly<{ rail: boolean }>) {
  const lies = new Map<string, { answer: StatusAnswer; times: number }>();
  /** The lie in place of the truth; a rail that is silent tells no lie. */
  const lieAbout = (executionId: string, truth: StatusAnswer): StatusAnswer => {
    const lie = lies.get(executionId);
    if (lie === undefined || healed.rail || truth.kind === "unavailable" || lie.times === 0) return truth;
    lie.times -= 1;
    return lie.answer;
  };

  const over = (rail: Rail): Rail => {
    const { status, statuses } = rail;
    return {
      ...rail,
      status: async (tenantId, executionId) => lieAbout(executionId, await status(tenantId, executionId)),
      statuses:
        statuses &&
        (async (asked) =>
          (await statuses(asked)).map((answer, index) => lieAbout(asked[index]?.executionId ?? "", answer))),
    };
  };
  return {
    over,
    tell: (executionId: string, answer: StatusAnswer, times: number) => void lies.set(executionId, { answer, times }),
  };
}

/** An untrue answer of a kind about a payment to these recipients. */
export function lieOf(kind: LieKind, orders: readonly number[], isPaid: () => boolean): StatusAnswer {
  switch (kind) {
    case "another end": {
      const legs = orders.map((order) =>
        isPaid() ? ({ order, outcome: "cleared" } as const) : ({ order, outcome: "failed", reason: "a lie" } as const),
      );
      return { kind: "settled", legs };
    }
    case "a cancellation":
      return { kind: "cancelled", reason: "a lie" };
    case "no such payment":
      return { kind: "not_found" };
    case "a stranger's recipient":
      return { kind: "settled", legs: [{ order: Math.max(...orders) + 1, outcome: "cleared" }] };
  }
}
