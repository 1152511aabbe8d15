import { describe, expect, test } from "vitest";
import { studentBody } from "./client.ts";
import { expectEnvelope, expectShape, problemsOf } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

// Over HTTP each rule has one case: packages/http/src/request proves how bodies are read.

const { client } = await openService();

const post = (raw: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
  client.call("POST", "/v2/students", { raw, headers });

describe("a body", () => {
  test("that is no JSON in UTF-8, or no object, is the array-style 400", async () => {
    for (const raw of ['{"firstName":"Ana",}', Uint8Array.from(Buffer.from("{}", "utf16le")), "[{}]"])
      expectShape(await post(raw), "body");
  });

  test("gets every problem told at once, each by its dotted path, unknown properties by name", async () => {
    const body = {
      useCase: "gift",
      deliveryMode: "payment_link_submission",
      amountMode: 7,
      payer: { role: "king", details: { email: "x", shoeSize: 44 } },
      recipients: [{ role: "tenant" }, { amount: { portionBps: 10_001, payerAmount: "1,50", tip: 1 }, bank: "x" }],
      instructions: {
        manualPayment: { purpose: "commission" },
        paymentLink: { displayCurrency: "AUD", includeCreatedByText: true },
      },
      termsAccepted: "yes",
      colour: "red",
    };
    expectShape(
      await client.call("POST", "/v2/payment-intents", { body }),
      "useCase",
      "deliveryMode",
      "amountMode",
      "payer.role",
      "payer.details.email",
      "payer.details.shoeSize",
      "recipients.1.amount.portionBps",
      "recipients.1.amount.payerAmount",
      "recipients.1.amount.tip",
      "recipients.1.bank",
      "instructions.manualPayment.purpose",
      "instructions.paymentLink.displayCurrency",
      "instructions.paymentLink.includeCreatedByText",
      "termsAccepted",
      "colour",
    );
  });

  test("without its required fields is told that they are required, whatever they would have to be", async () => {
    const reply = await client.call("POST", "/v2/payment-intents", { body: { payer: {} } });
    const missing = ["useCase", "deliveryMode", "amountMode", "payer.role", "termsAccepted"];
    expectShape(reply, ...missing);
    expect(problemsOf(reply)).toEqual(missing.map((path) => `${path} is required`));
    const unasked = await client.call("GET", "/v2/commissions/export");
    expect(problemsOf(unasked)).toEqual(["reportPeriod is required"]);
    const form = await client.call("POST", "/v2/commissions/requests", { form: new FormData() });
    expect(problemsOf(form)).toEqual(["paymentIds is required", "commissionTotalAmount is required"]);
    const upload = await client.call("POST", "/v2/documents", { form: new FormData() });
    expect(problemsOf(upload)).toEqual(["file is required"]);
  });

  test("with thousands of problems is told a hundred of them, and how many more there are", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}${"y".repeat(20)}`, 1]));
    const reply = await client.call("POST", "/v2/students", { body: { ...studentBody(), ...unknown } });
    expect(problemsOf(reply)).toHaveLength(101);
    expect(problemsOf(reply).at(-1)).toBe("and 4900 more problems");
    expect(reply.body.details).toMatchObject({ errors: expect.any(Array), moreErrors: 4_900 });
    expect(reply.body.details?.["errors"]).toHaveLength(100);
    const long = await client.call("POST", "/v2/students", { body: { ...studentBody(), ["z".repeat(200_000)]: 1 } });
    expect(long.bytes.length).toBeLessThan(1_000);
  });

  test("has each problem told for machines, too: its path, and the reason", async () => {
    const body = { ...studentBody(), dob: "x", "a name with spaces": 1, countryCode: "BRA" };
    const { body: answer } = await client.call("POST", "/v2/students", { body });
    expect(answer.details).toMatchObject({
      errors: [
        { path: "dob", reason: "must be a date, yyyy-mm-dd" },
        { path: "countryCode", reason: "must be an ISO 3166-1 alpha-2 country code" },
        { path: "a%20name%20with%20spaces", reason: "should not exist" },
      ],
    });
  });

  test("of 256 KB is read as JSON whatever its content type says; of more it is 413, and a form 415", async () => {
    const body = JSON.stringify(studentBody());
    const padded = body + " ".repeat(256 * 1024 - body.length);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", ""])
      expect((await post(padded, { "Content-Type": type })).status).toBe(201);
    for (const tooLarge of [`${padded} `, "x".repeat(11_000_000)])
      expectEnvelope(await post(tooLarge), 413, "[GEN9013]");
    expectEnvelope(await post("{}", { "Content-Type": "multipart/form-data; boundary=x" }), 415, "[GEN9015]");
  });
});
