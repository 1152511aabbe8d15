import type { LegOutcome, StatusAnswer } from "@intents/domain/rails/rail.ts";
import { batchLeg } from "@intents/domain/test/leg-fixture.ts";
import { addLegs, findLeg, replaceLeg } from "@intents/storage/intents/batch-legs.ts";
import { closeReconciliation, findReconciliations, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startWorld } from "../../test/execution-fixture.ts";
import { type AskedAbout, recordLateAcceptance, recordLateAnswer } from "./late-outcomes.ts";

const world = await startWorld();
afterAll(world.stop);

const recordsOf = async (intentId: string) =>
  (await findReconciliations(world.table, "1001", intentId)).map(({ kind, said, stands }) => [kind, said, stands]);

const settled = (...outcomes: readonly LegOutcome["outcome"][]): StatusAnswer => ({
  kind: "settled",
  legs: outcomes.map((outcome, order) => ({ order, outcome })),
});
const record = (about: AskedAbout, said: "accepted" | StatusAnswer) =>
  said === "accepted" ? recordLateAcceptance(world.run, about) : recordLateAnswer(world.run, about, said);

describe("a late word about a payment", () => {
  const [draft, executing, completed, running] = [0, 1, 2, 3].map(() => world.newDraft());
  const contrary = (said: string) => [["contradicts_outcome", said, "completed"]];
  const rows: readonly [string, Promise<{ id: string }> | undefined, "accepted" | StatusAnswer, readonly unknown[]][] =
    [
      ["an acceptance of what is executed already", executing, "accepted", []],
      ["an acceptance that is not known here", draft, "accepted", [["accepted_after_release", "accepted", "draft"]]],
      ["an end that the intent has too", completed, settled("cleared"), []],
      ["an answer that tells no end", completed, { kind: "pending" }, []],
      ["another end than the intent's", completed, settled("failed"), contrary("failed: recipient 0 failed")],
      ["an end of what still runs", running, settled("failed"), []],
    ];
  test.each(rows)("%s is recorded only where it contradicts", async (_, made, said, records) => {
    const { id } = (await made) ?? { id: "" };
    if (made !== draft) await world.submit(id);
    if (made === completed) while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    const executionId = (await world.get(id)).executions[0]?.executionId ?? "e1";
    await record({ tenantId: "1001", id, executionId }, said);
    expect(await recordsOf(id)).toEqual(records);
  });

  test("is recorded with its execution and its time, and none about an intent that is gone", async () => {
    const { id } = await world.newDraft();
    await record({ tenantId: "1001", id, executionId: "e1" }, "accepted");
    const openedAt = new Date(world.clock.ms).toISOString();
    expect(await findReconciliations(world.table, "1001", id)).toEqual([
      {
        ...{ tenantId: "1001", intentId: id, executionId: "e1", kind: "accepted_after_release" },
        ...{ said: "accepted", stands: "draft", openedAt },
      },
    ]);
    for (const said of ["accepted", settled("failed")] as const)
      await record({ tenantId: "1001", id: "gone", executionId: "e1" }, said);
    expect(await recordsOf("gone")).toEqual([]);
  });
});

describe("a rail that says something else each time", () => {
  const change = { operator: "olga", atMs: 0, action: "reconciliation.close", reason: "settled by hand" };
  async function paid() {
    const { id } = await world.newDraft({ payeeIds: [5001, 5002] });
    await world.submit(id);
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    const { executions } = await world.get(id);
    const about = { tenantId: "1001", id, executionId: executions[0]?.executionId ?? "" };
    const hear = async (...outcomes: readonly LegOutcome["outcome"][]) => {
      await recordLateAnswer(world.run, { ...about, askedAtMs: ++world.clock.ms }, settled(...outcomes));
      return findReconciliations(world.table, "1001", id);
    };
    const close = async () => {
      const [open] = await findReconciliations(world.table, "1001", id);
      if (open === undefined) throw new Error("There is no record");
      return closeReconciliation(world.table, "1001", reconciliationId(open), { ...change, atMs: world.clock.ms });
    };
    return { about, hear, close };
  }
  const [first, both] = ["partially_completed: recipient 0 failed", "failed: recipient 0 failed, recipient 1 failed"];

  test("is told in the record that is open, by recipient, and each word once", async () => {
    const { hear } = await paid();
    const [opened] = await hear("failed", "cleared");
    expect(opened).toMatchObject({ said: first, stands: "completed" });
    expect(await hear("failed", "cleared")).toEqual([opened]);
    for (let repetition = 0; repetition < 2; repetition++)
      expect(await hear("failed", "failed")).toMatchObject([
        { said: both, stands: "completed", openedAt: opened?.openedAt, earlier: [{ said: first }] },
      ]);
  });

  test("opens a record again that was closed, which keeps how it was settled; what was settled opens none", async () => {
    const { hear, close } = await paid();
    await hear("failed", "cleared");
    const closed = await close();
    expect(await hear("failed", "cleared")).toEqual([closed]);
    const [again] = await hear("failed", "failed");
    expect(again).toMatchObject({ said: both, earlier: [{ said: first, closed: { by: "olga" } }] });
    expect(again?.closed).toBeUndefined();
    expect(Date.parse(again?.openedAt ?? "")).toBe(world.clock.ms);
  });

  test("is told, too, when it takes back what it had said, and only then", async () => {
    const { hear } = await paid();
    expect(await hear("cleared", "cleared")).toEqual([]);
    await hear("failed", "cleared");
    expect(await hear("cleared", "cleared")).toMatchObject([{ said: "completed", earlier: [{ said: first }] }]);
  });

  test("is believed in the order in which it was asked, whichever answer is written first", async () => {
    const { about, hear } = await paid();
    await hear("failed", "cleared");
    const askedAtMs = world.clock.ms - 1;
    for (const late of [settled("cleared", "cleared"), settled("failed", "failed")])
      await recordLateAnswer(world.run, { ...about, askedAtMs }, late);
    expect(await hear("failed", "cleared")).toMatchObject([{ said: first }]);
  });

  test("is told whole, however many hear it at the same time", async () => {
    const { about } = await paid();
    const words = [settled("failed", "cleared"), settled("failed", "failed")];
    const heard = [0, 1, 0, 1, 1, 0].map((index) => ({ askedAtMs: world.clock.ms + index, word: words[index] }));
    await Promise.all(
      heard.map(({ askedAtMs, word = { kind: "pending" } }) =>
        recordLateAnswer(world.run, { ...about, askedAtMs }, word),
      ),
    );
    const [record, ...others] = await findReconciliations(world.table, "1001", about.id);
    expect([record?.said, others]).toEqual([both, []]);
  });
});

describe("a late word about a recipient of a batch", () => {
  const taken = { railPaymentId: "rail-0" };
  const [cleared, failed] = [settled("cleared"), settled("failed")];
  const [paidAfterAll, cameBack] = ["completed: recipient 0 cleared", "failed: recipient 0 failed"];
  test.each([
    ["accepted", { status: "pending" }, undefined],
    ["accepted", { status: "pending", executionId: "execution:0:1" }, "accepted: recipient 0"],
    ["accepted", { status: "executing", ...taken }, undefined],
    ["accepted", { status: "failed" }, "accepted: recipient 0"],
    ["accepted", { status: "cleared", ...taken, executionId: "execution:0:1" }, "accepted: recipient 0"],
    [cleared, { status: "pending" }, undefined],
    [cleared, { status: "executing", ...taken }, undefined],
    [cleared, { status: "cleared", ...taken }, undefined],
    [cleared, { status: "failed", ...taken }, paidAfterAll],
    [failed, { status: "cleared", ...taken }, cameBack],
  ] as const)("%j is recorded only where it contradicts: %j", async (word, changes, said) => {
    const intent = await world.newBatch(1);
    const leg = batchLeg({ order: 0 });
    const connectorPaymentId = Number.parseInt(intent.id.slice(-12), 16);
    const stored = { ...leg, payment: { ...leg.payment, connectorPaymentId } };
    expect(await addLegs(world.table, intent, [stored])).toBe(true);
    const at = new Date(world.clock.ms).toISOString();
    const now = { at, place: { shards: 1, rail: "any" } };
    expect(await replaceLeg(world.table, intent, stored, { ...stored, ...changes, attempt: 1 }, now)).toBe(true);
    const { tenantId, id } = intent;
    for (let repetition = 0; repetition < 2; repetition++)
      await record({ tenantId, id, executionId: "execution:0", order: 0 }, word);
    const kind = word === "accepted" ? "accepted_after_release" : "contradicts_outcome";
    expect(await recordsOf(intent.id)).toEqual(said === undefined ? [] : [[kind, said, changes.status]]);
    expect(await findLeg(world.table, intent, 0)).toMatchObject(changes);
  });

  test("who is not there is recorded nowhere", async () => {
    const { id } = await world.newBatch(1);
    for (const said of ["accepted", failed] as const)
      await record({ tenantId: "1001", id, executionId: "e", order: 0 }, said);
    expect(await recordsOf(id)).toEqual([]);
  });
});
