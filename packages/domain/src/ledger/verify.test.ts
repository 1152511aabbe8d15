import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storedIntent, tuition } from "../../test/intent-fixture.ts";
import { batchLeg } from "../../test/leg-fixture.ts";
import { fromMinorUnits } from "../amounts/money.ts";
import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import { splitRoles } from "../scenarios/scenario.ts";
import { bookLeg } from "./batch-booking.ts";
import { type Booked, bookAcceptance, bookProgress, type LedgerEntry } from "./ledger.ts";
import { addTurnover, type Turnovers, verifyLedger } from "./verify.ts";

const STARTED_AT = "2026-11-21T12:00:00.000Z";
const ENDED_AT = "2026-11-21T12:05:00.000Z";

const amount = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((units) => fromMinorUnits(units, "BRL"));
const histories = fc.record({
  legs: fc.array(
    fc.record({
      splitRole: fc.constantFrom(...splitRoles),
      payerAmount: amount,
      outcome: fc.constantFrom("cleared" as const, "failed" as const),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  fee: fc.oneof(fc.constant("0.00"), amount),
  end: fc.constantFrom("running" as const, "settled" as const, "cancelled" as const),
});
type History = typeof histories extends fc.Arbitrary<infer Made> ? Made : never;

/** An intent with one execution that went as `history` says, and what was booked on the way. */
function live({ legs, fee, end }: History): { intent: PaymentIntent; entries: LedgerEntry[] } {
  const begun: Execution = {
    ...{ executionId: "e1", connector: "sandbox", connectorPaymentIds: [1], payer: {}, currency: "BRL", fee },
    status: "executing",
    startedAt: STARTED_AT,
    legs: legs.map(({ splitRole, payerAmount }, order) => ({
      ...{ order, payeeId: 5001, splitRole, payerAmount },
      status: "executing",
    })),
  };
  const cleared = legs.filter(({ outcome }) => outcome === "cleared").length;
  const settled = cleared === legs.length ? "completed" : cleared === 0 ? "failed" : "partially_completed";
  const ended: Execution = {
    ...begun,
    status: end === "cancelled" ? "cancelled" : settled,
    endedAt: ENDED_AT,
    legs:
      end === "cancelled"
        ? begun.legs
        : begun.legs.map((leg, order) => ({ ...leg, status: legs[order]?.outcome ?? "failed" })),
  };
  const execution = end === "running" ? begun : ended;
  const booked: Booked[][] = end === "running" ? [] : [[begun, ended]];
  const intent: PaymentIntent = {
    ...{ ...tuition, id: "0".repeat(24), tenantId: "1001", version: 3, createdBy: "demo-user" },
    ...{ createdAt: STARTED_AT, updatedAt: STARTED_AT, recipients: [] },
    status: execution.status,
    statusHistory: [{ status: execution.status, at: STARTED_AT, by: "rail" }],
    executions: [execution],
  };
  const progress = booked.flatMap(([before, after]) => (before && after ? bookProgress(before, after) : []));
  return { intent, entries: [...bookAcceptance(begun), ...progress] };
}

/** Ways in which one entry of a ledger may be wrong. */
const tamper: Readonly<Record<string, (entries: readonly LedgerEntry[], at: number) => LedgerEntry[]>> = {
  missing: (entries, at) => entries.toSpliced(at, 1),
  extra: (entries, at) => [...entries, { ...entries[at]!, id: `${entries[at]!.id}again` }],
  amount: (entries, at) => entries.with(at, { ...entries[at]!, amount: `1${entries[at]!.amount}` }),
  currency: (entries, at) => entries.with(at, { ...entries[at]!, currency: "AUD" }),
  decimals: (entries, at) => entries.with(at, { ...entries[at]!, amount: `${entries[at]!.amount}5` }),
  "no amount": (entries, at) => entries.with(at, { ...entries[at]!, amount: "ten" }),
  "no currency": (entries, at) => entries.with(at, { ...entries[at]!, currency: "none" }),
  debit: (entries, at) => entries.with(at, { ...entries[at]!, debit: "settled:other" }),
  credit: (entries, at) => entries.with(at, { ...entries[at]!, credit: "settled:other" }),
  time: (entries, at) => entries.with(at, { ...entries[at]!, at: "2026-11-21T12:00:01.000Z" }),
};

describe("verifying a ledger", () => {
  test("finds nothing in what the service books, however a payment goes", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { intent, entries } = live(history);
        expect(verifyLedger(intent, [], entries)).toEqual([]);
      }),
    );
  });

  test.each(Object.keys(tamper))("finds one entry whose fault is: %s", (fault) => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, seed) => {
        const { intent, entries } = live(history);
        const at = seed % entries.length;
        // Some tampering changes nothing, as in an entry that is credited to `other` already.
        const wrong = tamper[fault]!(entries, at);
        fc.pre(JSON.stringify(wrong) !== JSON.stringify(entries));
        expect(verifyLedger(intent, [], wrong).join()).toContain(entries[at]!.id);
      }),
    );
  });

  test("finds amounts that no currency has, although the execution has them, too", () => {
    const { intent, entries } = live({
      legs: [{ splitRole: "other", payerAmount: "10.005", outcome: "cleared" }],
      fee: "0.00",
      end: "settled",
    });
    expect(verifyLedger(intent, [], entries)).toEqual(
      entries.map(({ id }) => `the entry ${id} has the amount 10.005, which BRL does not have`),
    );
  });

  test("finds an intent that ended while its execution still runs, and a status that its history lacks", () => {
    const { intent, entries } = live({
      legs: [{ splitRole: "other", payerAmount: "10.00", outcome: "cleared" }],
      fee: "0.00",
      end: "running",
    });
    expect(verifyLedger({ ...intent, status: "completed" }, [], entries)).toEqual([
      "it is completed, and payable:other BRL is still open",
      "it is completed, and its history ends with executing",
    ]);
  });
});

describe("verifying the ledger of a batch", () => {
  const batch = storedIntent({
    recipients: [0, 1, 2].map(() => ({ role: "public_payee" })),
    status: "partially_completed",
    statusHistory: [{ status: "partially_completed", at: STARTED_AT, by: "rail" }],
    bulkProgress: { total: 3, completed: 1, failed: 2 },
  });
  const refused = batchLeg({ order: 0, status: "failed" });
  const asked = [1, 2].map((order) => batchLeg({ order, status: "executing", railPaymentId: `rail-${order}` }));
  const [cleared, failed] = asked.map((leg, at) => ({ ...leg, status: at === 0 ? "cleared" : "failed" }) as const);
  if (cleared === undefined || failed === undefined) throw new Error("There are two legs");
  const legs = [refused, cleared, failed];
  const entries = legs.flatMap(({ railPaymentId, ...leg }, at) => {
    const after = legs[at] ?? leg;
    return bookLeg(batch, { ...leg, status: "pending" }, after, `2026-11-21T12:00:0${at}.000Z`);
  });

  test("expects entries of the legs that the rail accepted, whenever each of them was booked", () => {
    expect(entries).toHaveLength(8);
    expect(verifyLedger(batch, legs, entries)).toEqual([]);
    expect(verifyLedger(batch, legs, entries.slice(1))).toEqual([`the entry ${entries[0]?.id} is missing`]);
  });

  test("expects an entry of the money that came in for a leg that ended unpaid", () => {
    const owedBack = { ...refused, isOwedBack: true } as const;
    const surplus = bookLeg(batch, refused, owedBack, ENDED_AT);
    const now = [owedBack, cleared, failed];
    expect(verifyLedger(batch, now, [...entries, ...surplus])).toEqual([]);
    expect(verifyLedger(batch, now, entries)).toEqual([`the entry ${surplus[0]?.id} is missing`]);
  });

  test("finds a progress that is not that of its legs once the batch is over, and only then", () => {
    const wrong = { ...batch, bulkProgress: { total: 3, completed: 2, failed: 1 } };
    expect(verifyLedger(wrong, legs, entries)).toEqual([
      'its progress is {"total":3,"completed":2,"failed":1} and that of its legs {"total":3,"completed":1,"failed":2}',
    ]);
    const statusHistory = [{ status: "executing", at: STARTED_AT, by: "rail" }] as const;
    expect(verifyLedger({ ...wrong, status: "executing", statusHistory }, legs, entries)).toEqual([]);
  });
});

test("an amount that no currency has is in no turnover, and keeps no other from its own", () => {
  const { entries } = live({
    legs: [{ splitRole: "other", payerAmount: "10.00", outcome: "cleared" }],
    fee: "0.00",
    end: "running",
  });
  const turnovers: Turnovers = new Map();
  addTurnover(turnovers, [...entries, ...entries.map((entry) => ({ ...entry, amount: "0.005" }))]);
  expect([...turnovers]).toEqual([
    ["payer_receivable BRL", { debit: 1000n, credit: 0n }],
    ["payable:other BRL", { debit: 0n, credit: 1000n }],
  ]);
});

test("turnovers add up per account and currency, debits to credits", () => {
  fc.assert(
    fc.property(fc.array(histories, { maxLength: 5 }), (several) => {
      const turnovers: Turnovers = new Map();
      for (const history of several) addTurnover(turnovers, live(history).entries);
      const [debit, credit] = [...turnovers.values()].reduce(
        ([debits, credits], each) => [debits + each.debit, credits + each.credit],
        [0n, 0n],
      );
      expect(debit).toBe(credit);
    }),
  );
});
