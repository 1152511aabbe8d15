import type { Facts } from "../src/requirements/finding.ts";
import type { IntentDraft, Recipient } from "../src/scenarios/draft.ts";
import { type ScenarioRule, scenarioRules } from "../src/scenarios/rules.ts";
import type { RecipientRole } from "../src/scenarios/scenario.ts";
import { facts, IDENTITY_ID, PROOF_ID, payee, QUOTE_ID, quote, STUDENT_ID } from "./intent-fixture.ts";

/** The tenant of the fixtures as a payee: its own company, in its own currency. */
export const TENANT_PAYEE_ID = 1001;
/** A payee whose currency no other payee has. */
export const CANADIAN_ID = 5004;

export const proofIds = Array.from({ length: 10 }, (_, index) => `${PROOF_ID.slice(0, -1)}${index.toString(16)}`);

/** A recipient to put into a draft; fields that the rule does not ask for are left out of the draft. */
export type Wanted = Readonly<{ role: RecipientRole; payeeId: number; amount: string }>;

const link = "reusable_payment_link";

/** The rows, each under a name that a test report can show. */
export const namedRows = scenarioRules.map((rule) => ({
  row: `${rule.useCase} by ${rule.deliveryMode}, ${rule.amountMode}`,
  rule,
}));

/** The recipients to try a scenario with: one for each role that it requires. */
const usualRecipients = (rule: ScenarioRule): Wanted[] =>
  (rule.previewRoles.length === 0 ? (["public_payee"] as const) : rule.previewRoles).map((role, index) => ({
    role,
    payeeId: role === "tenant" ? TENANT_PAYEE_ID : 5001 + index,
    amount: role === "tenant" ? "500.00" : "4000.00",
  }));

/** A draft with everything that `rule` asks for, and nothing else of a recipient. */
export function completeDraft(rule: ScenarioRule, wanted: readonly Wanted[] = usualRecipients(rule)): IntentDraft {
  const [role = "student"] = rule.payerRoles;
  const asks = (path: string) => rule.requires.some((required) => required === path);
  const shares = evenShares(wanted.length);
  const recipients = wanted.map(({ role: recipientRole, payeeId, amount }, index): Recipient => {
    const field = rule.fixes === "whichever_is_stated" ? "payerAmount" : rule.fixes;
    return {
      role: recipientRole,
      connectorPayeeId: payeeId,
      ...(asks("recipients.*.purposeProofDocumentId") && { purposeProofDocumentId: proofIds[index] ?? "" }),
      amount: {
        ...(field !== "portionBps" && { [field]: amount }),
        ...(asks("recipients.*.amount.portionBps") && { portionBps: shares[index] ?? 0 }),
        ...(asks("recipients.*.amount.currency") && { currency: payeeId === CANADIAN_ID ? "CAD" : "AUD" }),
      },
    };
  });
  const { useCase, deliveryMode, amountMode } = rule;
  const severalPayees = new Set(wanted.filter((one) => one.role !== "tenant").map(({ payeeId }) => payeeId)).size > 1;
  const manualPayment = {
    ...(rule.executes === "quoted_payment" && { quoteId: QUOTE_ID, selectedQuoteVariantId: 900 }),
    purpose: "undergraduate",
    countryCode: "BR",
    ...(asks("instructions.manualPayment.payerIdentityDocumentId") && { payerIdentityDocumentId: IDENTITY_ID }),
    ...(severalPayees && rule.executes === "quoted_payment" && { quotePayoutOrderConfirmed: true }),
  } as const;
  const reissue = asks("instructions.reissue.paymentIntentId") && { reissue: { paymentIntentId: "failed one" } };
  return {
    ...{ useCase, deliveryMode, amountMode, recipients, termsAccepted: true },
    payer: { role, ...(asks("payer.partyId") && { partyId: STUDENT_ID }) },
    ...(deliveryMode !== link && { instructions: { manualPayment, ...reissue } }),
  };
}

/** The store's facts about the things that such a draft names; the quote is for its payees. */
export function knownOf(draft: IntentDraft, changes: Partial<Facts> = {}): Facts {
  const { quote: _quote, ...known } = facts();
  const quoted = (draft.recipients ?? []).flatMap(({ role, connectorPayeeId }) =>
    role === "tenant" ? [] : (connectorPayeeId ?? []),
  );
  const own = payee(TENANT_PAYEE_ID, { countryCode: "GB", currencyCode: "GBP", tenantId: "1001" });
  const canadian = payee(CANADIAN_ID, { countryCode: "CA", currencyCode: "CAD" });
  const [identity] = known.documents.values();
  return {
    ...known,
    permissions: ["AllowBulkPayment", "AllowLegacyReissue"],
    payees: new Map([...known.payees, [TENANT_PAYEE_ID, own], [CANADIAN_ID, canadian]]),
    documents: new Map([
      ...known.documents,
      ...proofIds.flatMap((id) => (identity === undefined ? [] : [[id, { ...identity, documentId: id }] as const])),
    ]),
    reissued: {
      chain: [{ id: "p", corrections: [], again: { recipients: 1, perPayee: new Map() } }],
      status: "failed",
    },
    ...(draft.instructions?.manualPayment?.quoteId !== undefined && { quote: quote([...new Set(quoted)]) }),
    ...changes,
  };
}

/** Shares of 10,000 that differ by one at most. */
const evenShares = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(10_000 / count) + (index < 10_000 % count ? 1 : 0));

type Node = Record<string, unknown>;

/** The draft with `value` at a dotted path, or without anything there. */
export function put(draft: IntentDraft, path: string, value?: unknown): IntentDraft {
  const copy = structuredClone(draft) as unknown as Node;
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const node = keys.reduce((inner, key) => inner[key] as Node, copy);
  if (value === undefined) delete node[last];
  else node[last] = value;
  return copy as unknown as IntentDraft;
}

/** The first row of a use case by a delivery mode. */
export const rowOf = (useCase: string, deliveryMode: string) => {
  const found = namedRows.find(({ rule }) => rule.useCase === useCase && rule.deliveryMode === deliveryMode);
  if (found === undefined) throw new Error(`There is no row for ${useCase}`);
  return found.rule;
};

/** The draft with one recipient changed. */
export const changed = (
  draft: IntentDraft,
  index: number,
  change: (recipient: Recipient) => Recipient,
): IntentDraft => ({
  ...draft,
  recipients: (draft.recipients ?? []).map((recipient, at) => (at === index ? change(recipient) : recipient)),
});
