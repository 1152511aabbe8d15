import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import type { Metadata } from "../metadata.ts";
import { type DescribedPayment, describeMoney, type MoneyFacts } from "../money-state/describe-money.ts";
import { type MoneyByState, sumByState } from "../money-state/money-state.ts";
import type { PartyDetails } from "../parties/party.ts";
import type { Payee } from "../parties/payee.ts";
import type { Party } from "../scenarios/draft.ts";

/** A payment as operators see it in a list: the money, the people and the status. */
export type PaymentRow = Readonly<{
  tenantId: string;
  id: string;
  status: PaymentIntent["status"];
  createdAt: string;
  updatedAt: string;
  useCase: PaymentIntent["useCase"];
  deliveryMode: PaymentIntent["deliveryMode"];
  /** Where the money is: the sums of both sides and of the fees, by state. */
  money: MoneyByState;
  payer: Person;
  student?: Person;
  payees: readonly string[];
  /** Our own ids of the payment at the rail, which its payer quotes as bank references; the newest comes last. */
  paymentIds: readonly number[];
  /** The references that the tenant has given. */
  references: readonly string[];
  /** The tenant's own ids: of the payment, and of its recipients. */
  externalIds: readonly string[];
  /** The tenant's notes. */
  metadata?: Metadata;
  /** The rail of the newest execution, and the rail's own id of that. */
  rail?: string;
  railPaymentId?: string;
}>;

export type FoundPayments = Readonly<{
  /** Newest first. */
  rows: readonly PaymentRow[];
  /** Whether a key has led to them, or the newest payments were looked at one by one; then how many. */
  by: "key" | "look";
  looked: number;
  /** Number of tenants not looked at. */
  tenantsLeft: number;
  /** Where the search goes on, if it stopped before the end. */
  after?: string;
}>;

/** A person or a company, by its name or else by its role in the payment. */
export type Person = Readonly<{ name: string; email?: string }>;

/** Payees and parties that payments name by ids alone. */
export type Known = Readonly<{ payees: ReadonlyMap<number, Payee>; parties: ReadonlyMap<string, PartyDetails> }>;

type ListedExecution = DescribedPayment["executions"][number] &
  Pick<Execution, "connector" | "connectorPaymentIds" | "payer"> &
  Partial<Pick<Execution, "subject" | "railPaymentId">>;

/** An intent as it is stored, or as an item of a list. */
export type ListedPayment = Pick<PaymentIntent, "id" | "createdAt" | "updatedAt" | "useCase" | "deliveryMode"> &
  Pick<PaymentIntent, "payer" | "subject" | "instructions" | "connectorPayment" | "externalId"> &
  Omit<DescribedPayment, "executions"> &
  Readonly<{ executions: readonly ListedExecution[] }>;

/** A payment with its tenant, and the facts about its money that are stored beside it. */
export type OwnedPayment = Readonly<{
  tenantId: string;
  payment: ListedPayment;
  facts: Omit<MoneyFacts, "payees">;
  metadata?: Metadata | undefined;
}>;

export function toPaymentRow({ tenantId, payment, facts, metadata }: OwnedPayment, known: Known): PaymentRow {
  const { id, status, createdAt, updatedAt, useCase, deliveryMode, recipients, executions } = payment;
  const newest = executions.at(-1);
  const { connector, railPaymentId } = newest ?? {};
  return {
    tenantId,
    id,
    status,
    createdAt,
    updatedAt,
    useCase,
    deliveryMode,
    money: sumByState(describeMoney(payment, { ...facts, payees: known.payees })),
    payer: personOf(payment.payer, newest?.payer, known),
    ...(payment.subject !== undefined && { student: personOf(payment.subject, newest?.subject, known) }),
    payees: [...new Set(recipients.flatMap(({ connectorPayeeId: payee }) => nameOfPayee(payee, known) ?? []))],
    paymentIds: paymentIdsOf(payment),
    references: referencesOf(payment),
    externalIds: externalIdsOf(payment),
    ...(metadata !== undefined && { metadata }),
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

/** The tenant's own ids of a payment and of its recipients. */
export const externalIdsOf = ({
  externalId,
  recipients,
}: Pick<ListedPayment, "externalId" | "recipients">): string[] => [
  ...new Set([externalId, ...recipients.map((recipient) => recipient.externalId)].flatMap((one) => one ?? [])),
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
