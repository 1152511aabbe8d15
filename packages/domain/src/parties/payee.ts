import { pick } from "../pick.ts";

export const payeeKinds = ["school", "company", "person"] as const;
export type PayeeKind = (typeof payeeKinds)[number];

/** A recipient of money. Ids are global. A tenant's payee is visible to that tenant, a public one to everybody. */
export type Payee = Readonly<{
  id: number;
  name: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  /** ISO 4217. */
  currencyCode: string;
  kind?: PayeeKind;
  /** Absent for the public directory of education providers. */
  tenantId?: string;
  createdAt: string;
}>;

/** Whether `tenantId` may pay `payee`. Judged at submit only (SPEC, Authentication 4). */
export const isVisible = (payee: Payee, tenantId: string): boolean =>
  payee.tenantId === undefined || payee.tenantId === tenantId;

/** A payee as callers see it. */
export const toPayeeAnswer = (payee: Payee) =>
  pick(payee, ["id", "name", "countryCode", "currencyCode", "kind", "createdAt"]);
