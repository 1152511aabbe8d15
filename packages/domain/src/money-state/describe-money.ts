import { isZero } from "../amounts/money.ts";
import type { BatchLeg } from "../batches/batch.ts";
import type { LegStatus } from "../intents/leg-status.ts";
import type { Execution, ExecutionLeg, PaymentIntent } from "../intents/payment-intent.ts";
import { inOrder } from "../scenarios/draft.ts";
import { type Correction, correctedStates, newestCorrections } from "./correction.ts";
import type { MoneyPart, MoneyState } from "./money-state.ts";
import { statedMoney, toMoney, type UnstatedCurrencies } from "./stated-money.ts";

type DescribedLeg = Pick<ExecutionLeg, "order" | "payerAmount" | "payeeAmount" | "payeeCurrency"> &
  Readonly<{ status: LegStatus }>;
type DescribedExecution = Pick<Execution, "executionId" | "status" | "receivedAt" | "currency" | "fee"> &
  Readonly<{ legs?: readonly DescribedLeg[] }>;

/** The fields of a payment that say where its money is: of an intent as it is stored, or as an item of a list. */
export type DescribedPayment = Pick<
  PaymentIntent,
  "status" | "recipients" | "executionPlan" | "bulkProgress" | "linkClosedAt"
> &
  Readonly<{ executions: readonly DescribedExecution[] }>;

/** The facts about a payment that are stored beside it; currencies are for amounts that a draft states without one. */
export type MoneyFacts = UnstatedCurrencies &
  Readonly<{
    /** The recipients of a batch that has begun; of any other payment there are none. */
    legs: readonly BatchLeg[];
    /** All corrections of the payment, in any order. */
    corrections: readonly Correction[];
  }>;

/**
 * The one source of where a payment's money is: a part for each recipient and for each fee, each in exactly one state.
 * On the payer's side the parts agree with the ledger in every status, and the payee's side follows part by part. Whoever
 * tells money, or decides on it, asks this function.
 */
export function describeMoney(payment: DescribedPayment, facts: MoneyFacts): MoneyPart[] {
  return withCorrections(describeUncorrected(payment, facts), facts.corrections).map(toMoneyPart);
}

/** Where the money of one recipient of an execution is, and when it came back if it did. */
export function stateOf(parts: readonly MoneyPart[], order: number) {
  const part = parts.find((one) => one.part === "recipient" && one.order === order);
  if (part === undefined) throw new Error(`Nothing is told of the money of recipient ${order}`);
  const { state: money, returnedAt } = part;
  return { money, ...(returnedAt !== undefined && { returnedAt }) };
}

/** A part before its receipt counts: `isReceived` says that the rail reported the payer's money. */
type Part = Omit<MoneyPart, "isOwedBack"> & Readonly<{ isReceived?: boolean }>;

/** Money that came in and is still owed is `received`; money that came in and failed is owed back to the payer. */
const toMoneyPart = ({ isReceived = false, state, ...part }: Part): MoneyPart => ({
  ...part,
  state: isReceived && state === "owed" ? "received" : state,
  ...(isReceived && state === "failed" && { isOwedBack: true }),
});

function describeUncorrected(payment: DescribedPayment, { legs, ...currencies }: MoneyFacts): Part[] {
  if (payment.bulkProgress !== undefined) {
    if (legs.length === 0) throw new Error("The money of a batch is told from its legs");
    return legs.flatMap(partsOfBatchLeg);
  }
  const execution = payment.executions.at(-1);
  // The payment that closed a link moved its planned money.
  if (payment.linkClosedAt !== undefined) return [];
  // The execution of a published link tells its address, and moves no money.
  const isMoved = execution?.legs !== undefined && execution.legs.length > 0;
  return isMoved ? partsOfExecution(execution) : plannedParts(payment, currencies);
}

/** A recipient of a batch is an execution with a fee of its own. */
function partsOfBatchLeg({ order, executionId, status, payment, receivedAtMs, isOwedBack }: BatchLeg): Part[] {
  const isReceived = receivedAtMs !== undefined || isOwedBack === true;
  const place = { order, executionId, state: batchStates[status], isReceived };
  const { payerCurrency, fee, legs } = payment;
  const recipients = legs.map((leg) => ({ ...place, ...amountsOf(leg, payerCurrency) }));
  return [...recipients.map(toRecipient), ...feePart(place, fee, payerCurrency)];
}

const batchStates = {
  pending: "planned",
  executing: "owed",
  cleared: "delivered",
  failed: "failed",
  cancelled: "failed",
} as const satisfies Record<BatchLeg["status"], MoneyState>;

/** The fee goes with the first recipient whose money is delivered, and fails where none was. */
function partsOfExecution({ executionId, status, receivedAt, currency, fee, legs = [] }: DescribedExecution): Part[] {
  const isReceived = receivedAt !== undefined;
  const running = status === "executing" ? "owed" : "failed";
  const recipients = legs.map((leg) => {
    const state: MoneyState = leg.status === "executing" ? running : leg.status === "cleared" ? "delivered" : "failed";
    return toRecipient({ order: leg.order, executionId, state, isReceived, ...amountsOf(leg, currency) });
  });
  const isDelivered = recipients.some(({ state }) => state === "delivered");
  const state = running === "failed" && isDelivered ? "delivered" : running;
  return [...recipients, ...feePart({ executionId, state, isReceived }, fee, currency)];
}

/** A draft, a link, or a payment that ended before any rail accepted it: as it was compiled, or else as it is stated. */
function plannedParts({ status, executionPlan, recipients }: DescribedPayment, currencies: UnstatedCurrencies): Part[] {
  const state = status === "cancelled" || status === "failed" ? "failed" : "planned";
  if (executionPlan === undefined) {
    return inOrder(recipients).map((one) => toRecipient({ order: one.order, state, ...statedMoney(one, currencies) }));
  }
  const { currency, fee, legs } = executionPlan;
  const planned = legs.map((leg) => toRecipient({ order: leg.order, state, ...amountsOf(leg, currency) }));
  return [...planned, ...feePart({ state }, fee, currency)];
}

type Amounts = Pick<ExecutionLeg, "payerAmount" | "payeeAmount" | "payeeCurrency">;

function amountsOf({ payerAmount, payeeAmount, payeeCurrency }: Amounts, payerCurrency: string) {
  const payee = toMoney(payeeAmount, payeeCurrency);
  return {
    payerAmount: { amount: payerAmount, currency: payerCurrency },
    ...(payee !== undefined && { payeeAmount: payee }),
  };
}

const toRecipient = (part: Omit<Part, "part">): Part => ({ part: "recipient", ...part });

const feePart = (place: Omit<Part, "part">, amount: string, currency: string): Part[] =>
  isZero(amount) ? [] : [{ part: "fee", ...place, payerAmount: { amount, currency } }];

/**
 * The parts as corrections leave them. A correction of an execution that the payment does not list is about a submission
 * that was released: its money stands in the place of what came to nothing, and once it has arrived, of what is planned.
 */
function withCorrections(parts: readonly Part[], corrections: readonly Correction[]): Part[] {
  const newest = newestCorrections(corrections);
  const corrected = parts.map((part) => {
    const correction = newest.find((one) => isAbout(one, part));
    return correction === undefined ? part : { ...part, ...toState(correction) };
  });
  const released = newest.filter((one) => !parts.some((part) => isAbout(one, part)) && one.outcome !== "neverMoved");
  const added = released.map((one) => {
    const { order, executionId, payerAmount, payeeAmount } = one;
    return toRecipient({ order, executionId, ...toState(one), payerAmount, payeeAmount });
  });
  return [...corrected.filter((part) => !released.some((one) => isInPlaceOf(one, part))), ...added];
}

/** Whether the money of a released submission replaces a part. Money that is owed back keeps its part. */
const isInPlaceOf = ({ order, outcome }: Correction, { part, state, isReceived, ...about }: Part): boolean =>
  part === "recipient" &&
  about.order === order &&
  ((state === "failed" && !isReceived) || (state === "planned" && outcome === "arrived"));

const isAbout = ({ executionId, order }: Correction, part: Part): boolean =>
  part.part === "recipient" && part.executionId === executionId && part.order === order;

const toState = ({ outcome, at }: Correction): Pick<MoneyPart, "state" | "returnedAt"> => ({
  state: correctedStates[outcome],
  ...(outcome === "cameBack" && { returnedAt: at }),
});
