import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromMinorUnits, toMinorUnits } from "../amounts/money.ts";
import { splitRoles } from "../scenarios/scenario.ts";
import { type Booked, bookAcceptance, bookProgress, bookReceipt, type LedgerEntry } from "./ledger.ts";

const STARTED_AT = "2026-11-21T12:00:00.000Z";
const ENDED_AT = "2026-11-21T12:05:00.000Z";

/** The balance of every account, debits less credits, in minor units. */
function balances(entries: readonly LedgerEntry[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { debit, credit, amount, currency } of entries) {
    const units = toMinorUnits(amount, currency);
    sums[debit] = (sums[debit] ?? 0n) + units;
    sums[credit] = (sums[credit] ?? 0n) - units;
  }
  return sums;
}

const amount = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((units) => fromMinorUnits(units, "BRL"));
const outcome = fc.constantFrom("cleared" as const, "failed" as const);
const leg = fc.record({ splitRole: fc.constantFrom(...splitRoles), payerAmount: amount, outcome });
const executions = fc.record({
  legs: fc.array(leg, { minLength: 1, maxLength: 10 }),
  fee: fc.oneof(fc.constant("0.00"), amount),
});

function run({
  legs,
  fee,
}: {
  legs: { splitRole: (typeof splitRoles)[number]; payerAmount: string; outcome: "cleared" | "failed" }[];
  fee: string;
}) {
  const begun: Booked = {
    executionId: "e1",
    currency: "BRL",
    fee,
    status: "executing",
    startedAt: STARTED_AT,
    legs: legs.map(({ splitRole, payerAmount }, order) => ({ order, splitRole, payerAmount, status: "executing" })),
  };
  const cleared = legs.filter(({ outcome: ended }) => ended === "cleared").length;
  const status = cleared === legs.length ? "completed" : cleared === 0 ? "failed" : "partially_completed";
  const ended: Booked = {
    ...begun,
    status,
    endedAt: ENDED_AT,
    legs: begun.legs.map((started, index) => ({ ...started, status: legs[index]?.outcome ?? "failed" })),
  };
  return { begun, ended, entries: [...bookAcceptance(begun), ...bookProgress(begun, ended)] };
}

describe("the ledger of an execution", () => {
  test("balances, owes nothing once it is over, and leaves the payer owing exactly what cleared", () => {
    fc.assert(
      fc.property(executions, (execution) => {
        const { begun, ended, entries } = run(execution);
        expect(Object.values(balances(entries)).reduce((sum, balance) => sum + balance, 0n)).toBe(0n);
        const open = Object.entries(balances(entries)).filter(
          ([name, sum]) => name.startsWith("payable:") && sum !== 0n,
        );
        expect(open).toEqual([]);
        const settled = ended.legs.filter(({ status }) => status === "cleared").map(({ payerAmount }) => payerAmount);
        const kept = settled.length > 0 ? [...settled, begun.fee] : [];
        const owed = kept.reduce((sum, part) => sum + toMinorUnits(part, "BRL"), 0n);
        expect(balances(entries)["payer_receivable"] ?? 0n).toBe(owed);
      }),
    );
  });

  test("has an id of its own for every entry, so that a repeat books nothing new", () => {
    fc.assert(
      fc.property(executions, (execution) => {
        const { begun, ended, entries } = run(execution);
        const ids = entries.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(bookProgress(begun, ended)).toEqual(bookProgress(begun, ended));
        expect(bookProgress(ended, ended)).toEqual([]);
      }),
    );
  });

  test("reverses everything when the execution is cancelled before any leg ended", () => {
    const { begun } = run({
      legs: [{ splitRole: "tenant_commission", payerAmount: "10.00", outcome: "cleared" }],
      fee: "1.00",
    });
    const cancelled: Booked = { ...begun, status: "cancelled", endedAt: ENDED_AT };
    const entries = [...bookAcceptance(begun), ...bookProgress(begun, cancelled)];
    expect(entries.map(({ id, debit, credit }) => [id, debit, credit])).toEqual([
      ["e1#0#accepted", "payer_receivable", "payable:tenant_commission"],
      ["e1#fee#accepted", "payer_receivable", "payable:fee"],
      ["e1#0#reversed", "payable:tenant_commission", "payer_receivable"],
      ["e1#fee#reversed", "payable:fee", "payer_receivable"],
    ]);
    expect(Object.values(balances(entries)).every((balance) => balance === 0n)).toBe(true);
  });
});

describe("the entries of two legs and a fee", () => {
  const accountOf = {
    principal_provider_amount: "provider_principal",
    tenant_commission: "tenant_commission",
    tenant_service_fee: "tenant_service_fee",
    tenant_tax_component: "tenant_tax",
    other: "other",
  } as const satisfies Record<(typeof splitRoles)[number], string>;
  const [ACCEPTED, ENDED] = [STARTED_AT, ENDED_AT];
  type Row = readonly [id: string, debit: string, credit: string, amount: string, at: string];
  const toRows = (entries: readonly LedgerEntry[]) =>
    entries.map(({ id, debit, credit, amount, at }): Row => [id, debit, credit, amount, at]);

  test.each(splitRoles)("book what goes to a %s against its own account, from acceptance to end", (splitRole) => {
    const payable = `payable:${accountOf[splitRole]}`;
    const legs = [
      { splitRole, payerAmount: "70.00", outcome: "cleared" as const },
      { splitRole, payerAmount: "30.00", outcome: "failed" as const },
    ];
    const { begun, ended } = run({ legs, fee: "1.50" });
    expect(toRows(bookAcceptance(begun))).toEqual([
      ["e1#0#accepted", "payer_receivable", payable, "70.00", ACCEPTED],
      ["e1#1#accepted", "payer_receivable", payable, "30.00", ACCEPTED],
      ["e1#fee#accepted", "payer_receivable", "payable:fee", "1.50", ACCEPTED],
    ]);
    expect(toRows(bookProgress(begun, ended))).toEqual([
      ["e1#0#settled", payable, `settled:${accountOf[splitRole]}`, "70.00", ENDED],
      ["e1#1#reversed", payable, "payer_receivable", "30.00", ENDED],
      ["e1#fee#settled", "payable:fee", "settled:fee", "1.50", ENDED],
    ]);
  });

  const twoLegs = [
    { splitRole: "other", payerAmount: "70.00", outcome: "cleared" },
    { splitRole: "other", payerAmount: "30.00", outcome: "failed" },
  ] as const;

  test("say in every entry what happened and in which currency", () => {
    const { entries } = run({ legs: [...twoLegs], fee: "0.05" });
    expect(entries.map(({ event, currency }) => [event, currency])).toEqual(
      ["accepted", "accepted", "accepted", "settled", "reversed", "settled"].map((event) => [event, "BRL"]),
    );
  });

  test("book the payer's money when it came in, as received and no more owed by the payer", () => {
    const { begun } = run({ legs: [...twoLegs], fee: "0.05" });
    const entries = bookReceipt({ ...begun, receivedAt: ENDED_AT });
    expect(entries.map(({ event }) => event)).toEqual(["received", "received", "received"]);
    expect(toRows(entries)).toEqual([
      ["e1#0#received", "received", "payer_receivable", "70.00", ENDED],
      ["e1#1#received", "received", "payer_receivable", "30.00", ENDED],
      ["e1#fee#received", "received", "payer_receivable", "0.05", ENDED],
    ]);
  });

  test("book a leg when it clears, and the fee and what never cleared when the execution is over", () => {
    const { begun } = run({ legs: [...twoLegs], fee: "1.50" });
    const [first, second] = begun.legs;
    if (first === undefined || second === undefined) throw new Error("There are two legs");
    const partly: Booked = { ...begun, legs: [{ ...first, status: "cleared" }, second] };
    expect(toRows(bookProgress(begun, partly))).toEqual([
      ["e1#0#settled", "payable:other", "settled:other", "70.00", ACCEPTED],
    ]);
    const over: Booked = { ...partly, status: "partially_completed", endedAt: ENDED_AT };
    expect(toRows(bookProgress(partly, over))).toEqual([
      ["e1#1#reversed", "payable:other", "payer_receivable", "30.00", ENDED],
      ["e1#fee#settled", "payable:fee", "settled:fee", "1.50", ENDED],
    ]);
  });

  test("leave out a fee of nothing, however it is written", () => {
    for (const fee of ["0", "0.00"]) {
      const { begun, ended } = run({ legs: [...twoLegs], fee });
      const booked = [...bookAcceptance(begun), ...bookProgress(begun, ended)];
      expect(booked.map(({ id }) => id)).toEqual(["e1#0#accepted", "e1#1#accepted", "e1#0#settled", "e1#1#reversed"]);
    }
  });
});
