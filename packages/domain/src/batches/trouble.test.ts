import { describe, expect, test } from "vitest";
import { NOW_MS } from "../../test/intent-fixture.ts";
import { batchLeg } from "../../test/leg-fixture.ts";
import type { Stop } from "../intents/payment-intent.ts";
import { isOverdue } from "../polling/watch.ts";
import type { BatchLeg } from "./batch.ts";
import { afterExecute, endLeg, nextStep } from "./leg.ts";
import { deniedLeg, lateLegs, namedLegs, troubledLeg } from "./trouble.ts";

const patience = { recoveryAfterMs: 1_000 };
const held = { stopped: { how: "held", at: "", by: "olga", reason: "" } satisfies Stop };
const leg = batchLeg({ order: 3 });
const executing = batchLeg({ order: 3, status: "executing", expectedSettlementMs: NOW_MS });
const waiting = { sinceMs: NOW_MS, untilMs: NOW_MS + 9_000, tries: 1 };
/** In trouble since `NOW_MS`. */
const troubled = (of: BatchLeg) => troubledLeg(of, "boom", NOW_MS);

test("an execution is overdue by one rule: past its expected end, or past what an operator gave it, by the same patience", () => {
  const at = (expectedMs: number | undefined, expectedSettlementMs?: number) =>
    isOverdue(expectedSettlementMs === undefined ? {} : { expectedSettlementMs }, expectedMs, NOW_MS, patience);
  expect([at(NOW_MS - 1_000), at(NOW_MS - 1_001), at(undefined)]).toEqual([false, true, false]);
  expect([at(0, NOW_MS - 1_000), at(0, NOW_MS - 1_001), at(NOW_MS, 0)]).toEqual([false, true, false]);
});

describe("a leg is late", () => {
  test.each<[string, BatchLeg, object, boolean]>([
    ["that the rail should have settled", executing, {}, true],
    ["that has been claimed, and not been answered", batchLeg({ order: 3, claimedAtMs: NOW_MS }), {}, true],
    ["that was tried, and did not arrive", batchLeg({ order: 3, triedAtMs: NOW_MS }), {}, true],
    ["that was tried, and waits for the rail's window", batchLeg({ order: 3, triedAtMs: NOW_MS, waiting }), {}, false],
    ["that nobody has tried to pay", leg, {}, false],
    ["that could not even be claimed", troubled(leg), {}, true],
    [
      "whose end is told, and cannot be written",
      troubled({ ...executing, expectedSettlementMs: NOW_MS * 2 }),
      {},
      true,
    ],
    ["in trouble, of a batch that is held", troubled(leg), held, false],
    ["of a batch that an operator let go on since", executing, { expectedSettlementMs: NOW_MS + 1 }, false],
    ["that has ended", endLeg(troubled(executing), "cleared", { atMs: NOW_MS, by: "rail" }), {}, false],
  ])("or not, %s", (_, of, batch, isLate) => {
    expect(lateLegs(batch, [of], NOW_MS + 1_000, patience)).toEqual([]);
    expect(lateLegs(batch, [of], NOW_MS + 1_001, patience)).toEqual(isLate ? [of] : []);
  });

  test("at once, when its rail denies it, and again only if the rail does so after the batch was let go on", () => {
    const denied = deniedLeg(executing, {}, NOW_MS) ?? leg;
    expect(lateLegs({}, [denied], NOW_MS, patience)).toEqual([denied]);
    expect(deniedLeg(denied, {}, NOW_MS + 5)).toBeUndefined();
    const going = { expectedSettlementMs: NOW_MS + 5 };
    expect(lateLegs(going, [denied], NOW_MS + 5, patience)).toEqual([]);
    expect(deniedLeg(denied, going, NOW_MS + 6)?.trouble).toMatchObject({ sinceMs: NOW_MS + 6, times: 2 });
    expect(namedLegs([denied, leg, leg], 2)).toBe("recipient 3 (unknown to the rail), recipient 3, 1 more");
  });
});

describe("a leg in trouble", () => {
  test("rests, whatever its next step is, and no write of the work that failed can follow", () => {
    const resting = troubled(executing);
    expect(resting).toMatchObject({ attempt: 1, trouble: { what: "boom", sinceMs: NOW_MS, times: 1 } });
    expect([nextStep(resting, {}, NOW_MS + 29_999), nextStep(resting, {}, NOW_MS + 30_000)]).toEqual([
      undefined,
      "ask",
    ]);
    expect(nextStep(troubled(leg), held, NOW_MS)).toBeUndefined();
  });

  test("keeps the time of its first failure, and a bounded text of the last", () => {
    const again = troubledLeg(troubled(leg), "x".repeat(430_000), NOW_MS + 7);
    expect(again.trouble).toMatchObject({ sinceMs: NOW_MS, times: 2, retryAtMs: NOW_MS + 7 + 60_000 });
    expect(again.trouble?.what).toHaveLength(200);
  });

  test.each([
    ["the rail takes it", { kind: "accepted", railPaymentId: "r1", expectedSettlementMs: NOW_MS }],
    ["the rail refuses it", { kind: "refused", reason: "closed" }],
    ["the rail was not reached", { kind: "unreachable", reason: "down" }],
  ] as const)("is in none any more once %s", (_, answer) => {
    expect(afterExecute(troubled(leg), troubled(leg), answer, NOW_MS)).not.toHaveProperty("trouble");
  });
});
