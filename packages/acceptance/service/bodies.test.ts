import { describe, expect, test } from "vitest";
import { studentBody } from "./client.ts";
import { expectEnvelope, expectShape, pathsOf, problemsOf } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

const { client } = await openService();

const post = (raw: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
  client.call("POST", "/v2/students", { raw, headers });
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("a body", () => {
  test.each([
    ["is empty", ""],
    ["is white space", "  \n"],
    ["is cut off", '{"firstName":"Ana'],
    ["has a trailing comma", '{"firstName":"Ana",}'],
    ["has more after its end", "{}{}"],
    ["is a comment", "// {}"],
    ["holds NaN", '{"firstName":NaN}'],
    ["is not UTF-8", Uint8Array.from([...bytesOf('{"firstName":"'), 0xff, 0xfe, ...bytesOf('"}')])],
    ["holds half a character", Uint8Array.from([...bytesOf('{"firstName":"'), 0xe2, 0x82, ...bytesOf('"}')])],
    ["is UTF-16", Uint8Array.from(Buffer.from('{"firstName":"Ana"}', "utf16le"))],
    ["is null", "null"],
    ["is a number", "1"],
    ["is a string", '"{}"'],
    ["is an array", '[{"firstName":"Ana"}]'],
    ["is nested 5,000 deep", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
    ["is arrays 5,000 deep", "[".repeat(5_000) + "]".repeat(5_000)],
  ])("that %s is the array-style 400", async (_what, raw) => {
    const reply = await post(raw);
    expectShape(reply, ...pathsOf(reply));
    expect(problemsOf(reply).length).toBeGreaterThan(0);
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
    const nulls = await client.call("POST", "/v2/students", { body: { ...studentBody(), firstName: null } });
    expect(problemsOf(nulls)).toEqual(["firstName must be a string"]);
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
    const { body: told } = await client.call("POST", "/v2/students", { body });
    expect(told.details).toMatchObject({
      errors: [
        { path: "dob", reason: "must be a date, yyyy-mm-dd" },
        { path: "countryCode", reason: "must be an ISO 3166-1 alpha-2 country code" },
        { path: "a%20name%20with%20spaces", reason: "should not exist" },
      ],
    });
  });

  test("with keys such as __proto__ is refused by their names, and affects no other request", async () => {
    const raw = `{"firstName":"A","lastName":"B","email":"a@b.co","__proto__":{"phone":"x"},"constructor":{"prototype":{"a":1}},"toString":1}`;
    expectShape(await post(raw), "__proto__", "constructor", "toString");
    expect(Object.keys(await client.newStudent()).toSorted()).toEqual([
      "_id",
      "createdAt",
      "email",
      "firstName",
      "lastName",
      "updatedAt",
    ]);
  });

  test("of just under 256 KB is read, and of one byte more is 413", async () => {
    const padded = (size: number) => {
      const body = JSON.stringify(studentBody());
      return body + " ".repeat(size - body.length);
    };
    expect((await post(padded(256 * 1024))).status).toBe(201);
    expectEnvelope(await post(padded(256 * 1024 + 1)), 413, "[GEN9013]");
    expectEnvelope(await post(padded(11_000_000)), 413, "[GEN9013]");
  });

  test("is read as JSON whatever its content type says, but a form is 415", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8", ""]) {
      expect((await post(JSON.stringify(studentBody()), { "Content-Type": type })).status).toBe(201);
    }
    expectEnvelope(await post("{}", { "Content-Type": "multipart/form-data; boundary=x" }), 415, "[GEN9015]");
  });

  test("where none is taken is refused by its properties, unless it has none", async () => {
    const { id } = await client.newTuitionIntent();
    const dryRun = (body: unknown) => client.call("POST", `/v2/payment-intents/${id}/dry-run`, { body });
    expectShape(await dryRun({ force: true }), "force");
    expectShape(await dryRun([]), "body");
    expect((await dryRun({})).status).toBe(200);
  });
});
