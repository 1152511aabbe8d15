import { inOrder, type Recipient } from "./draft.ts";
import type { RecipientRole, SplitRole } from "./scenario.ts";

/**
 * The split roles that a leg may be booked as, by the role of its recipient; the first one is the default. A school
 * never gets the tenant's part, and the tenant never the principal. All others may get either, since an agent's cut is
 * a commission too (Decision 004).
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

/** The split roles in `allowed`, a scenario's, that a recipient in one of `roles` may have. */
export const splitRolesOf = (roles: readonly RecipientRole[], allowed: readonly SplitRole[]): readonly SplitRole[] =>
  allowed.filter((splitRole) =>
    roles.some((role) => (splitRolesByRole[role] as readonly SplitRole[]).includes(splitRole)),
  );

/** The split role that a recipient's leg is booked as; a recipient without a role counts as the principal. */
export const bookedAs = ({ splitRole, role = "education_provider" }: Recipient): SplitRole =>
  splitRole ?? splitRolesByRole[role][0];

/** The split role of the leg whose `order` is given. */
export const splitRoleOf = (recipients: readonly Recipient[], order: number): SplitRole =>
  bookedAs(inOrder(recipients).find((recipient) => recipient.order === order) ?? {});

/** The legs that a split requires, each under the name of the check that asks for it. */
export const splitLegs = {
  "recipients.principalLeg": (recipient: Recipient) => bookedAs(recipient) === "principal_provider_amount",
  "recipients.tenantLeg": (recipient: Recipient) =>
    recipient.role === "tenant" || bookedAs(recipient).startsWith("tenant_"),
} as const;
