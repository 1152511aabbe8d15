import type { ScenarioRule } from "@intents/domain/scenarios/rules.ts";
import type { PayerRole, RecipientRole } from "@intents/domain/scenarios/scenario.ts";

/** Placeholders for values from other calls' answers. */
const answers = {
  quoteId: "<quoteId>",
  variantId: "<variants[0].id>",
  payerAmount: "<payouts[0].payerAmount>",
  tenantId: "<paymentAccess.tenantId>",
  identity: "<documentId>",
  failed: "<id of that payment>",
} as const;

/** The payees of the demo: a school of the directory for either role. */
const payees = {
  education_provider: { id: 5001, currency: "AUD" },
  public_payee: { id: 5010, currency: "AUD" },
  tenant: { id: answers.tenantId, currency: "AUD" },
} as const satisfies Record<RecipientRole, object>;

/** The values of a scenario's sample beside its rule. */
export type Sample = Readonly<{ countryCode: string; purpose: string; paymentType: string }>;

export const needsQuote = ({ requires }: ScenarioRule): boolean =>
  requires.includes("instructions.manualPayment.quoteId");

/** The recipients that a sample pays: one for each role that the scenario asks for. A reissue copies those of before. */
const rolesOf = ({ previewRoles }: ScenarioRule): readonly RecipientRole[] => previewRoles;

/** The question for the quote of a sample: its recipients but the tenant, who is paid without one. */
export const quoteRequest = (rule: ScenarioRule, { countryCode, paymentType }: Sample) => ({
  payouts: (rolesOf(rule).length === 0 ? (["education_provider"] as const) : rolesOf(rule))
    .filter((role) => role !== "tenant")
    .map((role) => ({ payeeId: payees[role].id, amount: 1500 })),
  countryCode,
  paymentType,
});

/** The request that creates a payment of a scenario, with each field that its rule requires, and no other. */
export function createRequest(rule: ScenarioRule, sample: Sample): object {
  const { useCase, deliveryMode, amountMode, executes } = rule;
  const roles = rolesOf(rule);
  const instructions = instructionsOf(rule, sample);
  return {
    useCase,
    deliveryMode,
    amountMode,
    payer: payerOf(rule),
    ...(roles.length > 0 && { recipients: roles.map((role) => recipientOf(rule, role)) }),
    ...(Object.keys(instructions).length > 0 && { instructions }),
    ...(executes === "link" && { instructions: { paymentLink: { reference: "Semester 1, 2027" } } }),
    termsAccepted: true,
  };
}

/** The request describes a payer who is not saved; a reissue knows its payer. */
function payerOf({ payerRoles: [first], requires }: ScenarioRule) {
  const role: PayerRole | undefined = first;
  const isShown = requires.includes("payer.partyId") && !requires.includes("instructions.reissue.paymentIntentId");
  return isShown ? { role, details: { firstName: "Ana", lastName: "Silva", email: "ana@example.com" } } : { role };
}

function recipientOf(rule: ScenarioRule, role: RecipientRole): object {
  const { requires } = rule;
  const asks = (path: ScenarioRule["requires"][number]) => requires.includes(path);
  const isTenant = role === "tenant";
  const proof = isTenant ? "<documentId of the tenant's proof>" : "<documentId of the school's proof>";
  return {
    role,
    connectorPayeeId: payees[role].id,
    ...(isTenant && { splitRole: "tenant_commission" }),
    ...(asks("recipients.*.purposeProofDocumentId") && { purposeProofDocumentId: proof }),
    amount: {
      ...(asks("recipients.*.amount.payerAmount") && { payerAmount: isTenant ? "100.00" : answers.payerAmount }),
      ...(asks("recipients.*.amount.payeeAmount") && { payeeAmount: "1500.00" }),
      ...(asks("recipients.*.amount.portionBps") && { portionBps: shareOf(rule, role) }),
      ...(asks("recipients.*.amount.currency") && { currency: payees[role].currency }),
    },
  };
}

/** All shares of a payment are 10,000 basis points. */
const TENANT_BPS = 1000;
function shareOf(rule: ScenarioRule, role: RecipientRole): number {
  if (!rule.recipientRoles.includes("tenant")) return 10_000;
  return role === "tenant" ? TENANT_BPS : 10_000 - TENANT_BPS;
}

function instructionsOf({ requires }: ScenarioRule, { countryCode, purpose }: Sample): object {
  const values = {
    "instructions.manualPayment.quoteId": { quoteId: answers.quoteId },
    "instructions.manualPayment.selectedQuoteVariantId": { selectedQuoteVariantId: answers.variantId },
    "instructions.manualPayment.purpose": { purpose },
    "instructions.manualPayment.countryCode": { countryCode },
    "instructions.manualPayment.payerIdentityDocumentId": { payerIdentityDocumentId: answers.identity },
  } as const;
  const stated = Object.entries(values).filter(([path]) => (requires as readonly string[]).includes(path));
  return {
    ...(requires.includes("instructions.reissue.paymentIntentId") && { reissue: { paymentIntentId: answers.failed } }),
    ...(stated.length > 0 && { manualPayment: Object.assign({}, ...stated.map(([, value]) => value)) }),
  };
}
