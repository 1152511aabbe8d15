import { describe, expect, test } from "vitest";
import { storedIntent } from "../../test/intent-fixture.ts";
import { legStatuses } from "../intents/leg-status.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { moves, moveThrough, submitMoves } from "../intents/states.ts";
import { intentStatuses, isTerminal } from "../intents/statuses.ts";
import { changeEvents, changesOf, eventTypes, type StatusChange, statusesOf } from "./status-change.ts";

const AT_MS = Date.UTC(2026, 10, 21, 9);
const draft = (): PaymentIntent => {
  const at = new Date(AT_MS).toISOString();
  return { ...storedIntent({ id: "i" }), updatedAt: at, statusHistory: [{ status: "draft", at, by: "demo-user" }] };
};
const moved = (intent: PaymentIntent, ...path: Parameters<typeof moveThrough>[1]) =>
  moveThrough(intent, path, "demo-user", AT_MS);
const LATER_MS = AT_MS + 1;

type Leg = PaymentIntent["executions"][number]["legs"][number];
const withLegs = (
  intent: PaymentIntent,
  status: PaymentIntent["executions"][number]["status"],
  ...legs: Leg["status"][]
) => {
  const changes = legs.map(
    (leg, order) => ({ order, payeeId: 1, splitRole: "other", payerAmount: "1", status: leg }) as Leg,
  );
  const execution = { executionId: "e", status, legs: changes } as unknown as PaymentIntent["executions"][number];
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
    expect(changeEvents(changesOf(before, after))).toHaveLength(504);
    expect(changesOf(after, { ...after, bulkProgress: { ...bulkProgress, completed: 1 } })).toEqual([]);
  });

  test("that is none of a status tells nothing", () => {
    expect(changesOf(draft(), moved(draft(), "compile"))).toEqual([]);
    expect(changesOf(draft(), moveThrough(draft(), ["compile"], "demo-user", LATER_MS))).toEqual([]);
    expect(changesOf(draft(), { ...draft(), name: "other" })).toEqual([]);
  });

  test.each([
    ["later, by the same", LATER_MS, "demo-user"],
    ["in the same millisecond, by another", AT_MS, "rail"],
  ])("that comes back to a status %s tells of the way there", (_, atMs, by) => {
    const before = moved(draft(), ...submitMoves);
    const statuses = changesOf(before, moveThrough(before, ["loseTrack", "resume"], by, atMs)).map(
      ({ status }) => status,
    );
    expect(statuses).toEqual(["requires_recovery", "executing"]);
  });

  test("tells, whatever the path, what replays to its status, also once its history is cut", () => {
    let intent = draft();
    const changes: StatusChange[] = changesOf(undefined, intent);
    const step = (...path: Parameters<typeof moved>[1][]) => {
      const after = moved(intent, ...path);
      changes.push(...changesOf(intent, after));
      expect(changes.at(-1)?.status).toBe(intent.status === after.status ? changes.at(-1)?.status : after.status);
      intent = after;
    };
    step("compile");
    step(...submitMoves);
    for (let round = 0; round < 60; round++) {
      step("loseTrack");
      step("resume");
    }
    step("complete");
    expect(isTerminal(intent.status) && changes.at(-1)?.status).toBe("completed");
    expect(changes).toHaveLength(1 + 4 + 120 + 1);
    expect(Object.keys(moves)).toContain("resume");
  });
});

test("legs in whatever order are told in their own, by ranges", () => {
  const executing = withLegs(moved(draft(), ...submitMoves), "executing", "executing", "executing", "executing");
  const [execution] = executing.executions;
  const legs = execution?.legs.map((leg, index) => ({ ...leg, order: [10, 2, 3][index] ?? 0 })) ?? [];
  const after = { ...executing, executions: [{ ...execution, legs }] } as PaymentIntent;
  expect(changesOf({ ...executing, executions: [] }, after)).toEqual([
    {
      of: "leg",
      id: "i",
      status: "executing",
      orders: [
        [2, 3],
        [10, 10],
      ],
    },
  ]);
});

test("an event that leaves the status as it is has a type of its own, and tells the status", () => {
  expect(changeEvents([{ of: "paymentIntent", id: "i", status: "failed", news: "corrected" }])).toEqual([
    { type: "paymentIntent.corrected", resource: { type: "paymentIntent", id: "i" }, status: "failed" },
  ]);
});

test("the types of events, by which callers choose them, stay as they are", () => {
  expect(Object.keys(statusesOf).join(" ")).toBe("paymentIntent leg paymentLink commissionRequest webhookEndpoint");
  expect(eventTypes.filter((type) => !/^(paymentIntent|leg)\./.test(type)).join(" ")).toBe(
    "paymentLink.open paymentLink.held paymentLink.closed commissionRequest.submitted " +
      "commissionRequest.paid commissionRequest.rejected webhookEndpoint.disabled",
  );
  expect(eventTypes.filter((type) => /^leg\./.test(type)).map((type) => type.slice(4))).toEqual(legStatuses);
  expect(eventTypes.filter((type) => /^paymentIntent\./.test(type)).map((type) => type.slice(14))).toEqual([
    ...intentStatuses,
    ...["reviewOpened", "reviewClosed", "corrected"],
  ]);
});

test("what callers are told names one thing each", () => {
  expect(
    changeEvents([
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
