import type { Imprint } from "./imprint.ts";

/** A customer organization. Its id doubles as the payee id of its own company. */
export type Tenant = Readonly<{
  tenantId: string;
  name: string;
  /** ISO 3166-1 alpha-2; the paying-from country of company quotes that name none. */
  countryCode: string;
  currencyCode: string;
  /** Decimal fraction: "0.01" is 1 %. */
  commissionSpread: string;
  /** The outstanding amount, in any currency, from which a payout is worth a request; by default the service's own. */
  commissionThreshold?: string;
  /** The imprint on its links, in place of the stage's. */
  imprint?: Imprint;
  createdAt: string;
}>;

/** Since when, by whom and why nothing new is done in a tenant's name. What was submitted before goes on to its end. */
export type Suspension = Readonly<{ at: string; by: string; reason: string }>;

/** The tenant's own id in the payee directory: the `connectorPayeeId` of its commission leg. */
export const tenantPayeeId = (tenantId: string): number => Number(tenantId);
