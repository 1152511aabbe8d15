import fc from "fast-check";
import { expect, test } from "vitest";
import { storedIntent } from "../../test/intent-fixture.ts";
import { batchLeg } from "../../test/leg-fixture.ts";
import type { BatchLeg } from "../batches/batch.ts";
import type { Execution, ExecutionLeg, PaymentIntent } from "../intents/payment-intent.ts";
import { type IntentStatus, intentStatuses, isTerminal } from "../intents/statuses.ts";
import { type CorrectedOutcome, type Correction, correctedStates } from "../money-state/correction.ts";
import { describeMoney } from "../money-state/describe-money.ts";
import { type MoneyState, moneyStates } from "../money-state/money-state.ts";
import { bookLeg } from "./batch-booking.ts";
import { bookCorrections, uncorrectedEnd } from "./correcting.ts";
import { bookAcceptance, bookProgress, bookReceipt, type LedgerEntry } from "./ledger.ts";
import { addTurnover, moneyProblems, type Turnovers } from "./verify.ts";

const AT = "2026-11-21T12:00:00.000Z";

/** An intent at one moment of its life, with all that was booked until then. */
type Moment = Readonly<{
  intent: PaymentIntent;
  legs: readonly BatchLeg[];
  corrections: readonly Correction[];
  entries: readonly LedgerEntry[];
}>;

const outcome = fc.constantFrom("cleared" as const, "failed" as const);
const fee = fc.constantFrom("0.00", "20.00");

/** The life of a payment: from its draft to whatever its rail makes of it, by way of a recovery or not. */
const payments = fc
  .record({
    outcomes: fc.array(outcome, { minLength: 1, maxLength: 5 }),
    fee,
    isCancelled: fc.boolean(),
    isReceived: fc.boolean(),
  })
  .map(({ outcomes, fee: charged, isCancelled, isReceived }): Moment[] => {
    const legs = outcomes.map(
      (_, order): ExecutionLeg => ({
        ...{ order, payeeId: 5001, splitRole: "principal_provider_amount", status: "executing" },
        ...{ payerAmount: `${order + 1}.01`, payeeAmount: "1.00", payeeCurrency: "AUD" },
      }),
    );
    const begun: Execution = {
      ...{ executionId: "e1", connector: "sandbox", status: "executing", startedAt: AT, connectorPaymentIds: [1] },
      ...{ payer: {}, currency: "BRL", fee: charged, legs },
    };
    const received: Execution = isReceived ? { ...begun, receivedAt: AT } : begun;
    const cleared = outcomes.filter((one) => one === "cleared").length;
    const settled = cleared === outcomes.length ? "completed" : cleared === 0 ? "failed" : "partially_completed";
    const ended: Execution = isCancelled
      ? { ...received, status: "cancelled", endedAt: AT }
      : {
          ...received,
          status: settled,
          endedAt: AT,
          legs: legs.map((leg, at) => ({ ...leg, status: outcomes[at] ?? "failed" })),
        };
    const accepted = bookAcceptance(begun);
    const booked = isReceived ? [...accepted, ...bookReceipt(received)] : accepted;
    const at = (status: IntentStatus, executions: readonly Execution[], entries: readonly LedgerEntry[]): Moment => ({
      intent: storedIntent({ status, executions }),
      ...{ legs: [], corrections: [], entries },
    });
    return [
      ...(["draft", "ready_for_quote", "quoted", "ready_for_execution"] as const).map((one) => at(one, [], [])),
      ...(["executing", "requires_recovery"] as const).map((one) => at(one, [begun], accepted)),
      ...(["executing", "requires_recovery"] as const).map((one) => at(one, [received], booked)),
      at(ended.status, [ended], [...booked, ...bookProgress(received, ended)]),
      ...(["cancelled", "pending_link_payment"] as const).map((one) => at(one, [], [])),
    ];
  });

type Step = Pick<BatchLeg, "status"> & Partial<BatchLeg>;
const executing: Step = { status: "executing", railPaymentId: "rail" };
const received: Step = { ...executing, receivedAtMs: Date.parse(AT) };

/** The life of a batch: its recipients change one after the other. */
const batches = fc
  .array(
    fc.constantFrom<readonly Step[]>(
      [executing, { status: "cleared" }],
      [executing, { status: "failed" }],
      [executing, received, { status: "cleared" }],
      [executing, received, { status: "failed" }],
      [executing, { status: "failed" }, { status: "failed", isOwedBack: true }],
      [{ status: "failed" }],
      [{ status: "cancelled" }, { status: "cancelled", isOwedBack: true }],
      [{ status: "cancelled" }],
      [],
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((paths): Moment[] => {
    const execution: Execution = {
      ...{ executionId: "execution", connector: "sandbox", status: "executing", startedAt: AT },
      ...{ connectorPaymentIds: [], payer: {}, currency: "BRL", fee: "0", legs: [] },
    };
    const intent = storedIntent({
      status: "executing",
      executions: [execution],
      bulkProgress: { total: paths.length, completed: 0, failed: 0 },
    });
    let legs = paths.map((_, order) => batchLeg({ order }));
    let entries: LedgerEntry[] = [];
    const moments: Moment[] = [{ intent, legs, corrections: [], entries }];
    for (const [order, path] of paths.entries()) {
      for (const step of path) {
        const before = legs[order] ?? batchLeg({ order });
        const after = { ...before, ...step };
        entries = [...entries, ...bookLeg(intent, before, after, AT)];
        legs = legs.with(order, after);
        moments.push({ intent, legs, corrections: [], entries });
      }
    }
    return moments;
  });

/** Outcomes that operators find one after the other, each of a recipient that a number picks. */
const findings = fc.array(
  fc.tuple(fc.nat(4), fc.constantFrom(...(Object.keys(correctedStates) as CorrectedOutcome[]))),
  { maxLength: 4 },
);

/** The moments after a life, one for each finding about a recipient that has ended. */
function corrected(last: Moment | undefined, found: readonly (readonly [number, CorrectedOutcome])[]): Moment[] {
  if (last === undefined) return [];
  const { intent, legs, entries } = last;
  const ended = legs.filter(({ status, railPaymentId }) => railPaymentId !== undefined && status !== "executing");
  const [execution] = intent.executions;
  const recipients =
    intent.bulkProgress === undefined
      ? (execution?.legs ?? []).map((leg) => ({ ...leg, executionId: "e1", currency: "BRL" }))
      : ended.map(({ order, executionId, payment }) => ({
          order,
          executionId,
          payerAmount: payment.legs[0]?.payerAmount,
        }));
  const corrections: Correction[] = [];
  return found.flatMap(([place, outcome], index) => {
    const recipient = recipients[place % recipients.length];
    if (recipient === undefined || execution === undefined) return [];
    const { order, executionId, payerAmount = "0" } = recipient;
    const amounts = {
      payerAmount: { amount: payerAmount, currency: "BRL" },
      payeeAmount: { amount: "1.00", currency: "AUD" },
    };
    const before = uncorrectedEnd(intent, legs, { executionId, order });
    corrections.push({ number: index + 1, at: AT, executionId, order, before, outcome, recordId: "r", ...amounts });
    const booked = bookCorrections(corrections, intent, legs);
    return [{ intent, legs, corrections: [...corrections], entries: [...entries, ...booked] }];
  });
}

/** The payers' debts, in minor units, for money that the rail has reported: nobody owes such money, whatever follows. */
function owedAfterReceipt(intent: PaymentIntent, legs: readonly BatchLeg[], entries: readonly LedgerEntry[]): bigint {
  const received = [
    ...intent.executions.filter(({ receivedAt }) => receivedAt !== undefined),
    ...legs.filter(({ receivedAtMs, isOwedBack = false }) => receivedAtMs !== undefined || isOwedBack),
  ].map(({ executionId }) => executionId);
  const turnovers: Turnovers = new Map();
  addTurnover(
    turnovers,
    entries.filter(({ id }) => received.some((one) => id.startsWith(`${one}#`))),
  );
  const { debit, credit } = turnovers.get("payer_receivable BRL") ?? { debit: 0n, credit: 0n };
  return debit - credit;
}

test("at every moment of every life, the payer's side of the money's states is that of the books", () => {
  const statuses = new Set<IntentStatus>();
  const states = new Set<MoneyState>();
  fc.assert(
    fc.property(fc.oneof(payments, batches), findings, (life, found) => {
      const ended = life.findLast(({ intent: { status, bulkProgress } }) => isTerminal(status) || bulkProgress);
      for (const { intent, legs, corrections, entries } of [...life, ...corrected(ended, found)]) {
        const parts = describeMoney(intent, { legs, corrections, payees: new Map() });
        expect(moneyProblems(parts, entries)).toEqual([]);
        expect(owedAfterReceipt(intent, legs, entries)).toBe(0n);
        statuses.add(intent.status);
        for (const { state } of parts) states.add(state);
      }
    }),
    { numRuns: 300 },
  );
  expect([...statuses].toSorted()).toEqual(intentStatuses.toSorted());
  expect([...states].toSorted()).toEqual(moneyStates.toSorted());
});

test("money that is told otherwise than it is booked is found, by currency", () => {
  const amount = { amount: "4.00", currency: "BRL" };
  const parts = [{ part: "recipient", state: "delivered", payerAmount: amount } as const];
  expect(moneyProblems(parts, [])).toEqual(["4.00 BRL is told as delivered, and the books have 0 minor units"]);
});
