import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { sumCommissions } from "@intents/domain/commissions/correction.ts";
import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { verifyIntents } from "@intents/storage/operations/ledger-scan.ts";
import { findReconciliations, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startWorld } from "../../test/execution-fixture.ts";
import { callsToFail, failAt, faultNames, faults } from "../../test/fault-fixture.ts";
import { recordLateAnswer } from "../rails/late-outcomes.ts";
import type { Run } from "../run.ts";
import { closeWith, type Outcomes, planClose } from "./correction.ts";

const world = await startWorld();
afterAll(world.stop);

const settled = (...outcomes: readonly ("cleared" | "failed")[]): StatusAnswer => ({
  kind: "settled",
  legs: outcomes.map((outcome, order) => ({ order, outcome })),
});
const besideOf = (id: string) => findReviewState(world.table, { tenantId: "1001", id });

/** A payment that has completed, and that its rail tells otherwise of now. */
async function contradicted(...said: readonly ("cleared" | "failed")[]) {
  const { id } = await world.newDraft({ payeeIds: [5001, 5002] });
  await world.submit(id);
  while ((await world.timerOf(id)) !== undefined) await world.tick(id);
  const { executions } = await world.get(id);
  const about = { tenantId: "1001", id, executionId: executions[0]?.executionId ?? "" };
  const hear = (...outcomes: typeof said) =>
    recordLateAnswer(world.run, { ...about, askedAtMs: ++world.clock.ms }, settled(...outcomes));
  await hear(...said);
  return { id, hear };
}

async function close(intentId: string, outcomes: Outcomes | undefined, run: Run = world.run) {
  const [open] = (await findReconciliations(run.table, "1001", intentId)).filter(({ closed }) => closed === undefined);
  if (open === undefined) return undefined;
  const planned = await planClose(run.table, "1001", reconciliationId(open), outcomes);
  if (!planned.ok) return planned.failure;
  const change = { operator: "olga", action: "reconciliation.close", reason: "ticket 7", atMs: run.now() };
  return closeWith(run, planned.value, change);
}

const correctedIn = async (id: string) =>
  (await listLedger(world.table, { tenantId: "1001", id }))
    .filter(({ event }) => event === "corrected")
    .map(({ id: name, debit, credit }) => [name.split("#").slice(1).join("#"), debit, credit]);
/** The number of commissions of a payment, their sum, and how many a review keeps. */
async function earnedBy(id: string) {
  const { executions } = await world.get(id);
  const paymentIds = executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const earned = (await findCommissions(world.table, "1001", paymentIds)).map(({ commission }) => commission);
  const kept = earned.filter(({ underReview }) => underReview !== undefined);
  return [earned.length, sumCommissions(earned).commissionAmount, kept.length];
}
const verify = async (id: string) => (await verifyIntents(world.table, [{ tenantId: "1001", id }])).findings;
const [WHOLE, HALF] = ["20.04", "10.01"];
const [came, back] = ["settled:provider_principal", "returned:provider_principal"];

describe("a record that is closed with what has become of the money", () => {
  test("corrects each recipient once, changes no status, and ends the review", async () => {
    const { id } = await contradicted("failed", "cleared");
    const outcomes = new Map([
      [0, "cameBack"],
      [1, "arrived"],
    ] as const);
    expect(await close(id, outcomes)).toMatchObject({ closed: { by: "olga" } });
    expect(await correctedIn(id)).toEqual([["0#corrected-1", came, back]]);
    const beside = await besideOf(id);
    expect(beside.underReview).toBeUndefined();
    expect(beside.corrections).toMatchObject([
      { number: 1, order: 0, outcome: "cameBack" },
      { number: 2, order: 1, outcome: "arrived" },
    ]);
    expect((await world.get(id)).status).toBe("completed");
    expect(await earnedBy(id)).toEqual([2, HALF, 0]);
    expect(await verify(id)).toEqual([]);
  });

  test("books only the difference from the correction before it", async () => {
    const { id, hear } = await contradicted("failed", "cleared");
    await close(id, "cameBack");
    await hear("cleared", "cleared");
    await close(id, "arrived");
    expect(await correctedIn(id)).toEqual([
      ["0#corrected-1", came, back],
      ["1#corrected-2", came, back],
      ["0#corrected-3", back, came],
      ["1#corrected-4", back, came],
    ]);
    expect(await earnedBy(id)).toEqual([5, WHOLE, 0]);
    expect(await verify(id)).toEqual([]);
  });

  test("is refused without an outcome for each recipient, and for whom it is not about", async () => {
    const { id } = await contradicted("failed", "cleared");
    expect(await close(id, undefined)).toEqual({ kind: "outcomes_missing", orders: [0, 1] });
    expect(await close(id, new Map([[0, "arrived"]]))).toEqual({ kind: "outcome_missing", order: 1 });
    expect(await close(id, new Map([[7, "arrived"]]))).toEqual({
      kind: "others_in_record",
      orders: [0, 1],
      others: [7],
    });
    expect(await besideOf(id)).not.toHaveProperty("corrections");
  });

  test("corrects nothing once another operator has closed it, or its rail has said something else", async () => {
    const planned = async (id: string) => {
      const [record] = await findReconciliations(world.table, "1001", id);
      const plan = record && (await planClose(world.table, "1001", reconciliationId(record), "arrived"));
      if (!plan?.ok) throw new Error(plan?.failure.kind);
      const change = { operator: "otto", action: "reconciliation.close", reason: "ticket 8", atMs: world.clock.ms };
      return () => closeWith(world.run, plan.value, change);
    };
    const closed = await contradicted("failed", "cleared");
    const late = await planned(closed.id);
    await close(closed.id, "cameBack");
    await expect(planned(closed.id)).rejects.toThrow("no_record");
    const { id, hear } = await contradicted("failed", "cleared");
    const stale = await planned(id);
    await hear("cleared", "failed");
    expect([await late(), await stale()]).toEqual([undefined, undefined]);
    expect((await besideOf(closed.id)).corrections?.map(({ outcome }) => outcome)).toEqual(["cameBack", "cameBack"]);
    expect((await besideOf(id)).corrections).toBeUndefined();
  });

  test("is found where the copy that answers and conditions read says otherwise", async () => {
    const { id } = await contradicted("failed", "cleared");
    const outcomes = new Map([
      [0, "cameBack"],
      [1, "arrived"],
    ] as const);
    await close(id, outcomes);
    const { db, name: TableName } = world.table;
    const Key = keysOf("1001").review(id);
    const { Item = {} } = await db.send(new GetCommand({ TableName, Key }));
    const doc = String(Item["doc"]).replace('"arrived"', '"cameBack"');
    await db.send(new PutCommand({ TableName, Item: { ...Item, doc } }));
    expect((await verify(id)).map(({ problem }) => problem)).toEqual([
      "the mark has the outcome cameBack instead of arrived in correction 2",
      "conditions see other arrived than the mark says",
    ]);
  });

  test.each(faultNames)("is finished by the same command after a worker that %s", async (fault) => {
    const first = await contradicted("failed", "failed");
    for (const k of await callsToFail(world.run, fault, (run) => close(first.id, "cameBack", run))) {
      const { id } = await contradicted("failed", "failed");
      const { letGo } = await failAt(world.run, k, faults[fault], (run) => close(id, "cameBack", run));
      await close(id, "cameBack");
      await letGo();
      expect(await correctedIn(id)).toHaveLength(2);
      expect(await earnedBy(id)).toEqual([3, "0.00", 0]);
      expect(await verify(id)).toEqual([]);
      const [record] = await findReconciliations(world.table, "1001", id);
      expect(record?.closed).toBeDefined();
      expect((await besideOf(id)).underReview).toBeUndefined();
    }
  });
});
