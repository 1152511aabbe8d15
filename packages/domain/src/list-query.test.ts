import { describe, expect, test } from "vitest";
import { matches } from "./list-query.ts";

const record = {
  status: "draft",
  deliveryMode: "manual",
  createdFrom: { paymentIntentId: "parent" },
  recipients: [{ connectorPayeeId: 5001, amount: { currency: "AUD" } }, { connectorPayeeId: 5002 }],
  tags: ["red", "blue"],
  termsAccepted: true,
  name: null,
};

describe("a filter holds", () => {
  test.each([
    ["with no condition at all", {}],
    ["for a field", { status: "draft" }],
    ["for several fields at once", { status: "draft", deliveryMode: "manual" }],
    ["for a nested field by its dotted path", { "createdFrom.paymentIntentId": "parent" }],
    ["for a number and a truth value in writing", { "recipients.connectorPayeeId": "5001", termsAccepted: "true" }],
    ["for any element of an array", { "recipients.connectorPayeeId": "5002" }],
    ["for the element at a place", { "recipients.1.connectorPayeeId": "5002", "recipients.0.amount.currency": "AUD" }],
    ["for an array of plain values", { tags: "blue" }],
  ])("%s", (_, filter) => {
    expect(matches(record, filter)).toBe(true);
  });
});

describe("a filter does not hold", () => {
  test.each([
    ["when one of its conditions fails", { status: "draft", deliveryMode: "bulk" }],
    ["for part of a value", { status: "dra" }],
    ["for a field that is not there", { useCase: "x" }],
    ["below a plain value", { "status.length": "5" }],
    ["for what only the prototype has", { constructor: "function Object() { [native code] }" }],
    ["for an element at another place", { "recipients.0.connectorPayeeId": "5002" }],
  ])("%s", (_, filter) => {
    expect(matches(record, filter)).toBe(false);
  });
});
