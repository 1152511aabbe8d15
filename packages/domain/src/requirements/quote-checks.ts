import type { Quote, QuoteVariant } from "../quotes/quote.ts";
import type { IntentDraft } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import type { Check, Facts, Finding } from "./finding.ts";

/** The checks of a manual payment against its quote. Submit alone judges the expiry (SPEC, behaviour rule 3). */
export const manualPaymentChecks: readonly Check[] = [quoteFits, payoutOrderConfirmed];

/** The quote and variant that an intent selects, as far as they exist. */
export function selectedVariant(intent: IntentDraft, quote: Quote | undefined): QuoteVariant | undefined {
  const selected = intent.instructions?.manualPayment?.selectedQuoteVariantId;
  return quote?.variants.find((variant) => variant.id === selected);
}

function quoteFits(intent: IntentDraft, facts: Facts, rule: ScenarioRule): Finding[] {
  const manual = intent.instructions?.manualPayment;
  if (manual?.quoteId === undefined) return [];
  const { quote } = facts;
  if (quote === undefined) {
    return [{ path: "instructions.manualPayment.quoteId", reason: "No quote has this id" }];
  }
  const findings: Finding[] = [];
  const quoted = new Set<number | string>(quote.variants[0].payouts.map(({ payeeId }) => payeeId));
  const paid = new Set(payeesOf(intent));
  const sameOnes = paid.size === quoted.size && [...paid].every((payeeId) => quoted.has(payeeId));
  if (recipientsAreKnown(intent, facts, rule) && !sameOnes) {
    findings.push({ path: "instructions.manualPayment.quoteId", reason: "The quote is for other payees" });
  }
  if (manual.countryCode !== undefined && manual.countryCode !== quote.countryCode) {
    findings.push({
      path: "instructions.manualPayment.countryCode",
      reason: `The quote is for payments from ${quote.countryCode}`,
    });
  }
  if (manual.selectedQuoteVariantId !== undefined && selectedVariant(intent, quote) === undefined) {
    findings.push({
      path: "instructions.manualPayment.selectedQuoteVariantId",
      reason: "The quote has no variant with this id",
    });
  }
  return findings;
}

/** Until all recipients are known, the quote's payees cannot be checked; other checks report the missing parts. */
const recipientsAreKnown = ({ recipients = [] }: IntentDraft, { payees }: Facts, { recipientRoles }: ScenarioRule) =>
  recipients.length > 0 &&
  recipients.every(
    ({ role, connectorPayeeId }) =>
      role !== undefined &&
      recipientRoles.includes(role) &&
      connectorPayeeId !== undefined &&
      payees.has(connectorPayeeId),
  );

/** Quotes are for those who are paid abroad: the tenant's own leg is not converted (SPEC, behaviour rule 11). */
const payeesOf = (intent: IntentDraft): (number | string)[] =>
  (intent.recipients ?? [])
    // A recipient without a payee counts as one more payee.
    .map(({ role, connectorPayeeId }, index) => ({ role, payeeId: connectorPayeeId ?? `unnamed ${index}` }))
    .filter(({ role }) => role !== "tenant")
    .map(({ payeeId }) => payeeId);

function payoutOrderConfirmed(intent: IntentDraft): Finding[] {
  const several = new Set(payeesOf(intent)).size > 1;
  const confirmed = intent.instructions?.manualPayment?.quotePayoutOrderConfirmed === true;
  return several && !confirmed ? ["instructions.manualPayment.quotePayoutOrderConfirmed"] : [];
}
