import { describe, expect, test } from "vitest";
import { readQuestion } from "./question.ts";

const ID = "019a00000000aabbccddeeff";
const TOKEN = "Ab_-5678901234567890123456789012";

describe("what is looked for", () => {
  test.each([
    ["an intent", ` ${ID.toUpperCase()} `, { by: "intent", id: ID }],
    ["a payment id, which is the bank reference", "891234567890123", { by: "payment", paymentId: 891234567890123 }],
    ["the token of a link", TOKEN, { by: "link", token: TOKEN }],
    ["the address of a link", `https://pay.example/pay/plink_${TOKEN}`, { by: "link", token: TOKEN }],
  ])("may be %s, and else stands in a payment as it was typed", (_what, typed, key) => {
    const criterion = { by: "text", text: typed.trim().toLowerCase() };
    expect(readQuestion(typed)).toMatchObject({ ok: true, value: { key, criterion } });
  });

  test.each([
    ["1500.00 BRL", "1500.00", "BRL"],
    ["brl 1500", "1500", "BRL"],
    ["1,526.12usd", "1526.12", "USD"],
    ["JPY 1,000,000", "1000000", "JPY"],
  ])("is an amount: %s", (typed, amount, currency) => {
    const criterion = { by: "money", money: { amount, currency } };
    expect(readQuestion(typed)).toEqual({ ok: true, value: { criterion } });
  });

  test("is an e-mail in lower case", () => {
    expect(readQuestion("Ana@Example.com")).toMatchObject({
      value: { criterion: { by: "email", email: "ana@example.com" } },
    });
  });

  test.each(["University of Sydney", "12 XYZ", "1,5,2 USD", "a@b@c", "x".repeat(101)])("is a text: %s", (typed) => {
    expect(readQuestion(typed)).toEqual({ ok: true, value: { criterion: { by: "text", text: typed.toLowerCase() } } });
  });

  test.each(["INV-7", "sbx_0123", "AUD", "a:/#b.c"])("is a text, or a tenant's own id as it was typed: %s", (typed) => {
    const criterion = { by: "text", text: typed.toLowerCase() };
    expect(readQuestion(typed)).toEqual({ ok: true, value: { externalId: typed, criterion } });
  });

  test.each([
    ["nothing", "  ", /Say what/],
    ["an amount without its currency", "1500.00", /Name the currency of the amount: 1500.00 USD/],
    ["one with a decimal comma", "1.500,00", /with a point: 1500.00$/],
    ["one with a decimal comma and a currency", "1500,00 BRL", /with a point: 1500.00 BRL$/],
  ])("is refused as %s", (_what, typed, why) => {
    expect(readQuestion(typed)).toMatchObject({ ok: false, failure: expect.stringMatching(why) });
  });
});
