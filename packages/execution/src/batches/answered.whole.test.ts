import { toBatchAnswer } from "@intents/domain/answers/batch-answer.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { readFeed, SETTLED_AFTER_MS } from "@intents/storage/events/feed.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { batchesOf } from "../../test/batch-fixture.ts";
import { by, DEDUP_MS, LEASE_MS, startWorld } from "../../test/execution-fixture.ts";
import { failAt, faults } from "../../test/fault-fixture.ts";
import { holdBatch, resumeBatch } from "../operations/batch.ts";
import { cancelIntent, loseTrackOfIntent, resolveIntent } from "../operations/payment.ts";

const world = await startWorld();
afterAll(world.stop);
const { submitted } = batchesOf(world, 20);
const { tenantId } = world.caller;

/** The statuses of the batch and of its legs, as callers see them. */
async function shown(id: string) {
  const batch = toBatchAnswer(await world.get(id), await listLegs(world.table, { tenantId, id }));
  return [batch.status, ...(batch.executions.at(-1)?.legs ?? []).map(({ status }) => status)];
}

/**
 * The same by the events of the batch alone, the last of each thing; and how often one told what was known already. All
 * of them are behind `beganMs`.
 */
async function settledAfter(id: string, beganMs: number) {
  const standing = new Map<number, string>();
  let repeated = 0;
  let after = new Date(beganMs - 1).toISOString();
  for (let hasMore = true; hasMore; ) {
    const page = await readFeed(
      world.table,
      tenantId,
      { limit: 1000, after },
      world.clock.ms + SETTLED_AFTER_MS + 60_000,
    );
    if (!page.ok) throw new Error(page.failure.problems.join());
    for (const { resource, status } of page.value.items.filter(({ resource: { id: of } }) => of === id)) {
      const order = resource.order ?? -1;
      if (standing.get(order) === status) repeated += 1;
      standing.set(order, status);
    }
    ({ hasMore, nextCursor: after } = page.value);
  }
  const standings = [...standing].toSorted(([one], [other]) => one - other).map(([, status]) => status);
  return { standings, repeated };
}

type Step = (id: string) => Promise<unknown>;
const pass = (ms: number) => async () => {
  world.clock.ms += ms;
};
const steps: Readonly<Record<string, Step>> = {
  tick: (id) => world.tick(id),
  "a tick that breaks off": async (id) => {
    await failAt(world.run, 4, faults["dies before it"], (as) => world.tick(id, as)).catch(() => undefined);
  },
  hold: (id) => holdBatch(world.run, by(id)),
  "a hold that breaks off": async (id) => {
    await failAt(world.run, 5, faults["dies before it"], (as) => holdBatch(as, by(id))).catch(() => undefined);
  },
  resume: (id) => resumeBatch(world.run, by(id)),
  "a resumption that breaks off": async (id) => {
    await failAt(world.run, 4, faults["dies before it"], (as) => resumeBatch(as, by(id))).catch(() => undefined);
  },
  cancel: (id) => cancelIntent(world.run, by(id)),
  "lose track": (id) => loseTrackOfIntent(world.run, by(id)),
  "go on": (id) => resolveIntent(world.run, by(id), { as: "executing" }),
  "a second": pass(1_000),
  "a lease": pass(LEASE_MS + 1),
  "the window for duplicates": pass(DEDUP_MS + 1),
  "a clock that is behind": pass(-3_000),
};
const references = fc.constantFrom(
  undefined,
  "SANDBOX-DUPLICATE",
  "SANDBOX-UNAVAILABLE",
  "SANDBOX-TIMEOUT",
  "SANDBOX-FAIL",
);

test("whatever happens to a batch, its events tell at every moment what it is shown as", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(references, { minLength: 2, maxLength: 3 }),
      fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 6, maxLength: 14 }),
      async (wanted, names) => {
        const beganMs = world.clock.ms;
        const id = await submitted(wanted.length, wanted);
        for (const name of names) {
          await steps[name]?.(id);
          const { standings, repeated } = await settledAfter(id, beganMs);
          expect([name, standings]).toEqual([name, await shown(id)]);
          expect([name, repeated]).toEqual([name, 0]);
          if (isTerminal((await world.get(id)).status)) break;
        }
      },
    ),
    { numRuns: 25 },
  );
});
