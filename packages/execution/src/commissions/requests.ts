import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Commission } from "@intents/domain/commissions/commission.ts";
import {
  type CommissionRequest,
  type Invoice,
  notOutstanding,
  notPayable,
  REQUEST_PAYMENTS_MAX,
  type RequestFile,
} from "@intents/domain/commissions/request.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import {
  CHUNK,
  changeRequest,
  claimChunk,
  findStoredRequest,
  isVisible,
  type StoredRequest,
  settleChunk,
  type Target,
} from "@intents/storage/commissions/commission-requests.ts";
import { commissionLabel } from "@intents/storage/commissions/commissions.ts";
import { type DueTimer, receiveTimer } from "@intents/storage/polling/timers.ts";
import { type Action, StoreBusy, StoreUnsure } from "@intents/storage/table/transact.ts";
import type { ExecutionSettings, Run } from "../run.ts";

/** The means of a worker on a request. */
export type RequestRun = Pick<Run, "table" | "now"> &
  Readonly<{ settings: Pick<ExecutionSettings, "leaseMs" | "timerShards"> }>;

/** The rounds of work on a request: enough for every chunk, with another worker at the same request. */
const ROUNDS_MAX = 10 + 2 * Math.ceil(REQUEST_PAYMENTS_MAX / CHUNK);
/** The tries of a change that fails because the request was changed between reading and writing. */
const TRIES_MAX = 5;
const PAUSE_MS_MAX = 50;

/**
 * Claims all commissions of a new request or none of them, however many there are (H19). It takes chunks in the order
 * of their payment ids. When one cannot be had, or the worker is gone, all taken chunks go back.
 */
export async function submitRequest(
  run: RequestRun,
  tenantId: string,
  { request, commissions }: Readonly<{ request: CommissionRequest; commissions: readonly Commission[] }>,
  chunkSize = CHUNK,
): Promise<Result<CommissionRequest, Failure>> {
  const { table } = run;
  const target = { tenantId, requestId: request.requestId };
  // Its payments are written once, when it can be seen: each step of a claim would write them again.
  let stored: StoredRequest = { request: { ...request, payments: [] }, phase: "claiming", chunks: 0 };
  const isNew = await changeRequest(table, target, undefined, stored, waking(run));
  if (!isNew) throw new Error("A request's id is in use");
  try {
    for (let start = 0; start < commissions.length; start += chunkSize) {
      const chunk = commissions.slice(start, start + chunkSize);
      const verdict = await claimChunk(table, target, stored, chunk);
      if (!verdict.done) return await giveUp(run, target, chunk, verdict.failed);
      stored = { ...stored, chunks: stored.chunks + 1 };
    }
    const complete = { ...stored, request, phase: "submitted" } as const;
    const submitted = await changeRequest(table, target, stored, complete, { nowMs: run.now() });
    return submitted ? ok(request) : await giveUp(run, target, [], []);
  } catch (error) {
    if (error instanceof StoreBusy) await giveBack(run, target);
    throw error;
  }
}

/**
 * Gives everything back, so that "nothing was changed" is true when a caller is told so. If the store does not take it,
 * the schedule gives the rest back, and the caller is told something else.
 */
async function giveBack(run: RequestRun, target: Target): Promise<void> {
  try {
    if ((await finishRequest(run, target)) === "finished") return;
  } catch (error) {
    if (!(error instanceof StoreBusy)) throw error;
  }
  throw new StoreUnsure("What a request had claimed is not given back yet");
}

/** The time of a change after which somebody has to go on with the request. */
function waking({ now, settings }: RequestRun) {
  const nowMs = now();
  return { nowMs, wake: { dueAtMs: nowMs + settings.leaseMs, shards: settings.timerShards } };
}

/**
 * Gives back what was claimed. If the schedule took this worker for dead, no commission is at fault, and the caller may
 * try again.
 */
async function giveUp(
  run: RequestRun,
  target: Target,
  chunk: readonly Commission[],
  failed: readonly string[],
): Promise<Result<never, Failure>> {
  await giveBack(run, target);
  const held = chunk.filter((commission) => failed.includes(commissionLabel(commission)));
  return held.length === 0
    ? fail({ kind: "busy", retryAfterSeconds: 1 })
    : fail(notOutstanding([...new Set(held.map(({ paymentId }) => paymentId))]));
}

/** The outcome of a request's timer. */
export type Finished = "stale" | "finished" | "unfinished";

/**
 * The schedule's part: goes on with a request whose worker is gone. A message whose lease is not stored changes
 * nothing.
 */
export async function advanceRequest(run: RequestRun, message: DueTimer, deadlineMs: number): Promise<Finished> {
  const { tenantId, id: requestId } = message;
  const timer = await receiveTimer(run.table, message, run.now());
  return timer === undefined ? "stale" : finishRequest(run, { tenantId, requestId }, deadlineMs);
}

/**
 * Finishes the work on a request's commissions, chunk by chunk: those of an unfinished claim are given back. Each chunk
 * is settled once, even if other workers finish the same request.
 */
async function finishRequest(
  run: RequestRun,
  target: Target,
  deadlineMs = Number.POSITIVE_INFINITY,
): Promise<Finished> {
  const { table } = run;
  for (let round = 0; round < ROUNDS_MAX && run.now() < deadlineMs; round++) {
    const stored = await findStoredRequest(table, target);
    switch (stored?.phase) {
      case undefined:
      case "submitted":
      case "ended":
        return "finished";
      case "claiming":
        await changeRequest(table, target, stored, { ...stored, phase: "aborting" }, waking(run));
        break;
      case "aborting":
      case "paying":
      case "rejecting":
        if (stored.chunks > 0) await settleChunk(table, target, stored);
        else await changeRequest(table, target, stored, endOf(stored), { nowMs: run.now() });
    }
  }
  return "unfinished";
}

/** The end of a request: nothing is left of an aborted one. */
function endOf(stored: StoredRequest): StoredRequest | undefined {
  const { request, phase, unsettled } = stored;
  if (phase === "aborting") return undefined;
  return { ...stored, phase: "ended", request: { ...request, ...(unsettled !== undefined && { unsettled }) } };
}

/** An operator's decision on a request. */
export type Decision = Readonly<{ status: "paid"; proof: RequestFile } | { status: "rejected"; reason: string }>;

/**
 * Pays or rejects a submitted request, unless `isCurrent` denies that it is as the operator knows it, and then stamps its
 * commissions or makes them outstanding again.
 */
export async function decideRequest(
  run: RequestRun,
  target: Target,
  decision: Decision,
  audit: Action,
  isCurrent?: (request: CommissionRequest) => boolean,
): Promise<Result<CommissionRequest, Failure>> {
  const phase = decision.status === "paid" ? "paying" : "rejecting";
  const decided = { ...decision, decidedOn: new Date(run.now()).toISOString() };
  const changed = await changeSubmitted(run, target, decided, phase, [audit], isCurrent);
  if (changed.ok) await finishRequest(run, target);
  return changed;
}

/** Replaces the invoice of a submitted request, unless `isCurrent` denies that it is as the caller knows it. */
export const replaceInvoice = (
  run: RequestRun,
  target: Target,
  invoice: Invoice,
  isCurrent?: (request: CommissionRequest) => boolean,
) => changeSubmitted(run, target, { invoice }, "submitted", [], isCurrent);

async function changeSubmitted(
  run: RequestRun,
  target: Target,
  changes: Partial<CommissionRequest>,
  phase: "submitted" | "paying" | "rejecting",
  also: readonly Action[],
  isCurrent: (request: CommissionRequest) => boolean = () => true,
): Promise<Result<CommissionRequest, Failure>> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const stored = await findStoredRequest(run.table, target);
    if (!isVisible(stored)) return fail({ kind: "not_found", resource: "commission request" });
    const { status } = stored.request;
    if (stored.phase !== "submitted") {
      return fail({ kind: "commission_state", reason: `The request is ${status}, not submitted`, status });
    }
    const { underReview: reviewed = [] } = stored;
    if (phase === "paying" && reviewed.length > 0) return fail({ ...notPayable(reviewed), status });
    if (!isCurrent(stored.request)) return fail({ kind: "stale" });
    const request = { ...stored.request, ...changes };
    const beside = { ...(phase === "submitted" ? { nowMs: run.now() } : waking(run)), also };
    if (await changeRequest(run.table, target, stored, { ...stored, request, phase }, beside)) return ok(request);
    await pause(randomInt(PAUSE_MS_MAX));
  }
  throw new StoreBusy("A request is being changed by many at once");
}
