import { type Fields, isObject } from "../fields.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { isTerminal } from "../intents/statuses.ts";
import type { PartyDetails } from "../parties/party.ts";
import { testOutcomes } from "../rails/test-outcomes.ts";

/** The person whom a request for personal data is about: the ids of saved parties, and an e-mail in lower case. */
export type Subject = Readonly<{ partyIds: ReadonlySet<string>; email?: string }>;

/** The places of an intent that name a person. */
export const partyRoles = ["payer", "subject"] as const;
export type PartyRole = (typeof partyRoles)[number];

/** The replacement of an erased text that cannot be left out. */
export const ERASED = "erased";

/** The places in which an intent names the person: by a party's id, or by an e-mail that it or an execution of it holds. */
export function rolesOf(intent: PaymentIntent, { partyIds, email }: Subject): PartyRole[] {
  const isTheirs = (details: PartyDetails | undefined) =>
    email !== undefined && details?.email?.toLowerCase() === email;
  return partyRoles.filter((role) => {
    const party = intent[role];
    const frozen = [intent.submission?.[role], ...intent.executions.map((execution) => execution[role])];
    const isNamed = party?.partyId !== undefined && partyIds.has(party.partyId);
    return isNamed || isTheirs(party?.details) || frozen.some(isTheirs);
  });
}

/** Whether an intent needs its personal data no more. A payment that runs, or is about to, still does. */
export const isErasable = ({ status, submission }: PaymentIntent): boolean =>
  isTerminal(status) || ((status === "draft" || status === "pending_link_payment") && submission === undefined);

/** A record without the details of the people in `roles`, wherever it holds a copy of them. */
export const withoutDetails = <Stored>(record: Stored, roles: readonly PartyRole[]): Stored =>
  mapFields(record, (name, value) => {
    if (name === "payerKey" && roles.includes("payer")) return ERASED;
    if (!roles.some((role) => role === name) || !isObject(value)) return value;
    // The party of an intent keeps its role and its id; a copy of somebody's details keeps nothing.
    const { details, ...party } = value;
    return "role" in party ? party : {};
  });

/**
 * A record of an intent, or a stored answer about it, without data of the people in `roles`: their details, their
 * source, and the texts, ids and metadata that callers chose freely, which may name anybody.
 */
export function eraseFrom<Stored extends object>(record: Stored, roles: readonly PartyRole[]): Stored {
  const { name, payerSource, metadata, mayHaveMetadata, ...left } = record as Fields;
  return withoutExternalIds(withoutReferences(withoutDetails(left, roles))) as Stored;
}

/**
 * A record without references that callers made up, since these may name anybody, also in digits. Left are the ids of
 * our own payments, and a tester's outcomes, by which the sandbox judges.
 */
export function withoutReferences<Stored>(record: Stored): Stored {
  const left = new Set<string>([...testOutcomes, ...paymentIdsIn(record)]);
  return mapFields(record, (name, value) =>
    name === "reference" && typeof value === "string" && !left.has(value) ? ERASED : value,
  );
}

/** A record without the tenant's own ids of it and of its recipients. */
const withoutExternalIds = <Stored>(record: Stored): Stored =>
  mapFields(record, (name, value) => (name === "externalId" ? undefined : value));

/** The ids of our own payments that a record holds, at any depth. */
function paymentIdsIn(value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const own = /^(paymentId|connectorPaymentIds?)$/.test(name) ? [field].flat().map(String) : [];
    return [...own, ...paymentIdsIn(field)];
  });
}

/** A copy of a record in which `change` gives every field that it holds, at any depth, its new value; undefined removes it. */
function mapFields<Stored>(record: Stored, change: (name: string, value: unknown) => unknown): Stored {
  const map = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(map);
    if (!isObject(value)) return value;
    const changed = Object.entries(value).map(([name, field]) => [name, map(change(name, field))]);
    return Object.fromEntries(changed.filter(([, field]) => field !== undefined));
  };
  return map(record) as Stored;
}
