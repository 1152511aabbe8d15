import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { DocumentRef } from "@intents/domain/parties/document-ref.ts";
import { type PartyRole, rolesOf, type Subject } from "@intents/domain/privacy/subject.ts";
import { scanIntents } from "@intents/storage/intents/scan.ts";
import {
  findFormerParties,
  findPartiesByEmail,
  findParty,
  type PartyKind,
  type PartyOf,
} from "@intents/storage/parties/parties.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** The person whom a request is about: whoever has an e-mail, or one saved party alone. */
export type SubjectQuery = Readonly<{ tenantId: string }> &
  (Readonly<{ email: string }> | Readonly<{ partyId: string }>);

/** A saved party of a person. */
export type FoundParty = Readonly<{ kind: PartyKind; party: PartyOf[PartyKind] }>;

/** A party that is deleted, or may be. */
export type FormerParty = Readonly<{ kind: PartyKind; _id: string }>;

/** An intent that names a person, and in which places. */
export type FoundIntent = Readonly<{ intent: PaymentIntent; roles: readonly PartyRole[] }>;

const kinds = ["STUDENT", "PAYER"] as const;

/** The person's saved parties. */
export async function findParties(table: Table, asked: SubjectQuery): Promise<FoundParty[]> {
  const found: FoundParty[] = [];
  for (const kind of kinds) {
    if ("partyId" in asked) {
      const party = await findParty(table, asked.tenantId, kind, asked.partyId);
      if (party !== undefined) found.push({ kind, party });
      continue;
    }
    for await (const parties of findPartiesByEmail(table, asked.tenantId, kind, asked.email)) {
      found.push(...parties.map((party) => ({ kind, party })));
    }
  }
  return found;
}

/** The person's parties that the tenant has deleted: their ids still find payments. */
export async function findFormer(table: Table, asked: SubjectQuery): Promise<FormerParty[]> {
  if ("partyId" in asked) return kinds.map((kind) => ({ kind, _id: asked.partyId }));
  const found: FormerParty[] = [];
  for (const kind of kinds) {
    for await (const parties of findFormerParties(table, asked.tenantId, kind, asked.email)) {
      found.push(...parties.map(({ _id }) => ({ kind, _id })));
    }
  }
  return found;
}

/** The person as payments name it: by the ids of saved parties, the deleted ones included, and by an e-mail. */
export const subjectOf = (
  asked: SubjectQuery,
  parties: readonly FoundParty[],
  former: readonly FormerParty[],
): Subject => ({
  partyIds: new Set([...parties.map(({ party }) => party._id), ...former.map(({ _id }) => _id)]),
  ...("email" in asked && { email: asked.email.toLowerCase() }),
});

/** The tenant's intents that name the person. */
export async function* findIntents(table: Table, tenantId: string, subject: Subject): AsyncGenerator<FoundIntent> {
  for await (const page of scanIntents(table, tenantId)) {
    for (const intent of page) {
      const roles = rolesOf(intent, subject);
      if (roles.length > 0) yield { intent, roles };
    }
  }
}

/** The identity documents of the people in `roles`, and the proofs of the payment's purpose. */
export function documentsOf({ intent, roles }: FoundIntent): DocumentRef[] {
  const { recipients, instructions, payerChoice, createdFrom } = intent;
  const proofs = recipients.flatMap(({ purposeProofDocumentId: documentId }) => documentId ?? []);
  const identity = instructions?.manualPayment?.payerIdentityDocumentId;
  const ofPayer = roles.includes("payer");
  const linkId = createdFrom?.paymentIntentId;
  return [
    ...[...proofs, ...(ofPayer && identity !== undefined ? [identity] : [])].map((documentId) => ({ documentId })),
    ...(ofPayer && linkId !== undefined
      ? (payerChoice?.documentIds ?? []).map((documentId) => ({ linkId, documentId }))
      : []),
  ];
}
