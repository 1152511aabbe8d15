import type { SortKey } from "./query.ts";
import { type ListKind, typeAt } from "./resources.ts";
import { compareValues, toDecimal, type Value, valuesAt } from "./value.ts";

/** An item's place among others: a value for each key of the sort, and the item's id. */
export type PlaceInOrder = readonly Value[];

type Order = Readonly<{
  /** The place of an item, which is looked up once. */
  placeOf: (item: object) => PlaceInOrder;
  /** Below 0 when the first place comes first. */
  compare: (left: PlaceInOrder, right: PlaceInOrder) => number;
}>;

/**
 * The order of the items of a kind: MongoDB's, with amounts of money by what they are worth. Items that are equal in
 * every key, and all items where there is no key, come newest first; sorted by a date alone, in the order of the date.
 */
export function orderBy(kind: ListKind, sort: readonly SortKey[]): Order {
  const [first, second] = sort;
  const isByDate = first !== undefined && second === undefined && typeAt(kind, first.path.split(".")) === "date";
  const keys = [...sort, isByDate ? { ...NEWEST_FIRST, descending: first.descending } : NEWEST_FIRST].map(
    ({ path, descending }) => {
      const names = path.split(".");
      const read = typeAt(kind, names) === "decimal" ? toDecimal : (value: Value) => value ?? null;
      return { names, read, descending, direction: descending ? -1 : 1 };
    },
  );
  const known = new WeakMap<object, PlaceInOrder>();
  const placeOf = (item: object): PlaceInOrder => {
    const place =
      known.get(item) ?? keys.map(({ names, read, descending }) => pick(valuesAt(item, names), read, descending));
    known.set(item, place);
    return place;
  };
  const compare = (left: PlaceInOrder, right: PlaceInOrder): number => {
    for (const [at, { read, direction }] of keys.entries()) {
      const order = compareValues(read(left[at]), read(right[at]));
      if (order !== 0) return order * direction;
    }
    return 0;
  };
  return { placeOf, compare };
}

const NEWEST_FIRST: SortKey = { path: "id", descending: true };

/**
 * The value that an item is sorted by: an array stands for its elements, of which the least counts upwards and the
 * greatest downwards, and an empty one for nothing.
 */
function pick(found: readonly Value[], read: (value: Value) => Value, descending: boolean): Value {
  const values = found.flatMap((value) => (Array.isArray(value) ? value : [value ?? null]));
  const sorted = values.length > 1 ? values.toSorted((one, other) => compareValues(read(one), read(other))) : values;
  return sorted.at(descending ? -1 : 0) ?? null;
}
