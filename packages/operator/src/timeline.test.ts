import { groupAmount } from "@intents/domain/amounts/money.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { expect, test } from "vitest";
import { timelineOf } from "./timeline.ts";

const at = "2026-11-21T09:00:00.000Z";
const described = (data: object, write?: typeof groupAmount) => {
  const audit = [{ at, event: "paymentIntent.completed", actor: "rail", data }];
  const nothing = { ledger: [], reconciliations: [], corrections: [], commissions: [], timer: undefined };
  const story = { intent: storedIntent(), audit, ...nothing };
  return timelineOf(story as unknown as Parameters<typeof timelineOf>[0], write)[0]?.detail;
};

test("what happened is told in words, recipient by recipient, and never as JSON", () => {
  const leg = { order: 0, status: "cleared", payeeId: 5001, payerAmount: "400.00", payerCurrency: "BRL" };
  const failed = { order: 1, status: "failed", reason: "account closed" };
  expect(described({ executionId: "e1", cause: null, legs: [leg, failed] })).toBe(
    "executionId e1, legs recipient 0: status cleared, payeeId 5001, payer pays 400.00 BRL; recipient 1: status failed, reason account closed",
  );
  expect(described({ connectorPaymentIds: [1, 2], splitRoles: [{ order: 0, splitRole: "other" }], empty: [] })).toBe(
    "connectorPaymentIds 1 2, splitRoles recipient 0: splitRole other",
  );
});

test("amounts are grouped for people, and plain for programs", () => {
  const leg = {
    order: 0,
    payerAmount: "45539.60",
    payerCurrency: "BRL",
    payeeAmount: "12345.00",
    payeeCurrency: "AUD",
  };
  const words = (payer: string, payee: string) => `legs recipient 0: payer pays ${payer} BRL, payee gets ${payee} AUD`;
  expect(described({ legs: [leg] })).toBe(words("45539.60", "12345.00"));
  expect(described({ legs: [leg] }, groupAmount)).toBe(words("45,539.60", "12,345.00"));
});
