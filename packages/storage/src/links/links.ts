import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { LinkStatus } from "@intents/domain/events/status-change.ts";
import type { LinkState } from "@intents/domain/links/link-state.ts";
import type { LinkTerms } from "@intents/domain/links/payment-link.ts";
import { type Changed, eventActions } from "../events/events.ts";
import { newRecord } from "../table/records.ts";
import { linkKey } from "../table/shared-keys.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import { type Action, transact } from "../table/transact.ts";

/** The owner of a link, and what its payers are told of it. */
type LinkRecord = Readonly<{ tenantId: string; intentId: string; terms: LinkTerms }>;

/** The link that a token stands for. It is looked up before any tenant is known. */
export type StoredLink = LinkRecord &
  Readonly<{
    token: string;
    state: LinkState;
    /** How often it was held, freed and closed. */
    changes?: number;
    /** When it was published, held, freed or closed last, milliseconds since 1970. */
    changedAtMs?: number;
  }>;

/** A link with the tenant's own id of it, which callers are told of its changes. */
export type NamedLink = StoredLink & Pick<Changed, "externalId">;

/** A link as it is at this moment, or as it was a moment ago for readers who decide nothing by it. */
export async function findLink(
  table: Table,
  token: string,
  { isStrong } = { isStrong: true },
): Promise<StoredLink | undefined> {
  const { Item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: linkKey(token), ConsistentRead: isStrong }),
  );
  if (Item === undefined) return undefined;
  const { holder, heldUntilMs, closedBy, underReview, changes, changedAtMs } = Item;
  return {
    ...fromDoc<LinkRecord>(Item),
    token,
    state: {
      isUnderReview: underReview !== undefined,
      ...(typeof closedBy === "string" && { closedBy }),
      ...(typeof holder === "string" && { holder: { id: holder, untilMs: Number(heldUntilMs) } }),
    },
    ...(typeof changes === "number" && { changes }),
    ...(typeof changedAtMs === "number" && { changedAtMs }),
  };
}

/** Makes the token of a link known: a part of its publishing, so that a draft's token leads nowhere. */
export const addLink = (table: Table, token: string, record: LinkRecord, changedAtMs: number): Action => ({
  label: "link",
  write: { Put: newRecord(table, linkKey(token), record, { changedAtMs }) },
});

/** Changes what payers of a link are told of it. */
export const replaceLinkTerms = (table: Table, { token, tenantId, intentId }: StoredLink, terms: LinkTerms): Action =>
  linkAction(table, token, {
    UpdateExpression: "SET doc = :doc",
    ConditionExpression: "attribute_exists(PK)",
    ExpressionAttributeValues: { ":doc": toDoc({ tenantId, intentId, terms } satisfies LinkRecord) },
  });

/** A payment that holds a link, and until when at least, milliseconds since 1970. */
export type Hold = Readonly<{ childId: string; untilMs: number }>;

/**
 * Makes a payment the holder of a single-use link: a part of its claim. Fails when the link has changed since it was
 * read, was closed, or has a payment under review.
 */
export function holdLink(table: Table, link: NamedLink, { childId, untilMs }: Hold, nowMs: number): Action[] {
  const before = link.state.holder?.id;
  const isAsRead = before === undefined ? "attribute_not_exists(holder)" : "holder = :before";
  return changeLink(table, link, "held", nowMs, {
    set: "holder = :child, heldUntilMs = :until",
    only: `attribute_not_exists(closedBy) AND attribute_not_exists(underReview) AND ${isAsRead}`,
    values: { ":child": childId, ":until": untilMs, ...(before !== undefined && { ":before": before }) },
  });
}

/** Lengthens a hold; fails when the payment does not hold the link, or holds it longer. */
export const keepLink = (table: Table, token: string, { childId, untilMs }: Hold): Action =>
  linkAction(table, token, {
    UpdateExpression: "SET heldUntilMs = :until",
    ConditionExpression: "holder = :child AND heldUntilMs < :until AND attribute_not_exists(closedBy)",
    ExpressionAttributeValues: { ":child": childId, ":until": untilMs },
  });

/** Shortens a hold to end at `untilMs`, unless it ends earlier, or the payment does not hold the link any more. */
export async function endHold(table: Table, token: string, { childId, untilMs }: Hold): Promise<void> {
  await transact(table, () => [
    linkAction(table, token, {
      UpdateExpression: "SET heldUntilMs = :until",
      ConditionExpression: "holder = :child AND heldUntilMs > :until AND attribute_not_exists(closedBy)",
      ExpressionAttributeValues: { ":child": childId, ":until": untilMs },
    }),
  ]);
}

/** Keeps everybody from a single-use link while a payment by it is under review, and lets them pay again after that. */
export const reviewLink = (table: Table, token: string, childId: string, turn: "opened" | "closed"): Action =>
  linkAction(table, token, {
    UpdateExpression: `${turn === "opened" ? "ADD" : "DELETE"} underReview :child`,
    ConditionExpression: "attribute_exists(PK)",
    ExpressionAttributeValues: { ":child": new Set([childId]) },
  });

/** Ends the hold of a payment that ended unpaid; fails when the link has changed since it was read as held by it. */
export const freeLink = (table: Table, link: NamedLink, childId: string, nowMs: number): Action[] =>
  changeLink(table, link, link.state.closedBy === undefined ? "open" : "closed", nowMs, {
    remove: "holder, heldUntilMs",
    only: "holder = :child",
    values: { ":child": childId },
  });

/** Closes a single-use link with the payment that succeeded; fails when it has changed since it was read, or was closed. */
export const closeLink = (table: Table, link: NamedLink, childId: string, nowMs: number): Action[] =>
  changeLink(table, link, "closed", nowMs, {
    set: "closedBy = :child",
    only: "attribute_not_exists(closedBy)",
    values: { ":child": childId },
  });

type LinkChange = Readonly<{
  set?: string;
  remove?: string;
  only: string;
  values: Readonly<Record<string, string | number>>;
}>;

/** A change of who may pay a link, with its event; the changes of a link are dated in their order. */
function changeLink(
  table: Table,
  { token, tenantId, intentId: id, externalId, changes, changedAtMs = 0 }: NamedLink,
  status: LinkStatus,
  nowMs: number,
  { set, remove, only, values }: LinkChange,
): Action[] {
  const atMs = Math.max(nowMs, changedAtMs);
  const step = (changes ?? 0) + 1;
  const isAsRead = changes === undefined ? "attribute_not_exists(changes)" : "changes = :changes";
  const update = linkAction(table, token, {
    UpdateExpression: `SET changes = :step, changedAtMs = :at${set ? `, ${set}` : ""}${remove ? ` REMOVE ${remove}` : ""}`,
    ConditionExpression: `attribute_exists(PK) AND ${isAsRead} AND ${only}`,
    ExpressionAttributeValues: {
      ...values,
      ":step": step,
      ":at": atMs,
      ...(changes !== undefined && { ":changes": changes }),
    },
  });
  const changed = { tenantId, about: `${id}#LINK`, atMs, step, externalId };
  return [update, ...eventActions(table, changed, [{ of: "paymentLink", id, status }])];
}

type Change = Omit<NonNullable<Action["write"]["Update"]>, "TableName" | "Key">;

const linkAction = (table: Table, token: string, change: Change): Action => ({
  label: "link",
  write: { Update: { TableName: table.name, Key: linkKey(token), ...change } },
});
