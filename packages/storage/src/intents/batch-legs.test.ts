import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { batchLeg } from "@intents/domain/test/leg-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { readPartition, startTable } from "../../test/table-fixture.ts";
import { readSpread } from "../polling/spread.ts";
import { listWatches } from "../polling/watches.ts";
import { keysOf } from "../table/keys.ts";
import { transact } from "../table/transact.ts";
import { addLegs, findLeg, listLegs, replaceLeg } from "./batch-legs.ts";
import { listLedger } from "./ledger.ts";
import { takePaymentId } from "./submissions.ts";

const { table, stop } = await startTable();
afterAll(stop);

let batches = 0;
let paymentIds = 50_000;
const newBatch = () => storedIntent({ id: `batch-${++batches}`, recipients: [{ role: "public_payee" }] });
const newLeg = (order: number) => {
  const leg = batchLeg({ order });
  return { ...leg, payment: { ...leg.payment, connectorPaymentId: ++paymentIds } };
};
const NOW = { at: "2026-11-21T09:00:00.000Z", place: { shards: 1, rail: "sandbox embedded" } };

describe("the legs of a batch", () => {
  test("are stored in any number, and listed in their order", async () => {
    const batch = newBatch();
    const legs = Array.from({ length: 120 }, (_, index) => newLeg(index));
    expect(await addLegs(table, batch, [...legs, newLeg(1_000_000_000)].toReversed())).toBe(true);
    const listed = await listLegs(table, batch);
    expect(listed.map(({ order }) => order)).toEqual([...legs.keys(), 1_000_000_000]);
    expect(listed.slice(0, 120)).toEqual(legs);
    expect(await findLeg(table, batch, 7)).toEqual(legs[7]);
    expect(await findLeg(table, batch, 500)).toBeUndefined();
    expect(await listLegs(table, newBatch())).toEqual([]);
  });

  test("that are stored already stay as they are, with the payment ids that they have", async () => {
    const batch = newBatch();
    const stored = [newLeg(0), newLeg(1)];
    expect(await addLegs(table, batch, stored)).toBe(true);
    expect(await addLegs(table, batch, [newLeg(0), newLeg(1)])).toBe(true);
    expect(await listLegs(table, batch)).toEqual(stored);
  });

  test("are not stored with a payment id that another payment has", async () => {
    const batch = newBatch();
    const legs = [newLeg(0), newLeg(1)];
    const owner = { tenantId: "1002", intentId: "other" };
    await transact(table, () => [takePaymentId(table, legs[1]?.payment.connectorPaymentId ?? 0, owner)]);
    expect(await addLegs(table, batch, legs)).toBe(false);
    expect(await listLegs(table, batch)).toEqual([]);
  });
});

describe("a leg", () => {
  test("that gets a watch is in a shard that the stored number covers from then on", async () => {
    const batch = newBatch();
    const leg = newLeg(0);
    await addLegs(table, batch, [leg]);
    const place = { ...NOW.place, shards: 9 };
    expect(await replaceLeg(table, batch, leg, { ...leg, attempt: leg.attempt + 1 }, { ...NOW, place })).toBe(true);
    expect(await readSpread(table)).toEqual({ timers: 0, watches: 9 });
  });

  test("that no rail has taken is changed by the worker that holds its attempt, and books nothing", async () => {
    const batch = newBatch();
    const before = newLeg(0);
    await addLegs(table, batch, [before]);
    const claimed = { ...before, attempt: 1, leaseUntilMs: 5 };
    expect(await replaceLeg(table, batch, before, claimed, NOW)).toBe(true);
    expect(await replaceLeg(table, batch, before, { ...claimed, leaseUntilMs: 9 }, NOW)).toBe(false);
    expect(await findLeg(table, batch, 0)).toEqual(claimed);
    expect(await readPartition(table, keysOf(batch.tenantId).ledger(batch.id, "").PK)).toEqual([]);
  });

  test("is changed by the worker that holds its attempt, once, and booked with the change", async () => {
    const batch = newBatch();
    const before = newLeg(0);
    await addLegs(table, batch, [before]);
    const after = { ...before, attempt: 1, status: "executing", railPaymentId: "rail-0" } as const;
    expect(await replaceLeg(table, batch, before, after, NOW)).toBe(true);
    expect(await replaceLeg(table, batch, before, { ...after, reason: "late" }, NOW)).toBe(false);
    // The record keeps the time of its newest event.
    expect(await findLeg(table, batch, 0)).toEqual({ ...after, toldAtMs: Date.parse(NOW.at) });
    const ledger = await readPartition(table, keysOf(batch.tenantId).ledger(batch.id, "").PK);
    expect(ledger.map(({ SK }) => SK)).toEqual(["execution:0#accepted"]);
    const entries = await listLedger(table, batch);
    expect(entries.map(({ id }) => id)).toEqual(["execution:0#0#accepted", "execution:0#fee#accepted"]);
  });

  test("is watched from its acceptance to its end", async () => {
    const batch = newBatch();
    const before = newLeg(3);
    await addLegs(table, batch, [before]);
    const accepted = { ...before, attempt: 1, status: "executing", railPaymentId: "rail-3", acceptedAtMs: 7 } as const;
    await replaceLeg(table, batch, before, { ...accepted, expectedSettlementMs: 9 }, NOW);
    expect(await listWatches(table, batch)).toEqual([
      {
        ...{ tenantId: batch.tenantId, id: batch.id, order: 3, seed: batch.id, executionId: before.executionId },
        ...{ startedMs: 7, expectedMs: 9, isCheckout: false, isHolding: false },
      },
    ]);
    await replaceLeg(table, batch, accepted, { ...accepted, attempt: 2, status: "cleared" }, NOW);
    expect(await listWatches(table, batch)).toEqual([]);
  });
});
