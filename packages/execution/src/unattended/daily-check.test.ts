import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { planRequest } from "@intents/domain/commissions/request.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { addTenant } from "@intents/storage/parties/tenants.ts";
import { findTimer } from "@intents/storage/polling/timers.ts";
import { listWatches } from "@intents/storage/polling/watches.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { commission, earnCommissions } from "@intents/storage/test/commission-fixture.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { actAs } from "../../test/acting-fixture.ts";
import { batchesOf } from "../../test/batch-fixture.ts";
import { startWorld } from "../../test/execution-fixture.ts";
import { failing } from "../../test/fault-fixture.ts";
import { advanceRequest, submitRequest } from "../commissions/requests.ts";
import { checkDaily, listRestored } from "./daily-check.ts";

const world = await startWorld();
afterAll(world.stop);
const { table, run } = world;
const tenantId = "1001";
const { submitted, runToEnd } = batchesOf(world, 12);

const check = (as = run, readMax?: number) => actAs("daily", () => checkDaily(as, Number.POSITIVE_INFINITY, readMax));
/** Takes away what an intent waits by, as a fault of ours would. */
const strand = (id: string) =>
  table.db.send(
    new UpdateCommand({
      TableName: table.name,
      Key: keysOf(tenantId).intent(id),
      UpdateExpression: "REMOVE dueShard, dueAt, timer, watchPK, watchSK",
    }),
  );
const found = async (as = run) => (await check(as)).restored.map(({ id }) => id).toSorted();
const updatingNothing = failing(run, (call) => call.startsWith("UpdateCommand"));
beforeEach(async () => {
  world.clock.ms += 1_000;
  await check();
});

test("a draft, a claim, a batch and an accepted payment without timer or watch get it back, and go on to their ends", async () => {
  const draft = await world.newDraft();
  const batch = await submitted(2);
  const paid = await world.newDraft();
  await world.submit(paid.id);
  const claimed = await world.newDraft();
  await world.submit(claimed.id, "key", world.telling({ kind: "unknown", reason: "lost" }));
  const all = [draft.id, batch, paid.id, claimed.id];
  // As they are, each has what it waits for, and nothing is written.
  expect(await found(updatingNothing)).toEqual([]);
  for (const id of all) await strand(id);
  expect(await found()).toEqual(all.toSorted());
  expect(await found()).toEqual([]);
  expect(await findTimer(table, tenantId, draft.id)).toMatchObject({ kind: "expire_draft" });
  expect(await findTimer(table, tenantId, claimed.id)).toMatchObject({ kind: "recover_submission" });
  expect(await listWatches(table, { tenantId, id: paid.id })).toHaveLength(1);
  expect(await runToEnd(batch)).toMatchObject({ status: "completed" });
  expect((await listRestored(table)).map(({ id }) => id).toSorted()).toEqual(all.toSorted());
});

const country = { countryCode: "AU", currencyCode: "AUD", commissionSpread: "0.01" };
/** A request for one commission that its worker left while it was being claimed. */
async function leftRequest(tenantId: string) {
  await addTenant(table, { tenantId, name: "Other", ...country, createdAt: "2026-11-21" });
  const earned = commission();
  await earnCommissions(table, tenantId, [earned]);
  const { paymentId } = earned;
  const named = { requestId: newRecordId(world.clock.ms, run.random), createdOn: "2026-11-21T09:00:00.000Z" };
  const wish = { paymentIds: [paymentId], commissionTotalAmount: "1" };
  const planned = planRequest(wish, await findCommissions(table, tenantId, [paymentId]), named);
  if (!planned.ok) throw new Error(JSON.stringify(planned.failure));
  const dying = failing(run, (call) => call.startsWith("TransactWriteCommand") && call.includes('"phase":"submitted"'));
  await expect(submitRequest(dying, tenantId, planned.value)).rejects.toThrow();
  return { tenantId, requestId: named.requestId, paymentId };
}

test("a request for commissions that lost its timer while it was being claimed gives them back", async () => {
  const { tenantId: owner, requestId, paymentId } = await leftRequest("6001");
  const heldBy = async () => (await findCommissions(table, owner, [paymentId]))[0]?.heldBy;
  const timerOf = () => findTimer(table, owner, requestId, "COMMISSION_REQUEST");
  expect(await found(updatingNothing)).toEqual([]);
  await table.db.send(
    new UpdateCommand({
      TableName: table.name,
      Key: keysOf(owner).commissionRequest(requestId),
      UpdateExpression: "REMOVE dueShard, dueAt, timer",
    }),
  );
  expect([await heldBy(), await timerOf()]).toEqual([requestId, undefined]);
  expect((await check()).restored).toMatchObject([{ tenantId: owner, id: requestId, status: "claiming" }]);
  expect(await found()).toEqual([]);
  const { dueAtMs: leaseMs = 0 } = (await timerOf()) ?? {};
  const message = { tenantId: owner, id: requestId, leaseMs, owner: "COMMISSION_REQUEST" } as const;
  expect(await advanceRequest(run, message, Number.POSITIVE_INFINITY)).toBe("finished");
  expect([await heldBy(), await timerOf()]).toEqual([undefined, undefined]);
  expect(await found()).toEqual([]);
});

test("what has ended, and a published link, wait for nobody", async () => {
  const { id: link } = await world.newLink();
  await world.submit(link);
  const { id } = await world.newDraft();
  await world.submit(id);
  world.clock.ms += 60_000;
  await world.tick(id);
  for (const each of [link, id]) await strand(each);
  expect(await found()).toEqual([]);
});

test("a check that reads as much as it may in a day goes on from there the next, until it has seen all", async () => {
  const drafts = [await world.newDraft(), await world.newDraft(), await world.newDraft()];
  for (const { id } of drafts) await strand(id);
  const restored: string[] = [];
  let isFinished = false;
  for (let days = 0; days < 50 && !isFinished; days++) {
    const { seen, finished, ...counts } = await check(run, 1);
    restored.push(...counts.restored.map(({ id }) => id));
    isFinished = finished;
    if (!finished) expect(seen).toBeGreaterThan(0);
  }
  expect(isFinished).toBe(true);
  expect(restored.toSorted()).toEqual(drafts.map(({ id }) => id).toSorted());
});

test("a payment whose timer cannot be restored delays no other, and is named", async () => {
  const [broken, ...others] = [await world.newDraft(), await world.newDraft(), await world.newDraft()];
  for (const { id } of [broken, ...others]) await strand(id);
  const as = failing(run, (call) => call.includes("UpdateCommand") && call.includes(broken.id));
  await expect(check(as)).rejects.toThrow(`1001/${broken.id}`);
  for (const { id } of others) expect(await findTimer(table, tenantId, id)).toBeDefined();
  expect(await findTimer(table, tenantId, broken.id)).toBeUndefined();
  // The next day begins anew.
  expect(await found()).toEqual([broken.id]);
});
