import type { LegOutcome } from "@intents/domain/connector.ts";
import { listReconciliations } from "@intents/storage/reconciliation.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World } from "./execution-fixture.ts";
import { pollIntent } from "./poll.ts";
import type { Run } from "./run.ts";
import { submitIntent } from "./submit.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const recordsOf = async (id: string) =>
  (await listReconciliations(world.run.table, "1001")).filter(({ intentId }) => intentId === id);
const settling = (outcome: LegOutcome["outcome"]): Run =>
  world.withRail({ status: async () => ({ kind: "settled", legs: [{ order: 0, outcome }] }) });

describe("an answer of the rail", () => {
  test("that contradicts how the intent ended changes nothing, and opens one record", async () => {
    const { id } = await world.newDraft();
    await world.submit(id);
    const before = await world.get(id);
    const timer = await world.timerOf(id);
    if (timer === undefined) throw new Error("An executing intent waits for nothing");
    const slow = world.withRail({
      status: async () => {
        await pollIntent(settling("cleared"), before, timer);
        return { kind: "settled", legs: [{ order: 0, outcome: "failed" }] };
      },
    });

    await pollIntent(slow, before, timer);
    await pollIntent(settling("failed"), before, timer);
    expect((await world.get(id)).status).toBe("completed");
    expect(await recordsOf(id)).toMatchObject([
      {
        kind: "contradicts_outcome",
        said: "failed",
        stands: "completed",
        executionId: before.executions[0]?.executionId,
      },
    ]);
  });

  test("that only repeats how the intent ended opens none", async () => {
    const { id } = await world.newDraft();
    await world.submit(id);
    const before = await world.get(id);
    const timer = await world.timerOf(id);
    if (timer === undefined) throw new Error("An executing intent waits for nothing");
    await Promise.all([pollIntent(settling("cleared"), before, timer), pollIntent(settling("cleared"), before, timer)]);
    expect(await recordsOf(id)).toEqual([]);
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
