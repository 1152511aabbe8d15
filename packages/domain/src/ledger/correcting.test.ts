import { describe, expect, test } from "vitest";
import { storedIntent } from "../../test/intent-fixture.ts";
import { batchLeg } from "../../test/leg-fixture.ts";
import type { BatchLeg } from "../batches/batch.ts";
import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import type { CorrectedOutcome, Correction } from "../money-state/correction.ts";
import {
  bookCorrection,
  bookCorrections,
  correctionRow,
  recipientsOf,
  type Standing,
  standings,
  uncorrectedEnd,
} from "./correcting.ts";

const [receivable, settled, returned] = [
  "payer_receivable",
  "settled:provider_principal",
  "returned:provider_principal",
];
const nothing = undefined;

/** Debit and credit of each correction; where money stands already, nothing is booked. */
const table: Readonly<Record<Standing, Readonly<Record<CorrectedOutcome, readonly unknown[] | undefined>>>> = {
  released: { arrived: [receivable, settled], cameBack: [receivable, returned], neverMoved: nothing },
  failed: { arrived: [receivable, settled], cameBack: [receivable, returned], neverMoved: nothing },
  cancelled: { arrived: [receivable, settled], cameBack: [receivable, returned], neverMoved: nothing },
  settled: { arrived: nothing, cameBack: [settled, returned], neverMoved: [settled, receivable] },
  arrived: { arrived: nothing, cameBack: [settled, returned], neverMoved: [settled, receivable] },
  cameBack: { arrived: [returned, settled], cameBack: nothing, neverMoved: [returned, receivable] },
  neverMoved: { arrived: [receivable, settled], cameBack: [receivable, returned], neverMoved: nothing },
};
const outcomes = ["arrived", "cameBack", "neverMoved"] as const;
const rows = (Object.keys(table) as Standing[]).flatMap((standing) =>
  outcomes.map((outcome) => [standing, outcome] as const),
);
/** The rows by whether the rail had reported the payer's money: such money is owed back, wherever a row has a receivable. */
const rowsByReceipt = rows.flatMap(([standing, outcome]) =>
  ([false, true] as const).map((isReceived) => ({
    ...{ standing, outcome, isReceived },
    sides: table[standing][outcome]?.map((side) => (isReceived && side === receivable ? "owed_back" : side)),
  })),
);

test("every standing has its row, and no row is missing from the list of standings", () => {
  expect(standings).toEqual(Object.keys(table));
});

describe("a correction", () => {
  const recipient = {
    splitRole: "principal_provider_amount",
    executionId: "e1",
    order: 0,
    payerAmount: { amount: "400.00", currency: "BRL" },
    payeeAmount: { amount: "100.00", currency: "AUD" },
  } as const;

  const at = "2026-11-23T09:00:00.000Z";
  test.each(rowsByReceipt)(
    "of a recipient that is $standing and $outcome, money received before: $isReceived, books $sides",
    ({ standing, outcome, isReceived, sides }) => {
      const entries = bookCorrection({ ...recipient, isReceived }, { standing, outcome, number: 3, at });
      const entry = { id: "e1#0#corrected-3", event: "corrected", amount: "400.00", currency: "BRL", at };
      expect(entries).toEqual(sides === undefined ? [] : [{ ...entry, debit: sides[0], credit: sides[1] }]);
    },
  );

  test.each(rows)(
    "of a recipient that is %s and %s says where the money is, what is earned, and whether it may be paid again",
    (...row) => {
      const states = { arrived: "delivered", cameBack: "returned", neverMoved: "failed" };
      const { state, commission, mayBePaidAgain, ...correction } = correctionRow(...row);
      expect(Object.keys(correction)).toEqual(table[row[0]][row[1]] === undefined ? [] : ["books"]);
      expect([state, mayBePaidAgain]).toEqual([states[row[1]], row[1] !== "arrived"]);
      const wasThere = row[0] === "settled" || row[0] === "arrived";
      const earned = row[1] === "arrived" ? "earned" : "taken back";
      expect(commission).toBe(wasThere === (row[1] === "arrived") ? undefined : earned);
    },
  );
});

describe("the corrections of a payment", () => {
  const leg = (status: string) => ({ order: 0, payeeId: 5001, payerAmount: "400.00", status });
  const execution = (executionId: string, status: string, legStatus: string, more: Partial<Execution> = {}) =>
    ({ executionId, status, legs: [leg(legStatus)], ...more }) as unknown as Execution;
  const receivedAt = "2026-11-21T09:00:00.000Z";
  const of = (...executions: Execution[]) => storedIntent({ executions });
  const batch = storedIntent({ bulkProgress: { total: 1, completed: 0, failed: 0 } });
  const correction = (outcome: CorrectedOutcome, changes: Partial<Correction> = {}): Correction => ({
    ...{ number: 1, at: "2026-11-23T09:00:00.000Z", executionId: "e1", order: 0, outcome, recordId: "r" },
    payerAmount: { amount: "400.00", currency: "BRL" },
    payeeAmount: { amount: "100.00", currency: "AUD" },
    ...changes,
  });
  const failed = of(execution("e1", "failed", "failed"));
  const inBatch = correction("arrived", { executionId: "execution:0" });

  type Life = Readonly<{ intent: PaymentIntent; legs?: readonly BatchLeg[]; found?: Correction[]; books: string[] }>;
  const lives: Readonly<Record<string, Life>> = {
    "each begin where the one before has left the money, in the order of their numbers": {
      intent: failed,
      found: [correction("cameBack", { number: 2 }), correction("arrived")],
      books: [`${receivable} ${settled}`, `${settled} ${returned}`],
    },
    "of a failed recipient whose payer's money came in begin with what is owed back": {
      intent: of(execution("e1", "failed", "failed", { receivedAt })),
      books: [`owed_back ${settled}`],
    },
    "of one execution know nothing of the money of another": {
      intent: of(execution("e0", "failed", "failed", { receivedAt }), execution("e1", "failed", "failed")),
      books: [`${receivable} ${settled}`],
    },
    "of a delivered recipient whose payer's money came in owe it back once it never moved": {
      intent: of(execution("e0", "failed", "failed"), execution("e1", "completed", "cleared", { receivedAt })),
      found: [correction("neverMoved"), correction("arrived", { number: 2 })],
      books: [`${settled} owed_back`, `owed_back ${settled}`],
    },
    "of a delivered recipient of a batch whose money came in owe it back once it never moved": {
      intent: batch,
      legs: [batchLeg({ order: 1, status: "cleared" }), batchLeg({ order: 0, status: "cleared", receivedAtMs: 1 })],
      found: [correction("neverMoved", { executionId: "execution:0" })],
      books: [`${settled} owed_back`],
    },
    "of a delivered recipient of a batch know nothing of another's receipt": {
      intent: batch,
      legs: [batchLeg({ order: 1, status: "failed", receivedAtMs: 1 }), batchLeg({ order: 0, status: "cleared" })],
      found: [correction("neverMoved", { executionId: "execution:0" })],
      books: [`${settled} ${receivable}`],
    },
    "of several recipients each begin with its own": {
      intent: of(execution("e1", "completed", "cleared"), execution("e2", "failed", "failed")),
      found: [
        correction("neverMoved"),
        correction("arrived", { executionId: "e2", number: 2 }),
        correction("cameBack", { number: 3 }),
      ],
      books: [`${settled} ${receivable}`, `${receivable} ${settled}`, `${receivable} ${returned}`],
    },
    "of a released execution begin with nobody's money": {
      intent: of(execution("e0", "completed", "cleared", { receivedAt })),
      books: [`${receivable} ${settled}`],
    },
    "of a recipient of a batch that failed by itself owe nothing back": {
      ...{ intent: batch, legs: [batchLeg({ order: 0, status: "failed" })], found: [inBatch] },
      books: [`${receivable} ${settled}`],
    },
    "of one in a batch whose money came in begin with what is owed back": {
      ...{ intent: batch, legs: [batchLeg({ order: 0, status: "cancelled", receivedAtMs: 1 })], found: [inBatch] },
      books: [`owed_back ${settled}`],
    },
    "of one in a batch that is owed back begin there": {
      ...{ intent: batch, legs: [batchLeg({ order: 0, status: "failed", isOwedBack: true })], found: [inBatch] },
      books: [`owed_back ${settled}`],
    },
    "of a former execution of a batch's recipient are about money of its own": {
      intent: batch,
      legs: [batchLeg({ order: 0, status: "cleared", receivedAtMs: 1 })],
      found: [correction("arrived", { executionId: "former:0" })],
      books: [`${receivable} ${settled}`],
    },
  };
  test.each(Object.entries(lives))("%s", (_, { intent, legs = [], found = [correction("arrived")], books }) => {
    const entries = bookCorrections(found, intent, legs);
    const principal = (account: string) => account.replace(/:.*/, ":provider_principal");
    expect(entries.map(({ debit, credit }) => `${principal(debit)} ${principal(credit)}`)).toEqual(books);
  });

  test.each<[PaymentIntent, readonly BatchLeg[], string, Standing]>([
    [of(), [], "e1", "released"],
    [failed, [], "e1", "failed"],
    [of(execution("e1", "cancelled", "executing")), [], "e1", "cancelled"],
    [of(execution("e1", "partially_completed", "cleared")), [], "e1", "settled"],
    ...(["cleared", "cancelled", "failed"] as const).map((status): [PaymentIntent, BatchLeg[], string, Standing] => [
      ...([batch, [batchLeg({ order: 0, status })], "execution:0"] as [PaymentIntent, BatchLeg[], string]),
      status === "cleared" ? "settled" : status,
    ]),
    [batch, [], "execution:0", "released"],
  ])("begin with how the recipient stands: %#", (intent, legs, executionId, standing) => {
    expect(uncorrectedEnd(intent, legs, { executionId, order: 0 })).toBe(standing);
    if (intent.bulkProgress === undefined)
      expect(uncorrectedEnd(intent, legs, { executionId, order: 1 })).toBe("released");
  });
});

test("the recipients of an order have its amounts, its currencies and their own split role", () => {
  const recipients = [
    { order: 0, connectorPayeeId: 5001 },
    { order: 3, splitRole: "tenant_service_fee" as const },
  ];
  const { legs } = batchLeg({ order: 0 }).payment;
  const fees = {
    order: 3,
    payeeId: 1001,
    payeeName: "Tenant",
    payerAmount: "9",
    payeeAmount: "2",
    payeeCurrency: "EUR",
  };
  expect(recipientsOf({ recipients }, "e1", { payerCurrency: "BRL", legs: [...legs, fees] })).toEqual([
    {
      ...{ executionId: "e1", order: 0, splitRole: "principal_provider_amount" },
      payerAmount: { amount: "400.00", currency: "BRL" },
      payeeAmount: { amount: "100.00", currency: "AUD" },
    },
    {
      ...{ executionId: "e1", order: 3, splitRole: "tenant_service_fee" },
      payerAmount: { amount: "9", currency: "BRL" },
      payeeAmount: { amount: "2", currency: "EUR" },
    },
  ]);
});
