import { inOrder, type Recipient, type RecipientRole, type SplitRole } from "./payment-intent.ts";

/**
 * What a leg may be booked as, by the role of its recipient; the first is what it is while nothing else is said. A
 * school is never paid a part of the tenant's, and the tenant never the principal; anybody else may get either: an
 * agent's cut is a commission too (Decision 004).
 */
export const splitRolesByRole = {
  education_provider: ["principal_provider_amount", "other"],
  public_payee: [
    "principal_provider_amount",
    "tenant_commission",
    "tenant_service_fee",
    "tenant_tax_component",
    "other",
  ],
  tenant: ["tenant_commission", "tenant_service_fee", "tenant_tax_component", "other"],
} as const satisfies Record<RecipientRole, readonly [SplitRole, ...SplitRole[]]>;

/** Which of `allowed`, the split roles of a scenario, a recipient in one of `roles` may have. */
export const splitRolesOf = (roles: readonly RecipientRole[], allowed: readonly SplitRole[]): readonly SplitRole[] =>
  allowed.filter((splitRole) =>
    roles.some((role) => (splitRolesByRole[role] as readonly SplitRole[]).includes(splitRole)),
  );

/** What a recipient's leg is booked as; a recipient of no role yet is what the payment is for. */
export const bookedAs = ({ splitRole, role = "education_provider" }: Recipient): SplitRole =>
  splitRole ?? splitRolesByRole[role][0];

/** What the leg in the place `order` is booked as. */
export const splitRoleOf = (recipients: readonly Recipient[], order: number): SplitRole =>
  bookedAs(inOrder(recipients).find((recipient) => recipient.order === order) ?? {});

/** The legs without which a split is none, each under the name of the check that asks for it. */
export const splitLegs = {
  "recipients.principalLeg": (recipient: Recipient) => bookedAs(recipient) === "principal_provider_amount",
  "recipients.tenantLeg": (recipient: Recipient) =>
    recipient.role === "tenant" || bookedAs(recipient).startsWith("tenant_"),
} as const;
