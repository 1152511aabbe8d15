import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ExecuteReply, PageReply, parseJson, StatusReply } from "./contract.ts";

const whose = { tenantId: "1001", executionId: "e1" };
const YEAR_9999_ENDS_MS = Date.UTC(10_000, 0, 1) - 1;
const accepted = { kind: "accepted", railPaymentId: "r1", expectedSettlementMs: 1 };
const bankDetails = { beneficiaryName: "Clients", bankName: "Bank", accountNumber: "123456789" };
const record = {
  ...{ ...whose, intentId: "i1", railPaymentId: "r1", acceptedAtMs: 1 },
  ...{ currency: "AUD", totalAmount: "1.00", standing: "settled" },
};

/** The places of an answer that the service stores, each with the answer that has `value` there. */
const executing = (answer: object) => parseJson(ExecuteReply, JSON.stringify({ ...whose, answer }));
const standing = (answer: object) => parseJson(StatusReply, JSON.stringify({ ...whose, answer }));
const page = (payment: object) =>
  parseJson(PageReply, JSON.stringify({ sinceMs: 0, answer: { kind: "page", payments: [payment] } }));
const texts: readonly (readonly [string, number, (value: string) => unknown])[] = [
  ["the rail's id of a payment", 200, (railPaymentId) => executing({ ...accepted, railPaymentId })],
  ["an account number", 200, (iban) => executing({ ...accepted, bankDetails: { ...bankDetails, iban } })],
  ["a refusal's reason", 1_000, (reason) => executing({ kind: "refused", reason })],
  ["a cancellation's reason", 1_000, (reason) => standing({ kind: "cancelled", reason })],
  [
    "a recipient's reason",
    1_000,
    (reason) => standing({ kind: "settled", legs: [{ order: 0, outcome: "failed", reason }] }),
  ],
  ["the id of a listed payment", 200, (railPaymentId) => page({ ...record, railPaymentId })],
];
const times: readonly (readonly [string, (value: number) => unknown])[] = [
  ["the expected settlement", (expectedSettlementMs) => executing({ ...accepted, expectedSettlementMs })],
  ["the end of a window for duplicates", (untilMs) => executing({ kind: "duplicate", untilMs })],
  ["the acceptance of a listed payment", (acceptedAtMs) => page({ ...record, acceptedAtMs })],
];

describe("an answer of a rail is read up to the bounds of the contract, and unreadable beyond them:", () => {
  test.each(texts)("%s has %i characters at most", (_, most, read) => {
    expect(read("x".repeat(most))).toBeDefined();
    expect(read("x".repeat(most + 1))).toBeUndefined();
    expect(read("x".repeat(430_000))).toBeUndefined();
  });

  test.each(times)("%s is in the year 9999 at most, and not before 1970", (_, read) => {
    expect(read(YEAR_9999_ENDS_MS)).toBeDefined();
    for (const ms of [YEAR_9999_ENDS_MS + 1, Date.UTC(275_000, 0), 9e15, -1]) expect(read(ms)).toBeUndefined();
  });

  test("it tells of 500 recipients at most", () => {
    const settled = (count: number) =>
      standing({ kind: "settled", legs: Array.from({ length: count }, (_, order) => ({ order, outcome: "cleared" })) });
    expect(settled(500)).toBeDefined();
    expect(settled(501)).toBeUndefined();
  });

  test("the published contract states the same bounds", () => {
    const document = readFileSync(new URL("../../../../docs/rail-api.yaml", import.meta.url), "utf8");
    expect(document).toContain("Id: { type: string, minLength: 1, maxLength: 200 }");
    expect(document).toContain("Reason: { type: string, maxLength: 1000 }");
    expect(document).toContain(`maximum: ${YEAR_9999_ENDS_MS}`);
  });
});
