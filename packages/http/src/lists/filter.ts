import { toWord } from "@intents/contract/problems.ts";
import type { Filter } from "@intents/domain/lists/query.ts";
import { type FieldType, type ListKind, typeAt } from "@intents/domain/lists/resources.ts";
import type { Scalar } from "./json.ts";
import { type Operand, toBoolean, toOperand, toSize, toTypeName } from "./operand.ts";

/** A parameter, put together from its brackets and dots; several values at one place form a list. */
export type Given = Readonly<{ [name: string]: Part }>;
export type Part = Given | readonly Scalar[] | Scalar;

/** Entries nested deeper than this are cut (DESIGN 17). Names and operators count, places in lists do not. */
const DEPTH_MAX = 10;

/** Operators that are removed as if never sent (SPEC, Querying). */
const strippedOperators = new Set(
  "$regex $options $where $expr $lookup $unionWith $merge $out $function $accumulator $comment".split(" "),
);
const sensitiveNames = new Set("password apikey secret accesstoken refreshtoken privatekey".split(" "));

/** A filter while it is read, with the stripped operators and the problems found so far. */
type Reading = Readonly<{ kind: ListKind; stripped: string[]; problems: string[] }>;

/** The place of a part within its filter. */
type Place = Readonly<{
  reading: Reading;
  /** The field as the filter names it: from the item, or from an element of an array. */
  names: readonly string[];
  /** The field as named from the item, always: its type is looked up by this name. */
  typed: readonly string[];
  /** The path to the part, as the caller wrote it. */
  said: readonly string[];
  depth: number;
}>;

/** Conditions on the field itself, by operator, and finished conditions on the fields below it. */
type Conditions = Readonly<{ here: Filter; below: readonly Filter[] }>;

const nothing: Conditions = { here: {}, below: [] };
const isNothing = ({ here, below }: Conditions): boolean => isEmpty(here) && below.length === 0;

/** The MongoDB filter that `given` stands for: sanitized, and with values of the fields' types (Decision 016). */
export function readFilter(kind: ListKind, given: Given) {
  const reading: Reading = { kind, stripped: [], problems: [] };
  const root = { reading, names: [], typed: [], said: ["filter"], depth: 0 };
  return { ...reading, filter: isEmpty(given) ? {} : joined(finished(readObject(given, root), root)) };
}

const report = ({ reading, said }: Place, problem: string): void => {
  reading.problems.push(`${said.map(toWord).join(".")} ${problem}`);
};

/** Reads conditions. None where some belong are refused: to leave them out would match more. */
function readObject(object: Given, at: Place): Conditions {
  if (isEmpty(object)) report(at, "must not be empty");
  return together(Object.entries(object).map(([key, part]) => readEntry(key, part, at)));
}

function readEntry(key: string, part: Part, from: Place): Conditions {
  const [name = "", ...rest] = key.split(".");
  const at = { ...from, said: [...from.said, name], depth: from.depth + 1 };
  const isTooDeep = at.depth > DEPTH_MAX || name.includes("[");
  if (isTooDeep || strippedOperators.has(name) || sensitiveNames.has(name.toLowerCase())) {
    at.reading.stripped.push(at.said.join("."));
    return nothing;
  }
  if (name.startsWith("$")) return readOperator(name, rest.length > 0 ? { [rest.join(".")]: part } : part, at);
  if (name === "") report(at, "is not a field");
  const inside = { ...at, names: [...at.names, name], typed: [...at.typed, name] };
  const conditions = rest.length > 0 ? readEntry(rest.join("."), part, inside) : readField(part, inside);
  return { here: {}, below: finished(conditions, inside) };
}

/** A list of values, in whatever form it came, means any of them; every other part holds conditions. */
function readField(part: Part, at: Place): Conditions {
  const entries: readonly (readonly [string, Part])[] = isGiven(part) ? Object.entries(part) : [["0", part]];
  const isValue = ([key, value]: readonly [string, Part]) => isPlace(key) && !isGiven(value);
  const values = entries.filter(isValue).flatMap(([, value]) => readValues(elementsOf(value), at, toOperand));
  const others = entries.filter((entry) => !isValue(entry));
  const here: Filter = values.length > 1 ? { $in: values } : values.length === 1 ? { $eq: values[0] } : {};
  const inner = others.length > 0 ? readObject(Object.fromEntries(others), at) : nothing;
  if (isNothing(inner)) return { here, below: [] };
  return together([inner, { here: {}, below: finished({ here, below: [] }, at) }]);
}

type Reader = Readonly<{ many: boolean; toValue: (text: Scalar, type: FieldType) => Operand }>;

/** The readers of the operands of comparing operators. */
const readers: Readonly<Record<string, Reader>> = {
  $eq: { many: false, toValue: toOperand },
  $ne: { many: false, toValue: toOperand },
  $gt: { many: false, toValue: toOperand },
  $gte: { many: false, toValue: toOperand },
  $lt: { many: false, toValue: toOperand },
  $lte: { many: false, toValue: toOperand },
  $in: { many: true, toValue: toOperand },
  $nin: { many: true, toValue: toOperand },
  $all: { many: true, toValue: toOperand },
  $type: { many: true, toValue: toTypeName },
  $exists: { many: false, toValue: toBoolean },
  $size: { many: false, toValue: toSize },
};

function readOperator(name: string, part: Part, at: Place): Conditions {
  if (name === "$and" || name === "$or" || name === "$nor") return readBranches(name, part, at);
  if (name === "$not") return readNot(part, at);
  if (name === "$elemMatch") return readElement(part, at);
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (reader === undefined) {
    report(at, "is not supported");
    return nothing;
  }
  const { objects = [], others = [] } = Object.groupBy(elementsOf(part), (element) =>
    name === "$all" && isGiven(element) ? "objects" : "others",
  );
  const values = readValues(others, at, reader.toValue);
  if (!reader.many && values.length > 1) report(at, "must be a single value");
  const here = values.length === 0 ? {} : { [name]: reader.many ? values : values[0] };
  return together([{ here, below: [] }, ...objects.map((object) => readAllMatch(object, at))]);
}

function readBranches(name: string, part: Part, at: Place): Conditions {
  const branches = elementsOf(part).flatMap((branch, index) => {
    if (isGiven(branch)) return [finished(readObject(branch, { ...at, said: [...at.said, String(index)] }), at)];
    report(at, "must be a list of conditions");
    return [];
  });
  const left = branches.filter((branch) => branch.length > 0).map(joined);
  return left.length === 0 ? nothing : { here: {}, below: [{ [name]: left }] };
}

/** Negates conditions: with `$not` if all of them are on the field itself, else with a `$nor` around them. */
function readNot(part: Part, at: Place): Conditions {
  const inner = readField(part, at);
  if (isNothing(inner)) return nothing;
  if (inner.below.length === 0) return { here: { $not: inner.here }, below: [] };
  return { here: {}, below: [{ $nor: [joined(finished(inner, at))] }] };
}

function readElement(part: Part, at: Place): Conditions {
  if (!isGiven(part)) {
    report(at, "must hold conditions");
    return nothing;
  }
  const inner = readObject(part, { ...at, names: [] });
  if (isNothing(inner)) return nothing;
  if (!isEmpty(inner.here) && inner.below.length > 0) report(at, "mixes operators and fields");
  return { here: { $elemMatch: isEmpty(inner.here) ? joined(inner.below) : inner.here }, below: [] };
}

/** Reads a `$elemMatch` of `$all`: there may be several, and each is a condition of its own. */
function readAllMatch(element: Part, at: Place): Conditions {
  const inner = isGiven(element) ? readObject(element, at) : nothing;
  if (inner.below.length > 0 || Object.keys(inner.here).some((name) => name !== "$elemMatch")) {
    report(at, "must hold values or $elemMatch");
  }
  return { here: {}, below: finished(inner, at) };
}

function readValues(elements: readonly (Given | Scalar)[], at: Place, toValue: Reader["toValue"]): unknown[] {
  return elements.flatMap((element) => {
    if (isGiven(element)) {
      if (!isNothing(readObject(element, at))) report(at, "must be a value");
      return [];
    }
    const operand = toValue(element, typeAt(at.reading.kind, at.typed));
    if ("value" in operand) return [operand.value];
    report(at, operand.mustBe);
    return [];
  });
}

/** The conditions on a field under its name. */
function finished({ here, below }: Conditions, at: Place): readonly Filter[] {
  if (isEmpty(here)) return below;
  if (at.names.length === 0) report(at, `can use ${Object.keys(here).join(" ")} on a field only`);
  const isEquality = Object.keys(here).join() === "$eq";
  return [{ [at.names.join(".")]: isEquality ? here["$eq"] : here }, ...below];
}

export const isGiven = (part: Part): part is Given => typeof part === "object" && part !== null && !Array.isArray(part);
const isPlace = (key: string): boolean => /^\d+$/.test(key);
const isEmpty = (conditions: Filter): boolean => Object.keys(conditions).length === 0;

/**
 * The elements of a list, which may be written by places, by `[]`, by repetition, or as its only element. Those of an
 * empty list are one that holds nothing, which no reader takes.
 */
export function elementsOf(part: Part): readonly (Given | Scalar)[] {
  if (typeof part === "string" || part === null) return [part];
  if (!isGiven(part)) return part.length > 0 ? part : [{}];
  const { placed = [], named = [] } = Object.groupBy(Object.entries(part), ([key]) =>
    isPlace(key) ? "placed" : "named",
  );
  const elements = placed.flatMap(([, element]) => elementsOf(element));
  return named.length === 0 ? elements : [...elements, Object.fromEntries(named)];
}

/** Joins conditions that must all hold; no two of them have the same operator on the field itself. */
const together = (all: readonly Conditions[]): Conditions => ({
  here: Object.assign({}, ...all.map(({ here }) => here)),
  below: all.flatMap(({ below }) => below),
});

/** Joins filters that must all hold into one: side by side, unless they name the same key. */
function joined(filters: readonly Filter[]): Filter {
  const keys = filters.flatMap((filter) => Object.keys(filter));
  return new Set(keys).size === keys.length ? Object.assign({}, ...filters) : { $and: filters };
}
