import type { Decimal } from "./money.ts";
import type { Payee } from "./payee.ts";
import type { Recipient } from "./payment-intent.ts";

/** Which rail took something on, and where it was asked: whatever is asked about it later goes there and nowhere else. */
export type RailAddress = Readonly<{ name: string; address: string }>;

/** From where to where a payment goes; countries are ISO 3166-1 alpha-2. */
export type Corridor = Readonly<{ from: string; to: readonly string[] }>;

/** What a rail is and which payments are its own. */
export type RailDescription = RailAddress &
  Readonly<{
    /** How long an executionId surely means the same payment to the rail; after that it might pay again (H1). */
    remembersMs: number;
    /** The most that one payment may send, worth in US dollars. */
    maxUsd: Decimal;
    /** Pairs of countries, every one of `from` with every one of `to`; or any pair there is. */
    corridors: "all" | readonly Readonly<{ from: readonly string[]; to: readonly string[] }>[];
  }>;

export const servesCorridor = ({ corridors }: Pick<RailDescription, "corridors">, { from, to }: Corridor): boolean =>
  corridors === "all" ||
  to.every((country) => corridors.some((pairs) => pairs.from.includes(from) && pairs.to.includes(country)));

/** From where to where a payment to `payees` goes; undefined as long as nobody knows from where. */
export const corridorOf = (
  from: string | undefined,
  payees: readonly Pick<Payee, "countryCode">[],
): Corridor | undefined =>
  from === undefined ? undefined : { from, to: [...new Set(payees.map(({ countryCode }) => countryCode))] };

/** Whom a payment is sent to abroad: those that are known of `recipients`, without the tenant's own leg. */
export const payeesAbroad = (
  recipients: readonly Pick<Recipient, "role" | "connectorPayeeId">[],
  payees: ReadonlyMap<number, Payee>,
): Payee[] =>
  recipients.flatMap(({ role, connectorPayeeId }) =>
    role === "tenant" || connectorPayeeId === undefined ? [] : (payees.get(connectorPayeeId) ?? []),
  );

type Serving = Readonly<{ rail: Pick<RailDescription, "corridors"> }>;

/**
 * The rail for a payment: the first of `rails` that serves its corridor. Where that is not known yet, and as long as no
 * payee is named, it is the last one, which serves all there are.
 */
export function pickRail<Rail extends Serving>(rails: readonly Rail[], corridor: Corridor | undefined): Rail {
  const isKnown = corridor !== undefined && corridor.to.length > 0;
  const own = isKnown ? rails.find(({ rail }) => servesCorridor(rail, corridor)) : undefined;
  const picked = own ?? rails.at(-1);
  if (picked === undefined) throw new Error("No rail is configured");
  return picked;
}

/** The rail at this address; undefined where none is configured there any more. */
export const findRail = <Rail extends Readonly<{ rail: RailAddress }>>(
  rails: readonly Rail[],
  { name, address }: RailAddress,
): Rail | undefined => rails.find(({ rail }) => rail.name === name && rail.address === address);

export const addressOf = ({ name, address }: RailDescription): RailAddress => ({ name, address });
