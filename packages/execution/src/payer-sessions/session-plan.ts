import type { Failure } from "@intents/domain/failure.ts";
import { newNumericId, newRecordId } from "@intents/domain/ids.ts";
import type { ClaimedIntent, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { paymentWork } from "@intents/domain/intents/payment-order.ts";
import { firstHoldMs, isOver, opensAgainMs } from "@intents/domain/links/hold.ts";
import { PAYER, planLinkOrder, planLinkSubmission, takesItsQuote } from "@intents/domain/links/link-payment.ts";
import { isSingleUse } from "@intents/domain/links/payment-link.ts";
import type { Metadata } from "@intents/domain/metadata.ts";
import { type PaymentDocument, whyUnusable } from "@intents/domain/parties/document.ts";
import type { PartyDetails } from "@intents/domain/parties/party.ts";
import type { Suspension } from "@intents/domain/parties/tenant.ts";
import type { Quote } from "@intents/domain/quotes/quote.ts";
import { corridorOf, payeesAbroad } from "@intents/domain/rails/description.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { type RequirementPath, requirementTexts } from "@intents/domain/scenarios/texts.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { addedMetadata, findMetadata } from "@intents/storage/intents/metadata.ts";
import { findLinkQuote } from "@intents/storage/intents/quotes.ts";
import { holdLink, type StoredLink } from "@intents/storage/links/links.ts";
import { addUnpaid, countUnpaid, rememberSecret } from "@intents/storage/links/sessions.ts";
import { findPayerDocuments } from "@intents/storage/parties/documents.ts";
import { findPayeesOf } from "@intents/storage/parties/payees.ts";
import { findSuspension } from "@intents/storage/parties/suspensions.ts";
import type { Action } from "@intents/storage/table/transact.ts";
import { keepPayerUploads } from "../documents/payer-uploads.ts";
import type { PublishedLink } from "../links/published-link.ts";
import { claimedRail } from "../rails/ask.ts";
import { payerPageUrl, type Run } from "../run.ts";
import { newSubmission } from "../submit/claim.ts";
import { payerKeyFor } from "../submit/payer-key.ts";

export type SessionRequest = Readonly<{
  payerDetails: PartyDetails;
  quoteId: string;
  selectedQuoteVariantId: number;
  documentIds: readonly string[];
  /** A digest of where the payer comes from. */
  source: string;
  /** The digest of the secret that the payer's browser made. */
  secretHash?: string | undefined;
}>;

/** A payment that is ready to be claimed, and the writes to its link that belong to the claim. */
type PlannedSession = Readonly<{ child: ClaimedIntent; linkActions: readonly Action[] }>;

/** The facts that decide a session; `planSession` reads the payees itself. */
export type SessionFacts = PublishedLink &
  Readonly<{
    quote: Quote | undefined;
    /** The payment that holds the link, if there is one. */
    holder: Result<PaymentIntent, Failure> | undefined;
    /** Unpaid payments by this link from the payer's source. */
    unpaid: number;
    documents: readonly (PaymentDocument | undefined)[];
    /** The suspension of the link's tenant, if any. */
    suspension: Suspension | undefined;
    /** The link's metadata, which its payments copy. */
    metadata: Metadata | undefined;
  }>;

/** Reads the facts that decide a session. */
export async function readSession(
  { table }: Run,
  stored: StoredLink,
  { quoteId, source, documentIds }: SessionRequest,
): Promise<Result<SessionFacts, Failure>> {
  const { tenantId, intentId: linkId } = stored;
  const payerDocuments = documentIds.map((documentId) => ({ linkId, documentId }));
  const [link, quote, holder, unpaid, documents, suspension, metadata] = await Promise.all([
    findIntent(table, tenantId, linkId),
    findLinkQuote(table, tenantId, quoteId, linkId),
    stored.state.holder === undefined ? undefined : findIntent(table, tenantId, stored.state.holder.id),
    countUnpaid(table, { tenantId, linkId, source }),
    findPayerDocuments(table, tenantId, payerDocuments),
    findSuspension(table, tenantId),
    findMetadata(table, { tenantId, id: linkId }),
  ]);
  if (!link.ok) return fail({ kind: "link_not_found" });
  return ok({ stored, intent: link.value, quote, holder, unpaid, documents, suspension, metadata });
}

/** The payment that a session would make now, or the first reason why it cannot be made. */
export async function planSession(
  run: Run,
  { stored, intent: link, quote, holder, unpaid, documents, suspension, metadata }: SessionFacts,
  request: SessionRequest,
): Promise<Result<PlannedSession, Failure>> {
  const { payerDetails, selectedQuoteVariantId } = request;
  const { tenantId } = link;
  if (stored.state.closedBy !== undefined || suspension !== undefined) return fail({ kind: "link_closed" });
  if (quote === undefined) return fail({ kind: "quote_not_found", quoteId: request.quoteId });
  const nowMs = run.now();
  const variant = quote.variants.find(({ id }) => id === selectedQuoteVariantId);
  if (variant === undefined) {
    return fail({ kind: "shape", problems: ["selectedQuoteVariantId must be the id of one of the quote's variants"] });
  }
  const { quoteId, expiresOn } = quote;
  if (Date.parse(expiresOn) <= nowMs) return fail({ kind: "quote_expired", quoteId, expiresOn });
  if (!takesItsQuote(variant)) return fail(missing("recipients.totalAmount"));
  const held = isSingleUse(link) ? freeHold(run, stored, holder) : ok(undefined);
  if (!held.ok) return held;
  const source = { tenantId, linkId: link.id, source: request.source };
  const { unpaidMax } = run.settings;
  if (unpaid >= unpaidMax) return fail({ kind: "link_crowded", limit: unpaidMax });
  const payerDocuments = request.documentIds.map((documentId) => ({ linkId: link.id, documentId }));
  const refused = refuseDocuments(request.documentIds, documents, nowMs);
  if (refused !== undefined) return fail(refused);

  const payees = await findPayeesOf(run.table, link);
  const { documentIds, secretHash } = request;
  const payer = { id: newRecordId(nowMs, run.random), details: payerDetails, source: request.source };
  const child = planLinkSubmission(link, { quote, variant, documentIds }, payer);
  const order = planLinkOrder(child, {
    variant,
    payees,
    payer: payerDetails,
    payerKey: payerKeyFor(child, payerDetails),
    connectorPaymentId: newNumericId(nowMs, run.random),
    returnUrl: `${payerPageUrl(run, stored.token)}?payment=${child.id}`,
  });
  const submission = newSubmission(run, {
    rail: claimedRail(run, corridorOf(quote.countryCode, payeesAbroad(link.recipients, payees))),
    work: paymentWork(order, quote),
    documentIds: [],
    payerDocuments,
    payer: payerDetails,
    actor: PAYER,
  });
  // The copies are made last, when only the claim can still fail.
  await keepPayerUploads(run.files, tenantId, submission);
  const { externalId } = link;
  const hold = { childId: child.id, untilMs: firstHoldMs(variant, run.settings, nowMs) };
  return ok({
    child: { ...child, submission },
    linkActions: [
      addUnpaid(run.table, source, unpaidMax),
      ...addedMetadata(run.table, child, metadata),
      ...(held.value === undefined ? [] : holdLink(run.table, { ...held.value, externalId }, hold, nowMs)),
      ...(secretHash === undefined
        ? []
        : [rememberSecret(run.table, { tenantId, linkId: link.id, secretHash }, child.id)]),
    ],
  });
}

/** The single-use link, if no other payment is about to pay it. */
function freeHold(run: Run, link: StoredLink, holder: SessionFacts["holder"]): Result<StoredLink, Failure> {
  if (link.state.isUnderReview) return fail({ kind: "link_under_review" });
  if (!holder?.ok || isOver(holder.value)) return ok(link);
  const waitMs = opensAgainMs(link.state.holder?.untilMs ?? 0, run.now()) - run.now();
  return fail({ kind: "link_held", retryAfterSeconds: Math.ceil(waitMs / 1000) });
}

/** Why these documents, one for each id, cannot serve the payment; documents of another link are unknown here. */
function refuseDocuments(
  ids: readonly string[],
  documents: readonly (PaymentDocument | undefined)[],
  nowMs: number,
): Failure | undefined {
  if (new Set(ids).size < ids.length) return missing("documents.uniqueDocumentIds");
  if (documents.includes(undefined)) return { kind: "not_found", resource: "document" };
  const unusable = documents.flatMap((document, index) => {
    const problem = document === undefined ? undefined : whyUnusable(document, undefined, nowMs);
    if (problem === undefined) return [];
    const text = requirementTexts["instructions.manualPayment.payerIdentityDocumentId"];
    return [{ ...text, path: `documentIds.${index}`, reason: `The document ${problem}` }];
  });
  return unusable.length === 0 ? undefined : { kind: "requirements", missing: unusable };
}

const missing = (path: RequirementPath): Failure => ({
  kind: "requirements",
  missing: [{ ...requirementTexts[path], path }],
});
