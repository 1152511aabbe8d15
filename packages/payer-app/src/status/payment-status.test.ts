import { expect, test } from "vitest";
import { pollDelayMs, promiseOf, shownOf } from "./payment-status.ts";

test.each([
  ["executing", "owed", false, false],
  ["draft", undefined, false, false],
  ["requires_recovery", "owed", false, false],
  ["completed", "delivered", true, false],
  // A part was paid, so that paying all of it again would pay that part twice.
  ["partially_completed", undefined, true, false],
  ["failed", "failed", true, true],
  ["cancelled", "failed", true, true],
] as const)(
  "%s with money %s: final %s, a new payment may begin %s; money may have been sent by transfer alone",
  (status, where, final, again) => {
    const money = where && { money: where };
    const [byBank, byCard] = [{ paymentMethod: "bank_transfer" }, { paymentMethod: "redirect" }] as const;
    expect(shownOf({ status, ...money, ...byBank })).toMatchObject({ final, again, asksSenders: again });
    expect(shownOf({ status, ...money, ...byCard })).toMatchObject({ final, again, asksSenders: false });
  },
);

const transfer = {
  type: "bank_transfer",
  ...{ transactionBankDetails: {}, reference: "7", amount: "9.00", currency: "BRL", dueDate: "2026-11-24" },
} as const;

test.each([
  ["that keeps no link", {}, undefined, "transferText"],
  ["that keeps a link for a while", { held: { until: "2026-11-21T09:30:00.000Z" } }, false, "promiseFirst"],
  ["that was promised", { held: { until: "2026-11-25T00:00:00.000Z" } }, true, "transferText"],
])("a transfer %s asks for a promise where one is missing", (_, changes, isMade, text) => {
  const payment = { status: "executing", paymentMethod: "bank_transfer", nextAction: transfer, ...changes } as const;
  expect(promiseOf(payment)?.isMade).toBe(isMade);
  expect(shownOf(payment)).toMatchObject({ title: "transferTitle", text });
});

test.each([
  ["under review", { status: "completed", underReview: { since: "2026-11-21T09:00:00.000Z" } }, "lookedInto", false],
  [
    "under review after it had failed",
    { status: "failed", underReview: { since: "" }, money: "failed" },
    "lookedInto",
    false,
  ],
  ["that came back", { status: "completed", money: "returned" }, "returned", true],
  ["that arrived after all", { status: "failed", money: "delivered" }, "completed", true],
  ["that never moved", { status: "completed", money: "failed" }, "failed", true],
  ["of which a part came back", { status: "completed" }, "partial", true],
  ["of which a part arrived after all", { status: "failed" }, "partial", true],
  ["whose money came in", { status: "executing", money: "received" }, "received", false],
  ["that takes longer than it should", { status: "requires_recovery", money: "received" }, "checking", false],
  ["that was called off", { status: "cancelled", money: "failed" }, "cancelled", true],
] as const)("a payment %s tells where the money is", (_, payment, name, final) => {
  for (const paymentMethod of ["redirect", "bank_transfer"] as const)
    expect(shownOf({ ...payment, paymentMethod })).toMatchObject({ title: `${name}Title`, final });
});

test("a checkout that keeps a link asks for no promise", () => {
  const nextAction = { type: "redirect", url: "https://rail.example/c" } as const;
  expect(promiseOf({ nextAction, held: { until: "2026-11-21T09:30:00.000Z" } })).toBeUndefined();
});

test("pauses between polls grow up to 30 seconds and a fifth, and differ between payers", () => {
  const delays = Array.from({ length: 20 }, (_, asked) => pollDelayMs(asked, 0.5));
  expect(delays.toSorted((one, other) => one - other)).toEqual(delays);
  expect(delays[0]).toBe(1_500);
  expect(pollDelayMs(1_000, 0.999)).toBeLessThanOrEqual(36_000);
  expect(pollDelayMs(0, 0)).toBe(1_200);
});
