import { describe, expect, test } from "vitest";
import { bookAcceptance } from "../ledger/ledger.ts";
import type { Recipient } from "./draft.ts";
import { type RecipientRole, recipientRoles, type SplitRole, splitRoles } from "./scenario.ts";
import { bookedAs, splitLegs, splitRoleOf, splitRolesByRole, splitRolesOf } from "./split-role.ts";

/** The split roles that each role may have, written out cell by cell (Decision 004). */
const cells: Readonly<Record<RecipientRole, Readonly<Record<SplitRole, boolean>>>> = {
  education_provider: {
    principal_provider_amount: true,
    tenant_commission: false,
    tenant_service_fee: false,
    tenant_tax_component: false,
    other: true,
  },
  public_payee: {
    principal_provider_amount: true,
    tenant_commission: true,
    tenant_service_fee: true,
    tenant_tax_component: true,
    other: true,
  },
  tenant: {
    principal_provider_amount: false,
    tenant_commission: true,
    tenant_service_fee: true,
    tenant_tax_component: true,
    other: true,
  },
};
const pairs = recipientRoles.flatMap((role) => splitRoles.map((splitRole) => ({ role, splitRole })));

describe("a leg", () => {
  test.each(pairs)("of a $role may be a $splitRole just when the table says so", ({ role, splitRole }) => {
    expect(splitRolesByRole[role].some((one) => one === splitRole)).toBe(cells[role][splitRole]);
    expect(splitRolesOf([role], [splitRole])).toEqual(cells[role][splitRole] ? [splitRole] : []);
    expect(bookedAs({ role, splitRole })).toBe(splitRole);
  });

  test.each([
    ["education_provider", "principal_provider_amount", "payable:provider_principal"],
    ["public_payee", "principal_provider_amount", "payable:provider_principal"],
    ["tenant", "tenant_commission", "payable:tenant_commission"],
  ] as const)("of a %s that says nothing else is a %s, and booked as that", (role, splitRole, account) => {
    const recipients: Recipient[] = [{ role }];
    expect([bookedAs({ role }), splitRoleOf(recipients, 0)]).toEqual([splitRole, splitRole]);
    const leg = { order: 0, splitRole: splitRoleOf(recipients, 0), payerAmount: "1.00", status: "executing" } as const;
    const booked = { executionId: "e", currency: "BRL", fee: "0", status: "executing", startedAt: "now" } as const;
    expect(bookAcceptance({ ...booked, legs: [leg] })).toMatchObject([{ credit: account }]);
  });

  test("is found by its order, whatever its place in the array", () => {
    const recipients: Recipient[] = [
      { role: "tenant", order: 3 },
      { role: "public_payee", splitRole: "other" },
    ];
    expect([splitRoleOf(recipients, 3), splitRoleOf(recipients, 1)]).toEqual(["tenant_commission", "other"]);
  });

  test("of the tenant is never the principal, and that of a school never the tenant's part", () => {
    for (const { role, splitRole } of pairs.filter((pair) => cells[pair.role][pair.splitRole])) {
      const recipient = { role, splitRole };
      const [isPrincipal, isTenants] = [splitLegs["recipients.principalLeg"], splitLegs["recipients.tenantLeg"]].map(
        (is) => is(recipient),
      );
      if (role === "tenant") expect(isPrincipal).toBe(false);
      if (role === "education_provider") expect(isTenants).toBe(false);
      expect(isPrincipal && isTenants).toBe(false);
    }
  });
});
