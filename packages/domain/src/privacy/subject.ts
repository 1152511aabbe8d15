import type { PaymentIntent } from "../intents/payment-intent.ts";
import { isTerminal } from "../intents/statuses.ts";
import type { PartyDetails } from "../parties/party.ts";

/** The person whom a request for personal data is about: the ids of saved parties, and an e-mail in lower case. */
export type Subject = Readonly<{ partyIds: ReadonlySet<string>; email?: string }>;

/** The places of an intent that name a person. */
export const partyRoles = ["payer", "subject"] as const;
export type PartyRole = (typeof partyRoles)[number];

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
