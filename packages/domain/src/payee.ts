/** A recipient of money. Ids are global; whom a payee is visible to is its owner's tenant, or everybody for the directory. */
export type Payee = Readonly<{
  id: number;
  name: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  /** ISO 4217. */
  currencyCode: string;
  /** Absent for the public directory of education providers. */
  tenantId?: string;
  createdAt: string;
}>;

/** Whether `tenantId` may pay `payee`. Judged at submit only (SPEC, Authentication 4). */
export const isVisible = (payee: Payee, tenantId: string): boolean =>
  payee.tenantId === undefined || payee.tenantId === tenantId;

/** A payee as callers see it: who owns it is the service's own. */
export const toPayeeAnswer = ({ tenantId, ...payee }: Payee) => payee;
