import { Exact, isDecimal } from "../amounts/money.ts";

/** The value of a JSON field, `undefined` where it is missing; or the decimal that a text stands for. */
export type Value = unknown;

/** Whether a value is a document within the document, as MongoDB calls it: an object, and no array. */
export const isEmbedded = (value: Value): value is Readonly<Record<string, Value>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The values at a path, as MongoDB finds them: an array on the way stands for its elements that are objects, a number
 * names the element at that place, and a missing value is `undefined`. Only own properties count.
 */
export function valuesAt(node: Value, path: readonly string[]): readonly Value[] {
  const found: Value[] = [];
  collect(node, path, 0, found);
  return found;
}

function collect(node: Value, path: readonly string[], from: number, found: Value[]): void {
  const name = path[from];
  if (name === undefined) found.push(node);
  else if (isEmbedded(node)) collect(Object.hasOwn(node, name) ? node[name] : undefined, path, from + 1, found);
  else if (!Array.isArray(node)) found.push(undefined);
  else if (/^\d+$/.test(name)) collect(node[Number(name)], path, from + 1, found);
  else for (const element of node) if (isEmbedded(element)) collect(element, path, from, found);
}

/**
 * A text that holds a decimal, also one below zero, as the number that it means, to compare it with numbers and other
 * decimals; any other value as it is.
 */
export const toDecimal = (value: Value): Value =>
  typeof value === "string" && isDecimal(value.replace(/^-/, "")) ? new Exact(value) : (value ?? null);

export const isDecimalValue = (value: Value): boolean => value instanceof Exact;

/** Order of MongoDB's types, as far as JSON has them. What is missing counts as null. */
const rankOf = (value: Value): number => {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" || isDecimalValue(value)) return 1;
  if (typeof value === "string") return 2;
  if (typeof value === "boolean") return 5;
  return Array.isArray(value) ? 4 : 3;
};

export const isSameType = (left: Value, right: Value): boolean => rankOf(left) === rankOf(right);

/** MongoDB's order of any two values, across types: below 0 when `left` comes first. */
export function compareValues(left: Value, right: Value): number {
  if (!isSameType(left, right)) return rankOf(left) - rankOf(right);
  if (typeof left === "string") return compareTexts(left, right as string);
  if (isDecimalValue(left) || isDecimalValue(right)) return new Exact(String(left)).cmp(String(right));
  if (Array.isArray(left)) return compareLists(left, right as Value[]);
  if (isEmbedded(left)) return compareLists(fieldsOf(left), fieldsOf(right as object));
  return Number(left ?? 0) - Number(right ?? 0);
}

/** The fields of an object as MongoDB compares them, one by one: the type of the value, the name, and then the value. */
const fieldsOf = (node: object): readonly Value[] =>
  Object.entries(node).flatMap(([name, value]) => [rankOf(value), name, value]);

function compareLists(left: readonly Value[], right: readonly Value[]): number {
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const order = compareValues(left[at], right[at]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Compares by code points, as MongoDB and DynamoDB order UTF-8; JavaScript's own order puts emoji before U+E000. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return codeOrder(left, at) - codeOrder(right, at);
}

const codeOrder = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
};
