import { expect, test } from "vitest";
import { storedIntent } from "../../test/intent-fixture.ts";
import { batchLeg as leg } from "../../test/leg-fixture.ts";
import { bookLeg, toBooked } from "./batch-booking.ts";

const AT = "2026-11-21T12:00:00.000Z";
const intent = storedIntent({ recipients: [{ role: "public_payee" }, { role: "tenant" }] });

test.each([
  ["pending", "executing", "executing"],
  ["executing", "executing", "executing"],
  ["cleared", "completed", "cleared"],
  ["failed", "failed", "failed"],
  ["cancelled", "cancelled", "executing"],
] as const)("a leg that is %s is an execution that is %s, with one leg that is %s", (status, execution, ended) => {
  expect(toBooked(intent, leg({ order: 1, status }), AT)).toEqual({
    executionId: "execution:1",
    currency: "BRL",
    fee: "20.00",
    status: execution,
    startedAt: AT,
    legs: [{ order: 1, splitRole: "tenant_commission", payerAmount: "400.00", status: ended }],
  });
});

test("a leg is booked for its own recipient, at its own amount and fee, at the time of the change", () => {
  const executing = leg({ order: 0, status: "executing", railPaymentId: "rail-0" });
  const entries = bookLeg(intent, executing, { ...executing, status: "cleared" }, AT);
  expect(entries).toEqual([
    {
      id: "execution:0#0#settled",
      event: "settled",
      debit: "payable:provider_principal",
      credit: "settled:provider_principal",
      amount: "400.00",
      currency: "BRL",
      at: AT,
    },
    {
      id: "execution:0#fee#settled",
      event: "settled",
      debit: "payable:fee",
      credit: "settled:fee",
      amount: "20.00",
      currency: "BRL",
      at: AT,
    },
  ]);
});

test("a leg that has ended is booked from its acceptance on, unless that was booked before", () => {
  const pending = leg({ order: 0 });
  const cleared = { ...pending, status: "cleared", railPaymentId: "rail-0" } as const;
  const known = { ...pending, railPaymentId: "rail-0" };
  const ids = (before: typeof pending) => bookLeg(intent, before, cleared, AT).map(({ id }) => id.split("#").slice(1));
  const ends = [
    ["0", "settled"],
    ["fee", "settled"],
  ];
  expect(ids(known)).toEqual(ends);
  expect(ids(pending)).toEqual([["0", "accepted"], ["fee", "accepted"], ...ends]);
});

test("money that came in is booked as received once, when it is known", () => {
  const executing = leg({ order: 0, status: "executing", railPaymentId: "rail-0" });
  const received = { ...executing, receivedAtMs: 1 };
  const ids = (...[before, after]: [typeof executing, typeof executing]) =>
    bookLeg(intent, before, after, AT).map(({ id }) => id);
  expect(ids(executing, received)).toEqual(["execution:0#0#received", "execution:0#fee#received"]);
  expect(ids(received, received)).toEqual([]);
});

test("money that came in for a leg that ended unpaid is owed back, once, with its fee", () => {
  const failed = leg({ order: 0, status: "failed" });
  const owedBack = { ...failed, isOwedBack: true } as const;
  expect(bookLeg(intent, failed, owedBack, AT)).toEqual([
    {
      ...{ id: "execution:0#deposit#surplus", event: "surplus", debit: "received", credit: "owed_back" },
      ...{ amount: "420.00", currency: "BRL", at: AT },
    },
  ]);
  expect(bookLeg(intent, owedBack, owedBack, AT)).toEqual([]);
});
