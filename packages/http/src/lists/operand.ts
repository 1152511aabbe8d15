import { Exact } from "@intents/domain/amounts/money.ts";
import { toOneSpelling } from "@intents/domain/ids.ts";
import type { FieldType } from "@intents/domain/lists/resources.ts";
import type { Scalar } from "./json.ts";

/** A query's text as a value of its field's type, or a description of what it must be. */
export type Operand = Readonly<{ value: unknown } | { mustBe: string }>;

/**
 * Reads a text as a value. The word `null` means null, except for text fields, where it is a word like any other; a null
 * of JSON always does (Decision 016).
 */
export function toOperand(text: Scalar, type: FieldType): Operand {
  return text === null || (text === "null" && type !== "string") ? { value: null } : read[type](text);
}

const found = <Value>(value: Value | undefined, mustBe: string): Operand =>
  value === undefined ? { mustBe } : { value };

const A_DATE = "must be a date, such as 2026-01-31 or 2026-01-31T09:30:00Z";

const read: Readonly<Record<FieldType, (text: string) => Operand>> = {
  string: (text) => ({ value: text }),
  number: (text) => found(toNumber(text), "must be a number"),
  id: (text) => ({ value: toNumber(text) ?? text }),
  textId: (text) => ({ value: toOneSpelling(text) }),
  decimal: (text) => found(toDecimal(text), "must be a decimal number, such as 10.50"),
  boolean: (text) => found(truths.get(text), "must be true or false"),
  date: (text) => found(toMoment(text), A_DATE),
  // A day stands for its midnight, and its text sorts rightly among those of other moments, too.
  day: (text) => found(toMoment(text)?.replace("T00:00:00.000Z", ""), A_DATE),
};

const truths: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** Reads whether a field exists; MongoDB takes 1 and 0, too. */
export const toBoolean = (text: Scalar): Operand =>
  text === "1" || text === "0" ? { value: text === "1" } : read.boolean(String(text));

export const toSize = (text: Scalar): Operand =>
  found(/^\d{1,9}$/.test(String(text)) ? Number(text) : undefined, "must be an integer of at least 0");

function toNumber(text: string): number | undefined {
  const number = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

const toDecimal = (text: string) => (/^-?\d{1,40}(\.\d{1,40})?$/.test(text) ? new Exact(text) : undefined);

const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/** A moment as the service writes dates: in UTC, to the millisecond. A text without an offset is in UTC. */
function toMoment(text: string): string | undefined {
  const [, day = "", time = "00:00", offset = "Z"] = ISO_8601.exec(text) ?? [];
  const moment = new Date(`${day}T${time}${offset}`);
  const midnight = new Date(`${day}T00:00Z`);
  if (Number.isNaN(moment.getTime()) || Number.isNaN(midnight.getTime())) return undefined;
  // JavaScript takes the 30th of February for the 1st of March.
  return midnight.toISOString().startsWith(day) ? moment.toISOString() : undefined;
}

/** MongoDB's names of types, by name and by number. No value is ever of a type that JSON lacks. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ["number", "number"],
  ...(
    [
      ["1", "double"],
      ["2", "string"],
      ["3", "object"],
      ["4", "array"],
      ["5", "binData"],
      ["6", "undefined"],
      ["7", "objectId"],
      ["8", "bool"],
      ["9", "date"],
      ["10", "null"],
      ["11", "regex"],
      ["12", "dbPointer"],
      ["13", "javascript"],
      ["14", "symbol"],
      ["15", "javascriptWithScope"],
      ["16", "int"],
      ["17", "timestamp"],
      ["18", "long"],
      ["19", "decimal"],
      ["-1", "minKey"],
      ["127", "maxKey"],
    ] as const
  ).flatMap(([code, name]) => [[code, name] as const, [name, name] as const]),
]);

/** The name of a type. Dates are stored as text: in a date field every text counts as a date, and none as a string. */
export function toTypeName(text: Scalar, type: FieldType): Operand {
  const name = typeNames.get(String(text));
  if (name === undefined) return { mustBe: "must be the name or the number of a type, such as string or 2" };
  if (type !== "date" && type !== "day") return { value: name };
  return { value: name === "date" ? "string" : name === "string" ? "date" : name };
}
