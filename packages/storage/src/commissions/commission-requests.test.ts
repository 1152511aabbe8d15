import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Commission } from "@intents/domain/commissions/commission.ts";
import { type CommissionRequest, toRequestedPayment } from "@intents/domain/commissions/request.ts";
import { afterAll, describe, expect, test } from "vitest";
import { commission, earnCommissions } from "../../test/commission-fixture.ts";
import { readAll, startTable } from "../../test/table-fixture.ts";
import { readFeed } from "../events/feed.ts";
import { findDue, findTimer } from "../polling/timers.ts";
import { readCounts } from "../table/counters.ts";
import { shardOf } from "../table/shared-keys.ts";
import {
  changeRequest,
  claimChunk,
  findStoredRequest,
  listRequested,
  readRequests,
  type StoredRequest,
  settleChunk,
} from "./commission-requests.ts";
import { commissionItem, commissionLabel, findCommissions } from "./commissions.ts";

const { table, stop } = await startTable();
afterAll(stop);

const OWNER = "COMMISSION_REQUEST";
const wake = { dueAtMs: 60_000, shards: 1 };
let tenants = 6000;

/** A stored request of a tenant with one commission, which it does not hold yet. */
async function newRequest(changes: Partial<StoredRequest> = {}) {
  const target = { tenantId: String(tenants++), requestId: crypto.randomUUID() };
  const earned = commission();
  await earnCommissions(table, target.tenantId, [earned]);
  const request: CommissionRequest = {
    requestId: target.requestId,
    status: "submitted",
    totalAmount: "1.00",
    currency: "AUD",
    paymentCount: 1,
    createdOn: "2026-11-21T09:00:00.000Z",
    payments: [toRequestedPayment(earned)],
  };
  const stored: StoredRequest = { request, phase: "claiming", chunks: 0, ...changes };
  expect(await changeRequest(table, target, undefined, stored, { nowMs: 1, wake })).toBe(true);
  const heldBy = async () => (await findCommissions(table, target.tenantId, [earned.paymentId]))[0];
  return { target, stored, earned, heldBy, find: () => findStoredRequest(table, target) };
}

const submitted = (stored: StoredRequest): StoredRequest => ({ ...stored, phase: "submitted" });

describe("a request", () => {
  test("that is decided by a clock behind the one of its submit is told of in that order", async () => {
    const { target, stored, find } = await newRequest();
    const { tenantId } = target;
    const [submittedMs, decidedMs] = [10_000_000, 10_000_000 - 4_000];
    const dated = { ...table, now: () => submittedMs };
    expect(await changeRequest(dated, target, stored, submitted(stored), { nowMs: submittedMs })).toBe(true);
    const held = await find();
    const paid = { ...(held ?? stored), phase: "paying", request: { ...stored.request, status: "paid" } } as const;
    expect(await changeRequest(dated, target, held, paid, { nowMs: decidedMs, wake })).toBe(true);
    const page = await readFeed(table, tenantId, { limit: 10, after: new Date(0).toISOString() }, submittedMs + 60_000);
    expect(page.ok && page.value.items.map(({ status }) => status)).toEqual(["submitted", "paid"]);
  });

  test("is stored once", async () => {
    const { target, stored, find } = await newRequest();
    expect(await changeRequest(table, target, undefined, submitted(stored), { nowMs: 1 })).toBe(false);
    expect(await find()).toEqual(stored);
  });

  test.each<[string, (stored: StoredRequest) => Partial<StoredRequest>]>([
    ["phase", () => ({ phase: "aborting" })],
    ["number of chunks", () => ({ chunks: 1 })],
    ["content", ({ request }) => ({ request: { ...request, reason: "late" } })],
    ["payment under review", () => ({ underReview: [7] })],
  ])("is changed by nobody who read it with another %s", async (_, other) => {
    const { target, stored, find } = await newRequest();
    const read = { ...stored, ...other(stored) };
    expect(await changeRequest(table, target, read, submitted(stored), { nowMs: 1 })).toBe(false);
    expect(await changeRequest(table, target, read, undefined, { nowMs: 1 })).toBe(false);
    expect(await find()).toEqual(stored);
  });

  test("with a payment under review is found and changed with it", async () => {
    const { target, stored, find } = await newRequest({ underReview: [7] });
    expect(await find()).toEqual(stored);
    const { underReview: _, ...forgotten } = stored;
    expect(await changeRequest(table, target, forgotten, undefined, { nowMs: 1 })).toBe(false);
    expect(await changeRequest(table, target, stored, undefined, { nowMs: 1 })).toBe(true);
  });

  test("is counted and listed when it appears, and waits for nothing any more", async () => {
    const { target, stored, find } = await newRequest();
    const { tenantId, requestId } = target;
    expect(await findTimer(table, tenantId, requestId, OWNER)).toMatchObject({ dueAtMs: wake.dueAtMs });
    const listed = () => readAll(readRequests(table, tenantId));
    expect((await readCounts(table, tenantId, OWNER)).get("all") ?? 0).toBe(0);
    expect(await listed()).toEqual([]);
    expect(await changeRequest(table, target, stored, submitted(stored), { nowMs: 1 })).toBe(true);
    expect(await find()).toEqual({ ...submitted(stored), toldAtMs: 1 });
    expect(await findTimer(table, tenantId, requestId, OWNER)).toBeUndefined();
    expect((await readCounts(table, tenantId, OWNER)).get("all")).toBe(1);
    await expect.poll(listed).toEqual([stored.request]);
  });
});

test("a request waits for the schedule in the shard of its id", async () => {
  const { stored } = await newRequest();
  const waiting = Array.from({ length: 8 }, (_, index) => `waiting-${index}`);
  for (const requestId of waiting) {
    const target = { tenantId: String(tenants), requestId };
    expect(await changeRequest(table, target, undefined, stored, { nowMs: 1, wake: { dueAtMs: 5, shards: 4 } })).toBe(
      true,
    );
  }
  const due = await Promise.all([0, 1, 2, 3].map((shard) => readAll(findDue(table, shard, 5, 100))));
  expect(due.map((timers) => timers.map(({ id }) => id).toSorted())).toEqual(
    [0, 1, 2, 3].map((shard) => waiting.filter((id) => shardOf(id, 4) === shard)),
  );
});

describe("a chunk", () => {
  test("is taken with all its commissions, which say since when", async () => {
    const { target, stored, earned, heldBy, find } = await newRequest();
    expect(await claimChunk(table, target, stored, [earned])).toEqual({ done: true });
    expect(await find()).toEqual({ ...stored, chunks: 1 });
    const { createdOn: commissionRequestDate } = stored.request;
    expect(await heldBy()).toEqual({ commission: { ...earned, commissionRequestDate }, heldBy: target.requestId });
    expect(await listRequested(table, target)).toEqual([{ ...earned, commissionRequestDate }]);
  });

  test.each([
    ["is not claiming any more", { phase: "aborting" }],
    ["has taken it already", { chunks: 1 }],
  ] as const)("is not taken for a request that %s", async (_, changes) => {
    const { target, stored, earned, heldBy, find } = await newRequest(changes);
    const read = { ...stored, phase: "claiming", chunks: 0 } as const;
    expect(await claimChunk(table, target, read, [earned])).toEqual({ done: false, failed: ["request"] });
    expect(await find()).toEqual(stored);
    expect(await heldBy()).toEqual({ commission: earned });
  });

  test("is not taken when one of its commissions was never earned or is another's", async () => {
    const first = await newRequest();
    await claimChunk(table, first.target, first.stored, [first.earned]);
    for (const missing of [commission(), first.earned]) {
      const requestId = crypto.randomUUID();
      const target = { ...first.target, requestId };
      await changeRequest(table, target, undefined, first.stored, { nowMs: 1, wake });
      const failed = [commissionLabel(missing)];
      expect(await claimChunk(table, target, first.stored, [missing])).toEqual({ done: false, failed });
    }
    expect(await first.heldBy()).toMatchObject({ heldBy: first.target.requestId });
  });

  /** A request that holds its one commission, now in another phase. */
  async function holding(phase: StoredRequest["phase"]) {
    const made = await newRequest();
    await claimChunk(table, made.target, made.stored, [made.earned]);
    const held = { ...made.stored, chunks: 1 };
    const deciding = { ...held, phase, request: { ...held.request, decidedOn: "2026-12-01T09:00:00.000Z" } };
    expect(await changeRequest(table, made.target, held, deciding, { nowMs: 1, wake })).toBe(true);
    return { ...made, deciding };
  }
  const requested = (earned: Commission) => ({ ...earned, commissionRequestDate: "2026-11-21T09:00:00.000Z" });

  test("of a request that is paid stays with it, and says when it was", async () => {
    const { target, earned, heldBy, deciding, find } = await holding("paying");
    expect(await settleChunk(table, target, deciding)).toBe(true);
    const paid = { ...requested(earned), commissionPaidDate: "2026-12-01T09:00:00.000Z" };
    expect(await heldBy()).toEqual({ commission: paid, heldBy: target.requestId });
    expect(await find()).toEqual({ ...deciding, toldAtMs: 1, chunks: 0 });
    expect(await listRequested(table, target)).toEqual([paid]);
  });

  test.each([
    ["rejecting", 1],
    ["aborting", 0],
  ] as const)("of a request that is %s is given back as it was, and %i of it stays", async (phase, kept) => {
    const { target, earned, heldBy, deciding } = await holding(phase);
    expect(await settleChunk(table, target, deciding)).toBe(true);
    expect(await heldBy()).toEqual({ commission: earned });
    expect(await listRequested(table, target)).toHaveLength(kept);
  });

  test("is settled once, and only in the phase that it is settled for", async () => {
    const { target, earned, heldBy, deciding } = await holding("rejecting");
    expect(await settleChunk(table, target, { ...deciding, phase: "paying" })).toBe(false);
    expect(await heldBy()).toEqual({ commission: requested(earned), heldBy: target.requestId });
    expect(await settleChunk(table, target, deciding)).toBe(true);
    // Another request takes it: a late worker of the first one must leave it there.
    await table.db.send(new PutCommand({ TableName: table.name, Item: commissionItem(target.tenantId, earned, "x") }));
    expect(await settleChunk(table, target, deciding)).toBe(false);
    expect(await heldBy()).toMatchObject({ heldBy: "x" });
  });

  test("of whose commissions one is another's is settled without that one, which is noted and stays there", async () => {
    const { target, earned, heldBy, deciding, find } = await holding("rejecting");
    await table.db.send(new PutCommand({ TableName: table.name, Item: commissionItem(target.tenantId, earned, "x") }));
    expect(await settleChunk(table, target, deciding)).toBe(true);
    expect(await heldBy()).toMatchObject({ heldBy: "x" });
    expect(await find()).toEqual({ ...deciding, toldAtMs: 1, chunks: 0, unsettled: [earned.paymentId] });
  });
});
