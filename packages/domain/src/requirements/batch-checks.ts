import { equalLines, referencesSent } from "../batches/lines.ts";
import { methodsFrom } from "../quotes/payment-methods.ts";
import { fitsLimits } from "../quotes/pricing.ts";
import type { IntentDraft } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import type { Check, Facts, Finding } from "./finding.ts";
import type { JudgedRecipient } from "./judged-recipients.ts";

/** The checks that submit makes of batches alone: a batch makes its own quotes, and must fit in one item. */
export const batchChecks: readonly Check[] = [takesNoProofs, hasARail, differsByLine].map(bulkOnly);

function bulkOnly(check: Check): Check {
  return (intent: IntentDraft, facts: Facts, rule: ScenarioRule) =>
    rule.executes === "bulk" ? check(intent, facts, rule) : [];
}

/** A proof for each recipient would not fit in the one transaction of a claim. */
function takesNoProofs({ recipients = [] }: IntentDraft): Finding[] {
  return recipients.flatMap(({ purposeProofDocumentId }, index): Finding[] => {
    if (purposeProofDocumentId === undefined) return [];
    const at = `recipients.${index}.purposeProofDocumentId`;
    const said = { reason: "A batch takes no proofs", satisfiedBy: "leaving it out", example: null };
    return [{ path: "recipients.*.purposeProofDocumentId", at, ...said }];
  });
}

function hasARail({ instructions }: IntentDraft): Finding[] {
  const countryCode = instructions?.manualPayment?.countryCode;
  if (countryCode === undefined || methodsFrom(countryCode).length > 0) return [];
  const said = {
    reason: `No payment can be made from ${countryCode}`,
    satisfiedBy: "the payer's country, of those with a rail",
  };
  return [{ path: "instructions.manualPayment.countryCode", ...said }];
}

/** At most so many equal recipients are named in one reason, so that an answer about 500 of them stays small. */
const NAMED_MAX = 10;

/** The rail would take the second of two equal payments for a duplicate of the first. */
function differsByLine({ recipients = [] }: IntentDraft): Finding[] {
  return equalLines(recipients).flatMap((group) =>
    group.map((index): Finding => {
      const others = group.filter((other) => other !== index);
      const more = others.length > NAMED_MAX ? ` and ${others.length - NAMED_MAX} more` : "";
      const named = `recipients ${others.slice(0, NAMED_MAX).join(", ")}${more}`;
      const reason = `Payee, amount, currency and reference are those of ${named}`;
      return { path: "recipients.*.reference", at: `recipients.${index}.reference`, reason };
    }),
  );
}

/** Judges each recipient as a payment of its own within the rail's limits, and all of them by the size of a batch. */
export function judgeBatch(judged: readonly JudgedRecipient[]): readonly Finding[] {
  const outside = judged.flatMap(({ index, leg }): Finding[] => {
    if (leg === undefined || fitsLimits(leg.variant, [leg.amounts.payerAmount])) return [];
    const { minAmount, maxAmount, fromCurrency } = leg.variant;
    const cost = `It costs ${leg.amounts.payerAmount} ${fromCurrency}`;
    const reason = `${cost}, and the rail takes ${minAmount} to ${maxAmount}`;
    return [{ path: "recipients.*.amount.payeeAmount", at: `recipients.${index}.amount.payeeAmount`, reason }];
  });
  return fitsItsItems(judged) ? outside : [...outside, "recipients.size"];
}

/** UTF-8 bytes of the recipients. DynamoDB's 400 KB per item must also hold how each of 500 of them ended (H11). */
const RECIPIENTS_BYTES_MAX = 190_000;
/** UTF-8 bytes of the recipients and their payouts, which are stored on the batch as well. */
const BATCH_BYTES_MAX = 300_000;

/** A payment id of the greatest length. A leg without a reference sends its payment id instead. */
const ID_DIGITS = "9".repeat(16);

function fitsItsItems(judged: readonly JudgedRecipient[]): boolean {
  const recipients = judged.map(({ recipient }) => recipient);
  const references = referencesSent(recipients);
  const payouts = judged.flatMap(({ index, leg }) => {
    if (leg === undefined) return [];
    const { payee, variant, amounts } = leg;
    const reference = references[index] ?? ID_DIGITS;
    return [{ payeeName: payee.name, ...amounts, payerCurrency: variant.fromCurrency, reference }];
  });
  const stated = bytesOf(recipients);
  return stated <= RECIPIENTS_BYTES_MAX && stated + bytesOf(payouts) <= BATCH_BYTES_MAX;
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
