import type { FunctionGrants } from "./function-grants.ts";
import { type Permission, permissionsOf } from "./grants.ts";

/** A statement of a function's role. Resources are named by their places, objects by their patterns. */
export type Statement = Readonly<{
  effect: string;
  actions: readonly string[];
  on: readonly string[];
  condition: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}>;

/** One call that IAM judges. */
export type Call = Readonly<{
  action: string;
  on: string;
  /** The partition keys that it names. */
  leadingKeys?: readonly string[];
  /** The beginning of the names of the objects that it lists. */
  prefix?: string;
  /** The attributes that a scan or an update names. A scan that names none reads them all. */
  attributes?: readonly string[];
}>;

/** Judges a call as IAM does: what a statement denies is denied, what none allows as well. */
export function isAllowed(statements: readonly Statement[], call: Call): boolean {
  const meant = statements.filter((statement) => isMeant(statement, call));
  return meant.length > 0 && meant.every(({ effect }) => effect === "Allow");
}

/** Whether a statement speaks of a call. */
const isMeant = ({ actions, on, condition }: Statement, call: Call): boolean =>
  actions.includes(call.action) && on.some((pattern) => isLike(call.on, pattern)) && holds(condition, call);

/** The condition operators that the policies use, by whether they hold for the values of a request. */
const operators: Readonly<Record<string, (asked: readonly string[], patterns: readonly string[]) => boolean>> = {
  StringEquals: (asked, values) => asked.length === 1 && asked.every((value) => values.includes(value)),
  "ForAllValues:StringEquals": (asked, values) => asked.every((value) => values.includes(value)),
  Null: (asked, [isNull]) => String(asked.length === 0) === isNull,
  StringLike: (asked, patterns) => asked.length === 1 && asked.every((value) => isAnyOf(value, patterns)),
  "ForAllValues:StringLike": (asked, patterns) => asked.every((value) => isAnyOf(value, patterns)),
  "ForAllValues:StringNotLike": (asked, patterns) => asked.every((value) => !isAnyOf(value, patterns)),
  "ForAnyValue:StringLike": (asked, patterns) => asked.some((value) => isAnyOf(value, patterns)),
};

function holds(condition: Statement["condition"], { leadingKeys = [], prefix, attributes = [] }: Call): boolean {
  const asked: Readonly<Record<string, readonly string[]>> = {
    "dynamodb:LeadingKeys": leadingKeys,
    "dynamodb:Attributes": attributes,
    "dynamodb:Select": attributes.length === 0 ? [] : ["SPECIFIC_ATTRIBUTES"],
    "s3:prefix": prefix === undefined ? [] : [prefix],
  };
  return Object.entries(condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, patterns]) => {
      const [operate, values] = [operators[operator], asked[key]];
      if (operate === undefined || values === undefined) throw new Error(`Not known here: ${operator} of ${key}`);
      return operate(values, patterns);
    }),
  );
}

const isAnyOf = (value: string, patterns: readonly string[]) => patterns.some((pattern) => isLike(value, pattern));
/** Whether a text is like a pattern of IAM, in which `*` is any text. */
const isLike = (value: string, pattern: string): boolean => {
  const known = compiled.get(pattern);
  const expression = known ?? new RegExp(`^${pattern.replaceAll(/[^\w*]/g, "\\$&").replaceAll("*", ".*")}$`, "s");
  if (known === undefined) compiled.set(pattern, expression);
  return expression.test(value);
};
/** The patterns of the policies, each of which is asked about at every call. */
const compiled = new Map<string, RegExp>();

/** The grants that allow a call, as in `get intent`. */
export const grantsUsed = (grants: FunctionGrants, call: Call): string[] =>
  permissionsOf(grants)
    .filter(({ action }) => action === call.action)
    .filter((permission) => isAt(permission, call))
    .map(({ grant }) => grant);

function isAt(
  { target, kind: { like = [], only } }: Permission,
  { on, leadingKeys = [], prefix, attributes = [] }: Call,
) {
  if (target === "documents" || target === "history") return like.some((one) => isLike(on, `${target}/${one}`));
  if (on !== target || (only !== undefined && !attributes.every((name) => only.includes(name)))) return false;
  const keys = prefix === undefined ? leadingKeys : [prefix];
  return (
    like.length === 0 || keys.some((key) => like.some((one) => isLike(key, one) && segmentOf(key) === segmentOf(one)))
  );
}

/** The kind in a tenant's key or its pattern: keys of counters hold the names of other kinds, which are not meant. */
const segmentOf = (key: string): string | undefined => (key.startsWith("T#") ? key.split("#")[2] : undefined);
