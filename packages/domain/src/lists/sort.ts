import type { SortKey } from "./query.ts";
import { type ListKind, typeAt } from "./resources.ts";
import { compareValues, toDecimal, type Value, valuesAt } from "./value.ts";

/**
 * Orders the items of a kind as MongoDB does, and amounts of money by what they are worth. Items that are equal in every key, and all items where there is no key, come newest
 * first. The values that an item is sorted by are looked up once.
 */
export function compareItems(kind: ListKind, sort: readonly SortKey[]): (left: object, right: object) => number {
  const keys = [...sort, NEWEST_FIRST].map(({ path, descending }) => {
    const names = path.split(".");
    const read = typeAt(kind, names) === "decimal" ? toDecimal : (value: Value) => value ?? null;
    return { names, read, descending, direction: descending ? -1 : 1 };
  });
  const known = new WeakMap<object, readonly Value[]>();
  const valuesOf = (item: object): readonly Value[] => {
    const values =
      known.get(item) ??
      keys.map(({ names, read, descending }) => pick(candidates(valuesAt(item, names)).map(read), descending));
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

/** The values that may sort an item: an array stands for its elements, and an empty one for nothing. */
const candidates = (found: readonly Value[]): readonly Value[] =>
  found.some(Array.isArray) ? found.flatMap((value) => (Array.isArray(value) ? value : [value])) : found;

/** Upwards the least of the values counts, downwards the greatest. */
const pick = (values: readonly Value[], descending: boolean): Value =>
  values.length > 1 ? values.toSorted(compareValues).at(descending ? -1 : 0) : (values[0] ?? null);
