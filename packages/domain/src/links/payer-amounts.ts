import { addAmounts, type Decimal } from "../amounts/money.ts";
import { inOrder, type Recipient } from "../scenarios/draft.ts";
import type { SplitRole } from "../scenarios/scenario.ts";
import { bookedAs } from "../scenarios/split-role.ts";

/** The purpose of a payment is its legs in the first of these roles that it has. */
const purposes = ["principal_provider_amount", "other"] as const satisfies readonly SplitRole[];

/**
 * Splits `legs`, one for each of `recipients` in their order: payers see the principal ones one by one, and only the
 * sum of the rest. Where every leg is the tenant's part, all are principal.
 */
export function distinguish<Leg>(
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
 * The payer's fees: the payment's fee and every leg but the principal ones, in the payer's currency. They are one sum,
 * so that the tenant's part cannot be read off (Decision 018).
 */
export const feesAndCharges = (fee: Decimal, rest: readonly Readonly<{ payerAmount: Decimal }>[]): Decimal =>
  addAmounts(fee, ...rest.map(({ payerAmount }) => payerAmount));
