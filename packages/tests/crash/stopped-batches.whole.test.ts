import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { holdBatch, resumeBatch } from "@intents/execution/operations/batch.ts";
import { cancelIntent, loseTrackOfIntent, resolveIntent } from "@intents/execution/operations/payment.ts";
import type { Run } from "@intents/execution/run.ts";
import { batchesOf } from "@intents/execution/test/batch-fixture.ts";
import { by, countries, startWorld } from "@intents/execution/test/execution-fixture.ts";
import { callsToFail, failAt, faultNames, faults } from "@intents/execution/test/fault-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";

const world = await startWorld();
afterAll(world.stop);

const { submitted: submittedAs, runToEnd, expectSound } = batchesOf(world, 12);

/** The number of batches so far: they go to the two rails in turn. */
let submittedSoFar = 0;
const submitted = (count: number) => submittedAs(count, [], [], countries[submittedSoFar++ % countries.length]);

/** An operator's actions on a batch, and the state that the batch must end in after each. */
const operations = {
  holds: {
    prepare: () => submitted(2),
    work: (id: string) => (as: Run) => holdBatch(as, by(id)),
    after: async (id: string) => {
      expect(await holdBatch(world.run, by(id))).toMatchObject({ ok: true });
      expect(await resumeBatch(world.run, by(id))).toMatchObject({ ok: true });
    },
    ends: ["completed"],
  },
  resumes: {
    prepare: async () => {
      const id = await submitted(2);
      await holdBatch(world.run, by(id));
      return id;
    },
    work: (id: string) => (as: Run) => resumeBatch(as, by(id)),
    after: async (id: string) => {
      if ((await world.get(id)).stopped !== undefined) await resumeBatch(world.run, by(id));
    },
    ends: ["completed"],
  },
  cancels: {
    prepare: () => submitted(2),
    work: (id: string) => (as: Run) => cancelIntent(as, by(id)),
    after: async (id: string) => {
      if (!isTerminal((await world.get(id)).status)) await cancelIntent(world.run, by(id));
    },
    ends: ["cancelled"],
  },
  resolves: {
    prepare: async () => {
      const id = await submitted(2);
      await world.tick(id);
      await loseTrackOfIntent(world.run, by(id));
      return id;
    },
    work: (id: string) => (as: Run) => resolveIntent(as, by(id), { as: "settled", cleared: [0] }),
    after: async (id: string) => {
      if (isTerminal((await world.get(id)).status)) return;
      expect(await resolveIntent(world.run, by(id), { as: "settled", cleared: [0] })).toMatchObject({ ok: true });
    },
    ends: ["partially_completed"],
  },
} as const;

describe.each(Object.keys(operations) as (keyof typeof operations)[])(
  "an operator's command that %s a batch",
  (name) => {
    const { prepare, work, after, ends } = operations[name];

    test.each(faultNames)("and %s, at any call, is repeated without a trace in the books", async (fault) => {
      const sample = await prepare();
      for (const k of await callsToFail(world.run, fault, work(sample))) {
        const id = await prepare();
        const { letGo } = await failAt(world.run, k, faults[fault], work(id));
        await after(id);
        const { status } = await runToEnd(id);
        expect([k, ends]).toEqual([k, expect.arrayContaining([status])]);
        const intent = await world.get(id);
        await letGo();
        expect(await world.get(id)).toEqual(intent);
        await expectSound(id);
      }
    });
  },
);
