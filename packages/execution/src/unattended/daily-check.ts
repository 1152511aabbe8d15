import { intentStatuses, isTerminal } from "@intents/domain/intents/statuses.ts";
import { listRequestsAtWork, restoreRequestTimer } from "@intents/storage/commissions/requests-at-work.ts";
import { listCountKeys, readWaiting, restoreWait, type Waiting } from "@intents/storage/intents/waiting.ts";
import { findTenantIds } from "@intents/storage/parties/registers.ts";
import { coverSpread } from "@intents/storage/polling/spread.ts";
import { findCursor, replaceCursor } from "@intents/storage/table/cursors.ts";
import { type FailedItem, refuseFailed, settleInTurns } from "@intents/storage/table/in-turns.ts";
import type { IntentKey, TimerOwner } from "@intents/storage/table/keys.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { waitsOf } from "../change.ts";
import type { Run } from "../run.ts";

/**
 * A payment that had neither the timer nor the watch that its state asks for, or a request for commissions without its
 * timer; and when that was found.
 */
export type Restored = IntentKey & Readonly<{ status: string; at: string; owner?: TimerOwner }>;

/** How many payments were looked at, those that nobody had looked after, and whether the end was reached. */
export type Checked = Readonly<{ seen: number; restored: readonly Restored[]; finished: boolean }>;

/** The place at which the check goes on the next day, and what it has found in the last days. */
type State = Readonly<{ place?: Place; restored: readonly Restored[] }>;
type Place = Readonly<{ tenantId: string; countKey: string; after?: string }>;

const JOB = "find-unattended";
/** Payments read in a day, to whole pages. */
const READ_MAX = 20_000;
/** Requests for commissions read for each tenant in a day; as a rule there are none. */
const REQUESTS_MAX = 100;
const SIDE_BY_SIDE = 8;
/** The time for which operators see a find, and the most finds they see. */
const TOLD_MS = 7 * 86_400_000;
const TOLD_MAX = 20;

/** The statuses in which a payment may wait for a worker or a rail. A published link waits for its payers alone. */
const waiting = intentStatuses.filter((status) => !isTerminal(status) && status !== "pending_link_payment");

/**
 * Reads the payments that have not ended, tenant by tenant and status by status, and restores missing timers and
 * watches: of claims whose worker is gone, batches, drafts, and payments that only a rail can end. Before that, each
 * tenant's requests for commissions being claimed, given back or settled get their timers. Stops after `readMax`
 * payments or at `deadlineMs`, and goes on the next day. One that fails delays no other, and is named at last.
 */
export async function checkDaily(run: Run, deadlineMs: number, readMax = READ_MAX): Promise<Checked> {
  const { table } = run;
  const state = await readState(table);
  const restored: Restored[] = [];
  const failed: FailedItem[] = [];
  let seen = 0;
  const stopAt = async (place?: Place): Promise<Checked> => {
    const isStillReported = ({ id, at }: Restored) =>
      Date.parse(at) > run.now() - TOLD_MS && restored.every((each) => each.id !== id);
    const reported = [...restored, ...state.restored.filter(isStillReported)].slice(0, TOLD_MAX);
    await replaceCursor(table, JOB, JSON.stringify({ restored: reported, ...(place && { place }) } satisfies State));
    refuseFailed(failed, `${seen} were looked at`);
    return { seen, restored, finished: place === undefined };
  };
  const theirs = { failed, nameOf: (tenantId: string) => `requests of ${tenantId}` };
  const requests = (tenantId: string) => restoreRequests(run, tenantId, deadlineMs);
  restored.push(...(await settleInTurns(await findTenantIds(table), 1, requests, theirs)).flat());
  for await (const { tenantId, countKey, after } of placesFrom(table, state.place)) {
    for await (const page of readWaiting(table, tenantId, { countKey, ...(after !== undefined && { after }) })) {
      const found = await settleInTurns(page, SIDE_BY_SIDE, (each) => restore(run, each), { failed, nameOf });
      restored.push(...found.flat());
      seen += page.length;
      const last = page.at(-1)?.intent.id;
      if (last !== undefined && (seen >= readMax || run.now() >= deadlineMs))
        return stopAt({ tenantId, countKey, after: last });
    }
  }
  return stopAt();
}

const nameOf = ({ intent }: Waiting): string => `${intent.tenantId}/${intent.id}`;

/** All tenants and count keys in one order, from the place at which the check has stopped. */
async function* placesFrom(table: Table, from: Place | undefined): AsyncGenerator<Place> {
  for (const tenantId of (await findTenantIds(table)).toSorted()) {
    if (from !== undefined && tenantId < from.tenantId) continue;
    for (const countKey of await listCountKeys(table, tenantId, waiting)) {
      const place = { tenantId, countKey };
      if (from === undefined || tenantId !== from.tenantId || countKey > from.countKey) yield place;
      else if (countKey === from.countKey) yield from;
    }
  }
}

/** Gives a payment what it waits for, if the record lacks it. */
async function restore(run: Run, { intent, has }: Waiting): Promise<Restored[]> {
  const waits = waitsOf(run, intent);
  const isAttended = ("dueShard" in waits && has.dueShard) || ("watchPK" in waits && has.watchPK);
  if (isAttended || Object.keys(waits).length === 0) return [];
  await coverSpread(run.table, { timers: run.settings.timerShards, watches: run.settings.watchShards });
  if (!(await restoreWait(run.table, intent, waits))) return [];
  const { tenantId, id, status } = intent;
  return [{ tenantId, id, status, at: new Date(run.now()).toISOString() }];
}

/** Gives a tenant's requests for commissions, on which somebody has to work on, the timers that they lack. */
async function restoreRequests(
  { table, settings, now }: Run,
  tenantId: string,
  deadlineMs: number,
): Promise<Restored[]> {
  if (now() >= deadlineMs) return [];
  const restored: Restored[] = [];
  for (const id of await listRequestsAtWork(table, tenantId, REQUESTS_MAX)) {
    const wake = { dueAtMs: now(), shards: settings.timerShards };
    const status = await restoreRequestTimer(table, { tenantId, requestId: id }, wake);
    const at = new Date(now()).toISOString();
    if (status !== undefined) restored.push({ tenantId, id, owner: "COMMISSION_REQUEST", status, at });
  }
  return restored;
}

/** The restored records of the last 7 days, newest first. */
export const listRestored = async (table: Table): Promise<readonly Restored[]> => (await readState(table)).restored;

async function readState(table: Table): Promise<State> {
  const text = await findCursor(table, JOB);
  return text === undefined ? { restored: [] } : (JSON.parse(text) as State);
}
