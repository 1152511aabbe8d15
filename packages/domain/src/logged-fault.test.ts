import { describe, expect, test } from "vitest";
import { toLoggedFault } from "./logged-fault.ts";

describe("a fault in a log", () => {
  test("is its name, message and stack, whatever else the error carries", () => {
    const error = Object.assign(new Error("Transaction cancelled", { cause: new Error("ana@example.com") }), {
      name: "TransactionCanceledException",
      CancellationReasons: [{ Code: "ConditionalCheckFailed", Item: { doc: { S: "Ana Silva" } } }],
    });
    const logged = toLoggedFault(error);
    expect(Object.keys(logged)).toEqual(["name", "message", "stack"]);
    expect(logged).toMatchObject({ name: "TransactionCanceledException", message: "Transaction cancelled" });
    expect(logged.stack).toMatch(/^ +at .+logged-fault\.test\.ts:\d+:\d+/);
    expect(JSON.stringify(logged)).not.toMatch(/Ana|ConditionalCheck/i);
  });

  test.each([
    ["No payer ana.silva+x@example.com.br, sorry", "No payer <email>, sorry"],
    ["Unexpected token 'A', \"Ana Silva\" is not valid JSON", "Unexpected token 'A', <text> is not valid JSON"],
    ["Wrong key demo:k7Zp0aXb3cQd9eRf1gSh5iTj", "Wrong key demo:<token>"],
    ["No link plink_9fKq2LxT7bWv4NcR1mZd", "No link <token>"],
    ["Wrong secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "Wrong secret <token>"],
    ["secret=q83v/7Zp0a+Xb3cQd/9eRf1g== is old", "secret=<token> is old"],
    ["No account 0123 4567 8901 23", "No account <number>"],
    ["No phone +5511987654321", "No phone <number>"],
    ["No phone +61 (0)412 345 678, sorry", "No phone <number>, sorry"],
    ["No phone 0061 (0)4 1234-5678", "No phone <number>"],
    ["No phone (02) 9876 5432", "No phone <number>"],
    ["No phone (+1) 415-555-2671", "No phone <number>"],
    ["No phone +1 (415) 555-2671", "No phone <number>"],
    ["Leg (2) 1500.00 of frames[3](12), POST /v2/quotes/7", "Leg (2) 1500.00 of frames[3](12), POST /v2/quotes/7"],
    [
      "PUT /v2/students/6741b2c3d4e5f60718293a4b/documents has no tmp/payers/1001/0a1b2c3d",
      "PUT /v2/students/6741b2c3d4e5f60718293a4b/documents has no tmp/payers/1001/0a1b2c3d",
    ],
    [
      "Intent 6741b2c3d4e5f60718293a4b has no 0a1b2c3d-0000-4000-8000-0123456789ab",
      "Intent 6741b2c3d4e5f60718293a4b has no 0a1b2c3d-0000-4000-8000-0123456789ab",
    ],
    ["The batch has 12 legs of 2026-11-22, 1500.00 BRL", "The batch has 12 legs of 2026-11-22, 1500.00 BRL"],
    ["The answer of deserializerMiddlewareOptions is late", "The answer of deserializerMiddlewareOptions is late"],
  ])("of the message %j tells %j", (message, expected) => {
    const logged = toLoggedFault(new Error(message));
    expect(logged.message).toBe(expected);
    if (expected !== message) expect(logged.stack).not.toContain(message);
  });

  test("tells no message by its stack, however it looks, and of what is no error its text", () => {
    expect(toLoggedFault(new Error("x\n    at Ana Silva")).stack).not.toContain("Ana");
    expect(toLoggedFault("gone to ana@example.com")).toMatchObject({ name: "Error", message: "gone to <email>" });
    expect(toLoggedFault(new Error("x".repeat(5_000))).message).toHaveLength(1_000);
  });
});
