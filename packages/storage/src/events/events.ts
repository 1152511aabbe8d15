import type { StatusChange } from "@intents/domain/events/status-change.ts";
import { keysOf } from "../table/keys.ts";
import { shardOf } from "../table/shared-keys.ts";
import { type Table, toDoc } from "../table/table.ts";
import { type Action, EVENT } from "../table/transact.ts";

/**
 * A tenant's events are spread over this many partitions: one takes 1,000 write units a second, and 200 payments a second
 * by single-use links, the dearest, need 2,000 of them (Decision 025).
 */
export const EVENT_SHARDS = 4;
/** Events are answered for so long. */
export const EVENTS_KEPT_MS = 30 * 86_400_000;
/** The store deletes them a day later, so that none is missing at the end of that time. */
export const EVENTS_DELETED_AFTER_MS = EVENTS_KEPT_MS + 86_400_000;

/**
 * A change of one thing: its key, its time in milliseconds since 1970, and a number that grows with each of its changes.
 * `externalId` is the tenant's own id of the payment that the thing belongs to.
 */
export type Changed = Readonly<{
  tenantId: string;
  about: string;
  atMs: number;
  step: number;
  externalId?: string | undefined;
}>;

/**
 * The place of a change among all of a tenant: by its time, and in one millisecond by what has changed and its step. The
 * changes of one thing must be dated in their order, whatever the clocks of the workers say.
 */
const placeOf = ({ about, atMs, step }: Pick<Changed, "about" | "atMs" | "step">): string =>
  `${timeOf(atMs)}#${about}#${String(step).padStart(9, "0")}`;

/** The beginning of all places of a moment. */
export const timeOf = (ms: number): string => String(Math.floor(ms)).padStart(15, "0");

/** The time of a place. */
export const dateOf = (place: string): string => new Date(Number.parseInt(place, 10)).toISOString();

/** The write that tells callers of changes of status, in the transaction that makes them; none where nothing changed. */
export function eventActions(table: Table, changed: Changed, changes: readonly StatusChange[]): Action[] {
  if (changes.length === 0) return [];
  const { tenantId, about, atMs, externalId } = changed;
  const key = keysOf(tenantId).event(shardOf(about, EVENT_SHARDS), placeOf(changed));
  const ttl = Math.ceil((atMs + EVENTS_DELETED_AFTER_MS) / 1000);
  // Beside the document, an erasure can remove it.
  const Item = { ...key, ttl, ...(externalId !== undefined && { externalId }), doc: toDoc(changes) };
  return [{ label: EVENT, datedMs: atMs, write: { Put: { TableName: table.name, Item } } }];
}
