import { describe, expect, test } from "vitest";
import { lateOutcome } from "./late-outcome.ts";
import type { StatusAnswer } from "./rail.ts";

const legs = (...statuses: readonly string[]) => statuses.map((status, order) => ({ order, status }));
const settled = (...outcomes: readonly ("cleared" | "failed")[]): StatusAnswer => ({
  kind: "settled",
  legs: outcomes.map((outcome, order) => ({ order, outcome })),
});
const cancelled: StatusAnswer = { kind: "cancelled", reason: "called off" };

describe("a rail's word about what has ended here", () => {
  test.each([
    [
      "that nobody's money went otherwise",
      legs("cleared", "failed"),
      settled("cleared", "failed"),
      "partially_completed",
    ],
    ["that all were paid", legs("cleared", "cleared"), settled("cleared", "cleared"), "completed"],
    ["that nobody was paid", legs("failed"), settled("failed"), "failed"],
    ["that what ended unpaid was called off", legs("failed"), cancelled, "cancelled"],
    ["that what was called off has failed", legs("executing"), settled("failed"), "failed"],
  ] as const)("%s contradicts nothing", (_, stands, answer, said) => {
    expect(lateOutcome(stands, answer)).toEqual({ said, isContrary: false });
  });

  test.each([
    [legs("cleared", "cleared"), settled("failed", "cleared"), "partially_completed: recipient 0 failed"],
    [legs("cleared", "cleared"), settled("failed", "failed"), "failed: recipient 0 failed, recipient 1 failed"],
    [
      legs("cleared", "failed"),
      settled("failed", "cleared"),
      "partially_completed: recipient 0 failed, recipient 1 cleared",
    ],
    [legs("cleared", "failed"), cancelled, "cancelled: recipient 0 failed"],
    [legs("executing"), settled("cleared"), "completed: recipient 0 cleared"],
    [
      [{ order: 7, status: "cancelled" }],
      { kind: "settled", legs: [{ order: 7, outcome: "cleared" }] },
      "completed: recipient 7 cleared",
    ],
  ] as const)("names whose money went otherwise than in %j", (stands, answer, said) => {
    expect(lateOutcome(stands, answer as StatusAnswer)).toEqual({ said, isContrary: true });
  });

  test("leaves a recipient whom it does not name as it stands", () => {
    expect(lateOutcome(legs("cleared", "failed"), { kind: "settled", legs: [] })?.isContrary).toBe(false);
  });

  test.each(["pending", "not_found"] as const)("is none while it says %s", (kind) => {
    expect(lateOutcome(legs("cleared"), { kind })).toBeUndefined();
  });
});
