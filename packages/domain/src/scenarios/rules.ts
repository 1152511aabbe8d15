import type { Permission } from "../parties/caller.ts";
import {
  type AmountMode,
  type DeliveryMode,
  type PayerRole,
  type RecipientRole,
  type Scenario,
  type SplitRole,
  splitRoles,
  type UseCase,
} from "./scenario.ts";
import type { splitLegs } from "./split-role.ts";
import type { RequirementPath } from "./texts.ts";

export type RuleStatus = "enabled" | "blocked" | "contract_gated";

export type ScenarioRule = Readonly<{
  useCase: UseCase;
  deliveryMode: DeliveryMode;
  amountMode: AmountMode;
  /** The work of a submit: one payment by a quote, a batch, or publishing a link. */
  executes: "quoted_payment" | "bulk" | "link";
  /** The field of a recipient's amount that the caller fixes; the other amounts follow from it (SPEC, amountMode). */
  fixes: "payerAmount" | "payeeAmount" | "portionBps" | "whichever_is_stated";
  payerRoles: readonly PayerRole[];
  /** Without this permission the rule is `contract_gated`. */
  permission?: Permission;
  recipientRoles: readonly RecipientRole[];
  /** The recipients that a preview assumes: one per role that the scenario requires. */
  previewRoles: readonly RecipientRole[];
  /** The split roles that legs may be booked as; each recipient role allows only some of them (Decision 004). */
  splitRoles: readonly SplitRole[];
  /** The kinds of legs that this scenario requires. */
  needsLegs: readonly (keyof typeof splitLegs)[];
  /** The most recipients, however many the rail takes. */
  recipientsMax?: number;
  /** Requirements that creation copies from the payment that is paid again: the caller need not meet them. */
  copies?: readonly RequirementPath[];
  /** The paths that must be present at submit; `*` stands for every recipient. */
  requires: readonly RequirementPath[];
}>;

const everyRecipient = ["recipients.*.role", "recipients.*.connectorPayeeId"] as const;
const corridor = ["instructions.manualPayment.purpose", "instructions.manualPayment.countryCode"] as const;
const quotedByTenant = [
  ...everyRecipient,
  "instructions.manualPayment.quoteId",
  "instructions.manualPayment.selectedQuoteVariantId",
  ...corridor,
] as const;
/** A payer other than the tenant must say who they are, and prove it by a document. */
const quotedByPayer = [
  "payer.partyId",
  ...quotedByTenant,
  "instructions.manualPayment.payerIdentityDocumentId",
] as const;

const payees = ["education_provider", "public_payee"] as const satisfies readonly RecipientRole[];
const principalOnly = ["principal_provider_amount", "other"] as const satisfies readonly SplitRole[];
const tuitionPayers = [
  "student",
  "family",
  "agent",
  "external_school",
  "external_partner",
] as const satisfies readonly PayerRole[];

/** A payment that one payer makes with a quote: the shape that all manual rows share. */
const manual = {
  deliveryMode: "manual",
  executes: "quoted_payment",
  recipientRoles: payees,
  splitRoles: principalOnly,
  needsLegs: [],
} as const;
/** A shareable link: it needs no quote, payer or document (SPEC, behaviour rule 8). */
const link = {
  deliveryMode: "reusable_payment_link",
  executes: "link",
  payerRoles: ["unknown_link_payer"],
  splitRoles: principalOnly,
  needsLegs: [],
} as const;
/** A payment that is shared with the tenant: it requires a principal leg and the tenant's own leg. */
const tenantSplit = {
  recipientRoles: [...payees, "tenant"],
  previewRoles: ["education_provider", "tenant"],
  splitRoles,
  needsLegs: ["recipients.principalLeg", "recipients.tenantLeg"],
} as const;

/** One row per scenario that the service executes; a combination without a row is blocked (Decision 004). */
export const scenarioRules: readonly ScenarioRule[] = [
  {
    ...manual,
    useCase: "education_provider_tuition",
    amountMode: "payer_fixed",
    fixes: "payerAmount",
    payerRoles: tuitionPayers,
    // SPEC, behaviour rule 7: role `tenant` is reserved for the tenant split.
    previewRoles: ["education_provider"],
    requires: [...quotedByPayer, "recipients.*.amount.payerAmount"],
  },
  {
    ...manual,
    useCase: "education_provider_tuition_with_tenant_split",
    amountMode: "payer_fixed",
    fixes: "payerAmount",
    payerRoles: tuitionPayers,
    ...tenantSplit,
    // payerAmount is what is paid, and portionBps records the proportions beside it (SPEC, behaviour rules 4 and 5).
    requires: [
      ...quotedByPayer,
      "recipients.*.amount.payerAmount",
      "recipients.*.amount.portionBps",
      "recipients.*.purposeProofDocumentId",
    ],
  },
  ...(["supplier_payment", "tenant_funded_refund"] as const).map(
    (useCase) =>
      ({
        ...manual,
        useCase,
        amountMode: "recipient_fixed" as const,
        fixes: "payeeAmount" as const,
        payerRoles: ["tenant"] as const,
        previewRoles: ["public_payee"] as const,
        requires: [...quotedByTenant, "recipients.*.amount.payeeAmount"] as const,
      }) satisfies ScenarioRule,
  ),
  {
    ...manual,
    useCase: "allowance_payment",
    amountMode: "recipient_fixed",
    fixes: "payeeAmount",
    payerRoles: ["student", "family"],
    previewRoles: ["public_payee"],
    requires: [...quotedByPayer, "recipients.*.amount.payeeAmount"],
  },
  {
    useCase: "payroll_payment",
    deliveryMode: "bulk",
    amountMode: "mixed_composite",
    executes: "bulk",
    fixes: "payeeAmount",
    payerRoles: ["tenant"],
    permission: "AllowBulkPayment",
    recipientRoles: payees,
    previewRoles: ["public_payee"],
    splitRoles: principalOnly,
    needsLegs: [],
    requires: [...everyRecipient, ...corridor, "recipients.*.amount.payeeAmount", "recipients.*.amount.currency"],
  },
  ...(
    [
      { payerRoles: tuitionPayers, requires: quotedByPayer },
      { payerRoles: ["tenant"], requires: quotedByTenant },
    ] as const
  ).map(
    ({ payerRoles, requires }) =>
      ({
        ...manual,
        useCase: "legacy_transaction_reissue" as const,
        amountMode: "legacy_reissue" as const,
        // A reissue states whichever amounts the intent had that it pays again.
        fixes: "whichever_is_stated" as const,
        permission: "AllowLegacyReissue" as const,
        payerRoles,
        recipientRoles: [...payees, "tenant"] as const,
        previewRoles: [],
        splitRoles,
        copies: ["recipients", "payer.partyId"] as const,
        requires: ["instructions.reissue.paymentIntentId", ...requires] as const,
      }) satisfies ScenarioRule,
  ),
  {
    ...link,
    useCase: "education_provider_tuition",
    amountMode: "fixed_payee_amounts",
    fixes: "payeeAmount",
    recipientRoles: payees,
    previewRoles: ["education_provider"],
    requires: [...everyRecipient, "recipients.*.amount.payeeAmount", "recipients.*.amount.currency"],
  },
  {
    ...link,
    useCase: "education_provider_tuition_with_tenant_split",
    amountMode: "free_entry_with_portions",
    fixes: "portionBps",
    ...tenantSplit,
    // The service does not fill missing shares (SPEC, behaviour rule 9).
    requires: [...everyRecipient, "recipients.*.amount.portionBps", "recipients.*.amount.currency"],
  },
  ...(["generic_service_invoice", "owed_commission_invoice"] as const).map(
    (useCase) =>
      ({
        ...link,
        useCase,
        amountMode: "fixed_payee_amounts" as const,
        fixes: "payeeAmount" as const,
        recipientRoles: payees,
        previewRoles: ["public_payee"] as const,
        requires: [...everyRecipient, "recipients.*.amount.payeeAmount", "recipients.*.amount.currency"] as const,
      }) satisfies ScenarioRule,
  ),
  // These rows are for deposits and part payments: one payee, and a payer who enters the amount.
  ...(["education_provider_tuition", "generic_service_invoice", "owed_commission_invoice"] as const).map(
    (useCase) =>
      ({
        ...link,
        useCase,
        amountMode: "free_entry_with_portions" as const,
        fixes: "portionBps" as const,
        recipientRoles: payees,
        previewRoles: [useCase === "education_provider_tuition" ? "education_provider" : "public_payee"] as const,
        recipientsMax: 1,
        requires: [...everyRecipient, "recipients.*.amount.portionBps", "recipients.*.amount.currency"] as const,
      }) satisfies ScenarioRule,
  ),
];

/** The fields of a scenario in the order in which they are checked, each with its path in a request. */
const scenarioFields = [
  { path: "useCase", of: ({ useCase }: Scenario) => useCase, allowed: ({ useCase }: ScenarioRule) => [useCase] },
  {
    path: "deliveryMode",
    of: ({ deliveryMode }: Scenario) => deliveryMode,
    allowed: ({ deliveryMode }: ScenarioRule) => [deliveryMode],
  },
  {
    path: "amountMode",
    of: ({ amountMode }: Scenario) => amountMode,
    allowed: ({ amountMode }: ScenarioRule) => [amountMode],
  },
  {
    path: "payer.role",
    of: ({ payer }: Scenario) => payer.role,
    allowed: ({ payerRoles }: ScenarioRule) => payerRoles,
  },
] as const satisfies readonly Readonly<{
  path: string;
  of: (scenario: Scenario) => string;
  allowed: (rule: ScenarioRule) => readonly string[];
}>[];
export type ScenarioField = (typeof scenarioFields)[number]["path"];

/** The rule of `scenario`, or the first of its fields whose value leaves no rule, with a value that would leave one. */
export function findRule(
  scenario: Scenario,
): { rule: ScenarioRule } | { blockedBy: ScenarioField; example: string | undefined } {
  let candidates = scenarioRules;
  for (const { path, of, allowed } of scenarioFields) {
    const valuesOf: (rule: ScenarioRule) => readonly string[] = allowed;
    const left = candidates.filter((rule) => valuesOf(rule).includes(of(scenario)));
    if (left.length === 0) return { blockedBy: path, example: candidates.flatMap(valuesOf)[0] };
    candidates = left;
  }
  const [rule] = candidates;
  if (rule === undefined) throw new Error("A scenario that fits has a rule");
  return { rule };
}
