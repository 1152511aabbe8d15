import type { LegOutcome } from "@intents/domain/rails/rail.ts";
import { listReconciliations, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { afterAll, describe, expect, test } from "vitest";
import { by, LEASE_MS, SETTLE_MS, startWorld } from "../../test/execution-fixture.ts";
import { overtaken } from "../../test/fault-fixture.ts";
import type { AskedAbout } from "../rails/late-outcomes.ts";
import { applyAnswer } from "../settle/answer.ts";
import { submitIntent } from "../submit/submit.ts";
import { closeWith, planClose } from "./correction.ts";
import { loseTrackOfIntent, resolveIntent } from "./payment.ts";

const world = await startWorld();
afterAll(world.stop);

const recordsOf = async (id: string) =>
  (await listReconciliations(world.run.table, "1001")).filter(({ intentId }) => intentId === id);
describe("an answer of the rail", () => {
  const settled = (outcome: LegOutcome["outcome"]) => ({ kind: "settled", legs: [{ order: 0, outcome }] }) as const;
  const executing = async (): Promise<AskedAbout> => {
    const { id } = await world.newDraft();
    await world.submit(id);
    const { tenantId, executions } = await world.get(id);
    return { tenantId, id, executionId: executions[0]?.executionId ?? "" };
  };

  test("that contradicts how the intent ended changes nothing, and opens one record", async () => {
    const about = await executing();
    const slow = overtaken(world.run, () => applyAnswer(world.run, about, settled("cleared")));
    await applyAnswer(slow, about, settled("failed"));
    await applyAnswer(world.run, about, settled("failed"));
    expect((await world.get(about.id)).status).toBe("completed");
    expect(await recordsOf(about.id)).toMatchObject([
      {
        kind: "contradicts_outcome",
        said: "failed: recipient 0 failed",
        stands: "completed",
        executionId: about.executionId,
      },
    ]);
  });

  test("that only repeats how the intent ended opens none", async () => {
    const about = await executing();
    await Promise.all([1, 2].map(() => applyAnswer(world.run, about, settled("cleared"))));
    await applyAnswer(world.run, about, settled("cleared"));
    expect(await recordsOf(about.id)).toEqual([]);
  });

  test("that accepts what was released meanwhile leaves the draft alone, and opens a record", async () => {
    const { id } = await world.newDraft();
    const refusing = world.withRail({ execute: async () => ({ kind: "refused", reason: "closed account" }) });
    const slow = world.withRail({
      execute: async () => {
        await world.tick(id, refusing);
        return { kind: "accepted", railPaymentId: "late", expectedSettlementMs: world.clock.ms };
      },
    });
    expect(await submitIntent(slow, { caller: world.caller, intentId: id })).toMatchObject({
      ok: false,
      failure: { kind: "outcome_unknown" },
    });
    expect((await world.get(id)).status).toBe("draft");
    expect(await recordsOf(id)).toMatchObject([{ kind: "accepted_after_release", said: "accepted", stands: "draft" }]);
  });
});

describe("a word about a recipient of a batch", () => {
  /** Ends every recipient as failed, whatever the rail may say later. */
  const giveUp = async (id: string) => {
    await loseTrackOfIntent(world.run, by(id));
    expect(await resolveIntent(world.run, by(id), { as: "settled", cleared: [] })).toMatchObject({ ok: true });
  };
  async function begun(count: number): Promise<string> {
    const { id } = await world.newBatch(count);
    await world.submit(id, "key");
    return id;
  }

  test("that accepts it after an operator has given it up is not thrown away: it opens a record", async () => {
    const id = await begun(1);
    const { execute } = world.rail.port;
    const slow = world.withRail({
      execute: async (order, executionId) => {
        world.clock.ms += 2 * LEASE_MS;
        await giveUp(id);
        return execute(order, executionId);
      },
    });
    await world.tick(id, slow);
    const { status, executions } = await world.get(id);
    expect(status).toBe("failed");
    expect(await recordsOf(id)).toMatchObject([
      {
        kind: "accepted_after_release",
        said: "accepted: recipient 0",
        stands: "failed",
        executionId: `${executions[0]?.executionId}:0`,
      },
    ]);
  });

  test("that clears it while an operator fails it opens a record; one that agrees opens none", async () => {
    const id = await begun(2);
    await world.tick(id);
    world.clock.ms += SETTLE_MS;
    const { status } = world.rail.port;
    const gaveUp = Promise.withResolvers<void>();
    let asked = 0;
    const slow = world.withRail({
      status: async (tenantId, executionId) => {
        if (++asked === 2) await giveUp(id).then(gaveUp.resolve, gaveUp.reject);
        await gaveUp.promise;
        return executionId.endsWith(":0") ? status(tenantId, executionId) : { kind: "cancelled", reason: "no" };
      },
    });
    await world.tick(id, slow);
    expect((await world.get(id)).status).toBe("failed");
    const records = await recordsOf(id);
    expect(records).toMatchObject([
      { kind: "contradicts_outcome", said: "completed: recipient 0 cleared", stands: "failed" },
    ]);
    const [record] = records;
    const planned = record && (await planClose(world.table, "1001", reconciliationId(record), "arrived"));
    if (!planned?.ok) throw new Error(planned?.failure.kind);
    const change = { operator: "olga", action: "reconciliation.close", reason: "ticket 7", atMs: world.clock.ms };
    expect(await closeWith(world.run, planned.value, change)).toHaveProperty("closed");
    expect(await findReviewState(world.table, { tenantId: "1001", id })).toMatchObject({
      corrections: [{ order: 0, outcome: "arrived", executionId: record?.executionId }],
    });
  });

  test("that a worker hears which was overtaken by another opens none: the other has heard it as well", async () => {
    const id = await begun(1);
    const { execute } = world.rail.port;
    const slow = world.withRail({
      execute: async (order, executionId) => {
        const answer = await execute(order, executionId);
        world.clock.ms += LEASE_MS;
        await world.tick(id);
        return answer;
      },
    });
    await world.tick(id, slow);
    expect(await recordsOf(id)).toEqual([]);
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });
});
