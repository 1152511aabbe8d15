import type { PartyDetails } from "./party.ts";
import type { IntentDraft } from "./payment-intent.ts";
import type { Check, Facts, Finding } from "./requirements.ts";

/** What submit checks of those who pay, and for whom. */
export const partyChecks: readonly Check[] = [unknownParties, namelessPayer, namelessSubject];

/** A party id that nobody has; inline details win over it, so that it then does not matter (DESIGN 17). */
function unknownParties({ payer, subject }: IntentDraft, facts: Facts): Finding[] {
  const named = [
    { path: "payer.partyId" as const, party: payer },
    { path: "subject.partyId" as const, party: subject },
  ];
  return named
    .filter(
      ({ party }) => party?.partyId !== undefined && party.details === undefined && !facts.parties.has(party.partyId),
    )
    .map(({ path }) => ({ path, reason: "No student or payer has this id" }));
}

/** Whose money it is must be a person or a company; the tenant is known, and a saved party was accepted as it is. */
function namelessPayer({ payer: { role, details } }: IntentDraft): Finding[] {
  if (role === "tenant" || details === undefined || details.companyName !== undefined) return [];
  const names = [
    { path: "payer.details.firstName" as const, name: details.firstName },
    { path: "payer.details.lastName" as const, name: details.lastName },
  ];
  return names.filter(({ name }) => name === undefined).map(({ path }) => path);
}

/** For whom it is paid may be said by a role alone; whoever says more says a name. */
function namelessSubject({ subject }: IntentDraft): Finding[] {
  return subject?.details === undefined || hasName(subject.details) ? [] : ["subject.details.firstName"];
}

const hasName = ({ firstName, lastName, companyName }: PartyDetails): boolean =>
  [firstName, lastName, companyName].some((name) => name !== undefined);
