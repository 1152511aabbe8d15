import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { CorrectedOutcome } from "@intents/domain/money-state/correction.ts";
import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { commissionItem, findCommissions } from "@intents/storage/commissions/commissions.ts";
import { verifyIntents } from "@intents/storage/operations/ledger-scan.ts";
import { reviewCommissions } from "@intents/storage/reviews/commissions.ts";
import { findReconciliations, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { afterAll, expect, test } from "vitest";
import { startWorld } from "../../test/execution-fixture.ts";
import { recordLateAnswer } from "../rails/late-outcomes.ts";
import { closeWith, planClose } from "./correction.ts";
import type { Obstacle } from "./obstacle.ts";

const world = await startWorld();
afterAll(world.stop);

const TENANT = "1001";
const GUARD = 120;
const TEST_MS = 60_000;

/** A payment that has completed, and whose rail changes its mind as often as it is asked. */
async function disputed() {
  const run = { ...world.run, reviewCommissions };
  const { id } = await world.newDraft({ payeeIds: [5001] });
  await world.submit(id);
  while ((await world.timerOf(id)) !== undefined) await world.tick(id);
  const { executions } = await world.get(id);
  const { executionId = "", connectorPaymentIds = [] } = executions[0] ?? {};
  const isReviewed = async () => (await findReviewState(run.table, { tenantId: TENANT, id })).underReview !== undefined;
  /** The rail's next word, and the close of its record: the refusal, if it is refused. */
  async function close(outcome: CorrectedOutcome, said: "cleared" | "failed"): Promise<Obstacle | undefined> {
    const answer: StatusAnswer = { kind: "settled", legs: [{ order: 0, outcome: said }] };
    await recordLateAnswer(run, { tenantId: TENANT, id, executionId, askedAtMs: ++world.clock.ms }, answer);
    const records = await findReconciliations(run.table, TENANT, id);
    const open = records.find(({ closed }) => closed === undefined);
    expect([open?.said.split(":")[0], await isReviewed()]).toEqual([said === "cleared" ? "completed" : "failed", true]);
    const planned = await planClose(run.table, TENANT, open === undefined ? "" : reconciliationId(open), outcome);
    if (!planned.ok) return planned.failure;
    const change = { operator: "olga", action: "reconciliation.close", reason: "ticket 7", atMs: run.now() };
    expect(await closeWith(run, planned.value, change)).toBeDefined();
    expect(await isReviewed()).toBe(false);
    return undefined;
  }
  return { id, close, commissions: () => findCommissions(run.table, TENANT, connectorPaymentIds) };
}

/** Gives each commission that no request holds to a request of its own. */
async function request(held: Awaited<ReturnType<Awaited<ReturnType<typeof disputed>>["commissions"]>>) {
  const { name: TableName, db } = world.table;
  for (const { commission } of held.filter(({ heldBy }) => heldBy === undefined)) {
    const requestId = `request ${commission.id}`;
    const Item = { ...keysOf(TENANT).commissionRequest(requestId), doc: "{}" };
    await db.send(new PutCommand({ TableName, Item }));
    await db.send(new PutCommand({ TableName, Item: commissionItem(TENANT, commission, requestId) }));
  }
}

const nothing = async () => undefined;

const cases = [
  ["while each is in a request of its own", request, 47],
  ["while no request holds them", nothing, 93],
] as const;

test.each(cases)(
  "a payment gets as many commissions by corrections as a review can follow in one transaction, %s",
  async (_, follow, most) => {
    const { id, close, commissions } = await disputed();
    const outcomeOf = (turn: number): readonly [CorrectedOutcome, "cleared" | "failed"] =>
      turn % 2 === 0 ? ["cameBack", "failed"] : ["arrived", "cleared"];
    let refused: Obstacle | undefined;
    let turn = 0;
    for (; refused === undefined && turn < GUARD; turn++) {
      await follow(await commissions());
      refused = await close(...outcomeOf(turn));
    }
    const count = (await commissions()).length;
    expect([count, refused]).toEqual([most, { kind: "no_more_commissions", count: most }]);
    // The record is closed with what the books have, and the rail's next word still opens one.
    await follow(await commissions());
    const [stands] = outcomeOf(turn);
    const [, said] = outcomeOf(turn - 1);
    expect(await close(stands, said)).toBeUndefined();
    expect(await close(stands, outcomeOf(turn)[1])).toBeUndefined();
    expect(await commissions()).toHaveLength(most);
    expect((await verifyIntents(world.table, [{ tenantId: TENANT, id }])).findings).toEqual([]);
  },
  TEST_MS,
);
