import type { Failure } from "@intents/domain/failure.ts";
import { newNumericId } from "@intents/domain/ids.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { paymentWork, planPaymentOrder } from "@intents/domain/intents/payment-order.ts";
import { wasNeverClaimed } from "@intents/domain/intents/review.ts";
import type { PaymentWork, Submission } from "@intents/domain/intents/submission.ts";
import type { Metadata } from "@intents/domain/metadata.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import type { PartyDetails } from "@intents/domain/parties/party.ts";
import { isVisible } from "@intents/domain/parties/payee.ts";
import type { PlannedWork } from "@intents/domain/previews/preview.ts";
import { addressOf } from "@intents/domain/rails/description.ts";
import { type Evaluation, evaluateIntent, waitsForReview } from "@intents/domain/requirements/evaluate.ts";
import type { Facts, Paid } from "@intents/domain/requirements/finding.ts";
import { selectedVariant } from "@intents/domain/requirements/quote-checks.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { documentsOf, type Party } from "@intents/domain/scenarios/draft.ts";
import { findRule } from "@intents/domain/scenarios/rules.ts";
import { requirementTexts } from "@intents/domain/scenarios/texts.ts";
import { findDraftMetadata } from "@intents/storage/intents/metadata.ts";
import { inOneCall, type Run } from "../run.ts";
import { newSubmission } from "./claim.ts";
import { gatherFacts } from "./facts.ts";
import { payerKeyFor } from "./payer-key.ts";
import { hashPreview } from "./preview.ts";
import { planBatch } from "./start-batch.ts";

/** The caller of a submit, the hash of its Idempotency-Key, and that of the preview that it is held to. */
export type SubmitTerms = Readonly<{ caller: Caller; keyHash?: string; previewHash?: string }>;

/** An intent that must not be under review when it is claimed, nor corrected otherwise than the plan knows. */
type ReviewGuard = Pick<Paid, "id" | "corrections">;

/**
 * A submission that is ready to be claimed, unless one of the intents `unreviewed` is under review by then, or a link that is ready
 * to be published with these payees.
 */
export type PlannedSubmit =
  | Readonly<{ kind: "claim"; submission: Submission; unreviewed: readonly ReviewGuard[] }>
  | Readonly<{ kind: "publish"; payees: Facts["payees"]; metadata: Metadata | undefined }>;

/**
 * The claim or publication that a submit would make now, or the first reason against it. Writes nothing. A preview is
 * compared with the returned plan, which the claim writes as it is.
 */
export async function planSubmission(
  run: Run,
  intent: PaymentIntent,
  { caller, keyHash, previewHash }: SubmitTerms,
): Promise<Result<PlannedSubmit, Failure>> {
  const reads = inOneCall(run);
  const [facts, metadata] = await Promise.all([
    gatherFacts(reads, intent, caller.permissions),
    findDraftMetadata(reads.table, intent),
  ]);
  const work = planWork(run, intent, facts, evaluateIntent(intent, facts));
  if (!work.ok) return work;
  const refused = hiddenPayees(intent, facts, caller) ?? (work.value.kind === "payment" ? expiry(facts) : undefined);
  if (refused !== undefined) return fail(refused);
  const hash = previewHash && hashPreview(intent, work.value, facts).hash;
  if (hash !== undefined && hash !== previewHash) {
    return fail({ kind: "preview_changed", status: intent.status, previewHash: hash });
  }
  if (work.value.kind === "link") return ok({ kind: "publish", payees: facts.payees, metadata });
  const submission = newSubmission(run, {
    rail: addressOf(facts.rail),
    work: work.value,
    documentIds: documentsOf(intent).map(({ documentId }) => documentId),
    payer: detailsOf(intent.payer, facts),
    actor: caller.userId,
    clientId: caller.clientId,
    ...(keyHash !== undefined && { keyHash }),
    ...(metadata !== undefined && { metadata }),
    ...(intent.subject !== undefined && { subject: detailsOf(intent.subject, facts) }),
  });
  const own = { id: intent.id, corrections: facts.beside?.corrections ?? [] };
  const unreviewed = [...(wasNeverClaimed(intent) ? [] : [own]), ...(facts.reissued?.chain ?? [])];
  return ok({ kind: "claim", submission, unreviewed });
}

/**
 * The work of a submit, if the intent meets its requirements: dry-run and draft show it, submit does it. Only submit
 * checks whether payees are hidden and the quote has expired (SPEC, behaviour rule 3).
 */
export function planWork(
  run: Run,
  intent: PaymentIntent,
  facts: Facts,
  evaluation: Evaluation,
): Result<PlannedWork, Failure> {
  const refused = refusal(intent, facts, evaluation);
  if (refused !== undefined) return fail(refused);
  const found = findRule(intent);
  if (!("rule" in found)) throw new Error("A blocked intent was not refused");
  switch (found.rule.executes) {
    case "link":
      return ok({ kind: "link" });
    case "bulk":
      return ok(planBatch(run, intent, facts));
    case "quoted_payment":
      return ok(planPayment(run, intent, facts));
  }
}

function planPayment(run: Run, intent: PaymentIntent, facts: Facts): PaymentWork {
  const { quote, payees } = facts;
  const variant = selectedVariant(intent, quote);
  if (quote === undefined || variant === undefined) throw new Error("A clean intent has no variant");
  const payer = detailsOf(intent.payer, facts);
  const connectorPaymentId = newNumericId(run.now(), run.random);
  const payerKey = payerKeyFor(intent, payer);
  return paymentWork(planPaymentOrder(intent, { variant, payees, payer, payerKey, connectorPaymentId }), quote);
}

/**
 * The refusal of a scenario that is blocked or gated, or of an intent that lacks something; undefined if all is in
 * order.
 */
function refusal(intent: PaymentIntent, facts: Facts, evaluation: Evaluation): Failure | undefined {
  const { rule, requirements } = evaluation;
  const found = findRule(intent);
  if (rule.status === "contract_gated" && "rule" in found && found.rule.permission !== undefined) {
    return {
      kind: "permission",
      reason: "This scenario needs a permission that the key does not have",
      legacyConstraint: found.rule.permission,
      failedRequirements: [found.rule.permission],
    };
  }
  if (waitsForReview(facts, requirements)) return { kind: "under_review", missing: requirements };
  return requirements.length > 0 ? { kind: "requirements", missing: requirements } : undefined;
}

/** Refuses payees that are hidden now: only submit checks this live state (SPEC, behaviour rule 3). */
function hiddenPayees(intent: PaymentIntent, facts: Facts, caller: Caller): Failure | undefined {
  const reason = "the legacy payee is not visible to the executing user";
  const missing = intent.recipients.flatMap(({ connectorPayeeId }, index) => {
    const payee = connectorPayeeId === undefined ? undefined : facts.payees.get(connectorPayeeId);
    if (payee === undefined || isVisible(payee, caller.tenantId)) return [];
    const text = requirementTexts["recipients.*.connectorPayeeId"];
    return [{ ...text, path: `recipients.${index}.connectorPayeeId`, reason }];
  });
  return missing.length > 0 ? { kind: "requirements", missing, reason } : undefined;
}

function expiry({ quote, nowMs }: Facts): Failure | undefined {
  if (quote === undefined || Date.parse(quote.expiresOn) > nowMs) return undefined;
  return { kind: "quote_expired", quoteId: quote.quoteId, expiresOn: quote.expiresOn };
}

/**
 * The details of a party: inline details win and are kept verbatim; a party id alone is looked up, and its details are
 * frozen here (SPEC, Party details).
 */
function detailsOf({ details, partyId }: Party, { parties }: Facts): PartyDetails {
  if (details !== undefined) return details;
  return partyId === undefined ? {} : (parties.get(partyId) ?? {});
}
