import { afterAll, expect, test } from "vitest";
import { leg, order, startSandbox } from "../../test/rail-fixture.ts";
import { sandboxBank } from "./bank.ts";
import { joinDesks } from "./desk.ts";

const table = await startSandbox();
afterAll(() => table.stop());
const rails = [table.open(table.db, sandboxBank), table.rail] as const;

test("the payments of several rails are one list, newest first, each with its rail", async () => {
  const desk = joinDesks(rails);
  const made: string[] = [];
  for (const index of [0, 1, 1, 0, 1]) {
    table.clock.ms += 1;
    const executionId = table.newId();
    const legs = [leg({ reference: executionId })];
    await rails[index]?.port.execute(order({ legs }), executionId);
    made.unshift(`${index === 0 ? "sandbox-bank" : "sandbox"} ${executionId}`);
  }
  const listed = async (query: { executionId?: string; limit: number }) =>
    (await desk.listPayments("1001", query)).map(({ rail, executionId }) => `${rail} ${executionId}`);
  expect(await listed({ limit: 100 })).toEqual(made);
  expect(await listed({ limit: 3 })).toEqual(made.slice(0, 3));
  const [, wanted = ""] = made[1]?.split(" ") ?? [];
  expect(await listed({ executionId: wanted, limit: 100 })).toEqual([made[1]]);
  expect(await listed({ executionId: table.newId(), limit: 100 })).toEqual([]);
});

test.each([0, 1])("a checkout is found and ended at rail %i, which holds it", async (index) => {
  const desk = joinDesks(rails);
  const [one, other] = index === 0 ? rails : rails.toReversed();
  const card = order({ tenantId: `desk-${index}`, settlementMethod: "card", settlementChannel: "checkout" });
  const answer = await one?.port.execute(card, table.newId());
  const token = (answer?.kind === "accepted" && answer.checkoutUrl?.split("/").at(-1)) || "";
  expect(await desk.findCheckout(token)).toMatchObject({ state: "open" });
  expect(await desk.finishCheckout(token, "pay")).toMatchObject({ ok: true, value: { state: "paid" } });
  expect(await desk.finishCheckout(token, "decline")).toMatchObject({ failure: { kind: "closed" } });
  expect(await one?.findCheckout(token)).toMatchObject({ state: "paid" });
  expect(await other?.findCheckout(token)).toBeUndefined();
});

test("a checkout that no rail holds is not found", async () => {
  const desk = joinDesks(rails);
  expect(await desk.findCheckout("nothing")).toBeUndefined();
  expect(await desk.finishCheckout("nothing", "pay")).toEqual({ ok: false, failure: { kind: "not_found" } });
  expect(await joinDesks([]).listPayments("1001", { limit: 1 })).toEqual([]);
});
