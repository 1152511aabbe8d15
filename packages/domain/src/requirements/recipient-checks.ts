import { isVisible } from "../parties/payee.ts";
import { tenantPayeeId } from "../parties/tenant.ts";
import type { IntentDraft, Recipient } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import type { SplitRole } from "../scenarios/scenario.ts";
import { splitLegs, splitRolesOf } from "../scenarios/split-role.ts";
import type { Check, Facts, Finding } from "./finding.ts";

/** The checks of the recipients: their roles, order, number and shares. */
export const recipientChecks: readonly Check[] = [each, allTogether, legsOfASplit, shares];

function each({ recipients = [] }: IntentDraft, facts: Facts, rule: ScenarioRule): Finding[] {
  return recipients.flatMap((recipient, index): Finding[] => [
    ...(recipient.role !== undefined && !rule.recipientRoles.includes(recipient.role)
      ? [{ path: "recipients.*.role" as const, at: `recipients.${index}.role` }]
      : []),
    ...kindFindings(recipient, facts, `recipients.${index}.role`),
    ...splitRoleFindings(recipient, rule, `recipients.${index}.splitRole`),
    ...payeeFindings(recipient, facts, rule, `recipients.${index}.connectorPayeeId`),
  ]);
}

/**
 * A school is no company or person. A payee without a kind may be a school, and a public payee anything. What another
 * tenant states of its payee is not told.
 */
function kindFindings({ role, connectorPayeeId }: Recipient, { payees, tenantId }: Facts, at: string): Finding[] {
  const payee = connectorPayeeId === undefined ? undefined : payees.get(connectorPayeeId);
  if (role !== "education_provider" || payee === undefined || !isVisible(payee, tenantId)) return [];
  if (payee.kind === undefined || payee.kind === "school") return [];
  const reason = `The payee is registered as a ${payee.kind}, and an education_provider is a school`;
  const satisfiedBy = "public_payee, or a payee that is a school";
  return [{ path: "recipients.*.role", at, reason, satisfiedBy, example: "public_payee" }];
}

/** A split role must be one of the scenario's, and one that a recipient in this role may have. */
function splitRoleFindings(recipient: Recipient, rule: ScenarioRule, at: string): Finding[] {
  if (hasFitSplitRole(recipient, rule)) return [];
  const fit = fitSplitRoles(recipient, rule);
  const reason = `This recipient can be paid as ${fit.join(", ")}`;
  return [{ path: "recipients.*.splitRole", at, reason, satisfiedBy: `one of ${fit.join(", ")}`, example: fit[0] }];
}

const hasFitSplitRole = (recipient: Recipient, rule: ScenarioRule): boolean =>
  recipient.splitRole === undefined || fitSplitRoles(recipient, rule).includes(recipient.splitRole);

/** The split roles open to a recipient. Without a role of the scenario, they are those of all its roles. */
const fitSplitRoles = ({ role }: Recipient, { recipientRoles, splitRoles }: ScenarioRule): readonly SplitRole[] =>
  splitRolesOf(role !== undefined && recipientRoles.includes(role) ? [role] : recipientRoles, splitRoles);

function payeeFindings({ role, connectorPayeeId }: Recipient, facts: Facts, rule: ScenarioRule, at: string): Finding[] {
  const path = "recipients.*.connectorPayeeId";
  if (connectorPayeeId === undefined) return [];
  if (!facts.payees.has(connectorPayeeId)) return [{ path, at }];
  const isTenant = role === "tenant" && rule.recipientRoles.includes("tenant");
  const example = tenantPayeeId(facts.tenantId);
  if (!isTenant || connectorPayeeId === example) return [];
  const satisfiedBy = "paymentAccess.tenantId, as GET /v2/users/me tells it";
  return [{ path, at, reason: "The tenant's leg is paid to the tenant itself", satisfiedBy, example }];
}

function allTogether({ recipients = [] }: IntentDraft, { offer }: Facts, rule: ScenarioRule): Finding[] {
  const orders = recipients.map((recipient, index) => recipient.order ?? index);
  const findings: Finding[] = new Set(orders).size < orders.length ? ["recipients.order"] : [];
  const most = maxRecipientsOf(rule, offer.maxRecipients);
  if (recipients.length <= most) return findings;
  const whose = most < offer.maxRecipients ? "This scenario" : "The connector";
  return [...findings, { path: "recipients.maxRecipients", reason: `${whose} takes at most ${most}` }];
}

/** The most recipients that a scenario takes, on a rail that takes `railMax`. */
export const maxRecipientsOf = (rule: ScenarioRule | undefined, railMax: number): number =>
  Math.min(railMax, rule?.recipientsMax ?? railMax);

/** Finds the legs that a split lacks, once every role is known: a recipient without a role may be the missing leg. */
function legsOfASplit({ recipients = [] }: IntentDraft, _facts: Facts, rule: ScenarioRule): Finding[] {
  const areKnown = recipients.every(
    (recipient) =>
      recipient.role !== undefined && rule.recipientRoles.includes(recipient.role) && hasFitSplitRole(recipient, rule),
  );
  if (recipients.length === 0 || !areKnown) return [];
  return rule.needsLegs.filter((leg) => !recipients.some(splitLegs[leg]));
}

/** Shares are summed only once all are stated; a missing one is reported under its own field. */
function shares({ recipients = [] }: IntentDraft, _facts: Facts, rule: ScenarioRule): Finding[] {
  if (!rule.requires.includes("recipients.*.amount.portionBps")) return [];
  const stated = recipients.flatMap(({ amount }) => amount?.portionBps ?? []);
  const complete = stated.length > 0 && stated.length === recipients.length;
  return complete && stated.reduce((sum, share) => sum + share, 0) !== 10_000 ? ["recipients.portionBpsSum"] : [];
}
