import {
  type CommissionRequest,
  type Invoice,
  planRequest,
  type RequestFile,
} from "@intents/domain/commissions/request.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import { operatorAudit } from "@intents/storage/audit/operators.ts";
import {
  CHUNK,
  findStoredRequest,
  isVisible,
  listRequested,
} from "@intents/storage/commissions/commission-requests.ts";
import { findCommissions, outstandingTotals, readOutstanding } from "@intents/storage/commissions/commissions.ts";
import { readSpread } from "@intents/storage/polling/spread.ts";
import { findDue, findTimer } from "@intents/storage/polling/timers.ts";
import { readCounts } from "@intents/storage/table/counters.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { shardOf } from "@intents/storage/table/shared-keys.ts";
import { StoreBusy, StoreUnsure } from "@intents/storage/table/transact.ts";
import { commission, earnCommissions } from "@intents/storage/test/commission-fixture.ts";
import { readAll, readPartition } from "@intents/storage/test/table-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { LEASE_MS, startWorld } from "../../test/execution-fixture.ts";
import { callsToFail, contended, failAt, failing, faultNames, faults } from "../../test/fault-fixture.ts";
import type { Run } from "../run.ts";
import { advanceRequest, type Decision, decideRequest, replaceInvoice, submitRequest } from "./requests.ts";

const world = await startWorld();
afterAll(world.stop);

let tenants = 5000;
const OWNER = "COMMISSION_REQUEST";

/** A tenant with `count` commissions, and means to request and inspect them. */
async function newTenant(count: number, chunkSize?: number) {
  const tenantId = String(tenants++);
  const { table } = world;
  const earned = Array.from({ length: count }, () => commission());
  await earnCommissions(table, tenantId, earned);
  const paymentIds = earned.map(({ paymentId }) => paymentId);

  /** A request for the commissions from index `from` to index `to`, planned on the stored ones. */
  async function plan(from = 0, to = count) {
    const ids = paymentIds.slice(from, to);
    const requestId = newRecordId(world.clock.ms, world.run.random);
    const named = { requestId, createdOn: new Date(world.clock.ms).toISOString() };
    const wish = { paymentIds: ids, commissionTotalAmount: `${ids.length}` };
    const planned = planRequest(wish, await findCommissions(table, tenantId, ids), named);
    if (!planned.ok) throw new Error(JSON.stringify(planned.failure));
    return {
      requestId,
      target: { tenantId, requestId },
      submit: (as: Run) => submitRequest(as, tenantId, planned.value, chunkSize),
    };
  }

  /**
   * The holders as they are stored: for every commission the request that holds it, for every request what it holds.
   */
  async function standing() {
    const stored = await findCommissions(table, tenantId, paymentIds);
    const outstanding: number[] = [];
    for await (const some of readOutstanding(table, tenantId))
      outstanding.push(...some.map(({ paymentId }) => paymentId));
    const free = paymentIds.filter((id) => stored.some((one) => one.commission.paymentId === id && !one.heldBy));
    const dated = stored.filter(({ commission: { commissionRequestDate } }) => commissionRequestDate);
    return {
      free,
      dated: dated.map(({ commission: { paymentId } }) => paymentId),
      outstanding: outstanding.toSorted((one, other) => one - other),
      total: (await outstandingTotals(table, tenantId))[0]?.amount ?? "0.00",
      requests: (await readCounts(table, tenantId, OWNER)).get("all") ?? 0,
    };
  }

  /** Expects all commissions to be outstanding but the `held` ones, which one visible request holds. */
  async function expectHeld(held: readonly number[], requests: number) {
    const free = paymentIds.filter((id) => !held.includes(id));
    const total = `${free.length}.00`;
    expect(await standing()).toEqual({ free, dated: held, outstanding: free, total, requests });
  }
  return { tenantId, paymentIds, plan, expectHeld };
}

type Target = Readonly<{ tenantId: string; requestId: string }>;

/** Does the schedule's work once the worker's lease has ended. */
async function tickAll({ tenantId, requestId }: Target): Promise<void> {
  for (let ticks = 0; ticks < 3; ticks++) {
    const timer = await findTimer(world.table, tenantId, requestId, OWNER);
    if (timer === undefined) return;
    world.clock.ms = Math.max(world.clock.ms, timer.dueAtMs);
    const message = { tenantId, id: requestId, leaseMs: timer.dueAtMs, owner: OWNER } as const;
    await advanceRequest(world.run, message, Number.POSITIVE_INFINITY);
  }
  throw new Error("The request still waits for something");
}

/** A worker that ends when it has stored a request, before the first commission is claimed. */
const claimingNothing = (run: Run) =>
  failing(run, (call) => call.startsWith("TransactWriteCommand") && call.includes("CHUNK#"));

const find = (target: Target) => findStoredRequest(world.table, target);

describe("a request", () => {
  test("of more payments than a transaction takes holds them all, and shows them all", async () => {
    const { plan, paymentIds, expectHeld } = await newTenant(2 * CHUNK + 7);
    const { target, submit } = await plan();
    const submitted = await submit(world.run);
    expect(submitted).toMatchObject({ ok: true, value: { paymentCount: 187, totalAmount: "187.00" } });
    expect(submitted.ok && submitted.value.payments).toHaveLength(CHUNK);
    expect((await listRequested(world.table, target)).map(({ paymentId }) => paymentId)).toEqual(paymentIds);
    await expectHeld(paymentIds, 1);
    expect(await findTimer(world.table, target.tenantId, target.requestId, OWNER)).toBeUndefined();
  });

  test("of which one payment is held by another takes none, and leaves nothing behind", async () => {
    const { plan, paymentIds, expectHeld } = await newTenant(2 * CHUNK + 7);
    const all = await plan();
    const last = await plan(2 * CHUNK + 6);
    await last.submit(world.run);
    const held = paymentIds.slice(-1);
    expect(await all.submit(world.run)).toMatchObject({ failure: { kind: "commission_state", paymentIds: held } });
    await expectHeld(held, 1);
    expect(await readPartition(world.table, keysOf(all.target.tenantId).commissionRequest(all.requestId).PK)).toEqual(
      [],
    );
  });

  test("is one of many at once over payments that overlap: none is held twice, and what nobody has is outstanding", async () => {
    const { plan, paymentIds, expectHeld } = await newTenant(30, 8);
    const plans = await Promise.all(
      Array.from({ length: process.env["WHOLE"] === "1" ? 50 : 20 }, (_, index) => plan(index % 15, (index % 15) + 14)),
    );
    const outcomes = await Promise.all(plans.map(({ submit }) => submit(world.run)));
    for (const outcome of outcomes) {
      if (!outcome.ok) expect(["commission_state", "busy"]).toContain(outcome.failure.kind);
    }
    const won = plans.filter((_, index) => outcomes[index]?.ok);
    const held = await Promise.all(won.map(({ target }) => listRequested(world.table, target)));
    const ids = held.flat().map(({ paymentId }) => paymentId);
    expect(new Set(ids).size).toBe(ids.length);
    await expectHeld(
      paymentIds.filter((id) => ids.includes(id)),
      won.length,
    );
  });

  test("that the schedule is early for is stopped, and its late worker takes nothing more", async () => {
    const { plan, expectHeld } = await newTenant(3, 2);
    const { target, submit } = await plan();
    const outcomes: unknown[] = [];
    const submitted = async (as: Run) => outcomes.push(await submit(as));
    const stall = faults["stalls before it, and comes back when all is over"];
    const { letGo } = await failAt(world.run, 3, stall, submitted);
    expect(await find(target)).toMatchObject({ phase: "claiming" });
    await tickAll(target);
    await letGo();
    expect(outcomes).toEqual([{ ok: false, failure: { kind: "busy", retryAfterSeconds: 1 } }]);
    expect(await find(target)).toBeUndefined();
    await expectHeld([], 0);
  });
});

describe("a request that meets a contended store after its first chunk", () => {
  test("is told that nothing was changed when what it had taken is given back", async () => {
    const { tenantId, paymentIds, plan, expectHeld } = await newTenant(3, 2);
    const { submit } = await plan();
    const third = keysOf(tenantId).commission(paymentIds[2] ?? 0).PK;
    await expect(submit(contended(world.run, (transaction) => transaction.includes(`"${third}"`)))).rejects.toThrow(
      StoreBusy,
    );
    await expectHeld([], 0);
  });

  test("is not told so when the store stays contended, and the schedule gives back what it had taken", async () => {
    const { plan, expectHeld } = await newTenant(3, 2);
    const { target, submit } = await plan();
    let written = 0;
    await expect(submit(contended(world.run, () => ++written > 2))).rejects.toThrow(StoreUnsure);
    await tickAll(target);
    await expectHeld([], 0);
  });
});

describe("a request whose worker", () => {
  test.each(faultNames)("%s, at any call, is whole or not there", async (fault) => {
    for (const k of await callsToFail(world.run, fault, (await (await newTenant(3, 2)).plan()).submit)) {
      const { plan, paymentIds, expectHeld } = await newTenant(3, 2);
      const { target, submit } = await plan();
      const { letGo } = await failAt(world.run, k, faults[fault], submit);
      const verify = async () => {
        const stored = await find(target);
        expect([k, stored === undefined || stored.phase === "submitted"]).toEqual([k, true]);
        await expectHeld(stored === undefined ? [] : paymentIds, stored === undefined ? 0 : 1);
      };
      await tickAll(target);
      await verify();
      await letGo();
      await tickAll(target);
      await verify();
    }
  });
});

const proof: RequestFile = { objectKey: "kept/x", fileName: "proof.pdf" };
const anInvoice: Invoice = { objectKey: "kept/y", fileName: "invoice.pdf", storedAt: "2026-11-21T09:00:00.000Z" };
const decisions = {
  pays: { status: "paid", proof },
  rejects: { status: "rejected", reason: "no invoice" },
} as const satisfies Record<string, Decision>;

const auditOf = ({ tenantId, requestId }: Target) =>
  operatorAudit(world.table, tenantId, { operator: "olga", atMs: world.clock.ms, action: "x", reason: requestId });

describe.each(["pays", "rejects"] as const)("an operator who %s a request", (verb) => {
  const decision = decisions[verb];

  async function newRequest() {
    const tenant = await newTenant(3, 2);
    const { target, submit } = await tenant.plan();
    await submit(world.run);
    return { ...tenant, target };
  }

  test.each(faultNames)("and %s, at any call, has decided all of it or nothing", async (fault) => {
    const decideBy = (target: Target) => {
      const audit = auditOf(target);
      return (as: Run) => decideRequest(as, target, decision, audit);
    };
    for (const k of await callsToFail(world.run, fault, decideBy((await newRequest()).target))) {
      const { target, tenantId, paymentIds, expectHeld } = await newRequest();
      const { letGo } = await failAt(world.run, k, faults[fault], decideBy(target));
      const verify = async () => {
        const stored = await find(target);
        const isUndone = stored?.phase === "submitted";
        expect([k, isUndone ? "submitted" : stored?.phase]).toEqual([k, isUndone ? "submitted" : "ended"]);
        await expectHeld(isUndone || verb === "pays" ? paymentIds : [], 1);
        const commissions = [...(await findCommissions(world.table, tenantId, paymentIds)).values()];
        const paid = commissions.filter(({ commission: { commissionPaidDate } }) => commissionPaidDate !== undefined);
        expect(paid).toHaveLength(isUndone || verb === "rejects" ? 0 : paymentIds.length);
      };
      await tickAll(target);
      await verify();
      await letGo();
      await tickAll(target);
      await verify();
    }
  });

  test("has finished with its commissions when the decision is told", async () => {
    const { target } = await newRequest();
    expect(await decideRequest(world.run, target, decision, auditOf(target))).toMatchObject({
      ok: true,
      value: { ...decision, decidedOn: new Date(world.clock.ms).toISOString() },
    });
    expect(await find(target)).toMatchObject({ phase: "ended", chunks: 0 });
    expect(await findTimer(world.table, target.tenantId, target.requestId, OWNER)).toBeUndefined();
  });

  test("is the only one to decide, and nobody changes the invoice afterwards", async () => {
    const { target } = await newRequest();
    const [first, second] = await Promise.all([
      decideRequest(world.run, target, decision, auditOf(target)),
      decideRequest(world.run, target, decisions.rejects, auditOf(target)),
    ]);
    expect([first.ok, second.ok].filter(Boolean)).toHaveLength(1);
    expect(await replaceInvoice(world.run, target, anInvoice)).toMatchObject({ failure: { kind: "commission_state" } });
  });
});

test("an invoice and a decision at the same moment lose neither", async () => {
  const { plan } = await newTenant(1);
  const { target, submit } = await plan();
  await submit(world.run);
  const [replaced, decided] = await Promise.all([
    replaceInvoice(world.run, target, anInvoice),
    decideRequest(world.run, target, decisions.pays, auditOf(target)),
  ]);
  expect(decided.ok).toBe(true);
  const stored = await find(target);
  const { invoice } = (isVisible(stored) ? stored.request : {}) as Partial<CommissionRequest>;
  expect(invoice).toEqual(replaced.ok ? anInvoice : undefined);
});

test("a request whose worker is gone waits in the shard of its id until the worker's lease ends", async () => {
  const { target, submit } = await (await newTenant(1)).plan();
  const settings = { ...world.run.settings, timerShards: 1_000 };
  await expect(submit(claimingNothing({ ...world.run, settings }))).rejects.toThrow();
  expect(await readSpread(world.table)).toMatchObject({ timers: 1_000 });
  const { tenantId, requestId: id } = target;
  const dueAtMs = world.clock.ms + LEASE_MS;
  const due = await readAll(findDue(world.table, shardOf(id, 1_000), dueAtMs, 100));
  expect(due).toEqual([{ tenantId, id, owner: OWNER, dueAtMs }]);
});

test("a message whose lease is not the stored one changes nothing", async () => {
  const { target, submit } = await (await newTenant(1)).plan();
  await expect(submit(claimingNothing(world.run))).rejects.toThrow();
  const { tenantId, requestId } = target;
  const stale = { tenantId, id: requestId, leaseMs: 1, owner: OWNER } as const;
  expect(await advanceRequest(world.run, stale, Number.POSITIVE_INFINITY)).toBe("stale");
  expect(await find(target)).toMatchObject({ phase: "claiming" });
});
