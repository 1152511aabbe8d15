import { afterAll, describe, expect, test } from "vitest";
import { commission, earnCommissions } from "../../test/commission-fixture.ts";
import { lagging, readAll, startTable } from "../../test/table-fixture.ts";
import { transact } from "../table/transact.ts";
import {
  commissionLabel,
  findCommissions,
  findRequestable,
  newCommission,
  outstandingActions,
  outstandingTotals,
  readMonth,
  readOutstanding,
  replaceCommission,
} from "./commissions.ts";

const { table, stop } = await startTable();
afterAll(stop);

let tenants = 7000;
const newTenant = () => String(++tenants);
const AUD = (commissionAmount: string) => commission({ commissionAmount });
const JPY = (commissionAmount: string) => commission({ commissionAmount, commissionCurrency: "JPY" });

describe("what a tenant is owed", () => {
  test("is summed exactly in each currency, in alphabetical order", async () => {
    const tenantId = newTenant();
    expect(await outstandingTotals(table, tenantId)).toEqual([]);
    await earnCommissions(table, tenantId, [JPY("7"), AUD("0.10"), AUD("0.20"), AUD("1000.00")]);
    expect(await outstandingTotals(table, tenantId)).toEqual([
      { currency: "AUD", amount: "1000.30" },
      { currency: "JPY", amount: "7" },
    ]);
    expect(await outstandingTotals(table, newTenant())).toEqual([]);
  });

  test("is no more what a request has taken, and again what it gives back", async () => {
    const tenantId = newTenant();
    const [first, second] = [AUD("1.00"), AUD("0.50")];
    await earnCommissions(table, tenantId, [first, second]);
    const move = (direction: "from" | "to") =>
      transact(table, () => outstandingActions(table, tenantId, direction, [first, second]));
    await move("from");
    expect(await outstandingTotals(table, tenantId)).toEqual([]);
    await move("to");
    expect(await outstandingTotals(table, tenantId)).toEqual([{ currency: "AUD", amount: "1.50" }]);
  });
});

test("a commission is earned once", async () => {
  const [tenantId, earned] = [newTenant(), commission()];
  await earnCommissions(table, tenantId, [earned]);
  const again = await transact(table, () => newCommission(table, tenantId, earned));
  expect(again).toEqual({ done: false, failed: [commissionLabel(earned)] });
  expect(await outstandingTotals(table, tenantId)).toEqual([{ currency: "AUD", amount: "1.00" }]);
});

test("a commission is outstanding until a request holds it, and when that lets it go", async () => {
  const [tenantId, held, other] = [newTenant(), commission(), commission()];
  await earnCommissions(table, tenantId, [held, other]);
  const ids = async () => (await readAll(readOutstanding(table, tenantId))).map(({ paymentId }) => paymentId);
  await expect.poll(ids).toEqual([held.paymentId, other.paymentId]);

  const move = (from: string | undefined, to: string | undefined) =>
    replaceCommission(table, tenantId, { before: held, heldBy: from }, { after: held, heldBy: to });
  const hold = () => transact(table, () => [move(undefined, "r1")]);
  expect(await hold()).toEqual({ done: true });
  expect(await hold()).toEqual({ done: false, failed: [commissionLabel(held)] });
  const found = await findCommissions(table, tenantId, [held.paymentId, other.paymentId, 1]);
  expect(found).toHaveLength(2);
  expect(found).toEqual(expect.arrayContaining([{ commission: held, heldBy: "r1" }, { commission: other }]));
  await expect.poll(ids).toEqual([other.paymentId]);

  const free = (requestId: string) => transact(table, () => [move(requestId, undefined)]);
  expect(await free("r2")).toEqual({ done: false, failed: [commissionLabel(held)] });
  expect(await free("r1")).toEqual({ done: true });
  await expect.poll(ids).toEqual([held.paymentId, other.paymentId]);
});

test("a request meets all corrections of its payments, and other payments only where these took more than they gave", async () => {
  const tenantId = newTenant();
  const corrected = async (commissionAmount: string) => {
    const earned = commission();
    const both = [earned, { ...earned, correction: 1, commissionAmount }];
    await earnCommissions(table, tenantId, both);
    return both;
  };
  const [more, less, other] = [await corrected("0.25"), await corrected("-1.00"), await corrected("0.10")];
  const named = more.slice(0, 1).map(({ paymentId }) => paymentId);
  // Weak reads may miss a correction, so that the request would ask for too much.
  const found = async (find: typeof findCommissions) =>
    (await find(lagging(table), tenantId, named)).map((each) => each.commission);
  const met = await found(findRequestable);
  expect(met).toHaveLength(4);
  expect(met).toEqual(expect.arrayContaining([...more, ...less]));
  expect(met).not.toContainEqual(other[0]);
  expect(await found(findCommissions)).toEqual(more);
});

test("a month has the commissions of its own days", async () => {
  const tenantId = newTenant();
  const days = [
    "2026-09-30T23:59:59.999Z",
    "2026-10-01T00:00:00.000Z",
    "2026-10-31T23:59:59.999Z",
    "2026-11-01T00:00:00.000Z",
  ];
  const earned = days.map((paymentDate) => commission({ paymentDate }));
  await earnCommissions(table, tenantId, earned);
  const dates = async () =>
    (await readAll(readMonth(table, tenantId, "2026-10"))).map(({ paymentDate }) => paymentDate);
  await expect.poll(dates).toEqual(days.slice(1, 3));
});
