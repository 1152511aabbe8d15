import { isObject } from "../fields.ts";
import { testOutcomes } from "../rails/test-outcomes.ts";
import type { PartyRole } from "./subject.ts";

/** The person of a field: a party of the payment, or anybody, whom a text or an id of a caller's choice may name. */
export type Owner = PartyRole | "anybody";

/** The replacement of an erased text that cannot be left out. */
export const ERASED = "erased";

/** The rules by which an erasure changes fields; docs/privacy.md explains their names. `left` removes by undefined. */
const rules = {
  "removed with the payer": { owner: "payer", left: () => undefined },
  "removed with the subject": { owner: "subject", left: () => undefined },
  "emptied with the payer": { owner: "payer", left: () => ({}) },
  "emptied with the subject": { owner: "subject", left: () => ({}) },
  "replaced with the payer": { owner: "payer", left: () => ERASED },
  removed: { owner: "anybody", left: () => undefined },
  replaced: { owner: "anybody", left: () => ERASED },
  "replaced unless ours": { owner: "anybody", left: (value, ours) => (ours.has(value) ? value : ERASED) },
} as const satisfies Readonly<
  Record<string, Readonly<{ owner: Owner; left: (value: unknown, ours: ReadonlySet<unknown>) => unknown }>>
>;

/** A field's row: the rule by which it is erased, the reason why it is kept, or that it is not personal. */
export type Row = keyof typeof rules | `kept: ${string}` | "not personal" | "our payment id";

type NameIn<Stored> = Stored extends unknown ? keyof Stored & string : never;
type ValueIn<Stored, Name> = Stored extends unknown ? (Name extends keyof Stored ? Stored[Name] : never) : never;
type ObjectIn<Value> = Value extends readonly (infer One)[] ? ObjectIn<One> : Extract<Value, object>;
type Nested<Inner> = [Inner] extends [never] ? never : Privacy<Inner>;

/**
 * The table of a record's fields, of each member of a union: a row, or the table of an object or of a list of objects. A
 * field without a row does not compile.
 */
export type Privacy<Stored> = { readonly [Name in NameIn<Stored>]: Row | Nested<ObjectIn<ValueIn<Stored, Name>>> };

/** A table whose record does not matter. */
export type Rows = Readonly<{ [name: string]: Row | Rows }>;

/** The rows of fields that hold nothing about a person, however deep. */
export const notPersonal = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, "not personal"])) as Readonly<Record<Name, "not personal">>;

/** The reasons why several records keep a field. */
export const kept = {
  payee: "kept: payees are paid, and the books name them",
  party: "kept: leads to nobody once the saved party is deleted",
  document: "kept: leads to no file once the document is deleted",
  country: "kept: the rail and the price depend on it",
  actor: "kept: proof of the user or operator who did it",
  cause: "kept: proof of the rail's reason",
} as const;

/**
 * A record without the data of `owners`. Fields without a row, as other versions stored them, go as well, since nobody
 * has decided about them.
 */
export function eraseFrom<Stored extends object>(
  record: Stored,
  privacy: Privacy<NoInfer<Stored>>,
  owners: readonly Owner[],
): Stored {
  const ours = new Set<unknown>([...testOutcomes, ...paymentIdsIn(record, privacy)]);
  const left = (value: unknown, row: Row | Rows | undefined): unknown => {
    if (typeof row === "string")
      return isErased(row) && owners.includes(rules[row].owner) ? rules[row].left(value, ours) : value;
    if (row === undefined || !isObject(value)) return undefined;
    if (Array.isArray(value)) return value.map((one) => left(one, row)).filter((one) => one !== undefined);
    const fields = Object.entries(value).map(([name, field]) => [name, left(field, rowOf(row, name))]);
    return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
  };
  return left(record, privacy) as Stored;
}

/** The ids of our own payments in a record, as texts. */
function paymentIdsIn(value: unknown, row: Row | Rows | undefined): string[] {
  if (row === "our payment id") return [value].flat().map(String);
  if (typeof row !== "object" || !isObject(value)) return [];
  if (Array.isArray(value)) return value.flatMap((one) => paymentIdsIn(one, row));
  return Object.entries(value).flatMap(([name, field]) => paymentIdsIn(field, rowOf(row, name)));
}

const rowOf = (rows: Rows, name: string) => (Object.hasOwn(rows, name) ? rows[name] : undefined);

const isErased = (row: Row): row is keyof typeof rules => Object.hasOwn(rules, row);

/** The rows of a table by the paths of their fields: `executions.legs.reason`. */
export const rowsIn = (rows: Rows): (readonly [path: string, row: Row])[] =>
  Object.entries(rows).flatMap(([name, row]) =>
    typeof row === "string"
      ? [[name, row] as const]
      : rowsIn(row).map(([path, inner]) => [`${name}.${path}`, inner] as const),
  );

/** The paths of the fields that an erasure changes. */
export const erasedIn = (rows: Rows): string[] => rowsIn(rows).flatMap(([path, row]) => (isErased(row) ? path : []));
