import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { ReviewReason, UnderReview } from "@intents/domain/intents/review.ts";
import type { IntentStatus } from "@intents/domain/intents/statuses.ts";
import { isSingleUse } from "@intents/domain/links/payment-link.ts";
import { eventActions } from "../events/events.ts";
import { findIntent } from "../intents/intents.ts";
import { reviewLink } from "../intents/payment-links.ts";
import { type IntentKey, keysOf } from "../table/keys.ts";
import { queryAll } from "../table/pages.ts";
import { findRecord, newRecord, replacedRecord } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";
import { reviewCommissions } from "./commissions.ts";

/** A record about an execution that is open: of one execution and kind there is one at most. */
type OpenRecord = Readonly<{ executionId: string; kind: ReviewReason; openedAt: string }>;

/**
 * The mark of a payment under review: the open records about it. It stands beside the intent, because a change of the
 * intent during a claim would be lost, or would fail the commit after the rail has accepted. `changes` counts how often
 * the review began and ended, `changedAtMs` is when it last did.
 */
type Mark = Readonly<{ open: readonly OpenRecord[]; changes: number; changedAtMs: number }>;

/** The turn that a record takes: it is opened, or an operator closes it. */
export type Turn = "opened" | "closed";

const keyOf = ({ tenantId, id }: IntentKey) => keysOf(tenantId).review(id);

/** The review of an intent; undefined while there is none. */
export async function findReview(table: Table, about: IntentKey): Promise<UnderReview | undefined> {
  const mark = await findRecord<Mark>(table, keyOf(about));
  return mark && toReview(mark);
}

/** The reviews of a tenant's intents, as they were a moment ago. */
export async function listReviews(table: Table, tenantId: string): Promise<ReadonlyMap<string, UnderReview>> {
  const items = await queryAll(table, {
    KeyConditionExpression: "PK = :pk",
    FilterExpression: "attribute_exists(orders)",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).review("").PK },
  });
  return new Map(
    items.flatMap((item) => {
      const review = toReview(fromDoc<Mark>(item));
      return review === undefined ? [] : [[String(item["SK"]), review] as const];
    }),
  );
}

function toReview({ open }: Mark): UnderReview | undefined {
  const [since] = open.map(({ openedAt }) => openedAt).toSorted();
  return since === undefined ? undefined : { since, about: [...new Set(open.map(({ kind }) => kind))].toSorted() };
}

/** The label of writes and conditions of the mark. */
export const REVIEW_LABEL = "review";

/** The condition that an intent is not under review; of a batch, that none of its recipient `order` is. */
export const notUnderReview = (table: Table, about: IntentKey, order?: number): Action => ({
  label: REVIEW_LABEL,
  write: {
    ConditionCheck: {
      TableName: table.name,
      Key: keyOf(about),
      ...(order === undefined
        ? { ConditionExpression: "attribute_not_exists(orders)" }
        : {
            ConditionExpression: "NOT contains(orders, :order)",
            ExpressionAttributeValues: { ":order": String(order) },
          }),
    },
  },
});

/** The condition that the review of an intent is as it was read: open, or not. */
export const reviewCheck = (table: Table, about: IntentKey, review: UnderReview | undefined): Action => {
  const check = notUnderReview(table, about);
  const ConditionCheck = { TableName: table.name, Key: keyOf(about), ConditionExpression: "attribute_exists(orders)" };
  return review === undefined ? check : { label: REVIEW_LABEL, write: { ConditionCheck } };
};

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
  { nowMs, status }: Readonly<{ nowMs: number; status?: IntentStatus }>,
): Promise<Action[]> {
  const key = keyOf({ tenantId, id });
  const mark = await findRecord<Mark>(table, key);
  const { open, changes, changedAtMs }: Mark = mark ?? { open: [], changes: 0, changedAtMs: 0 };
  const others = open.filter((one) => one.executionId !== executionId || one.kind !== kind);
  const isMarked = others.length < open.length;
  if (isMarked === (turn === "opened")) return [];
  const left = turn === "opened" ? [...open, { executionId, kind, openedAt }] : others;
  const isTurn = open.length === 0 || left.length === 0;
  const atMs = Math.max(nowMs, changedAtMs);
  const after: Mark = isTurn
    ? { open: left, changes: changes + 1, changedAtMs: atMs }
    : { open: left, changes, changedAtMs };
  // Conditions look at `orders`, which is there exactly while the review is open.
  const orders = { orders: [...new Set(left.flatMap(orderOf))] };
  const put = mark === undefined ? newRecord(table, key, after) : replacedRecord(table, key, mark, after);
  const Item = { ...put.Item, ...(left.length > 0 && orders) };
  const actions: Action[] = [{ label: REVIEW_LABEL, write: { Put: { ...put, Item } } }];
  const found = isTurn ? await findIntent(table, tenantId, id) : undefined;
  if (found?.ok !== true) return actions;
  const change = { of: "paymentIntent", id, status: status ?? found.value.status, news: news[turn] } as const;
  const changed = { tenantId, about: `${id}#REVIEW`, atMs, step: after.changes };
  const isOpened = turn === "opened";
  const paymentIds = paymentIdsOf(found.value);
  const commissions = await reviewCommissions(table, tenantId, paymentIds, isOpened ? openedAt : undefined);
  const link = await linkActions(table, found.value, turn);
  return [...actions, ...eventActions(table, changed, [change]), ...commissions, ...link];
}

/** The payments of an intent that may have earned a commission; recipients of batches earn none. */
const paymentIdsOf = ({ bulkProgress, executions }: PaymentIntent): readonly number[] =>
  bulkProgress === undefined ? [...new Set(executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds))] : [];

const news = { opened: "reviewOpened", closed: "reviewClosed" } as const;

/** The recipient of a batch's execution, which the execution's id names. */
const orderOf = ({ executionId }: OpenRecord): string[] => executionId.split(":").slice(1, 2);

/** The write by which nobody can pay a single-use link while a payment by it is under review. */
async function linkActions(table: Table, { tenantId, id, createdFrom }: PaymentIntent, turn: Turn): Promise<Action[]> {
  const link = createdFrom && (await findIntent(table, tenantId, createdFrom.paymentIntentId));
  const token = link?.ok && isSingleUse(link.value) ? link.value.publicLinkId : undefined;
  return token === undefined ? [] : [reviewLink(table, token, id, turn)];
}
