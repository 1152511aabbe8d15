import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Run } from "@intents/execution/run.ts";
import { countries, SETTLE_MS, startWorld } from "@intents/execution/test/execution-fixture.ts";
import { callsToFail, failAt, faultNames, faults } from "@intents/execution/test/fault-fixture.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { listWatches } from "@intents/storage/polling/watches.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";

const world = await startWorld();
afterAll(world.stop);

const submitBy = (id: string) => (as: Run) => world.submit(id, "key", as);
/** The rail for the k-th call of a fault: the two take turns, so that payments of both run side by side. */
const railOf = (k: number, fault: keyof typeof faults) =>
  countries[(k + faultNames.indexOf(fault)) % countries.length] ?? "BR";
const rescuers = ["a replay", "another key", "the timer"] as const;

/** The bookings and acceptances of an intent, and how often there is each. */
async function tallyOf(intent: PaymentIntent) {
  const [entries, audit] = await Promise.all([
    listLedger(world.run.table, intent),
    readPartition(world.run.table, keysOf(intent.tenantId).audit(intent.id, 0).PK),
  ]);
  return {
    booked: entries.map(({ id, event }) => `${id.split("#")[1]} ${event}`).toSorted(),
    termsAccepted: audit.filter(({ doc }) => String(doc).includes("terms_accepted")).length,
  };
}

describe("a submit whose worker", () => {
  test.each(faultNames.flatMap((fault) => rescuers.map((rescuer) => ({ fault, rescuer }))))(
    "$fault, at any call, is finished by $rescuer with one payment",
    async ({ fault, rescuer }) => {
      for (const k of await callsToFail(world.run, fault, submitBy((await world.newDraft()).id))) {
        const { id } = await world.newDraft({ from: railOf(k, fault) });
        const { letGo } = await failAt(world.run, k, faults[fault], submitBy(id));
        const { submission } = await world.get(id);
        if (submission !== undefined) world.clock.ms = Math.max(world.clock.ms, submission.leaseUntilMs);
        // Any rescuer finishes a claim. Without a claim nothing has happened, and only a submit can start over.
        if (submission !== undefined && rescuer === "another key") {
          expect(await world.submit(id, "another")).toMatchObject({ failure: { kind: "in_flight" } });
        }
        if (submission !== undefined && rescuer !== "a replay") expect(await world.tick(id)).toBe("recovered");
        const replay = await world.submit(id, "key");

        const intent = await world.get(id);
        expect([k, replay.ok, intent.status]).toEqual([k, true, "executing"]);
        await letGo();
        expect(await world.get(id)).toEqual(intent);
        expect(intent.executions).toHaveLength(1);
        expect(intent).not.toHaveProperty("submission");
        const [execution] = intent.executions;
        expect(await world.paymentsOf(id)).toMatchObject([{ executionId: execution?.executionId }]);
        expect(await world.documentOf(intent)).toMatchObject({ consumedBy: id, executionId: execution?.executionId });
        expect(await listWatches(world.table, { tenantId: "1001", id })).toMatchObject([{ id, seed: id }]);
        expect(await tallyOf(intent)).toEqual({ booked: ["0 accepted", "fee accepted"], termsAccepted: 1 });
      }
    },
  );
});

describe("a poll whose worker", () => {
  test.each(faultNames)("%s, at any call, is made again, and the payment completes once", async (fault) => {
    const settled = async (k = 0) => {
      const { id } = await world.newDraft({ from: railOf(k, fault) });
      await world.submit(id, "key");
      world.clock.ms += 2 * SETTLE_MS;
      return id;
    };
    const pollOf = (id: string) => (as: Run) => world.tick(id, as);
    for (const k of await callsToFail(world.run, fault, pollOf(await settled()))) {
      const id = await settled(k);
      const { letGo } = await failAt(world.run, k, faults[fault], pollOf(id));
      while ((await world.timerOf(id)) !== undefined) await world.tick(id);
      const intent = await world.get(id);
      expect([k, intent.status]).toEqual([k, "completed"]);
      await letGo();
      expect(await world.get(id)).toEqual(intent);
      expect(await world.paymentsOf(id)).toHaveLength(1);
      const booked = ["0 accepted", "0 settled", "fee accepted", "fee settled"];
      expect(await tallyOf(intent)).toEqual({ booked, termsAccepted: 1 });
    }
  });
});

describe("the publishing of a link whose worker", () => {
  test.each(faultNames)("%s, at any call, is finished by a replay with the same answer ever after", async (fault) => {
    for (const k of await callsToFail(world.run, fault, submitBy((await world.newLink()).id))) {
      const { id } = await world.newLink();
      const { letGo } = await failAt(world.run, k, faults[fault], submitBy(id));
      const replay = await world.submit(id, "key");
      const published = await world.get(id);
      expect([k, replay.ok, published.status]).toEqual([k, true, "pending_link_payment"]);
      await letGo();
      expect(await world.get(id)).toEqual(published);
      expect(published.executions).toHaveLength(1);
      const { body } = replay.ok ? replay.value : { body: "" };
      expect(await world.submit(id, "key")).toEqual({ ok: true, value: { body, replayed: true } });
      expect(await world.timerOf(id)).toBeUndefined();
    }
  });
});
