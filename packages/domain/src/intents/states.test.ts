import { describe, expect, test } from "vitest";
import { NOW_MS, storedIntent } from "../../test/intent-fixture.ts";
import { giveUp, HISTORY_MAX, type MoveName, moveIntent, moves, moveThrough, submitMoves } from "./states.ts";
import { intentStatuses, isPaid, isTerminal, terminalStatuses } from "./statuses.ts";

const names = Object.keys(moves) as MoveName[];
const everyCase = names.flatMap((move) => intentStatuses.map((status) => ({ move, status })));
const isAllowed = (move: MoveName, status: string) => (moves[move].from as readonly string[]).includes(status);

describe("a move", () => {
  // Every move is tried from every status.
  test.each(everyCase)("$move from $status follows the table", ({ move, status }) => {
    const before = storedIntent({ status });
    const moved = moveIntent(before, move, "somebody", NOW_MS);
    if (!isAllowed(move, status))
      return expect(moved).toEqual({ ok: false, failure: { kind: "wrong_status", status } });
    const at = new Date(NOW_MS).toISOString();
    const to = moves[move].to;
    expect(moved).toEqual({
      ok: true,
      value: {
        ...before,
        status: to,
        updatedAt: at,
        statusHistory: [...before.statusHistory, { status: to, at, by: "somebody" }],
      },
    });
  });

  test("leaves the intent that it was given as it was", () => {
    const before = Object.freeze(storedIntent({ statusHistory: Object.freeze([]) }));
    moveIntent(before, "cancelDraft", "schedule", NOW_MS);
    expect(before).toEqual(storedIntent({ statusHistory: [] }));
  });

  test("keeps the newest steps of a long history", () => {
    const step = { status: "executing", at: "2026-01-01T00:00:00.000Z", by: "rail" } as const;
    const long = storedIntent({ status: "executing", statusHistory: Array.from({ length: HISTORY_MAX }, () => step) });
    const moved = moveIntent(long, "complete", "rail", NOW_MS);
    expect(moved.ok && moved.value.statusHistory).toHaveLength(HISTORY_MAX);
    expect(moved.ok && moved.value.statusHistory.at(-1)).toMatchObject({ status: "completed" });
  });
});

describe("an intent whose payment the rail did not take", () => {
  test.each([
    [{ deliveryMode: "manual", status: "draft" }, "draft"],
    [{ deliveryMode: "payment_link_submission", status: "draft" }, "cancelled"],
    [{ deliveryMode: "payment_link_submission", status: "requires_recovery" }, "cancelled"],
    [{ deliveryMode: "manual", status: "requires_recovery" }, "cancelled"],
  ] as const)("%j becomes %s", (changes, status) => {
    const after = giveUp(storedIntent(changes), "recovery", NOW_MS + 1);
    expect(after).toMatchObject({ status, updatedAt: new Date(NOW_MS + 1).toISOString() });
  });

  test("a payer has paid once all of the money or some of it has arrived", () => {
    expect(intentStatuses.filter(isPaid)).toEqual(["completed", "partially_completed"]);
  });
});

describe("the table of moves", () => {
  test("is that of the specification", () => {
    const rows = names.map((move) => [move, moves[move].from.join(" or "), moves[move].to]);
    expect(rows).toEqual([
      ["compile", "draft", "draft"],
      ["prepareQuote", "draft", "ready_for_quote"],
      ["lockQuote", "ready_for_quote", "quoted"],
      ["prepareExecution", "quoted", "ready_for_execution"],
      ["execute", "ready_for_execution", "executing"],
      ["publishLink", "draft", "pending_link_payment"],
      ["cancelDraft", "draft", "cancelled"],
      ["complete", "executing or requires_recovery", "completed"],
      ["completePartly", "executing or requires_recovery", "partially_completed"],
      ["fail", "executing or requires_recovery", "failed"],
      ["cancelExecution", "executing or requires_recovery", "cancelled"],
      ["loseTrack", "executing", "requires_recovery"],
      ["resume", "requires_recovery", "executing"],
    ]);
  });

  test("never leaves a terminal status", () => {
    expect(everyCase.filter(({ move, status }) => isTerminal(status) && isAllowed(move, status))).toEqual([]);
  });

  test("calls completed, failed, partially_completed and cancelled terminal, and requires_recovery not", () => {
    expect(intentStatuses.filter(isTerminal)).toEqual([...terminalStatuses]);
    expect(isTerminal("requires_recovery")).toBe(false);
  });

  test("reaches every status from draft", () => {
    const reached = new Set<string>(["draft"]);
    for (const _ of intentStatuses) {
      for (const move of names) if (moves[move].from.some((status) => reached.has(status))) reached.add(moves[move].to);
    }
    expect([...reached].toSorted()).toEqual([...intentStatuses].toSorted());
  });

  test("has a move from every status that is neither terminal nor a published link", () => {
    const stuck = intentStatuses.filter((status) => !names.some((move) => isAllowed(move, status)));
    expect(stuck.toSorted()).toEqual([...terminalStatuses, "pending_link_payment"].toSorted());
  });
});

describe("several moves", () => {
  test("takes an accepted submit through the forward order of the specification, each step in the history", () => {
    const executing = moveThrough(storedIntent(), submitMoves, "demo-user", NOW_MS);
    const order = ["draft", "ready_for_quote", "quoted", "ready_for_execution", "executing"];
    expect(executing.status).toBe("executing");
    expect(executing.statusHistory.map(({ status }) => status)).toEqual(order);
  });

  test("throws at a step that is not allowed", () => {
    expect(() => moveThrough(storedIntent({ status: "completed" }), submitMoves, "demo-user", NOW_MS)).toThrow(
      "cannot prepareQuote",
    );
  });
});
