import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { verifyLedger } from "@intents/domain/ledger/verify.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { expect } from "vitest";
import type { Run } from "../src/run.ts";
import { SETTLE_MS, type World } from "./execution-fixture.ts";

/** For tests: actions on any batch of a world, and checks of it. A batch has to end within `ticksMax`. */
export function batchesOf(world: World, ticksMax: number) {
  const legsOf = (id: string) => listLegs(world.table, { tenantId: world.caller.tenantId, id });

  async function submitted(...wanted: Parameters<World["newBatch"]>): Promise<string> {
    const { id } = await world.newBatch(...wanted);
    expect(await world.submit(id, "key")).toMatchObject({ ok: true, value: { replayed: false } });
    return id;
  }

  /** Does the schedule's work until the batch has ended. */
  async function runToEnd(id: string, as: Run = world.run) {
    for (let ticks = 0; ticks < ticksMax; ticks++) {
      const intent = await world.get(id);
      if (isTerminal(intent.status)) return intent;
      await world.tick(id, as);
      world.clock.ms += SETTLE_MS;
    }
    throw new Error(`${id} did not end`);
  }

  /** Expects all bookings to add up, and no recipient to be paid twice. */
  async function expectSound(id: string): Promise<void> {
    const [intent, legs, entries] = await Promise.all([
      world.get(id),
      legsOf(id),
      listLedger(world.table, { tenantId: world.caller.tenantId, id }),
    ]);
    expect(verifyLedger(intent, legs, entries)).toEqual([]);
    const orders = (await world.paymentsOf(id)).flatMap((payment) => payment.legs.map(({ order }) => order));
    expect(new Set(orders).size).toBe(orders.length);
  }

  const statusesOf = async (id: string) => (await legsOf(id)).map(({ status }) => status);

  return { legsOf, statusesOf, submitted, runToEnd, expectSound };
}
