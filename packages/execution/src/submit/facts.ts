import { referenceRates } from "@intents/domain/amounts/exchange-rates.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Permission } from "@intents/domain/parties/caller.ts";
import { corridorOf, payeesAbroad } from "@intents/domain/rails/description.ts";
import type { Facts } from "@intents/domain/requirements/finding.ts";
import { documentsOf, reissuedBy } from "@intents/domain/scenarios/draft.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findQuote } from "@intents/storage/intents/quotes.ts";
import { findReissuer } from "@intents/storage/intents/reissues.ts";
import { findDocuments } from "@intents/storage/parties/documents.ts";
import { findPartyDetails } from "@intents/storage/parties/parties.ts";
import { findPayeesOf } from "@intents/storage/parties/payees.ts";
import { railFor } from "../rails/ask.ts";
import type { Run } from "../run.ts";

/** Reads all records that an intent names, as far as they exist for the intent's tenant. */
export async function gatherFacts(
  run: Pick<Run, "table" | "rails" | "now">,
  intent: PaymentIntent,
  permissions: readonly Permission[],
): Promise<Facts> {
  const { table, now } = run;
  const { id: intentId, tenantId, payer, subject, recipients, instructions, submission } = intent;
  const quoteId = instructions?.manualPayment?.quoteId;
  const partyIds = [payer, subject].flatMap((party) => (party?.details === undefined ? (party?.partyId ?? []) : []));
  const documentIds = documentsOf(intent).map(({ documentId }) => documentId);
  const [reissuedId] = reissuedBy(intent);
  const [quote, payees, parties, documents, reissued, reissuer] = await Promise.all([
    quoteId === undefined ? undefined : findQuote(table, tenantId, quoteId),
    findPayeesOf(table, intent),
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
