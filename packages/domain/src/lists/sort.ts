import type { SortKey } from "./query.ts";
import { compareValues, type Value, valuesAt } from "./value.ts";

/**
 * Orders items as MongoDB does. Items that are equal in every key, and all items where there is no key, come newest
 * first. The values that an item is sorted by are looked up once.
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

/** The values that sort an array: upwards its least element counts, downwards its greatest; an empty one has none. */
const candidates = (found: readonly Value[]): readonly Value[] =>
  found.some(Array.isArray) ? found.flatMap((value) => (Array.isArray(value) ? value : [value])) : found;
const first = (found: readonly Value[]): Value => sorted(candidates(found))[0];
const last = (found: readonly Value[]): Value => sorted(candidates(found)).at(-1);
const sorted = (values: readonly Value[]) => (values.length > 1 ? values.toSorted(compareValues) : values);
