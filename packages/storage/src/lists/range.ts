import { newNumericId, newRecordId } from "@intents/domain/ids.ts";
import { isEmbedded } from "@intents/domain/lists/value.ts";
import type { Listed } from "../table/keys.ts";
import { changeKey } from "../table/shared-keys.ts";

/** Sort keys of an index, both of them included. */
export type Range = Readonly<{ from: string; to: string }>;

/** Sort keys begin with hex or decimal digits, and these lie before and behind all of them. */
export const EVERYTHING: Range = { from: "!", to: "~" };

/** No sort key lies in it. */
export const NOTHING: Range = { from: "~", to: "!" };

export const isEverything = ({ from, to }: Range): boolean => from === EVERYTHING.from && to === EVERYTHING.to;

/** The part that all the ranges share; `from` is behind `to` when they share nothing. */
export const within = (ranges: readonly Range[]): Range => ({
  from:
    ranges
      .map(({ from }) => from)
      .toSorted()
      .at(-1) ?? EVERYTHING.from,
  to: ranges.map(({ to }) => to).toSorted()[0] ?? EVERYTHING.to,
});

/** The one range around all of them. */
export const around = (ranges: readonly Range[]): Range => ({
  from: ranges.map(({ from }) => from).toSorted()[0] ?? EVERYTHING.to,
  to:
    ranges
      .map(({ to }) => to)
      .toSorted()
      .at(-1) ?? EVERYTHING.from,
});

export const isEmpty = ({ from, to }: Range): boolean => from > to;

/** The first and the last sort key of the records with one value of a field, and the keys just outside of them. */
export type Bounds = Readonly<{ before: string; first: string; last: string; after: string }>;

const ID_LENGTH_MAX = 128;

/** The sort key of the record with this id; undefined when there can be none. */
export function sortKeyOf(kind: Listed, id: unknown): string | undefined {
  if (kind === "PAYEE") return Number.isSafeInteger(id) && Number(id) >= 0 ? payeeSortKey(Number(id)) : undefined;
  return typeof id === "string" && id.length > 0 && id.length <= ID_LENGTH_MAX ? id : undefined;
}

export const payeeSortKey = (id: number): string => String(id).padStart(16, "0");

/** The bounds of one id; undefined for a value that cannot be compared with ids by sort keys alone. */
export function idBounds(kind: Listed, id: unknown): Bounds | undefined {
  const key = sortKeyOf(kind, id);
  if (key === undefined || !/^[\da-f]+$/.test(key)) return undefined;
  return { before: justBefore(key), first: key, last: key, after: justAfter(key) };
}

/** The key with its last digit less one, and behind all keys that begin so. */
const justBefore = (key: string): string =>
  `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}~`;
const justAfter = (key: string): string => `${key}!`;

/** All that comes behind a sort key in the order of an index. */
export const behind = (key: string, order: "up" | "down"): Range =>
  order === "up" ? { ...EVERYTHING, from: justAfter(key) } : { ...EVERYTHING, to: justBefore(key) };

export const isWithin = (key: string, { from, to }: Range): boolean => key >= from && key <= to;

/** Dates as they are stored, `2026-01-31T09:30:00.000Z`, in milliseconds; undefined for whatever else is compared. */
function parseDate(date: unknown): number | undefined {
  const ms = typeof date === "string" && /^\d{4}-/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(ms) || new Date(ms).toISOString() !== date ? undefined : ms;
}

/** The sort key by change of the record with this id, last changed at `date`; undefined when there can be none. */
export function changeKeyOf(kind: Listed, date: unknown, id: unknown): string | undefined {
  const isPlace = parseDate(date) !== undefined && sortKeyOf(kind, id) !== undefined;
  return isPlace ? changeKey(String(date), String(id)) : undefined;
}

/** The date of the change that a sort key by change stands for. */
export const changedAt = (key: string): string => key.slice(0, key.indexOf("#"));

/** The bounds of the records that were last changed in one millisecond: `!` and `$` are around the `#` behind it. */
export function changeBounds(date: unknown): Bounds | undefined {
  if (parseDate(date) === undefined) return undefined;
  return { before: `${date}!`, first: `${date}#`, last: `${date}#~`, after: `${date}$` };
}

/** The bounds of the records created in one millisecond, with which their ids begin (H36). */
export function dateBounds(kind: Listed, date: unknown): Bounds | undefined {
  const ms = parseDate(date);
  if (ms === undefined) return undefined;
  const [lowest, highest] = kind === "PAYEE" ? [lowestPayee, highestPayee] : [lowestRecord, highestRecord];
  return { before: highest(ms - 1), first: lowest(ms), last: highest(ms), after: lowest(ms + 1) };
}

const lowestBytes = (count: number) => new Uint8Array(count);
const highestBytes = (count: number) => new Uint8Array(count).fill(0xff);
const recordPrefix = (ms: number) => newRecordId(ms, lowestBytes).slice(0, 12);
const lowestRecord = (ms: number) => (ms < 0 ? EVERYTHING.from : recordPrefix(ms));
const highestRecord = (ms: number) => (ms < 0 ? EVERYTHING.from : `${recordPrefix(ms)}~`);
const lowestPayee = (ms: number) => payeeKeyWithin(newNumericId(ms, lowestBytes));
const highestPayee = (ms: number) => payeeKeyWithin(newNumericId(ms, highestBytes));
const payeeKeyWithin = (id: number) => (id < 0 ? EVERYTHING.from : payeeSortKey(Math.min(id, Number.MAX_SAFE_INTEGER)));

/** The range in which a condition can hold; exact when the condition holds everywhere in it. */
export function boundsOf(
  operand: unknown,
  toBounds: (value: unknown) => Bounds | undefined,
): { range: Range; isExact: boolean } {
  let { from, to } = EVERYTHING;
  let isExact = true;
  const hasOperators = isEmbedded(operand) && Object.keys(operand).length > 0;
  for (const [operator, value] of Object.entries(hasOperators ? operand : { $eq: operand })) {
    const bounds = toBounds(value);
    const narrow = bounds === undefined ? undefined : rangeOf(operator, bounds);
    if (narrow === undefined) isExact = false;
    if (narrow?.from !== undefined && narrow.from > from) from = narrow.from;
    if (narrow?.to !== undefined && narrow.to < to) to = narrow.to;
  }
  return { range: { from, to }, isExact };
}

function rangeOf(operator: string, { before, first, last, after }: Bounds): Partial<Range> | undefined {
  switch (operator) {
    case "$eq":
      return { from: first, to: last };
    case "$gt":
      return { from: after };
    case "$gte":
      return { from: first };
    case "$lt":
      return { to: before };
    case "$lte":
      return { to: last };
    default:
      return undefined;
  }
}
