import type { Permission } from "@intents/domain/caller.ts";
import { referenceRates } from "@intents/domain/exchange-rates.ts";
import { documentsOf, reissuedBy } from "@intents/domain/intent-draft.ts";
import type { PaymentIntent } from "@intents/domain/payment-intent.ts";
import { corridorOf, payeesAbroad } from "@intents/domain/rails.ts";
import type { Facts } from "@intents/domain/requirement-finding.ts";
import { findDocuments } from "@intents/storage/documents.ts";
import { findIntent } from "@intents/storage/intents.ts";
import { findPartyDetails } from "@intents/storage/parties.ts";
import { findPayees } from "@intents/storage/payees.ts";
import { findQuote } from "@intents/storage/quotes.ts";
import { findReissuer } from "@intents/storage/reissues.ts";
import { railFor } from "./ask-rail.ts";
import type { Run } from "./run.ts";

/** Reads everything that an intent names, as far as it exists for the intent's tenant. */
export async function gatherFacts(
  run: Pick<Run, "table" | "rails" | "now">,
  intent: PaymentIntent,
  permissions: readonly Permission[],
): Promise<Facts> {
  const { table, now } = run;
  const { id: intentId, tenantId, payer, subject, recipients, instructions, submission } = intent;
  const quoteId = instructions?.manualPayment?.quoteId;
  const partyIds = [payer, subject].flatMap((party) => (party?.details === undefined ? (party?.partyId ?? []) : []));
  const payeeIds = recipients.flatMap(({ connectorPayeeId }) => connectorPayeeId ?? []);
  const documentIds = documentsOf(intent).map(({ documentId }) => documentId);
  const [reissuedId] = reissuedBy(intent);
  const [quote, payees, parties, documents, reissued, reissuer] = await Promise.all([
    quoteId === undefined ? undefined : findQuote(table, tenantId, quoteId),
    findPayees(table, payeeIds),
    findPartyDetails(table, tenantId, [...new Set(partyIds)]),
    findDocuments(table, tenantId, documentIds),
    reissuedId === undefined ? undefined : findIntent(table, tenantId, reissuedId),
    reissuedId === undefined ? undefined : findReissuer(table, tenantId, reissuedId),
  ]);
  const from = quote?.countryCode ?? instructions?.manualPayment?.countryCode;
  const { describe, rail } = railFor(run, corridorOf(from, payeesAbroad(recipients, payees)));
  return {
    tenantId,
    permissions,
    offer: describe(intent),
    rail,
    nowMs: now(),
    rates: referenceRates,
    payees,
    parties,
    documents,
    holder: { intentId, ...(submission !== undefined && { executionId: submission.executionId }) },
    ...(quote !== undefined && { quote }),
    ...(reissued?.ok && { reissued: { status: reissued.value.status, ...(reissuer && { by: reissuer.intentId }) } }),
  };
}
