import { describe, expect, test } from "vitest";
import { storedIntent } from "../intents/intent-fixture.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { moves, moveThrough, submitMoves } from "../intents/states.ts";
import { isTerminal } from "../intents/statuses.ts";
import { changesOf, type StatusChange, toldOf } from "./status-change.ts";

const AT_MS = Date.UTC(2026, 10, 21, 9);
const draft = (): PaymentIntent => {
  const at = new Date(AT_MS).toISOString();
  return { ...storedIntent({ id: "i" }), updatedAt: at, statusHistory: [{ status: "draft", at, by: "demo-user" }] };
};
const moved = (intent: PaymentIntent, ...path: Parameters<typeof moveThrough>[1]) =>
  moveThrough(intent, path, "demo-user", AT_MS);

type Leg = PaymentIntent["executions"][number]["legs"][number];
const withLegs = (
  intent: PaymentIntent,
  status: PaymentIntent["executions"][number]["status"],
  ...legs: Leg["status"][]
) => {
  const told = legs.map(
    (leg, order) => ({ order, payeeId: 1, splitRole: "other", payerAmount: "1", status: leg }) as Leg,
  );
  const execution = { executionId: "e", status, legs: told } as unknown as PaymentIntent["executions"][number];
  return { ...intent, executions: [execution] };
};

describe("a change of an intent", () => {
  test("that makes it tells of the draft", () => {
    expect(changesOf(undefined, draft())).toEqual([{ of: "paymentIntent", id: "i", status: "draft" }]);
  });

  test("that submits it tells of every status on the way, and of its legs", () => {
    const before = draft();
    const after = withLegs(moved(before, ...submitMoves), "executing", "executing", "executing");
    expect(changesOf(before, after)).toEqual([
      ...["ready_for_quote", "quoted", "ready_for_execution", "executing"].map((status) => ({
        ...{ of: "paymentIntent", id: "i", status },
      })),
      { of: "leg", id: "i", status: "executing", orders: [[0, 1]] },
    ]);
  });

  test("that ends it tells of the legs that changed, and of those that were called off with it", () => {
    const before = withLegs(moved(draft(), ...submitMoves), "executing", "executing", "executing", "executing");
    const partly = withLegs(moved(before, "completePartly"), "partially_completed", "cleared", "failed", "cleared");
    expect(changesOf(before, partly).slice(1)).toEqual([
      {
        of: "leg",
        id: "i",
        status: "cleared",
        orders: [
          [0, 0],
          [2, 2],
        ],
      },
      { of: "leg", id: "i", status: "failed", orders: [[1, 1]] },
    ]);
    const calledOff = withLegs(moved(before, "cancelExecution"), "cancelled", "executing", "executing", "executing");
    expect(changesOf(before, calledOff).slice(1)).toEqual([
      { of: "leg", id: "i", status: "cancelled", orders: [[0, 2]] },
    ]);
  });

  test("that publishes a link tells that it is open", () => {
    expect(changesOf(draft(), moved(draft(), "publishLink"))).toEqual([
      { of: "paymentIntent", id: "i", status: "pending_link_payment" },
      { of: "paymentLink", id: "i", status: "open" },
    ]);
  });

  test("that begins a batch tells of all its legs, once", () => {
    const recipients = Array.from({ length: 500 }, (_, order) => ({ role: "public_payee", order }) as const);
    const before = { ...draft(), recipients };
    const bulkProgress = { total: 500, completed: 0, failed: 0, cancelled: 0 };
    const after = { ...moved(before, ...submitMoves), bulkProgress } as PaymentIntent;
    expect(changesOf(before, after).at(-1)).toEqual({ of: "leg", id: "i", status: "pending", orders: [[0, 499]] });
    expect(toldOf(changesOf(before, after))).toHaveLength(504);
    expect(changesOf(after, { ...after, bulkProgress: { ...bulkProgress, completed: 1 } })).toEqual([]);
  });

  test("that is none of a status tells nothing", () => {
    expect(changesOf(draft(), moved(draft(), "compile"))).toEqual([]);
    expect(changesOf(draft(), { ...draft(), name: "other" })).toEqual([]);
  });

  test("tells, whatever the path, what replays to its status, also once its history is cut", () => {
    let intent = draft();
    const told: StatusChange[] = changesOf(undefined, intent);
    const step = (...path: Parameters<typeof moved>[1][]) => {
      const after = moved(intent, ...path);
      told.push(...changesOf(intent, after));
      expect(told.at(-1)?.status).toBe(intent.status === after.status ? told.at(-1)?.status : after.status);
      intent = after;
    };
    step("compile");
    step(...submitMoves);
    for (let round = 0; round < 60; round++) {
      step("loseTrack");
      step("resume");
    }
    step("complete");
    expect(isTerminal(intent.status) && told.at(-1)?.status).toBe("completed");
    expect(told).toHaveLength(1 + 4 + 120 + 1);
    expect(Object.keys(moves)).toContain("resume");
  });
});

test("what callers are told names one thing each", () => {
  expect(
    toldOf([
      { of: "paymentLink", id: "l", status: "held" },
      {
        of: "leg",
        id: "i",
        status: "cleared",
        orders: [
          [0, 1],
          [7, 7],
        ],
      },
    ]),
  ).toEqual([
    { type: "paymentLink.held", resource: { type: "paymentLink", id: "l" }, status: "held" },
    ...[0, 1, 7].map((order) => ({
      type: "leg.cleared",
      resource: { type: "leg", id: "i", order },
      status: "cleared",
    })),
  ]);
});
