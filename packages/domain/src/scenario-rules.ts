import type { Permission } from "./caller.ts";
import type {
  AmountMode,
  DeliveryMode,
  PayerRole,
  RecipientRole,
  Scenario,
  SplitRole,
  UseCase,
} from "./payment-intent.ts";
import type { RequirementPath } from "./requirement-texts.ts";

export type RuleStatus = "enabled" | "blocked" | "contract_gated";

export type ScenarioRule = Readonly<{
  useCase: UseCase;
  deliveryMode: DeliveryMode;
  amountMode: AmountMode;
  payerRoles: readonly PayerRole[];
  /** Without this permission the rule is `contract_gated`. */
  gate?: Permission;
  recipientRoles: readonly RecipientRole[];
  /** The recipients that a preview assumes: one per role that the scenario cannot do without. */
  previewRoles: readonly RecipientRole[];
  splitRoles: readonly SplitRole[];
  /** What must be present at submit; `*` stands for every recipient. */
  requires: readonly RequirementPath[];
}>;

const manualPayment = [
  "payer.partyId",
  "recipients.*.role",
  "recipients.*.connectorPayeeId",
  "instructions.manualPayment.quoteId",
  "instructions.manualPayment.selectedQuoteVariantId",
  "instructions.manualPayment.purpose",
  "instructions.manualPayment.countryCode",
  "instructions.manualPayment.payerIdentityDocumentId",
] as const satisfies readonly RequirementPath[];

/** One row per scenario that the service executes; a combination without a row is blocked (Decision 004). */
export const scenarioRules: readonly ScenarioRule[] = [
  {
    useCase: "education_provider_tuition",
    deliveryMode: "manual",
    amountMode: "payer_fixed",
    payerRoles: ["student", "family", "agent", "external_school", "external_partner"],
    // SPEC, behaviour rule 7: role `tenant` is reserved for the tenant split.
    recipientRoles: ["education_provider", "public_payee"],
    previewRoles: ["education_provider"],
    splitRoles: ["principal_provider_amount", "other"],
    requires: [...manualPayment, "recipients.*.amount.payerAmount"],
  },
];

/** What of a scenario is looked at in turn, and by which name a caller knows it. */
const scenarioFields = [
  { path: "useCase", fits: (rule: ScenarioRule, scenario: Scenario) => rule.useCase === scenario.useCase },
  {
    path: "deliveryMode",
    fits: (rule: ScenarioRule, scenario: Scenario) => rule.deliveryMode === scenario.deliveryMode,
  },
  { path: "amountMode", fits: (rule: ScenarioRule, scenario: Scenario) => rule.amountMode === scenario.amountMode },
  {
    path: "payer.role",
    fits: (rule: ScenarioRule, scenario: Scenario) => rule.payerRoles.includes(scenario.payer.role),
  },
] as const;
export type ScenarioField = (typeof scenarioFields)[number]["path"];

/** The rule of `scenario`, or the first of its fields for which no rule is left. */
export function findRule(scenario: Scenario): { rule: ScenarioRule } | { blockedBy: ScenarioField } {
  let candidates = scenarioRules;
  for (const { path, fits } of scenarioFields) {
    candidates = candidates.filter((rule) => fits(rule, scenario));
    if (candidates.length === 0) return { blockedBy: path };
  }
  const [rule] = candidates;
  return rule === undefined ? { blockedBy: "useCase" } : { rule };
}
