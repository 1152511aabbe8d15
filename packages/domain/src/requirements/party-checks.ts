import type { PartyDetails } from "../parties/party.ts";
import type { IntentDraft } from "../scenarios/draft.ts";
import type { Check, Facts, Finding } from "./finding.ts";

/** The checks of the payer and of the subject, for whom is paid. */
export const partyChecks: readonly Check[] = [unknownParties, namelessPayer, namelessSubject];

/** Finds party ids that do not exist. Inline details win over a party id, which then does not matter (DESIGN 17). */
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

/** A payer with inline details must name a person or a company. The tenant and saved parties are known by name. */
function namelessPayer({ payer: { role, details } }: IntentDraft): Finding[] {
  if (role === "tenant" || details === undefined || details.companyName !== undefined) return [];
  const names = [
    { path: "payer.details.firstName" as const, name: details.firstName },
    { path: "payer.details.lastName" as const, name: details.lastName },
  ];
  return names.filter(({ name }) => name === undefined).map(({ path }) => path);
}

/** A subject may be stated by its role alone; stated with details, it needs a name. */
function namelessSubject({ subject }: IntentDraft): Finding[] {
  return subject?.details === undefined || hasName(subject.details) ? [] : ["subject.details.firstName"];
}

const hasName = ({ firstName, lastName, companyName }: PartyDetails): boolean =>
  [firstName, lastName, companyName].some((name) => name !== undefined);
