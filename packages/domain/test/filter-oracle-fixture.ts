import type { Filter } from "../src/lists/query.ts";

type Json = unknown;
const isRecord = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * MongoDB's answer, written out case by case from its manual and the tests of its path iterator, without sharing a line
 * with the code it judges.
 */
export function judge(document: Json, filter: Filter): boolean {
  for (const [key, condition] of Object.entries(filter)) {
    const branches = condition as Filter[];
    if (key === "$and") {
      for (const branch of branches) if (!judge(document, branch)) return false;
    } else if (key === "$or") {
      if (!branches.some((branch) => judge(document, branch))) return false;
    } else if (key === "$nor") {
      for (const branch of branches) if (judge(document, branch)) return false;
    } else if (!judgeField(document, key.split("."), condition)) return false;
  }
  return true;
}

function judgeField(document: Json, path: string[], condition: Json): boolean {
  const isOperators = isRecord(condition) && Object.keys(condition).some((name) => name.startsWith("$"));
  if (!isOperators) return meets(document, path, (value) => equal(value, condition));
  return Object.entries(condition).every(([operator, operand]) => judgeOperator(document, path, operator, operand));
}

function judgeOperator(document: Json, path: string[], operator: string, operand: Json): boolean {
  const list = operand as Json[];
  const some = (predicate: (value: Json) => boolean) => meets(document, path, predicate);
  const arrays = (predicate: (array: Json[]) => boolean) =>
    walk(document, path, (value) => Array.isArray(value) && predicate(value));
  switch (operator) {
    case "$eq":
      return some((value) => equal(value, operand));
    case "$ne":
      return !some((value) => equal(value, operand));
    case "$in":
      return list.some((wanted) => some((value) => equal(value, wanted)));
    case "$nin":
      return list.every((wanted) => !some((value) => equal(value, wanted)));
    case "$all":
      return list.length > 0 && list.every((wanted) => some((value) => equal(value, wanted)));
    case "$gt":
      return some((value) => isComparable(value, operand) && (value as string) > (operand as string));
    case "$gte":
      return some((value) => equal(value, operand) || (isComparable(value, operand) && above(value, operand)));
    case "$lt":
      return some((value) => isComparable(value, operand) && (value as string) < (operand as string));
    case "$lte":
      return some((value) => equal(value, operand) || (isComparable(value, operand) && above(operand, value)));
    case "$not":
      return !judgeField(document, path, operand);
    case "$exists":
      return walk(document, path, (value) => value !== undefined) === operand;
    case "$type":
      return some((value) => list.some((name) => typesOf(value).includes(name as string)));
    case "$size":
      return arrays((array) => array.length === operand);
    case "$elemMatch": {
      const names = Object.keys(operand as object);
      const onElements = names.length > 0 && names.every((name) => /^\$(?!and|or|nor)/.test(name));
      return arrays((array) =>
        array.some((element) =>
          onElements
            ? judgeField({ element }, ["element"], operand)
            : isRecord(element) && judge(element, operand as Filter),
        ),
      );
    }
    default:
      throw new Error(operator);
  }
}

const above = (left: Json, right: Json): boolean => (left as string) > (right as string);
const isComparable = (left: Json, right: Json): boolean =>
  typeof left === typeof right && (typeof left !== "object" || left === right);
const equal = (left: Json, right: Json): boolean => JSON.stringify(left ?? null) === JSON.stringify(right);
const typesOf = (value: Json): string[] => {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (Number.isInteger(value)) return ["int", "long", "double", "decimal", "number"];
  const names = { string: ["string"], number: ["double", "decimal", "number"], boolean: ["bool"], object: ["object"] };
  return names[typeof value as keyof typeof names] ?? [];
};

/** Whether the predicate holds for what stands at the path or, where that is an array, for one of its elements. */
const meets = (document: Json, path: string[], predicate: (value: Json) => boolean): boolean =>
  walk(document, path, (value) => predicate(value) || (Array.isArray(value) && value.some(predicate)));

function walk(node: Json, [name, ...rest]: string[], predicate: (value: Json) => boolean): boolean {
  if (name === undefined) return predicate(node);
  if (Array.isArray(node) && /^\d+$/.test(name)) return walk(node[Number(name)], rest, predicate);
  if (Array.isArray(node))
    return node.some((element) => isRecord(element) && walk(element, [name, ...rest], predicate));
  return isRecord(node) && Object.hasOwn(node, name) ? walk(node[name], rest, predicate) : predicate(undefined);
}
