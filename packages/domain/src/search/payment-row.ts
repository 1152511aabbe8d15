import { addAmounts, type Money } from "../amounts/money.ts";
import type { Execution, ExecutionLeg, PaymentIntent } from "../intents/payment-intent.ts";
import type { PartyDetails } from "../parties/party.ts";
import type { Payee } from "../parties/payee.ts";
import type { Party, Recipient } from "../scenarios/draft.ts";

/** What operators see of a payment in a list: the money and the people, beside where it stands. */
export type PaymentRow = Readonly<{
  tenantId: string;
  id: string;
  status: PaymentIntent["status"];
  createdAt: string;
  updatedAt: string;
  useCase: PaymentIntent["useCase"];
  deliveryMode: PaymentIntent["deliveryMode"];
  /** What the payer gives in all, fees included; absent before it is known. */
  debited?: Money;
  /** What the payees get, one sum for each currency. */
  delivered: readonly Money[];
  payer: Person;
  student?: Person;
  payees: readonly string[];
  /** Our own ids of the payment at the rail, which its payer quotes as bank references; the newest comes last. */
  paymentIds: readonly number[];
  /** The references that the tenant has given. */
  references: readonly string[];
  /** The rail of the newest execution, and the rail's own id of that. */
  rail?: string;
  railPaymentId?: string;
}>;

/** What a search has found. */
export type FoundPayments = Readonly<{
  /** Newest first. */
  rows: readonly PaymentRow[];
  /** Whether a key has led to them, or the newest payments were looked at one by one; then how many. */
  by: "key" | "look";
  looked: number;
  /** So many tenants were not looked at. */
  tenantsLeft: number;
  /** Where the search goes on, if it stopped before the end. */
  after?: string;
}>;

/** A person or a company, by its name or else by its role in the payment. */
export type Person = Readonly<{ name: string; email?: string }>;

/** What is known of those whom payments name by ids alone. */
export type Known = Readonly<{ payees: ReadonlyMap<number, Payee>; parties: ReadonlyMap<string, PartyDetails> }>;

type ListedExecution = Pick<Execution, "connector" | "connectorPaymentIds" | "payer" | "currency" | "fee"> &
  Partial<Pick<Execution, "subject" | "railPaymentId">> &
  Readonly<{ legs?: readonly Omit<ExecutionLeg, "status">[] }>;

/** An intent as it is stored, or as an item of a list. */
export type ListedPayment = Pick<PaymentIntent, "id" | "status" | "createdAt" | "updatedAt" | "useCase"> &
  Pick<PaymentIntent, "deliveryMode" | "payer" | "recipients" | "subject" | "instructions"> &
  Pick<PaymentIntent, "connectorPayment" | "executionPlan"> &
  Readonly<{ executions: readonly ListedExecution[] }>;

export function toPaymentRow(tenantId: string, payment: ListedPayment, known: Known): PaymentRow {
  const { id, status, createdAt, updatedAt, useCase, deliveryMode, recipients, executions } = payment;
  const newest = executions.at(-1);
  const { connector, railPaymentId } = newest ?? {};
  const { debited, delivered } = moneyOf(payment, known);
  return {
    ...{ tenantId, id, status, createdAt, updatedAt, useCase, deliveryMode },
    ...(debited !== undefined && { debited }),
    delivered,
    payer: personOf(payment.payer, newest?.payer, known),
    ...(payment.subject !== undefined && { student: personOf(payment.subject, newest?.subject, known) }),
    payees: [...new Set(recipients.flatMap(({ connectorPayeeId: payee }) => nameOfPayee(payee, known) ?? []))],
    paymentIds: paymentIdsOf(payment),
    references: referencesOf(payment),
    ...(connector !== undefined && { rail: connector }),
    ...(railPaymentId !== undefined && { railPaymentId }),
  };
}

/** The payer of a batch quotes an id of the deposit's own, before those of its recipients. */
function paymentIdsOf({ executions, connectorPayment }: ListedPayment): number[] {
  const sent = executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const quoted = connectorPayment === undefined ? [] : [Number(connectorPayment.reference)];
  return [...quoted.filter((id) => !sent.includes(id)), ...sent];
}

/** The references that the tenant has given. */
export const referencesOf = ({ recipients, instructions }: ListedPayment): string[] => [
  ...new Set(
    [...recipients.map(({ reference }) => reference), instructions?.paymentLink?.reference].flatMap((one) => one ?? []),
  ),
];

const nameOfPayee = (payeeId: number | undefined, { payees }: Known): string | undefined =>
  payeeId === undefined ? undefined : (payees.get(payeeId)?.name ?? String(payeeId));

function personOf({ role, partyId, details }: Party, frozen: PartyDetails | undefined, { parties }: Known): Person {
  const known = [frozen, details, parties.get(partyId ?? "")].find((one) => nameOf(one) !== undefined);
  const email = known?.email ?? details?.email;
  return { name: nameOf(known) ?? role, ...(email !== undefined && { email }) };
}

/** The name of a person or a company. */
export function nameOf({ companyName, firstName, lastName }: PartyDetails = {}): string | undefined {
  const name = companyName ?? [firstName, lastName].filter(Boolean).join(" ");
  return name === "" ? undefined : name;
}

/** What the payer gives in all, and what the payees get: as executed, as planned, or else as the draft states it. */
export function moneyOf(payment: ListedPayment, known: Known): Pick<PaymentRow, "debited" | "delivered"> {
  const { executions, connectorPayment, executionPlan, recipients } = payment;
  const { legs = [], fee = "0", currency = "" } = executions.at(-1) ?? {};
  if (legs.length > 0) {
    const amount = addAmounts(fee, ...legs.map(({ payerAmount }) => payerAmount));
    return { debited: { amount, currency }, delivered: sumsOf(legs.flatMap(payeeSide)) };
  }
  if (connectorPayment !== undefined) {
    const { amount, currency: payerCurrency, payouts } = connectorPayment;
    return { debited: { amount, currency: payerCurrency }, delivered: sumsOf(payouts.flatMap(payeeSide)) };
  }
  if (executionPlan !== undefined) {
    const { totalAmount: amount, currency: payerCurrency, legs: planned } = executionPlan;
    return { debited: { amount, currency: payerCurrency }, delivered: sumsOf(planned.flatMap(payeeSide)) };
  }
  const stated = recipients.map((recipient) => statedMoney(recipient, known));
  const [debited, ...others] = sumsOf(stated.flatMap(({ payerSide }) => payerSide));
  return {
    ...(debited !== undefined && others.length === 0 && { debited }),
    delivered: sumsOf(stated.flatMap(({ payeeSide: side }) => side)),
  };
}

/** What a payee gets; what an earlier version stored does not tell its currency. */
export const payeeSide = (leg: Readonly<{ payeeAmount?: string; payeeCurrency?: string }>): Money[] =>
  toMoney(leg.payeeAmount, leg.payeeCurrency);

/** The amounts that a recipient states. A stated currency is that of the one amount that stands beside it. */
export function statedMoney({ connectorPayeeId, role, amount = {} }: Recipient, { payees }: Known) {
  const { payerAmount, payeeAmount, currency } = amount;
  const own = role === "tenant" ? undefined : payees.get(connectorPayeeId ?? 0)?.currencyCode;
  return {
    payerSide: toMoney(payerAmount, payeeAmount === undefined ? currency : undefined),
    payeeSide: toMoney(payeeAmount, own ?? (payerAmount === undefined ? currency : undefined)),
  };
}

export const toMoney = (amount: string | undefined, currency: string | undefined): Money[] =>
  amount === undefined || currency === undefined ? [] : [{ amount, currency }];

/** One sum for each currency. */
function sumsOf(all: readonly Money[]): Money[] {
  return [...Map.groupBy(all, ({ currency }) => currency)].map(([currency, some]) => ({
    currency,
    amount: addAmounts(...some.map(({ amount }) => amount)),
  }));
}
