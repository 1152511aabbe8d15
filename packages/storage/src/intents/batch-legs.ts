import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import { datedLeg, legStatus, legStatusSinceMs, watchForLeg } from "@intents/domain/batches/leg.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { bookLeg } from "@intents/domain/ledger/batch-booking.ts";
import { eventActions } from "../events/events.ts";
import { coverSpread } from "../polling/spread.ts";
import { type WatchPlace, watchAttributes } from "../polling/watches.ts";
import { keysOf } from "../table/keys.ts";
import { queryAll } from "../table/pages.ts";
import { findRecord, newRecord } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import { type Action, transact } from "../table/transact.ts";
import { ledgerActions } from "./ledger.ts";
import { takePaymentId } from "./submissions.ts";

type IntentKey = Readonly<{ tenantId: string; id: string }>;

/** Legs written at once, two writes each; DynamoDB takes 100 in a transaction. */
const CHUNK = 50;

/**
 * Stores the legs of a batch with their payment ids; legs that are stored already stay as they are. False when another
 * payment has one of the new ids: the legs that are still missing need other ids.
 */
export async function addLegs(table: Table, { tenantId, id }: IntentKey, legs: readonly BatchLeg[]): Promise<boolean> {
  for (let start = 0; start < legs.length; start += CHUNK) {
    const chunk = legs.slice(start, start + CHUNK);
    const verdict = await transact(table, () =>
      chunk.flatMap((leg) => [
        {
          label: "leg",
          write: { Put: newRecord(table, keysOf(tenantId).leg(id, leg.order), leg, { attempt: leg.attempt }) },
        },
        takePaymentId(table, leg.payment.connectorPaymentId, { tenantId, intentId: id }),
      ]),
    );
    // A chunk is written whole, so that one leg that exists means that all of them do.
    if (!verdict.done && !verdict.failed.includes("leg")) return false;
  }
  return true;
}

/** All legs of a batch in their order, read strongly. */
export async function listLegs(table: Table, { tenantId, id }: IntentKey): Promise<BatchLeg[]> {
  const { PK } = keysOf(tenantId).leg(id, 0);
  const items = await queryAll(table, {
    KeyConditionExpression: "PK = :pk AND begins_with(SK, :leg)",
    ExpressionAttributeValues: { ":pk": PK, ":leg": "LEG#" },
    ConsistentRead: true,
  });
  // Sort keys follow the order of legs only up to nine digits.
  return items.map((item) => fromDoc<BatchLeg>(item)).toSorted((left, right) => left.order - right.order);
}

/** One leg of a batch, read strongly. */
export const findLeg = (table: Table, { tenantId, id }: IntentKey, order: number): Promise<BatchLeg | undefined> =>
  findRecord<BatchLeg>(table, keysOf(tenantId).leg(id, order));

/**
 * Replaces a leg and its watch, unless another worker has changed it since it was read as `before`, and books the change
 * at the time `at`; false when another worker has changed it.
 */
export async function replaceLeg(
  table: Table,
  intent: PaymentIntent,
  before: BatchLeg,
  after: BatchLeg,
  { at, place, also = [] }: Readonly<{ at: string; place: WatchPlace; also?: readonly Action[] }>,
): Promise<boolean> {
  await coverSpread(table, { watches: place.shards });
  const dated = datedLeg(intent, before, after, Date.parse(at));
  const verdict = await transact(table, () => [
    legAction(table, intent, before, dated, watchAttributes(place, watchForLeg(intent, after))),
    ...ledgerActions(table, intent, bookLeg(intent, before, after, at)),
    ...legEvents(table, intent, before, dated),
    ...also,
  ]);
  return verdict.done;
}

function legEvents(table: Table, intent: PaymentIntent, before: BatchLeg, after: BatchLeg): Action[] {
  const status = legStatus(after);
  if (status === legStatus(before)) return [];
  const { tenantId, id, externalId } = intent;
  const { order, attempt: step } = after;
  const atMs = legStatusSinceMs(intent, after);
  // In one millisecond what begins with "id#" stands before it: that the batch begins, and its legs with it.
  const changed = { tenantId, about: `${id}_${order}`, atMs, step, externalId };
  return eventActions(table, changed, [{ of: "leg", id, status, orders: [[order, order]] }]);
}

/** The same for a change of an ended leg that the books do not tell. */
export async function rewriteLeg(table: Table, intent: IntentKey, before: BatchLeg, after: BatchLeg): Promise<boolean> {
  const { done } = await transact(table, () => [legAction(table, intent, before, after)]);
  return done;
}

const legAction = (
  table: Table,
  { tenantId, id }: IntentKey,
  before: BatchLeg,
  after: BatchLeg,
  watch: Readonly<Record<string, string>> = {},
): Action => ({
  label: "leg",
  write: {
    Put: {
      TableName: table.name,
      Item: { ...keysOf(tenantId).leg(id, after.order), ...watch, attempt: after.attempt, doc: toDoc(after) },
      ConditionExpression: "attempt = :attempt",
      ExpressionAttributeValues: { ":attempt": before.attempt },
    },
  },
});
