import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { planRequest } from "@intents/domain/commissions/request.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import { operatorAudit } from "@intents/storage/audit/operators.ts";
import { findStoredRequest } from "@intents/storage/commissions/commission-requests.ts";
import { findCommissions, outstandingTotals } from "@intents/storage/commissions/commissions.ts";
import { findTimer } from "@intents/storage/polling/timers.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { commission, earnCommissions } from "@intents/storage/test/commission-fixture.ts";
import { afterAll, expect, test } from "vitest";
import { startWorld } from "../../test/execution-fixture.ts";
import { type Decision, decideRequest, submitRequest } from "./requests.ts";

const { table, clock, run, stop } = await startWorld();
afterAll(stop);

/** A submitted request for seven commissions, which a worker settles in chunks of two. */
async function submitted(tenantId: string) {
  const earned = Array.from({ length: 7 }, () => commission());
  await earnCommissions(table, tenantId, earned);
  const paymentIds = earned.map(({ paymentId }) => paymentId);
  const requestId = newRecordId(clock.ms, run.random);
  const named = { requestId, createdOn: new Date(clock.ms).toISOString() };
  const wish = { paymentIds, commissionTotalAmount: "7" };
  const planned = planRequest(wish, await findCommissions(table, tenantId, paymentIds), named);
  if (!planned.ok) throw new Error(JSON.stringify(planned.failure));
  expect(await submitRequest(run, tenantId, planned.value, 2)).toMatchObject({ ok: true });
  return { paymentIds, target: { tenantId, requestId } };
}

const proof = { objectKey: "kept/x", fileName: "proof.pdf" };
const decisions: readonly (readonly [string, Decision, string])[] = [
  ["6001", { status: "paid", proof }, "0.00"],
  ["6002", { status: "rejected", reason: "no invoice" }, "6.00"],
];

test.each(decisions)(
  "a decision about a request that has lost one commission for good reaches all others, and the request names it (%s, %j)",
  async (tenantId, decision, outstanding) => {
    const { paymentIds, target } = await submitted(tenantId);
    const lost = paymentIds[4] ?? 0;
    const change = { UpdateExpression: "SET heldBy = :other", ExpressionAttributeValues: { ":other": "another" } };
    const Key = keysOf(tenantId).commission(lost);
    await table.db.send(new UpdateCommand({ TableName: table.name, Key, ...change }));
    const audit = operatorAudit(table, tenantId, { operator: "olga", atMs: clock.ms, action: "x", reason: "y" });
    expect(await decideRequest(run, target, decision, audit)).toMatchObject({ ok: true });
    expect(await findStoredRequest(table, target)).toMatchObject({
      phase: "ended",
      chunks: 0,
      request: { status: decision.status, unsettled: [lost] },
    });
    const stored = await findCommissions(table, tenantId, paymentIds);
    const unsettled = stored.filter(({ commission: { commissionPaidDate }, heldBy }) =>
      decision.status === "paid" ? commissionPaidDate === undefined : heldBy !== undefined,
    );
    expect(unsettled.map(({ commission: { paymentId } }) => paymentId)).toEqual([lost]);
    expect((await outstandingTotals(table, tenantId))[0]?.amount ?? "0.00").toBe(outstanding);
    expect(await findTimer(table, tenantId, target.requestId, "COMMISSION_REQUEST")).toBeUndefined();
  },
);
