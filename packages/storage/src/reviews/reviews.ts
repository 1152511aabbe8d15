import type { IntentExtras } from "@intents/domain/answers/intent-answer.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { ReviewReason, UnderReview } from "@intents/domain/intents/review.ts";
import type { IntentStatus } from "@intents/domain/intents/statuses.ts";
import { isSingleUse } from "@intents/domain/links/payment-link.ts";
import type { Correction } from "@intents/domain/money-state/correction.ts";
import { eventActions } from "../events/events.ts";
import { findIntent } from "../intents/intents.ts";
import { reviewLink } from "../links/links.ts";
import { type IntentKey, keysOf } from "../table/keys.ts";
import { queryAll } from "../table/pages.ts";
import { findItems, findRecord, newRecord, replacedRecord } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** A record about an execution that is open: of one execution and kind there is one at most. */
type OpenRecord = Readonly<{ executionId: string; kind: ReviewReason; openedAt: string }>;

/**
 * The mark of a payment under review: the open records about it. It stands beside the intent, because a change of the
 * intent during a claim would be lost, or would fail the commit after the rail has accepted. `changes` counts how often
 * the review began and ended, `changedAtMs` is when it last did.
 */
export type Mark = Readonly<{
  open: readonly OpenRecord[];
  changes: number;
  changedAtMs: number;
  /** The correction that counts of each recipient, if there are any. */
  corrections?: readonly Correction[];
}>;

const NO_MARK: Mark = { open: [], changes: 0, changedAtMs: 0 };

/** The write of a mark, by which conditions see what they ask for. */
export function markAction(table: Table, about: IntentKey, before: Mark | undefined, after: Mark): Action {
  const key = keysOf(about.tenantId).review(about.id);
  const put = before === undefined ? newRecord(table, key, after) : replacedRecord(table, key, before, after);
  return { label: REVIEW_LABEL, write: { Put: { ...put, Item: { ...put.Item, ...attributesOf(after) } } } };
}

/** The attributes of a mark that conditions look at: `orders` is there exactly while the review is open. */
function attributesOf({ open, corrections = [] }: Mark) {
  const arrived = corrections.filter(({ outcome }) => outcome === "arrived");
  return {
    ...(open.length > 0 && { orders: [...new Set(open.flatMap(orderOf))] }),
    ...(arrived.length > 0 && { arrived: [...new Set(arrived.flatMap(orderOf))] }),
    ...(corrections.length > 0 && { corrected: lastOf(corrections) }),
  };
}

/**
 * The corrections in the mark of an intent, and the attributes by which conditions would see something else than the mark
 * says.
 */
export async function readCopy(table: Table, about: IntentKey) {
  const [item] = await findItems(table, [keyOf(about)]);
  if (item === undefined) return { corrections: [], astray: [] };
  const mark = fromDoc<Mark>(item);
  const wanted: Readonly<Record<string, unknown>> = attributesOf(mark);
  const unusual = ["orders", "arrived", "corrected"].filter(
    (name) => JSON.stringify(item[name]) !== JSON.stringify(wanted[name]),
  );
  return { corrections: mark.corrections ?? [], astray: unusual };
}

/** The number of the last correction; 0 where there is none. */
export const lastOf = (corrections: readonly Correction[]): number =>
  Math.max(0, ...corrections.map(({ number }) => number));

/** The mark of an intent as it is stored, and as it is read where there is none. */
export async function findMark(
  table: Table,
  about: IntentKey,
): Promise<Readonly<{ stored: Mark | undefined; mark: Mark }>> {
  const stored = await findRecord<Mark>(table, keyOf(about));
  return { stored, mark: stored ?? NO_MARK };
}

/**
 * The writes by which commissions follow a review. They are handed in where a payment that has earned one can come under
 * review, so that functions which payers call hold no right to requests for commissions.
 */
export type CommissionsFollow = Readonly<{
  reviewCommissions?:
    | ((table: Table, tenantId: string, paymentIds: readonly number[], since: string | undefined) => Promise<Action[]>)
    | undefined;
}>;

/** The turn that a record takes: it is opened, or an operator closes it. */
export type Turn = "opened" | "closed";

const keyOf = ({ tenantId, id }: IntentKey) => keysOf(tenantId).review(id);

/** The part of an intent's answer stored beside it: its review, and the corrections of its money. */
export const findReviewState = async (table: Table, about: IntentKey): Promise<IntentExtras> =>
  toReviewState((await findMark(table, about)).mark);

/** The corrections of these intents that count, by intent; intents without any are left out. */
export async function findCorrections(
  table: Table,
  about: readonly IntentKey[],
): Promise<ReadonlyMap<string, readonly Correction[]>> {
  const keys = new Map(about.map((one) => [one.id, keyOf(one)]));
  const items = await findItems(table, [...keys.values()]);
  return new Map(items.map((item) => [String(item["SK"]), fromDoc<Mark>(item).corrections ?? []]));
}

/** The reviews and corrections of all intents of a tenant that have some of it, as it was a moment ago. */
export async function listReviews(table: Table, tenantId: string): Promise<ReadonlyMap<string, IntentExtras>> {
  const items = await queryAll(table, {
    KeyConditionExpression: "PK = :pk",
    FilterExpression: "attribute_exists(orders) OR attribute_exists(corrected)",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).review("").PK },
  });
  return new Map(items.map((item) => [String(item["SK"]), toReviewState(fromDoc<Mark>(item))]));
}

function toReviewState(mark: Mark): IntentExtras {
  const underReview = toReview(mark);
  const { corrections } = mark;
  return { ...(underReview !== undefined && { underReview }), ...(corrections !== undefined && { corrections }) };
}

function toReview({ open }: Mark): UnderReview | undefined {
  const [since] = open.map(({ openedAt }) => openedAt).toSorted();
  return since === undefined ? undefined : { since, about: [...new Set(open.map(({ kind }) => kind))].toSorted() };
}

/** The label of writes and conditions of the mark. */
export const REVIEW_LABEL = "review";

/** The condition that an intent is not under review, and that its corrections are those of a plan. */
export const reviewGuard = (table: Table, about: IntentKey, corrections: readonly Correction[] = []): Action =>
  check(
    table,
    about,
    corrections.length === 0
      ? { ConditionExpression: "attribute_not_exists(orders) AND attribute_not_exists(corrected)" }
      : {
          ConditionExpression: "attribute_not_exists(orders) AND corrected = :corrected",
          ExpressionAttributeValues: { ":corrected": lastOf(corrections) },
        },
  );

/** The condition that a recipient of a batch is not under review, and was not found to be paid. */
export const recipientNotUnderReview = (table: Table, about: IntentKey, order: number): Action =>
  check(table, about, {
    ConditionExpression: "NOT contains(orders, :order) AND NOT contains(arrived, :order)",
    ExpressionAttributeValues: { ":order": String(order) },
  });

type Condition = Readonly<{
  ConditionExpression: string;
  ExpressionAttributeValues?: Readonly<Record<string, string | number>>;
}>;

const check = (table: Table, about: IntentKey, condition: Condition): Action => ({
  label: REVIEW_LABEL,
  write: { ConditionCheck: { TableName: table.name, Key: keyOf(about), ...condition } },
});

/** The condition that an intent is under review, or is not, as it was read. */
export const reviewCheck = (table: Table, about: IntentKey, isReviewed: boolean): Action =>
  check(table, about, { ConditionExpression: `attribute_${isReviewed ? "" : "not_"}exists(orders)` });

/**
 * The writes by which a record's turn begins, goes on with or ends the review of its intent, for the transaction of the
 * record; none where the mark says so already. While a payment by a single-use link is under review, nobody pays that
 * link. A write labelled `review` fails when the mark has changed since it was read. `status` is the intent's after the
 * transaction, where that changes it.
 */
export async function reviewActions(
  table: Table,
  {
    tenantId,
    intentId: id,
    executionId,
    kind,
    openedAt,
  }: OpenRecord & Readonly<{ tenantId: string; intentId: string }>,
  turn: Turn,
  { nowMs, status, reviewCommissions }: Readonly<{ nowMs: number; status?: IntentStatus }> & CommissionsFollow,
): Promise<Action[]> {
  const about = { tenantId, id };
  const { stored, mark } = await findMark(table, about);
  const { open, changes, changedAtMs } = mark;
  const others = open.filter((one) => one.executionId !== executionId || one.kind !== kind);
  const isMarked = others.length < open.length;
  if (isMarked === (turn === "opened")) return [];
  const left = turn === "opened" ? [...open, { executionId, kind, openedAt }] : others;
  const isTurn = open.length === 0 || left.length === 0;
  const found = isTurn ? await findIntent(table, tenantId, id) : undefined;
  // The status that its event tells was reached before it.
  const statusMs = found?.ok === true ? Date.parse(found.value.updatedAt) : 0;
  const atMs = Math.max(nowMs, changedAtMs, statusMs);
  const turned = isTurn ? { changes: changes + 1, changedAtMs: atMs } : {};
  const after: Mark = { ...mark, ...turned, open: left };
  const actions: Action[] = [markAction(table, about, stored, after)];
  if (found?.ok !== true) return actions;
  const change = { of: "paymentIntent", id, status: status ?? found.value.status, news: news[turn] } as const;
  const { externalId } = found.value;
  const changed = { tenantId, about: `${id}#REVIEW`, atMs, step: after.changes, externalId };
  const since = turn === "opened" ? openedAt : undefined;
  const commissions = (await reviewCommissions?.(table, tenantId, paymentIdsOf(found.value), since)) ?? [];
  const link = await linkActions(table, found.value, turn);
  return [...actions, ...eventActions(table, changed, [change]), ...commissions, ...link];
}

/** The payments of an intent that may have earned a commission; recipients of batches earn none. */
const paymentIdsOf = ({ bulkProgress, executions }: PaymentIntent): readonly number[] =>
  bulkProgress === undefined ? [...new Set(executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds))] : [];

const news = { opened: "reviewOpened", closed: "reviewClosed" } as const;

/** The recipient of a batch's execution, which the execution's id names. */
const orderOf = ({ executionId }: Pick<OpenRecord, "executionId">): string[] => executionId.split(":").slice(1, 2);

/** The write by which nobody can pay a single-use link while a payment by it is under review. */
async function linkActions(table: Table, { tenantId, id, createdFrom }: PaymentIntent, turn: Turn): Promise<Action[]> {
  const link = createdFrom && (await findIntent(table, tenantId, createdFrom.paymentIntentId));
  const token = link?.ok && isSingleUse(link.value) ? link.value.publicLinkId : undefined;
  return token === undefined ? [] : [reviewLink(table, token, id, turn)];
}
