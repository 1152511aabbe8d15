import { afterAll, describe, expect, test } from "vitest";
import { putWaiting } from "../../test/intent-fixture.ts";
import { startTable } from "../../test/table-fixture.ts";
import { endAloneLease, findWatch, forgetAlone, hastenAlone, leaseAlone, listAlone, putAlone } from "./alone.ts";
import { findRailState } from "./rail-state.ts";
import { watchAttributes } from "./watches.ts";

const { table, stop } = await startTable();
afterAll(stop);

const of = (executionId: string, dueAtMs: number, order?: number) => ({
  ...{ tenantId: "1001", id: `intent-${executionId}`, executionId },
  ...(order !== undefined && { order }),
  ...{ failures: 2, sinceMs: 1, dueAtMs },
});

test("payments that failed alone are known by when they are due, those of one rail, until they are forgotten", async () => {
  const payments = [of("late", 30), of("early", 10), of("leg", 20, 0)];
  for (const payment of payments) await putAlone(table, "rail a", payment);
  await putAlone(table, "rail b", of("other", 5));
  for (const isStrong of [true, false])
    expect(await listAlone(table, "rail a", isStrong)).toEqual([payments[1], payments[2], payments[0]]);
  await forgetAlone(table, "rail a", { executionId: "early" });
  expect((await listAlone(table, "rail a")).map(({ executionId }) => executionId)).toEqual(["leg", "late"]);
});

describe("the time at which the next of them is due", () => {
  const timesOf = async (rail: string) => {
    const { aloneAtMs, aloneLeaseMs } = await findRailState(table, rail);
    return [aloneAtMs, aloneLeaseMs];
  };

  test("only ever comes nearer, and is taken by one worker at a time, who must have read it", async () => {
    const rail = "rail c";
    expect(await hastenAlone(table, rail, 20)).toBe(true);
    expect(await hastenAlone(table, rail, 20)).toBe(false);
    expect(await hastenAlone(table, rail, 30)).toBe(false);
    expect(await hastenAlone(table, rail, 10)).toBe(true);
    expect(await leaseAlone(table, rail, { aloneAtMs: 20, nowMs: 20, untilMs: 50 })).toBe(false);
    expect(await leaseAlone(table, rail, { aloneAtMs: 10, nowMs: 20, untilMs: 50 })).toBe(true);
    expect(await timesOf(rail)).toEqual([50, 50]);
    expect(await leaseAlone(table, rail, { aloneAtMs: 50, nowMs: 49, untilMs: 90 })).toBe(false);
    // The worker has died.
    expect(await leaseAlone(table, rail, { aloneAtMs: 50, nowMs: 50, untilMs: 90 })).toBe(true);
    await endAloneLease(table, rail, 50, 7);
    expect(await timesOf(rail)).toEqual([90, 90]);
    await endAloneLease(table, rail, 90, 70);
    expect(await timesOf(rail)).toEqual([70, undefined]);
  });

  test.each([
    ["goes with the last one", undefined, undefined],
    ["is that of one that failed meanwhile, if it is due earlier", 20, 20],
  ])("%s", async (_, hastened, left) => {
    const rail = `rail ${hastened}`;
    await hastenAlone(table, rail, 10);
    await leaseAlone(table, rail, { aloneAtMs: 10, nowMs: 10, untilMs: 40 });
    if (hastened !== undefined) await hastenAlone(table, rail, hastened);
    await endAloneLease(table, rail, 40, undefined);
    expect(await timesOf(rail)).toEqual([left, undefined]);
  });
});

test("the watch of a payment is found by its execution alone", async () => {
  const owner = { tenantId: "1001", id: "watched" };
  const watch = { executionId: "e", seed: "watched", startedMs: 7, isCheckout: false, isHolding: false };
  await putWaiting(table, owner, watchAttributes({ shards: 1, rail: "r" }, watch));
  expect(await findWatch(table, { ...owner, executionId: "e" })).toEqual({ ...owner, ...watch });
  expect(await findWatch(table, { ...owner, executionId: "before" })).toBeUndefined();
  expect(await findWatch(table, { ...owner, executionId: "e", order: 0 })).toBeUndefined();
  expect(await findWatch(table, { ...owner, id: "gone", executionId: "e" })).toBeUndefined();
});
