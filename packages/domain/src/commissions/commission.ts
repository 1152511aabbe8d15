import { addAmounts, Exact, roundToMinorUnits, toFixedMinor } from "../amounts/money.ts";
import type { Execution, ExecutionLeg, PaymentIntent } from "../intents/payment-intent.ts";
import type { Correction } from "../money-state/correction.ts";
import { describeMoney } from "../money-state/describe-money.ts";
import type { PartyDetails } from "../parties/party.ts";
import type { Payee } from "../parties/payee.ts";
import { type Tenant, tenantPayeeId } from "../parties/tenant.ts";
import { pick } from "../pick.ts";

/** A tenant's earning from one payment (SPEC, "Commission"). Amounts are decimal strings in the minor units. */
export type Commission = Readonly<{
  /** Sorts by the payment's date: 48 bits of milliseconds, then the payment id and a correction's number, in hex. */
  id: string;
  /** The connector payment id. */
  paymentId: number;
  /** The number of the payment's correction that made it; absent from the commission that a payment earns as it ends. */
  correction?: number;
  studentName: string;
  payeeName: string;
  /** The payer's price of the principal, base of the spread. A correction's is negative where money came back. */
  payerAmount: string;
  payerCurrency: string;
  commissionAmount: string;
  commissionCurrency: string;
  /** Decimal fraction: 0.01 is 1 %. */
  commissionSpread: number;
  /** When the payment completed, or was corrected. */
  paymentDate: string;
  /** Present while the commission is part of a request that is submitted or paid. */
  commissionRequestDate?: string;
  commissionPaidDate?: string;
  /** Present while its payment is under review: it is not outstanding then, and the request that holds it not paid. */
  underReview?: Readonly<{ since: string }>;
}>;

/** A commission as its tenant sees it. */
export const toCommissionAnswer = (commission: Commission) =>
  pick(commission, [
    "id",
    "paymentId",
    "correction",
    "studentName",
    "payeeName",
    "payerAmount",
    "payerCurrency",
    "commissionAmount",
    "commissionCurrency",
    "commissionSpread",
    "paymentDate",
    "commissionRequestDate",
    "commissionPaidDate",
    "underReview",
  ]);

/** The legs of an ended execution that earn a commission: those of the principal whose money is delivered. */
export function earningLegs(
  intent: PaymentIntent,
  execution: Execution,
  all: readonly Correction[] = [],
): ExecutionLeg[] {
  const earning = execution.legs.filter((leg) => earns(intent, leg));
  // A batch is the tenant's own payment, and earns nothing.
  if (earning.length === 0) return [];
  const corrections = all.filter(({ executionId }) => executionId === execution.executionId);
  const delivered = describeMoney({ ...intent, executions: [execution] }, { legs: [], corrections, payees: new Map() })
    .filter(({ part, state }) => part === "recipient" && state === "delivered")
    .map(({ order }) => order);
  return earning.filter(({ order }) => delivered.includes(order));
}

type Earning = Pick<ExecutionLeg, "splitRole" | "payeeId" | "payerAmount">;

/** Principal earns a commission where the tenant is neither the payer nor the payee (DESIGN 11). */
const earns = ({ payer, tenantId }: Pick<PaymentIntent, "payer" | "tenantId">, { splitRole, payeeId }: Earning) =>
  payer.role !== "tenant" && splitRole === "principal_provider_amount" && payeeId !== tenantPayeeId(tenantId);

/**
 * The tenant's earning once `legs` have arrived, and its principal, in `currency`; undefined below half a minor unit.
 */
export function priceCommission(
  intent: Pick<PaymentIntent, "payer" | "tenantId">,
  legs: readonly Earning[],
  { currency, commissionSpread }: Readonly<{ currency: string; commissionSpread: string }>,
): Pick<Commission, "payerAmount" | "commissionAmount"> | undefined {
  const earning = legs.filter((leg) => earns(intent, leg));
  const payerAmount = toFixedMinor(addAmounts(...earning.map((leg) => leg.payerAmount)), currency);
  const commissionAmount = roundToMinorUnits(new Exact(payerAmount).times(commissionSpread), currency);
  return /[1-9]/.test(commissionAmount) ? { payerAmount, commissionAmount } : undefined;
}

/** The commission of a payment that has just ended; undefined when it earns less than half a minor unit. */
export function commissionOf(
  intent: PaymentIntent,
  execution: Execution,
  { commissionSpread }: Pick<Tenant, "commissionSpread">,
  payees: ReadonlyMap<number, Pick<Payee, "name">>,
): Commission | undefined {
  const legs = earningLegs(intent, execution);
  const { currency, endedAt: paymentDate, connectorPaymentIds } = execution;
  const [paymentId] = connectorPaymentIds;
  const priced = priceCommission(intent, legs, { currency, commissionSpread });
  if (priced === undefined || paymentDate === undefined || paymentId === undefined) return undefined;
  return {
    id: commissionId(Date.parse(paymentDate), paymentId),
    paymentId,
    studentName: studentNameOf(execution),
    payeeName: payeeNameOf(legs, payees),
    payerAmount: priced.payerAmount,
    payerCurrency: currency,
    commissionAmount: priced.commissionAmount,
    commissionCurrency: currency,
    commissionSpread: Number(commissionSpread),
    paymentDate,
  };
}

/** The party that is a payment's student: its subject, or its payer where the subject has no name. */
export const studentIn = ({ subject }: Pick<Execution, "subject">): "subject" | "payer" =>
  nameOf(subject) === "" ? "payer" : "subject";

export const studentNameOf = (execution: Pick<Execution, "subject" | "payer">): string =>
  nameOf(execution[studentIn(execution)]);

/** The names of several payees together. */
export const payeeNameOf = (
  legs: readonly Pick<ExecutionLeg, "payeeId">[],
  payees: ReadonlyMap<number, Pick<Payee, "name">>,
): string => [...new Set(legs.map(({ payeeId }) => payees.get(payeeId)?.name ?? String(payeeId)))].join(", ");

/** 2^53 takes 14 hex digits; the number of a correction, of which there are few, 8. */
export const commissionId = (paidMs: number, paymentId: number, correction?: number): string =>
  [dateKey(paidMs), hex(paymentId, 14), ...(correction === undefined ? [] : [hex(correction, 8)])].join("");

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

const dateKey = (ms: number): string => hex(ms, 12);

const nameOf = ({ firstName, lastName, companyName }: PartyDetails = {}): string =>
  [firstName, lastName].filter((name) => name !== undefined).join(" ") || (companyName ?? "");

/** A calendar month as `yyyy-MM`. */
export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** The ids with which a month's commissions (UTC) and those of the next month begin. */
export function idsOfMonth(month: string): { from: string; until: string } {
  const start = new Date(`${month}-01T00:00:00.000Z`);
  const next = new Date(start);
  next.setUTCMonth(start.getUTCMonth() + 1);
  return { from: dateKey(Math.max(0, start.getTime())), until: dateKey(Math.max(0, next.getTime())) };
}
