import { newLinkToken, newRecordId } from "@intents/domain/ids.ts";
import { planDraft } from "@intents/domain/intents/plan-draft.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { verifyIntents } from "@intents/storage/operations/ledger-scan.ts";
import { findReconciliations, openReconciliation, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { afterAll, describe, expect, test } from "vitest";
import { by, startWorld } from "../../test/execution-fixture.ts";
import { overtaken, overtakenAt } from "../../test/fault-fixture.ts";
import { createIntent } from "../drafts/create.ts";
import { tryIntent } from "../drafts/dry-run.ts";
import { closeWith, planClose } from "../operations/correction.ts";
import { loseTrackOfIntent, resolveIntent } from "../operations/payment.ts";
import type { Run } from "../run.ts";
import { applyAnswer } from "../settle/answer.ts";
import { submitIntent } from "./submit.ts";

/** The suite opens the review after every second call. */
const STRIDE = process.env["WHOLE"] === "1" ? 1 : 2;

const world = await startWorld();
afterAll(world.stop);

const caller = () => ({ ...world.caller, permissions: ["AllowLegacyReissue" as const] });
const submit = (intentId: string, as: Run = world.run) => submitIntent(as, { caller: caller(), intentId });
const reviewOf = async (id: string) => (await findReviewState(world.table, { tenantId: "1001", id })).underReview;
const settled = { kind: "settled", legs: [{ order: 0, outcome: "cleared" }] } as const;
const refused = { kind: "refused", reason: "closed account" } as const;

/** A draft that pays another intent again. */
async function reissueOf(reissuedId: string): Promise<string> {
  const { payer, recipients, instructions, termsAccepted } = await world.newDraft();
  const draft = {
    useCase: "legacy_transaction_reissue",
    deliveryMode: "manual",
    amountMode: "legacy_reissue",
    ...{ payer, recipients, termsAccepted },
    instructions: { ...instructions, reissue: { paymentIntentId: reissuedId } },
  } as const;
  const ids = { id: newRecordId(world.clock.ms, world.run.random), publicLinkId: newLinkToken(world.run.random) };
  return (await createIntent(world.run, planDraft(draft, world.caller, ids), world.caller)).id;
}

/** A payment that an operator has given up as failed. */
async function givenUp(intentId?: string) {
  const id = intentId ?? (await world.newDraft()).id;
  expect(await submit(id)).toMatchObject({ ok: true });
  await loseTrackOfIntent(world.run, by(id));
  expect(await resolveIntent(world.run, by(id), { as: "settled", cleared: [] })).toMatchObject({ ok: true });
  const { tenantId, executions } = await world.get(id);
  return { tenantId, id, executionId: executions.at(-1)?.executionId ?? "" };
}

/** A draft whose submission was released before its rail accepted it: the rail has the payment. */
async function acceptedLate(): Promise<string> {
  const { id } = await world.newDraft();
  const { execute } = world.rail.port;
  const refusing = world.withRail({ execute: async () => refused });
  const slow = world.withRail({
    execute: async (order, executionId) => {
      await world.tick(id, refusing);
      return execute(order, executionId);
    },
  });
  expect(await submit(id, slow)).toMatchObject({ failure: { kind: "outcome_unknown" } });
  expect(await world.get(id)).toMatchObject({ status: "draft" });
  return id;
}

describe("while the rail's word and the books disagree", () => {
  test("a payment that was given up and has arrived is not paid again, nor by a reissue of its reissue", async () => {
    const about = await givenUp();
    const again = await reissueOf(about.id);
    await applyAnswer(world.run, about, settled);
    expect(await reviewOf(about.id)).toMatchObject({ about: ["contradicts_outcome"] });
    const path = "instructions.reissue.paymentIntentId";
    expect(await tryIntent(world.run, caller(), again)).toMatchObject({
      value: { requirements: [{ path, reason: expect.stringContaining(`money of ${about.id} may have arrived`) }] },
    });
    expect(await submit(again)).toMatchObject({ failure: { kind: "under_review", missing: [{ path }] } });
    expect(await world.paymentsOf(again)).toEqual([]);

    const other = await givenUp();
    const { id: second } = await givenUp(await reissueOf(other.id));
    const third = await reissueOf(second);
    await applyAnswer(world.run, other, settled);
    expect(await submit(third)).toMatchObject({ failure: { kind: "under_review" } });
    expect(await world.paymentsOf(third)).toEqual([]);
  });

  test("a draft that the rail accepted late is not submitted again", async () => {
    const id = await acceptedLate();
    expect(await tryIntent(world.run, caller(), id)).toMatchObject({
      value: { rule: { missingRequirements: ["underReview"] } },
    });
    expect(await submit(id)).toMatchObject({ failure: { kind: "under_review", missing: [{ path: "underReview" }] } });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("a draft whose money has arrived, as an operator finds, can never be submitted; its order is booked", async () => {
    const id = await acceptedLate();
    const [record] = await findReconciliations(world.table, "1001", id);
    if (record === undefined) throw new Error("There is no record");
    const planned = await planClose(world.table, "1001", reconciliationId(record), "arrived");
    if (!planned.ok) throw new Error(planned.failure.kind);
    const change = { operator: "olga", action: "reconciliation.close", reason: "ticket 7", atMs: world.clock.ms };
    expect(await closeWith(world.run, planned.value, change)).toMatchObject({ closed: { by: "olga" } });
    expect(await submit(id)).toMatchObject({ failure: { kind: "requirements", missing: [{ path: "status" }] } });
    expect(await world.paymentsOf(id)).toHaveLength(1);
    expect(await listLedger(world.table, { tenantId: "1001", id })).toMatchObject([
      { event: "corrected", debit: "payer_receivable", credit: "settled:provider_principal" },
    ]);
    const { paymentId = 0 } = record.earning ?? {};
    const [{ commission } = {}, ...others] = await findCommissions(world.table, "1001", [paymentId]);
    expect(others).toEqual([]);
    expect(commission).toMatchObject({
      paymentId,
      correction: 1,
      studentName: "",
      payeeName: "School 5001",
      commissionAmount: expect.stringMatching(/^10\.\d\d$/),
    });
    expect((await verifyIntents(world.table, [{ tenantId: "1001", id }])).findings).toEqual([]);
  });

  test("a record that opens between the plan and the claim is found by the claim", async () => {
    const about = await givenUp();
    const again = await reissueOf(about.id);
    const slow = overtaken(world.run, () => applyAnswer(world.run, about, settled));
    expect(await submit(again, slow)).toMatchObject({ failure: { kind: "under_review" } });
    expect(await world.paymentsOf(again)).toEqual([]);
  });
});

describe("a review that opens between any two steps", () => {
  const open = async (intentId: string) => {
    const record = { tenantId: "1001", intentId, executionId: "former", kind: "accepted_after_release" } as const;
    const openedAt = new Date(world.clock.ms).toISOString();
    await openReconciliation(world.table, { ...record, said: "accepted", stands: "draft", openedAt }, world.clock.ms);
  };
  /** A draft that was claimed and released before, so that a record about it may open at any time. */
  const released = async (): Promise<string> => {
    const { id } = await world.newDraft();
    expect(await submit(id, world.telling(refused))).toMatchObject({ failure: { kind: "rail_refused" } });
    return id;
  };
  const claimed = async (): Promise<string> => {
    const id = await released();
    const lost = world.telling({ kind: "unknown", reason: "lost" });
    expect(await submit(id, lost)).toMatchObject({ failure: { kind: "outcome_unknown" } });
    return id;
  };
  const refusing = () => world.withRail({ execute: async () => refused });
  const works: readonly [string, () => Promise<string>, (id: string, as: Run) => Promise<unknown>, () => Run][] = [
    ["a submit", released, submit, () => world.run],
    ["a take-over", claimed, (id, as) => world.tick(id, as), () => world.run],
    ["a release", released, submit, refusing],
  ];

  test.each(works)("of %s stays, and no commit fails by it", async (_, prepare, work, as) => {
    // The number of calls differs by what a worker still remembers: it ends at the first call that is not reached.
    for (let k = 1; ; k += STRIDE) {
      const id = await prepare();
      const { version } = await world.get(id);
      const seen = { isReached: false };
      const slow = overtakenAt(as(), k, async () => {
        seen.isReached = true;
        await open(id);
      });
      await work(id, slow);
      if (!seen.isReached) {
        expect(k).toBeGreaterThan(3);
        return;
      }
      const { status, executions, submission } = await world.get(id);
      expect(await reviewOf(id)).toMatchObject({ about: ["accepted_after_release"] });
      expect(await findReconciliations(world.table, "1001", id)).toHaveLength(1);
      expect(submission).toBeUndefined();
      const paid = await world.paymentsOf(id);
      expect([status, executions.length]).toEqual(paid.length === 1 ? ["executing", 1] : ["draft", 0]);
      const { version: now } = await world.get(id);
      expect(now === version || paid.length === 1 || as() !== world.run).toBe(true);
    }
  });
});
