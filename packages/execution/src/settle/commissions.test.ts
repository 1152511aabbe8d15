import type { Commission } from "@intents/domain/commissions/commission.ts";
import { outstandingTotals, readMonth } from "@intents/storage/commissions/commissions.ts";
import { findTenant, replaceTenant } from "@intents/storage/parties/tenants.ts";
import { afterAll, expect, test } from "vitest";
import { SETTLE_MS, startWorld, type World } from "../../test/execution-fixture.ts";
import { callsToFail, failAt, faultNames, faults } from "../../test/fault-fixture.ts";
import { loseTrackOfIntent, resolveIntent } from "../operations/payment.ts";
import type { Run } from "../run.ts";

const world = await startWorld();
afterAll(world.stop);

async function newSettled(changes: Parameters<World["newDraft"]>[0] = {}) {
  const { id } = await world.newDraft(changes);
  await world.submit(id, "key");
  world.clock.ms += SETTLE_MS;
  const [execution] = (await world.get(id)).executions;
  return { id, paymentId: execution?.connectorPaymentIds[0] };
}

async function earned(): Promise<Commission[]> {
  const month = new Date(world.clock.ms).toISOString().slice(0, "yyyy-MM".length);
  const commissions: Commission[] = [];
  for await (const some of readMonth(world.table, "1001", month)) commissions.push(...some);
  return commissions;
}

test.each(faultNames)("a completion whose worker %s, at any call, earns its commission once", async (fault) => {
  const pollOf = (id: string) => (as: Run) => world.tick(id, as);
  for (const k of await callsToFail(world.run, fault, pollOf((await newSettled()).id))) {
    const { id, paymentId } = await newSettled();
    const { letGo } = await failAt(world.run, k, faults[fault], pollOf(id));
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    await letGo();
    const all = await earned();
    expect([k, all.filter((commission) => commission.paymentId === paymentId).length]).toEqual([k, 1]);
    // The ledger, too, has one booking for each commission.
    const cents = all.reduce((sum, { commissionAmount }) => sum + BigInt(commissionAmount.replace(".", "")), 0n);
    const total = `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
    expect(await outstandingTotals(world.table, "1001")).toEqual([{ currency: "BRL", amount: total }]);
  }
});

test("a payment that an operator resolves earns on what arrived, like any other", async () => {
  const { id, paymentId } = await newSettled({ payeeIds: [5001, 5002] });
  const operation = { tenantId: "1001", intentId: id, operator: "olga", reason: "the bank says so" };
  await loseTrackOfIntent(world.run, operation);
  const resolved = await resolveIntent(world.run, operation, { as: "settled", cleared: [1] });
  expect(resolved).toMatchObject({ ok: true, value: { status: "partially_completed" } });
  const commission = (await earned()).find((one) => one.paymentId === paymentId);
  expect(commission).toMatchObject({ payeeName: "School 5002" });
});

test("a payment earns at the spread that its quote locked, whatever its tenant agrees to later", async () => {
  const { id, paymentId } = await newSettled();
  const tenant = await findTenant(world.table, "1001");
  if (tenant === undefined) throw new Error("The world has no tenant");
  const contract = { operator: "olga", atMs: world.clock.ms, action: "tenants.set", reason: "a new contract" };
  await replaceTenant(world.table, tenant, { ...tenant, commissionSpread: "0.025" }, contract);
  await world.tick(id);
  expect((await earned()).find((one) => one.paymentId === paymentId)).toMatchObject({ commissionSpread: 0.01 });
});
