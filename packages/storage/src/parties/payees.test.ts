import { type Payee, toPayeeAnswer } from "@intents/domain/parties/payee.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { listRecords } from "../lists/lists.ts";
import { readCounts } from "../table/counters.ts";
import { addPayee, findPayee, findPayees } from "./payees.ts";

const { table, stop } = await startTable();
afterAll(stop);

const payee = (id: number, tenantId?: string): Payee => ({
  id,
  name: `Escola ${id} «São João»`,
  countryCode: "BR",
  currencyCode: "BRL",
  createdAt: "2026-11-21T09:00:00.000Z",
  ...(tenantId !== undefined && { tenantId }),
});
const listOf = async (tenantId: string) => {
  const page = await listRecords(table, tenantId, "PAYEE", listQuery({ limit: 10 }));
  return page.ok ? page.value : page.failure;
};

describe("a payee", () => {
  test("is found by its id alone, and its id is taken once over all tenants", async () => {
    expect(await addPayee(table, payee(5001), false)).toBe(true);
    expect(await addPayee(table, payee(5001, "1001"), false)).toBe(false);
    expect(await addPayee(table, payee(5001, "1001"), true)).toBe(false);
    expect(await findPayee(table, 5001)).toEqual(payee(5001));
    expect(await findPayee(table, 5002)).toBeUndefined();
  });

  test("that a tenant registered is listed and counted for that tenant alone, the highest id first", async () => {
    const [low, high] = [payee(9_999, "2001"), payee(Number.MAX_SAFE_INTEGER, "2001")];
    await addPayee(table, high, true);
    await addPayee(table, low, true);
    await addPayee(table, payee(7_000, "2001"), false);
    expect(await listOf("2001")).toEqual({
      items: [high, low].map((one) => ({ _id: one.id, ...toPayeeAnswer(one) })),
      hasMore: false,
      total: 2,
    });
    expect(await listOf("2002")).toEqual({ items: [], hasMore: false, total: 0 });
    expect(await addPayee(table, low, true)).toBe(false);
    expect(await readCounts(table, "2001", "PAYEE")).toEqual(new Map([["all", 2]]));
  });

  test("is found among any number of them, and unknown ones have no entry", async () => {
    const ids = Array.from({ length: 130 }, (_, index) => 20_000 + index);
    await Promise.all(ids.map((id) => addPayee(table, payee(id), false)));
    const found = await findPayees(table, [...ids, 20_000, 404]);
    expect(found).toEqual(new Map([...found.keys()].map((id) => [id, payee(id)])));
    expect([...found.keys()].toSorted()).toEqual(ids);
    expect(await findPayees(table, [])).toEqual(new Map());
  });
});
