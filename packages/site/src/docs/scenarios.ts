import { type ScenarioRule, scenarioRules } from "@intents/domain/scenarios/rules.ts";
import { createRequest, needsQuote, quoteRequest, type Sample } from "./scenario-requests.ts";

/** A reader's goal, with the values of the scenario's sample. */
type Wish = Readonly<{ want: string }> & Sample;

const tuition = { countryCode: "BR", purpose: "undergraduate", paymentType: "provider" } as const;
const business = { countryCode: "AU", purpose: "other", paymentType: "company" } as const;

const wishes: Readonly<Record<string, Wish>> = {
  "education_provider_tuition manual": { want: "Pay a school", ...tuition },
  "education_provider_tuition_with_tenant_split manual": { want: "Pay a school, and your own part", ...tuition },
  "supplier_payment manual": { want: "Pay a supplier", ...business },
  "tenant_funded_refund manual": { want: "Refund somebody", ...business, purpose: "refund" },
  "allowance_payment manual": {
    want: "Send an allowance",
    countryCode: "BR",
    purpose: "allowance-payment",
    paymentType: "private",
  },
  "payroll_payment bulk": { want: "Pay many at once", ...business },
  "legacy_transaction_reissue manual": { want: "Pay again what failed", ...tuition },
  "education_provider_tuition fixed_payee_amounts": { want: "Ask for tuition by a link", ...tuition },
  "education_provider_tuition free_entry_with_portions": {
    want: "Ask for tuition of any amount by a link",
    ...tuition,
  },
  "education_provider_tuition_with_tenant_split free_entry_with_portions": {
    want: "Ask for tuition and your own part by a link",
    ...tuition,
  },
  "generic_service_invoice fixed_payee_amounts": { want: "Ask for an invoice to be paid by a link", ...business },
  "generic_service_invoice free_entry_with_portions": { want: "Ask for any part of an invoice by a link", ...business },
  "owed_commission_invoice fixed_payee_amounts": {
    want: "Ask by a link for a commission that you are owed",
    ...business,
  },
  "owed_commission_invoice free_entry_with_portions": {
    want: "Ask for any part of a commission by a link",
    ...business,
  },
};

/** The wish that a rule fulfils. Throws for a rule that nobody is told of. */
function wishOf({ useCase, deliveryMode, amountMode }: ScenarioRule): Wish {
  const wish = wishes[`${useCase} ${deliveryMode}`] ?? wishes[`${useCase} ${amountMode}`];
  if (wish === undefined) throw new Error(`No reader is told when to use ${useCase} by ${deliveryMode}, ${amountMode}`);
  return wish;
}

/** The rules in their order, those together that differ only in who pays. */
export const scenarios = (): (readonly [Wish, readonly ScenarioRule[]])[] => [...Map.groupBy(scenarioRules, wishOf)];

/** The table of all scenarios, and a section of Markdown for each of them, with its requests. */
export function scenarioSections(): string {
  const head = ["you want to", "`useCase`", "`deliveryMode`", "`amountMode`"];
  const rows = scenarios().map(([{ want }, [rule]]) => [
    `[${want.toLowerCase()}](#${anchorOf(want)})`,
    ...[rule?.useCase, rule?.deliveryMode, rule?.amountMode].map((value) => `\`${value}\``),
  ]);
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return [table, ...scenarios().map(([wish, rules]) => toMarkdown(wish, rules))].join("\n\n");
}

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z -]/g, "")
    .replaceAll(" ", "-");

function toMarkdown(wish: Wish, rules: readonly ScenarioRule[]): string {
  const [rule] = rules;
  if (rule === undefined) throw new Error(`Nothing fulfils the wish to ${wish.want}`);
  return [
    `### ${wish.want}`,
    factsOf(wish, rules).join("\n"),
    ...(needsQuote(rule) ? ["`POST /v2/quotes`:", block(quoteRequest(rule, wish))] : []),
    "`POST /v2/payment-intents`:",
    block(createRequest(rule, wish)),
  ].join("\n\n");
}

/** The facts of a scenario beside its request, from its rules. */
function factsOf({ paymentType }: Wish, rules: readonly ScenarioRule[]): string[] {
  const [rule] = rules as readonly [ScenarioRule];
  const payers = rules.flatMap(({ payerRoles }) => payerRoles);
  const documents = [
    ...(rule.requires.includes("instructions.manualPayment.payerIdentityDocumentId")
      ? [`the payer's identity${rules.length > 1 ? ", unless the tenant pays" : ""}`]
      : []),
    ...(rule.requires.includes("recipients.*.purposeProofDocumentId") ? ["a proof for each recipient"] : []),
  ];
  return [
    `- Payers: ${coded(payers)}. Recipients: ${coded(rule.recipientRoles)}.`,
    `- You fix ${fixed[rule.fixes]}.`,
    ...(needsQuote(rule)
      ? [`- Quote: \`paymentType\` \`${paymentType}\`, or whatever the payee is.`]
      : ["- Quote: none."]),
    `- Documents: ${documents.length === 0 ? "none" : documents.join(", ")}.`,
    ...(rule.permission === undefined ? [] : [`- Your key needs the permission \`${rule.permission}\`.`]),
    ...(rule.recipientsMax === undefined ? [] : [`- Recipients: at most ${rule.recipientsMax}.`]),
  ];
}

const coded = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(", ");

const fixed: Readonly<Record<ScenarioRule["fixes"], string>> = {
  payerAmount: "what the payer gives, as the quote shows it",
  payeeAmount: "what each recipient gets",
  portionBps: "the share of each recipient; the payer enters the sum",
  whichever_is_stated: "nothing: parties, recipients and amounts are those of the payment that you repeat",
};

const block = (value: object): string => `\`\`\`json\n${toJson(value)}\n\`\`\``;

const LINE_LENGTH_MAX = 100;

/** A value as JSON, in which whatever fits on one line stands on one. */
function toJson(value: unknown, indent = ""): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " ");
  if (typeof value !== "object" || value === null || indent.length + line.length <= LINE_LENGTH_MAX) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((part) => toJson(part, inner))
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${toJson(part, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}
