import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Commission } from "@intents/domain/commissions/commission.ts";
import type { CommissionRequest } from "@intents/domain/commissions/request.ts";
import { eventActions } from "../events/events.ts";
import { coverSpread } from "../polling/spread.ts";
import { timerAttributes } from "../polling/timers.ts";
import { countActions } from "../table/counters.ts";
import { keysOf } from "../table/keys.ts";
import { queryAll } from "../table/pages.ts";
import { fetchItems, findItems, findRecord, readRecords, toRecords } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import { type Action, transact, type Verdict } from "../table/transact.ts";
import {
  type CommissionName,
  commissionKey,
  commissionLabel,
  commissionName,
  findNamed,
  outstandingActions,
  replaceCommission,
} from "./commissions.ts";
import { finishing } from "./requests-at-work.ts";

/** Commissions written at once: DynamoDB takes 100 items in a transaction (H19). */
export const CHUNK = 90;

/**
 * The phase of a request with regard to its commissions (H19). `claiming` takes them chunk by chunk; `aborting` gives
 * the taken ones back and leaves nothing behind; in neither is the request visible to anybody. `submitted` holds all of
 * them. `paying` and `rejecting` update them chunk by chunk, after the request itself was paid or rejected; in `ended`
 * nothing is left to do.
 */
export type Phase = "claiming" | "aborting" | "submitted" | "paying" | "rejecting" | "ended";

/**
 * A request as it is stored. `chunks` is the number of chunks held; the phases after `submitted` count it down.
 * `unsettled`: the payments whose commission it did not hold any more when their chunk was settled.
 */
export type StoredRequest = Readonly<{
  request: CommissionRequest;
  phase: Phase;
  chunks: number;
  unsettled?: readonly number[];
  /**
   * The payments whose commission it holds and that are under review, or came back since: until there are none, it is not
   * paid. It may be rejected all the same, which pays nobody.
   */
  underReview?: readonly number[];
  /** The time of its newest event, in milliseconds since 1970: by a clock that is behind, the next one is no earlier. */
  toldAtMs?: number;
}>;

export const isVisible = (stored: StoredRequest | undefined): stored is StoredRequest =>
  stored !== undefined && stored.phase !== "claiming" && stored.phase !== "aborting";

export type Target = Readonly<{ tenantId: string; requestId: string }>;

/** The time at which the schedule continues a request whose worker is gone, and the number of shards of timers. */
export type Wake = Readonly<{ dueAtMs: number; shards: number }>;

/** The request, read strongly, whatever its phase. */
export async function findStoredRequest(table: Table, target: Target): Promise<StoredRequest | undefined> {
  const Key = keyOf(target);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (Item === undefined) return undefined;
  const { phase, chunks, unsettled, toldAtMs } = Item as Omit<StoredRequest, "request">;
  const { underReview } = Item;
  return {
    request: fromDoc<CommissionRequest>(Item),
    phase,
    chunks,
    ...(unsettled !== undefined && { unsettled }),
    ...(underReview instanceof Set && { underReview: [...underReview].map(Number) }),
    ...(toldAtMs !== undefined && { toldAtMs }),
  };
}

/** The payments for which each of these requests is not paid, if there are any. */
export async function findUnpayable(
  table: Table,
  tenantId: string,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const items = await findItems(
    table,
    requestIds.map((requestId) => keyOf({ tenantId, requestId })),
  );
  return new Map(
    items.flatMap(({ doc, underReview }) =>
      underReview instanceof Set
        ? [[fromDoc<CommissionRequest>({ doc }).requestId, [...underReview].map(Number)] as const]
        : [],
    ),
  );
}

/** All requests of a tenant, newest first, page by page: for operators, who must see every one. */
export const readRequests = (table: Table, tenantId: string): AsyncGenerator<CommissionRequest[]> =>
  readRecords<CommissionRequest>(table, {
    IndexName: "byCreation",
    KeyConditionExpression: "listPK = :pk",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).list("COMMISSION_REQUEST") },
    ScanIndexForward: false,
  });

const keyOf = ({ tenantId, requestId }: Target) => keysOf(tenantId).commissionRequest(requestId);

/** The rest of a request's change: its time, the timer of its new phase, and other writes. */
type Extras = Readonly<{ nowMs: number; wake?: Wake; also?: readonly Action[] }>;

/**
 * Replaces a request as it was read (`undefined` for none) with `after`, together with what belongs to the change; false
 * when another worker has changed it.
 */
export async function changeRequest(
  table: Table,
  target: Target,
  before: StoredRequest | undefined,
  after: StoredRequest | undefined,
  { nowMs, wake, also = [] }: Extras,
): Promise<boolean> {
  const { tenantId, requestId } = target;
  if (wake !== undefined) await coverSpread(table, { timers: wake.shards });
  const appears = isVisible(after) && !isVisible(before);
  const timer = wake && {
    ...timerAttributes(wake.shards, requestId, finishing(wake.dueAtMs)),
    // By this the daily check finds a request that has lost its timer.
    ownerPK: keysOf(tenantId).requestsAtWork(),
    listSK: requestId,
  };
  const isEvent = isVisible(after) && (appears || after.request.status !== before?.request.status);
  const atMs = Math.max(nowMs, before?.toldAtMs ?? 0);
  const stored = isEvent ? { ...after, toldAtMs: atMs } : after;
  const verdict = await transact(table, () => [
    { label: "request", write: write(table, target, before, stored, timer) },
    ...(appears ? countActions(tenantId, [{ counter: "COMMISSION_REQUEST", to: "all" }], table) : []),
    ...(isEvent ? requestEvents(table, target, after.request, { atMs, step: appears ? 1 : 2 }) : []),
    ...also,
  ]);
  return verdict.done;
}

/** The events of a request: its submission, and the decision that a person makes later. */
const requestEvents = (
  table: Table,
  { tenantId, requestId: id }: Target,
  { status }: CommissionRequest,
  dated: Readonly<{ atMs: number; step: 1 | 2 }>,
): Action[] => eventActions(table, { tenantId, about: id, ...dated }, [{ of: "commissionRequest", id, status }]);

function write(
  { name: TableName }: Table,
  target: Target,
  before: StoredRequest | undefined,
  after: StoredRequest | undefined,
  timer: Readonly<Record<string, string | number>> = {},
): Action["write"] {
  const condition =
    before === undefined
      ? { ConditionExpression: "attribute_not_exists(PK)" }
      : {
          ConditionExpression: `phase = :phase AND chunks = :chunks AND doc = :doc AND ${before.underReview === undefined ? "attribute_not_exists(underReview)" : "underReview = :underReview"}`,
          ExpressionAttributeValues: {
            ...(before.underReview !== undefined && { ":underReview": new Set(before.underReview) }),
            ":phase": before.phase,
            ":chunks": before.chunks,
            ":doc": toDoc(before.request),
          },
        };
  if (after === undefined) return { Delete: { TableName, Key: keyOf(target), ...condition } };
  const index = { listPK: keysOf(target.tenantId).list("COMMISSION_REQUEST"), listSK: target.requestId };
  const { request, phase, chunks, unsettled, underReview, toldAtMs } = after;
  const Item = {
    ...keyOf(target),
    ...(isVisible(after) && index),
    ...timer,
    phase,
    chunks,
    ...(unsettled !== undefined && { unsettled }),
    ...(underReview !== undefined && { underReview: new Set(underReview) }),
    ...(toldAtMs !== undefined && { toldAtMs }),
    doc: toDoc(request),
  };
  return { Put: { TableName, Item, ...condition } };
}

/** Takes the next chunk for a request that is still claiming: all of it, or nothing. */
export const claimChunk = (
  table: Table,
  target: Target,
  { request, chunks }: StoredRequest,
  commissions: readonly Commission[],
): Promise<Verdict> => {
  const { tenantId, requestId } = target;
  const Item = { ...keysOf(tenantId).requestChunk(requestId, chunks), doc: toDoc(commissions.map(commissionName)) };
  const hold = (before: Commission) => {
    const after = { ...before, commissionRequestDate: request.createdOn };
    return replaceCommission(table, tenantId, { before, heldBy: undefined }, { after, heldBy: requestId });
  };
  return transact(table, () => [
    step(table, target, "claiming", { from: chunks, to: chunks + 1 }),
    { label: "chunk", write: { Put: { TableName: table.name, Item } } },
    ...commissions.map(hold),
    ...outstandingActions(table, tenantId, "from", commissions),
  ]);
};

/**
 * Settles the last held chunk as the phase of its request demands; false when another worker was faster. A commission
 * that the request does not hold any more is left out and noted, so that all others are settled.
 */
export async function settleChunk(
  table: Table,
  target: Target,
  stored: StoredRequest,
  leftOut: readonly Commission[] = [],
): Promise<boolean> {
  const { request, phase, chunks } = stored;
  const { tenantId, requestId } = target;
  const Key = keysOf(tenantId).requestChunk(requestId, chunks - 1);
  const names = await findRecord<CommissionName[]>(table, Key);
  if (names === undefined) return false;
  const settled = names.filter((name) => !leftOut.map(commissionName).includes(name));
  const commissions = (await findNamed(table, tenantId, settled)).map(({ commission }) => commission);
  const isPaid = phase === "paying";
  const { decidedOn: commissionPaidDate = "" } = request;
  const settle = (before: Commission) => {
    const { commissionRequestDate, ...earned } = before;
    const after = isPaid ? { ...before, commissionPaidDate } : earned;
    const then = { after, heldBy: isPaid ? requestId : undefined };
    return replaceCommission(table, tenantId, { before, heldBy: requestId }, then);
  };
  const verdict = await transact(table, () => [
    step(table, target, phase, { from: chunks, to: chunks - 1, leftOut }),
    ...commissions.map(settle),
    ...(isPaid ? [] : outstandingActions(table, tenantId, "to", commissions)),
    ...(phase === "aborting" ? [{ label: "chunk", write: { Delete: { TableName: table.name, Key } } }] : []),
  ]);
  if (verdict.done) return true;
  const { failed } = verdict;
  const changed = commissions.filter((commission) => failed.includes(commissionLabel(commission)));
  if (failed.includes("request") || changed.length === 0) return false;
  const now = await findNamed(table, tenantId, changed.map(commissionName));
  // The review of its payment may have begun or ended meanwhile: the request has it still, and settles it next time.
  if (now.some(({ heldBy }) => heldBy === requestId)) return false;
  return settleChunk(table, target, stored, [...leftOut, ...changed]);
}

/** The move of a request from one number of chunks to another, with the payments that were left out of it. */
const step = (
  table: Table,
  target: Target,
  phase: Phase,
  { from, to, leftOut = [] }: Readonly<{ from: number; to: number; leftOut?: readonly Commission[] }>,
): Action => ({
  label: "request",
  write: {
    Update: {
      TableName: table.name,
      Key: keyOf(target),
      UpdateExpression: `SET chunks = :to${leftOut.length > 0 ? ", unsettled = list_append(if_not_exists(unsettled, :none), :leftOut)" : ""}`,
      ConditionExpression: "phase = :phase AND chunks = :from",
      ExpressionAttributeValues: {
        ":phase": phase,
        ":from": from,
        ":to": to,
        ...(leftOut.length > 0 && { ":none": [], ":leftOut": leftOut.map(({ paymentId }) => paymentId) }),
      },
    },
  },
});

/** All commissions of a request, as they are by now or were a moment ago, in the order of their payment ids. */
export async function listRequested(table: Table, target: Target): Promise<Commission[]> {
  const chunks = await queryAll(table, {
    KeyConditionExpression: "PK = :pk AND begins_with(SK, :chunk)",
    ExpressionAttributeValues: { ":pk": keyOf(target).PK, ":chunk": "CHUNK#" },
    ConsistentRead: true,
  });
  const names = chunks.flatMap((chunk) => fromDoc<CommissionName[]>(chunk));
  const keys = names.map((name) => commissionKey(target.tenantId, name));
  return toRecords(await fetchItems(table, keys, { isStrong: false }));
}
