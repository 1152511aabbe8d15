import type { Decimal } from "../amounts/money.ts";
import type { Payee } from "../parties/payee.ts";
import type { Recipient } from "../scenarios/draft.ts";

/** The rail that took a payment, and the address at which it was asked. All later questions go to that address only. */
export type RailAddress = Readonly<{ name: string; address: string }>;

/** The country that a payment comes from and those it goes to, ISO 3166-1 alpha-2. */
export type Corridor = Readonly<{ from: string; to: readonly string[] }>;

/** A rail and the payments that it serves. */
export type RailDescription = RailAddress &
  Readonly<{
    /** How long the rail surely remembers an executionId; after that the same one might pay again (H1). */
    remembersMs: number;
    /** The most that one payment may send, worth in US dollars. */
    maxUsd: Decimal;
    /** One question is about at most so many executions. */
    questionMax: number;
    /** The pairs of countries that the rail serves: each of `from` with each of `to`, or all pairs. */
    corridors: "all" | readonly Readonly<{ from: readonly string[]; to: readonly string[] }>[];
  }>;

export const servesCorridor = ({ corridors }: Pick<RailDescription, "corridors">, { from, to }: Corridor): boolean =>
  corridors === "all" ||
  to.every((country) => corridors.some((pairs) => pairs.from.includes(from) && pairs.to.includes(country)));

/** The corridor of a payment to `payees`; undefined as long as its country of origin is not known. */
export const corridorOf = (
  from: string | undefined,
  payees: readonly Pick<Payee, "countryCode">[],
): Corridor | undefined =>
  from === undefined ? undefined : { from, to: [...new Set(payees.map(({ countryCode }) => countryCode))] };

/** The payees that a payment is sent to: those of `recipients` that exist, without the tenant's own leg. */
export const payeesAbroad = (
  recipients: readonly Pick<Recipient, "role" | "connectorPayeeId">[],
  payees: ReadonlyMap<number, Payee>,
): Payee[] =>
  recipients.flatMap(({ role, connectorPayeeId }) =>
    role === "tenant" || connectorPayeeId === undefined ? [] : (payees.get(connectorPayeeId) ?? []),
  );

type Serving = Readonly<{ rail: Pick<RailDescription, "corridors"> }>;

/**
 * The rail for a payment: the first of `rails` that serves its corridor. While the corridor is not known or no payee is
 * named, it is the last rail, which serves all corridors.
 */
export function pickRail<Rail extends Serving>(rails: readonly Rail[], corridor: Corridor | undefined): Rail {
  const isKnown = corridor !== undefined && corridor.to.length > 0;
  const own = isKnown ? rails.find(({ rail }) => servesCorridor(rail, corridor)) : undefined;
  const picked = own ?? rails.at(-1);
  if (picked === undefined) throw new Error("No rail is configured");
  return picked;
}

/** The rail with this name at this address; undefined when it is no longer configured. */
export const findRail = <Rail extends Readonly<{ rail: RailAddress }>>(
  rails: readonly Rail[],
  { name, address }: RailAddress,
): Rail | undefined => rails.find(({ rail }) => rail.name === name && rail.address === address);

/** A rail's name and address in one text. */
export const railKeyOf = ({ name, address }: RailAddress): string => `${name} ${address}`;

export const addressOf = ({ name, address }: RailDescription): RailAddress => ({ name, address });
