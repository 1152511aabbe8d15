import { createdAtOf } from "../ids.ts";
import type { Caller } from "../parties/caller.ts";
import { fixedField, otherField } from "../quotes/stated-amounts.ts";
import type { IntentDraft, Recipient } from "../scenarios/draft.ts";
import { findRule, type ScenarioRule } from "../scenarios/rules.ts";
import type { PaymentIntent } from "./payment-intent.ts";

/**
 * The intent that a create stores, made at the time in its id: lists find records of a date by their ids. A link gets
 * its public token at once, so that it can be shown before it is published.
 */
export function planDraft(
  draft: IntentDraft,
  caller: Caller,
  { id, publicLinkId }: { id: string; publicLinkId: string },
): PaymentIntent {
  const at = createdAtOf(id);
  return {
    id,
    status: "draft",
    ...draft,
    recipients: draft.recipients ?? [],
    ...(draft.deliveryMode === "reusable_payment_link" && { publicLinkId }),
    tenantId: caller.tenantId,
    version: 0,
    createdAt: at,
    updatedAt: at,
    createdBy: caller.userId,
    statusHistory: [{ status: "draft", at, by: caller.userId }],
    executions: [],
  };
}

/**
 * A reissue with the parties of the intent that it pays again, and with its recipients that may be paid again, by their
 * order, where it names none of its own. Documents are not copied, since each serves one payment only, and neither are
 * the tenant's own ids. References are marked, so that the rail does not take the repeat for a duplicate (SPEC,
 * [PAY0003]). Amounts are those that the original fixed: the amounts that its quote derived from them do not hold for
 * another quote.
 */
export function cloneReissued(draft: IntentDraft, reissued: PaymentIntent, payable: ReadonlySet<number>): IntentDraft {
  const { payer, subject } = reissued;
  const namesPayer = draft.payer.partyId !== undefined || draft.payer.details !== undefined;
  const copied = reissued.recipients.filter(({ order }, index) => payable.has(order ?? index));
  const recipients = copied.map(({ purposeProofDocumentId, externalId, reference = "", ...recipient }) => ({
    ...recipient,
    ...(recipient.amount !== undefined && { amount: fixedAmountOf(recipient, recipient.amount, reissued) }),
    reference: `${reference} reissued`.trim().slice(-REFERENCE_MAX),
  }));
  return {
    ...draft,
    payer: namesPayer || draft.payer.role !== payer.role ? draft.payer : payer,
    ...(subject !== undefined && draft.subject === undefined && { subject }),
    recipients: draft.recipients === undefined || draft.recipients.length === 0 ? recipients : draft.recipients,
  };
}

const REFERENCE_MAX = 140;

type Amount = NonNullable<Recipient["amount"]>;

function fixedAmountOf(recipient: Recipient, amount: Amount, original: PaymentIntent): Amount {
  // In a payment by a link, whatever its payer entered was turned into the amount that each payee receives.
  const field = fixedField(recipient, fixesOf(original)) ?? "payeeAmount";
  if (amount[field] === undefined) return amount;
  const { [otherField(field)]: _followed, ...fixed } = amount;
  const paidIn = original.executions.at(-1)?.currency;
  // The original's quote may have allowed the payee's currency code beside a payer's amount; the next quote may not.
  const isRenamed = field === "payerAmount" && fixed.currency !== undefined && paidIn !== undefined;
  return isRenamed ? { ...fixed, currency: paidIn } : fixed;
}

/** The amount that the rule of an intent fixes. A payment by a link follows the link's rule. */
function fixesOf(intent: PaymentIntent): ScenarioRule["fixes"] {
  const isByLink = intent.deliveryMode === "payment_link_submission";
  const found = findRule({ ...intent, deliveryMode: isByLink ? "reusable_payment_link" : intent.deliveryMode });
  return "rule" in found ? found.rule.fixes : "whichever_is_stated";
}
