import type { SortKey } from "./list-query.ts";
import { compareValues, type Value, valuesAt } from "./list-value.ts";

/**
 * Orders items as MongoDB does; what is equal in every key, and everything without one, the newest first. What an item is
 * sorted by is looked up once.
 */
export function compareItems(sort: readonly SortKey[]): (left: object, right: object) => number {
  const keys = [...sort, NEWEST_FIRST].map(({ path, descending }) => ({
    names: path.split("."),
    pick: descending ? last : first,
    direction: descending ? -1 : 1,
  }));
  const known = new WeakMap<object, readonly Value[]>();
  const valuesOf = (item: object): readonly Value[] => {
    const values = known.get(item) ?? keys.map(({ names, pick }) => pick(valuesAt(item, names)));
    known.set(item, values);
    return values;
  };
  return (left, right) => {
    const [ours, theirs] = [valuesOf(left), valuesOf(right)];
    for (const [at, { direction }] of keys.entries()) {
      const order = compareValues(ours[at], theirs[at]);
      if (order !== 0) return order * direction;
    }
    return 0;
  };
}

const NEWEST_FIRST: SortKey = { path: "id", descending: true };

/** What an array is sorted by: its least element upwards, its greatest downwards, and as if missing without any. */
const candidates = (found: readonly Value[]): readonly Value[] =>
  found.some(Array.isArray) ? found.flatMap((value) => (Array.isArray(value) ? value : [value])) : found;
const first = (found: readonly Value[]): Value => sorted(candidates(found))[0];
const last = (found: readonly Value[]): Value => sorted(candidates(found)).at(-1);
const sorted = (values: readonly Value[]) => (values.length > 1 ? values.toSorted(compareValues) : values);
