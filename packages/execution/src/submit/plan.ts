import type { Failure } from "@intents/domain/failure.ts";
import { newNumericId } from "@intents/domain/ids.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { freezeOrder, planPaymentOrder } from "@intents/domain/intents/payment-order.ts";
import type { Submission, SubmittedWork } from "@intents/domain/intents/submission.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import type { PartyDetails } from "@intents/domain/parties/party.ts";
import { isVisible } from "@intents/domain/parties/payee.ts";
import { addressOf } from "@intents/domain/rails/description.ts";
import { type Evaluation, evaluateIntent } from "@intents/domain/requirements/evaluate.ts";
import type { Facts } from "@intents/domain/requirements/finding.ts";
import { selectedVariant } from "@intents/domain/requirements/quote-checks.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { documentsOf, type Party } from "@intents/domain/scenarios/draft.ts";
import { findRule } from "@intents/domain/scenarios/rules.ts";
import { requirementTexts } from "@intents/domain/scenarios/texts.ts";
import type { Run } from "../run.ts";
import { newSubmission } from "./claim.ts";
import { gatherFacts } from "./facts.ts";
import { payerKeyFor } from "./payer-key.ts";
import { planBatch } from "./start-batch.ts";

/** The submission that would pay this intent now, or the first reason why it cannot be paid. Writes nothing. */
export async function planSubmission(
  run: Run,
  intent: PaymentIntent,
  caller: Caller,
  keyHash: string | undefined,
): Promise<Result<Submission | "publish", Failure>> {
  const facts = await gatherFacts(run, intent, caller.permissions);
  const refused = refusal(intent, evaluateIntent(intent, facts)) ?? hiddenPayees(intent, facts, caller);
  if (refused !== undefined) return fail(refused);
  const found = findRule(intent);
  if (!("rule" in found)) throw new Error("A blocked intent was not refused");
  if (found.rule.executes === "link") return ok("publish");
  // Only a payment by quote can name one that has expired.
  const expired = found.rule.executes === "quoted_payment" ? expiry(facts) : undefined;
  if (expired !== undefined) return fail(expired);

  const payer = detailsOf(intent.payer, facts);
  const work = found.rule.executes === "bulk" ? planBatch(run, intent, facts) : planPayment(run, intent, facts, payer);
  return ok(
    newSubmission(run, {
      rail: addressOf(facts.rail),
      work,
      documentIds: documentsOf(intent).map(({ documentId }) => documentId),
      payer,
      actor: caller.userId,
      clientId: caller.clientId,
      ...(keyHash !== undefined && { keyHash }),
      ...(intent.subject !== undefined && { subject: detailsOf(intent.subject, facts) }),
    }),
  );
}

function planPayment(run: Run, intent: PaymentIntent, facts: Facts, payer: PartyDetails): SubmittedWork {
  const variant = selectedVariant(intent, facts.quote);
  if (variant === undefined) throw new Error("A clean intent has no variant");
  const connectorPaymentId = newNumericId(run.now(), run.random);
  const payerKey = payerKeyFor(intent, payer);
  const order = planPaymentOrder(intent, { variant, payees: facts.payees, payer, payerKey, connectorPaymentId });
  return { kind: "payment", order: freezeOrder(order) };
}

/**
 * The refusal of a scenario that is blocked or gated, or of an intent that lacks something; undefined if all is in
 * order.
 */
export function refusal(intent: PaymentIntent, evaluation: Evaluation): Failure | undefined {
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
