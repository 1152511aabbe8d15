import type { Filter } from "./query.ts";
import { compareValues, isDecimalValue, isEmbedded, isSameType, toDecimal, type Value, valuesAt } from "./value.ts";

/** Whether one condition holds for what stands at its path: mostly one value, several below an array, or none. */
type Test = (found: readonly Value[]) => boolean;

/** The operators that combine conditions on a whole document; all others judge a field. */
const logical = {
  $and: (branches: readonly Matcher[]) => (item: Value) => branches.every((holds) => holds(item)),
  $or: (branches: readonly Matcher[]) => (item: Value) => branches.some((holds) => holds(item)),
  $nor: (branches: readonly Matcher[]) => (item: Value) => !branches.some((holds) => holds(item)),
} as const;
type Matcher = (item: Value) => boolean;

/** Every operator on fields, with MongoDB's meaning. Its operand already has the type of the field. */
const operators: Readonly<Record<string, (operand: Value) => Test>> = {
  $eq: (wanted) => anyOf([wanted]),
  $ne: (wanted) => not(anyOf([wanted])),
  $in: (wanted) => anyOf(wanted as Value[]),
  $nin: (wanted) => not(anyOf(wanted as Value[])),
  $gt: (bound) => ordered(bound, (order) => order > 0),
  $gte: (bound) => ordered(bound, (order) => order >= 0),
  $lt: (bound) => ordered(bound, (order) => order < 0),
  $lte: (bound) => ordered(bound, (order) => order <= 0),
  $not: (conditions) => not(allOf(conditions)),
  $exists: (wanted) => (found) => found.some((value) => value !== undefined) === wanted,
  $type: (names) => (found) =>
    widened(found).some((value) => (names as string[]).some((name) => isOfType(value, name))),
  $size: (size) => (found) => found.some((value) => Array.isArray(value) && value.length === size),
  $all: (wanted) => {
    const each = (wanted as Value[]).map((one) => anyOf([one]));
    return (found) => each.length > 0 && each.every((holds) => holds(found));
  },
  $elemMatch: (conditions) => {
    const holds = compileElement(conditions as Filter);
    return (found) => found.some((value) => Array.isArray(value) && value.some(holds));
  },
};

/** Whether an item meets `filter`, exactly as MongoDB would judge it (Decision 016). */
export function compileFilter(filter: Filter): Matcher {
  const tests = Object.entries(filter).map(([key, operand]): Matcher => {
    if (Object.hasOwn(logical, key)) {
      return logical[key as keyof typeof logical]((operand as Filter[]).map(compileFilter));
    }
    const path = key.split(".");
    const holds = hasOperators(operand) ? allOf(operand) : anyOf([operand]);
    return (item) => holds(valuesAt(item, path));
  });
  return (item) => tests.every((holds) => holds(item));
}

const hasOperators = (operand: Value): operand is Filter =>
  isEmbedded(operand) && Object.keys(operand).some((key) => Object.hasOwn(operators, key));

function allOf(conditions: Value): Test {
  const tests = Object.entries(conditions as Filter).map(([name, operand]) => {
    const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (operator === undefined) throw new Error(`No operator ${name}`);
    return operator(operand);
  });
  return (found) => tests.every((holds) => holds(found));
}

/** Conditions without field names judge the element itself; with field names, the element must be an object. */
function compileElement(conditions: Filter): Matcher {
  if (hasOperators(conditions)) {
    const holds = allOf(conditions);
    return (element) => holds([element]);
  }
  const holds = compileFilter(conditions);
  return (element) => isEmbedded(element) && holds(element);
}

/** The values that a condition is tried on: an array is tried as each of its elements and as itself. */
const widened = (found: readonly Value[]): readonly Value[] =>
  found.some(Array.isArray) ? found.flatMap((value) => (Array.isArray(value) ? [...value, value] : [value])) : found;

const not =
  (test: Test): Test =>
  (found) =>
    !test(found);

/** Whether a value is among `wanted`, where null also matches a missing field. */
function anyOf(wanted: readonly Value[]): Test {
  const scalars = new Set(wanted.filter((value) => typeof value !== "object" || value === null));
  const others = wanted.filter((value) => typeof value === "object" && value !== null);
  const isWanted = (value: Value) =>
    scalars.has(value ?? null) || others.some((other) => compareValues(like(other, value), other) === 0);
  return (found) => widened(found).some(isWanted);
}

const ordered =
  (bound: Value, holds: (order: number) => boolean): Test =>
  (found) =>
    widened(found)
      .map((value) => like(bound, value))
      .some((value) => isSameType(value, bound) && holds(compareValues(value, bound)));

/** A stored value as it is compared with an operand: a text as a decimal where the operand is one. */
const like = (operand: Value, value: Value): Value => (isDecimalValue(operand) ? toDecimal(value) : value);

/** JSON has one type of numbers: all of them are `double`, `decimal` and `number`, whole ones also `int` and `long`. */
function isOfType(value: Value, name: string): boolean {
  if (name === "null") return value === null;
  if (name === "array") return Array.isArray(value);
  if (name === "object") return isEmbedded(value);
  if (name === "bool") return typeof value === "boolean";
  if (name === "string") return typeof value === "string";
  if (name === "int" || name === "long") return Number.isInteger(value);
  return typeof value === "number" && (name === "double" || name === "decimal" || name === "number");
}
