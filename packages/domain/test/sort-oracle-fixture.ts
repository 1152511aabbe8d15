import type { SortKey } from "../src/lists/query.ts";

type Json = unknown;
const isRecord = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The items in MongoDB's order, written out from its manual without sharing a line with the code it judges: arrays by
 * their least or greatest element, and then the newest first. `isMoney` says at which paths texts are amounts.
 */
export function sortAsMongo<Item extends object>(
  items: readonly Item[],
  sort: readonly SortKey[],
  isMoney: (path: string) => boolean = () => false,
): Item[] {
  const keys = [...sort, { path: "id", descending: true }];
  return items.toSorted((one, other) => {
    for (const { path, descending } of keys) {
      const [left, right] = [one, other].map((item) => {
        const found = standingAt([item], path.split(".")).map((value) => (isMoney(path) ? toNumber(value) : value));
        const ranked = found.flatMap((value) => (Array.isArray(value) ? value : [value])).toSorted(precedence);
        return descending ? ranked.findLast(() => true) : ranked[0];
      });
      const order = precedence(left, right);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

/** Null stands in for `undefined`, which `toSorted` puts last without comparing. */
function standingAt(nodes: readonly Json[], [name, ...rest]: readonly string[]): Json[] {
  if (name === undefined) return nodes.map((node) => node ?? null);
  const below = nodes.flatMap((node): Json[] => {
    if (!Array.isArray(node)) return [isRecord(node) ? node[name] : undefined];
    return /^\d+$/.test(name) ? [node[Number(name)]] : node.filter(isRecord).map((element) => element[name]);
  });
  return standingAt(below, rest);
}

const toNumber = (value: Json): Json => (typeof value === "string" && value !== "" ? Number(value) : value);

const typeOf = (value: Json): number => {
  if (value === null || value === undefined) return 1;
  if (Array.isArray(value)) return 5;
  return { number: 2, string: 3, object: 4, boolean: 6 }[String(typeof value)] ?? 0;
};

function precedence(left: Json, right: Json): number {
  if (typeOf(left) !== typeOf(right)) return typeOf(left) - typeOf(right);
  if (typeof left === "number" || typeof left === "boolean") return Number(left) - Number(right);
  if (typeof left === "string") return Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
  if (Array.isArray(left)) return inTurn(left, right as Json[], precedence);
  if (!isRecord(left)) return 0;
  return inTurn(Object.entries(left), Object.entries(right as object), ([name, value], [otherName, other]) => {
    const byType = typeOf(value) - typeOf(other);
    return byType !== 0 ? byType : precedence(name, otherName) || precedence(value, other);
  });
}

function inTurn<Element>(
  left: readonly Element[],
  right: readonly Element[],
  compare: (one: Element, other: Element) => number,
): number {
  for (const [at, element] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order = compare(element, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
