import { batchLeg } from "@intents/domain/batches/leg-fixture.ts";
import { addLegs, findLeg, replaceLeg } from "@intents/storage/intents/batch-legs.ts";
import { findReconciliations } from "@intents/storage/intents/reconciliation.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startWorld } from "../execution-fixture.ts";
import { type LateWord, recordLateWord, recordLateWordOfLeg } from "./late-words.ts";

const world = await startWorld();
afterAll(world.stop);

const recordsOf = async (intentId: string) =>
  (await findReconciliations(world.table, "1001", intentId)).map(({ kind, said, stands }) => [kind, said, stands]);

describe("a late word about a payment", () => {
  const [draft, executing, completed, running] = [0, 1, 2, 3].map(() => world.newDraft());
  const rows: readonly [string, Promise<{ id: string }> | undefined, LateWord["said"], readonly unknown[]][] = [
    ["an acceptance of what is executed already", executing, "accepted", []],
    ["an acceptance that is not known here", draft, "accepted", [["accepted_after_release", "accepted", "draft"]]],
    ["an end that the intent has too", completed, "completed", []],
    ["another end than the intent's", completed, "failed", [["contradicts_outcome", "failed", "completed"]]],
    ["an end of what still runs", running, "failed", []],
  ];
  test.each(rows)("%s is recorded only where it contradicts", async (_, made, said, records) => {
    const { id } = (await made) ?? { id: "" };
    if (made !== draft) await world.submit(id);
    if (made === completed) while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    const executionId = (await world.get(id)).executions[0]?.executionId ?? "e1";
    await recordLateWord(world.run, { tenantId: "1001", id }, { executionId, said });
    expect(await recordsOf(id)).toEqual(records);
  });

  test("is recorded with its execution and its time, and none about an intent that is gone", async () => {
    const { id } = await world.newDraft();
    await recordLateWord(world.run, { tenantId: "1001", id }, { executionId: "e1", said: "accepted" });
    const openedAt = new Date(world.clock.ms).toISOString();
    expect(await findReconciliations(world.table, "1001", id)).toEqual([
      {
        ...{ tenantId: "1001", intentId: id, executionId: "e1", kind: "accepted_after_release" },
        ...{ said: "accepted", stands: "draft", openedAt },
      },
    ]);
    await recordLateWord(world.run, { tenantId: "1001", id: "gone" }, { executionId: "e1", said: "accepted" });
    expect(await recordsOf("gone")).toEqual([]);
  });
});

describe("a late word about a recipient of a batch", () => {
  const taken = { railPaymentId: "rail-0" };
  test.each([
    ["accepted", { status: "pending" }, undefined],
    ["accepted", { status: "pending", executionId: "execution:0:1" }, "accepted_after_release"],
    ["accepted", { status: "executing", ...taken }, undefined],
    ["accepted", { status: "failed" }, "accepted_after_release"],
    ["accepted", { status: "cleared", ...taken, executionId: "execution:0:1" }, "accepted_after_release"],
    ["cleared", { status: "pending" }, undefined],
    ["cleared", { status: "executing", ...taken }, undefined],
    ["cleared", { status: "cleared", ...taken }, undefined],
    ["cleared", { status: "failed", ...taken }, "contradicts_outcome"],
    ["failed", { status: "cleared", ...taken }, "contradicts_outcome"],
  ] as const)("%s is recorded only where it contradicts: %j", async (said, changes, kind) => {
    const intent = await world.newBatch(1);
    const leg = batchLeg({ order: 0 });
    const connectorPaymentId = Number.parseInt(intent.id.slice(-12), 16);
    const stored = { ...leg, payment: { ...leg.payment, connectorPaymentId } };
    expect(await addLegs(world.table, intent, [stored])).toBe(true);
    const at = new Date(world.clock.ms).toISOString();
    const now = { at, place: { shards: 1, rail: "any" } };
    expect(await replaceLeg(world.table, intent, stored, { ...stored, ...changes, attempt: 1 }, now)).toBe(true);
    await recordLateWordOfLeg(world.run, intent, 0, { executionId: "execution:0", said });
    expect(await recordsOf(intent.id)).toEqual(kind === undefined ? [] : [[kind, said, changes.status]]);
    expect(await findLeg(world.table, intent, 0)).toMatchObject(changes);
  });

  test("who is not there is recorded nowhere", async () => {
    const { id } = await world.newBatch(1);
    await recordLateWordOfLeg(world.run, { tenantId: "1001", id }, 0, { executionId: "e", said: "accepted" });
    expect(await recordsOf(id)).toEqual([]);
  });
});
