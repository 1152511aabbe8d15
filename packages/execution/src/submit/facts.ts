import { referenceRates } from "@intents/domain/amounts/exchange-rates.ts";
import type { IntentExtras } from "@intents/domain/answers/intent-answer.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { wasNeverClaimed } from "@intents/domain/intents/review.ts";
import type { Correction } from "@intents/domain/money-state/correction.ts";
import { describeMoney } from "@intents/domain/money-state/describe-money.ts";
import type { MoneyPart } from "@intents/domain/money-state/money-state.ts";
import { reissuableOf } from "@intents/domain/money-state/reissuable.ts";
import type { Permission } from "@intents/domain/parties/caller.ts";
import { corridorOf, payeesAbroad } from "@intents/domain/rails/description.ts";
import type { Facts, Paid } from "@intents/domain/requirements/finding.ts";
import { documentsOf, reissuedBy } from "@intents/domain/scenarios/draft.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findQuote } from "@intents/storage/intents/quotes.ts";
import { findReissuer } from "@intents/storage/intents/reissues.ts";
import { findDocuments } from "@intents/storage/parties/documents.ts";
import { findPartyDetails } from "@intents/storage/parties/parties.ts";
import { findPayeesOf } from "@intents/storage/parties/payees.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import type { IntentKey } from "@intents/storage/table/keys.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { railFor } from "../rails/ask.ts";
import type { Run } from "../run.ts";

/** Reads the records that an intent names, as far as they exist for its tenant. */
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
  const [quote, payees, parties, documents, reissued, reviewState] = await Promise.all([
    quoteId === undefined ? undefined : findQuote(table, tenantId, quoteId),
    findPayeesOf(table, intent),
    findPartyDetails(table, tenantId, [...new Set(partyIds)]),
    findDocuments(table, tenantId, documentIds),
    reissuedId === undefined ? undefined : findReissued(table, { tenantId, id: reissuedId }),
    wasNeverClaimed(intent) ? undefined : findReviewState(table, { tenantId, id: intentId }),
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
    ...(reissued !== undefined && { reissued }),
    ...(reviewState !== undefined && { beside: reviewState }),
  };
}

/** An intent that is paid again may itself have paid another one again, and so on: so many are looked at. */
const CHAIN_MAX = 10;

/** The facts about an intent that is to be paid again; undefined where the tenant has none with this id. */
async function findReissued(table: Table, { tenantId, id: reissuedId }: IntentKey): Promise<Facts["reissued"]> {
  const [named, reissuer] = await Promise.all([
    findIntent(table, tenantId, reissuedId),
    findReissuer(table, tenantId, reissuedId),
  ]);
  if (!named.ok) return undefined;
  const chain: Paid[] = [];
  let underReview: NonNullable<Facts["reissued"]>["underReview"];
  for (let next: PaymentIntent | undefined = named.value; next !== undefined && chain.length < CHAIN_MAX; ) {
    const paid: PaymentIntent = next;
    const { id } = paid;
    const [before] = reissuedBy(paid);
    const [reviewState, found]: [IntentExtras, Awaited<ReturnType<typeof findIntent>> | undefined] = await Promise.all([
      findReviewState(table, { tenantId, id }),
      before === undefined ? undefined : findIntent(table, tenantId, before),
    ]);
    const { corrections = [] } = reviewState;
    const reissuable = reissuableOf(paid.recipients, await readMoney(table, paid, corrections));
    chain.push({ id, corrections, again: reissuable });
    if (reviewState.underReview !== undefined) underReview ??= { id, since: reviewState.underReview.since };
    next = found?.ok ? found.value : undefined;
  }
  const { status } = named.value;
  return { status, chain, ...(reissuer && { by: reissuer.intentId }), ...(underReview && { underReview }) };
}

/** Where the money of a stored intent is. */
export async function readMoney(
  table: Table,
  intent: PaymentIntent,
  corrections: readonly Correction[],
): Promise<readonly MoneyPart[]> {
  const legs = intent.bulkProgress === undefined ? [] : await listLegs(table, intent);
  return describeMoney(intent, { legs, corrections, payees: new Map() });
}
