import { addAmounts, type Decimal } from "../amounts/money.ts";
import { inOrder, type Recipient } from "../scenarios/draft.ts";
import type { SplitRole } from "../scenarios/scenario.ts";
import { bookedAs } from "../scenarios/split-role.ts";

/** The purpose of a payment is its legs in the first of these roles that it has. */
const purposes = ["principal_provider_amount", "other"] as const satisfies readonly SplitRole[];

/**
 * Splits `legs`, one for each of `recipients` in their order, into the principal ones, which payers are told one by
 * one, and the rest, of which they are told only the sum. Where every leg is the tenant's part, all are principal.
 */
export function tellApart<Leg>(
  recipients: readonly Recipient[],
  legs: readonly Leg[],
): Readonly<{ principal: readonly Leg[]; rest: readonly Leg[] }> {
  const roles = inOrder(recipients).map(bookedAs);
  const purpose = purposes.find((role) => roles.includes(role));
  if (purpose === undefined) return { principal: legs, rest: [] };
  return {
    principal: legs.filter((_, at) => roles[at] === purpose),
    rest: legs.filter((_, at) => roles[at] !== purpose),
  };
}

/**
 * What a payer pays beside what the principal recipients get: the rail's fee and whatever else is taken, in the payer's
 * currency. It is one sum, so that the tenant's part cannot be read off (Decision 018).
 */
export const feesAndCharges = (fee: Decimal, rest: readonly Readonly<{ payerAmount: Decimal }>[]): Decimal =>
  addAmounts(fee, ...rest.map(({ payerAmount }) => payerAmount));
