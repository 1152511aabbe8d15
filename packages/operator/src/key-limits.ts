import { isAddressRange } from "@intents/domain/parties/address-range.ts";
import { type KeyLimits, type Scope, SOURCES_MAX, scopes } from "@intents/domain/parties/key-limits.ts";
import { InvalidArgumentError, Option } from "commander";

/** Limits as a command line gives them: null takes one away, and what is not named stays. */
export type GivenLimits = Readonly<{
  expires?: string | null;
  sources?: readonly string[] | null;
  scopes?: readonly Scope[] | null;
}>;

export const limitOptions = (): readonly Option[] => [
  new Option("--expires <time>", "when it ends: 2027-01-31, 2027-01-31T18:00Z, or never").argParser(parseExpiry),
  new Option("--sources <ranges>", "addresses that may use it: 203.0.113.0/24,2001:db8::/32, or any").argParser(
    parseSources,
  ),
  new Option("--scopes <scopes>", "calls that it may make: read,write,pay,webhooks, some of them, or all").argParser(
    parseScopes,
  ),
];

/** The limits of a key whose limits were `before`. */
export function limitsAfter(before: KeyLimits, given: GivenLimits): KeyLimits {
  const { expires = before.expiresAt, sources = before.sources, scopes: scoped = before.scopes } = given;
  return { ...(expires && { expiresAt: expires }), ...(sources && { sources }), ...(scoped && { scopes: scoped }) };
}

function parseExpiry(value: string): string | null {
  if (value === "never") return null;
  const read = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/.test(value) ? new Date(value) : new Date(Number.NaN);
  // JavaScript reads 31 June as 1 July.
  if (Number.isNaN(read.getTime()) || read.toISOString().slice(0, 10) !== value.slice(0, 10))
    throw new InvalidArgumentError("a day or a time in UTC, such as 2027-01-31 or 2027-01-31T18:00Z, or never");
  if (read.getTime() <= Date.now()) throw new InvalidArgumentError("a time in the future");
  return read.toISOString();
}

function parseSources(value: string): readonly string[] | null {
  if (value === "any") return null;
  const ranges = value.split(",");
  const wrong = ranges.find((range) => !isAddressRange(range));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`"${wrong}" is no address and no range such as 203.0.113.0/24 or 2001:db8::/32`);
  if (ranges.length > SOURCES_MAX) throw new InvalidArgumentError(`at most ${SOURCES_MAX} ranges`);
  return ranges;
}

function parseScopes(value: string): readonly Scope[] | null {
  if (value === "all") return null;
  const given = value.split(",");
  const wrong = given.find((name) => !scopes.some((scope) => scope === name));
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is none of ${scopes.join(", ")}, all`);
  return scopes.filter((scope) => given.includes(scope));
}
