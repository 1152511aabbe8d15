import { addAmounts, compareAmounts, fromMinorUnits, toFixedMinor, toMinorUnits } from "../amounts/money.ts";
import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import type { Correction } from "../money-state/correction.ts";
import type { Payee } from "../parties/payee.ts";
import {
  type Commission,
  commissionId,
  earningLegs,
  payeeNameOf,
  priceCommission,
  studentNameOf,
} from "./commission.ts";

type Amounts = Pick<Commission, "payerAmount" | "commissionAmount">;

/** The corrections of a payment, and its commissions so far. */
type Known = Readonly<{ corrections: readonly Correction[]; earned: readonly Commission[] }>;

/** The commission on the money of an execution that has arrived, by all corrections of its payment. */
function commissionDue(
  intent: PaymentIntent,
  execution: Execution,
  corrections: readonly Correction[],
  commissionSpread: string,
): Amounts {
  const { currency } = execution;
  const nothing = toFixedMinor("0", currency);
  const legs = earningLegs(intent, execution, corrections);
  const priced = priceCommission(intent, legs, { currency, commissionSpread });
  return priced ?? { payerAmount: nothing, commissionAmount: nothing };
}

/** The sums of the commissions of one payment. */
export const sumCommissions = (earned: readonly Commission[]): Amounts => ({
  payerAmount: addAmounts(...earned.map(({ payerAmount }) => payerAmount)),
  commissionAmount: addAmounts(...earned.map(({ commissionAmount }) => commissionAmount)),
});

/**
 * The commission that a correction makes: the difference between the commission on the money that has arrived by now and
 * all earlier commissions of the payment, so that their sum is exact whatever is corrected in whatever order. `known`
 * has this correction already. Undefined where nothing changes.
 */
export function commissionOfCorrection(
  intent: PaymentIntent,
  execution: Execution,
  correction: Correction,
  { corrections, earned }: Known,
  payees: ReadonlyMap<number, Pick<Payee, "name">>,
): Commission | undefined {
  const { currency, legs, commissionSpread } = execution;
  // A batch earns nothing.
  if (commissionSpread === undefined) return undefined;
  const [paymentId] = execution.connectorPaymentIds;
  const due = commissionDue(intent, execution, corrections, commissionSpread);
  const sum = sumCommissions(earned);
  if (paymentId === undefined || compareAmounts(due.commissionAmount, sum.commissionAmount) === 0) return undefined;
  const { number, at: paymentDate, order } = correction;
  const payee = legs.filter((leg) => leg.order === order);
  return {
    id: commissionId(Date.parse(paymentDate), paymentId, number),
    paymentId,
    correction: number,
    // An erasure may have changed the name since.
    studentName: earned[0]?.studentName ?? studentNameOf(execution),
    payeeName: payeeNameOf(payee, payees),
    payerAmount: difference(due.payerAmount, sum.payerAmount, currency),
    payerCurrency: currency,
    commissionAmount: difference(due.commissionAmount, sum.commissionAmount, currency),
    commissionCurrency: currency,
    commissionSpread: Number(commissionSpread),
    paymentDate,
  };
}

/** The payments whose commissions do not sum to the commission on the money that has arrived, a sentence each. */
export const commissionProblems = (
  intent: PaymentIntent,
  corrections: readonly Correction[],
  earned: readonly Commission[],
): string[] =>
  intent.executions.flatMap((execution) => {
    const [paymentId] = execution.connectorPaymentIds;
    const own = earned.filter((one) => one.paymentId === paymentId);
    const { commissionSpread } = execution;
    // A batch earns nothing.
    if (commissionSpread === undefined) return [];
    const due = commissionDue(intent, execution, corrections, commissionSpread).commissionAmount;
    const sum = sumCommissions(own).commissionAmount;
    return compareAmounts(due, sum) === 0
      ? []
      : [`the commissions of payment ${paymentId} sum to ${sum}, and ${due} is earned`];
  });

const difference = (now: string, before: string, currency: string): string =>
  fromMinorUnits(toMinorUnits(now, currency) - toMinorUnits(before, currency), currency);
