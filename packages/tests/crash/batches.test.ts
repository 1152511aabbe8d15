import { isTerminal } from "@intents/domain/intents/statuses.ts";
import type { Run } from "@intents/execution/run.ts";
import { countries, LEASE_MS, SETTLE_MS, startWorld } from "@intents/execution/test/execution-fixture.ts";
import { callsToFail, failAt, faultNames, faults } from "@intents/execution/test/fault-fixture.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { afterAll, describe, expect, test } from "vitest";

const world = await startWorld();
afterAll(world.stop);

/** One recipient in each of the two currencies. */
const COUNT = 2;
const TICKS_MAX = 8;

/** The number of batches so far: they go to the two rails in turn. */
let made = 0;
const nextCountry = () => countries[made++ % countries.length];

/** The phases of a batch: how a batch gets there, and the work at which a worker then fails. */
const phases = {
  "starts it": {
    prepare: async () => (await world.newBatch(COUNT, [], [], nextCountry())).id,
    work: (id: string) => (as: Run) => world.submit(id, "key", as),
  },
  "pays it": {
    prepare: async () => {
      const { id } = await world.newBatch(COUNT, [], [], nextCountry());
      await world.submit(id, "key");
      return id;
    },
    work: (id: string) => (as: Run) => world.tick(id, as),
  },
  "asks for it": {
    prepare: async () => {
      const { id } = await world.newBatch(COUNT, [], [], nextCountry());
      await world.submit(id, "key");
      await world.tick(id);
      world.clock.ms += 2 * SETTLE_MS;
      return id;
    },
    work: (id: string) => (as: Run) => world.tick(id, as),
  },
} as const;
const phaseNames = Object.keys(phases) as (keyof typeof phases)[];

/** Goes on with the batch after every lease of the failed worker has ended: first by a replay, then by the schedule. */
async function goOn(id: string): Promise<boolean> {
  world.clock.ms += LEASE_MS;
  const replay = await world.submit(id, "key");
  for (let ticks = 0; ticks < TICKS_MAX && !isTerminal((await world.get(id)).status); ticks++) {
    await world.tick(id);
    world.clock.ms += SETTLE_MS;
  }
  return replay.ok;
}

describe.each(phaseNames)("a batch whose worker, as it %s,", (phase) => {
  const { prepare, work } = phases[phase];

  test.each(faultNames)("%s, at any call, ends with one payment per leg", async (fault) => {
    const sample = await prepare();
    for (const k of await callsToFail(world.run, fault, work(sample))) {
      const id = await prepare();
      const { letGo } = await failAt(world.run, k, faults[fault], work(id));
      expect([k, await goOn(id)]).toEqual([k, true]);

      const intent = await world.get(id);
      await letGo();
      expect(await world.get(id)).toEqual(intent);
      expect([k, intent.status, intent.bulkProgress]).toEqual([
        k,
        "completed",
        { total: COUNT, completed: COUNT, failed: 0 },
      ]);
      const payments = await world.paymentsOf(id);
      const [execution] = intent.executions;
      expect(payments.map(({ executionId }) => executionId).toSorted()).toEqual(
        Array.from({ length: COUNT }, (_, order) => `${execution?.executionId}:${order}`),
      );
      expect(execution?.connectorPaymentIds.toSorted()).toEqual(
        payments.map(({ connectorPaymentId }) => connectorPaymentId).toSorted(),
      );
      // Each leg and its fee is accepted once and settled once.
      const parts = payments.flatMap(({ executionId, legs }) => [
        `${executionId}#fee`,
        `${executionId}#${legs[0]?.order}`,
      ]);
      const booked = await listLedger(world.table, { tenantId: "1001", id });
      expect(booked.map((entry) => entry.id).toSorted()).toEqual(
        parts.flatMap((part) => [`${part}#accepted`, `${part}#settled`]).toSorted(),
      );
      expect(intent.executions).toHaveLength(1);
      expect(await world.timerOf(id)).toBeUndefined();
    }
  });
});
