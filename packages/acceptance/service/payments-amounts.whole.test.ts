import { describe, expect, test } from "vitest";
import {
  fixedReceiptBody,
  type Paid,
  pay,
  payrollBody,
  refusedFor,
  splitBody,
  withRecipient,
} from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, missingIn, tuition } from "./tuition.ts";

const { client } = await openService();

type Amount = Readonly<Record<string, string>>;

/** Tuition of 1,500 AUD, paid from Brazil, with one recipient whose amount `amount` computes from the quote's. */
async function tuitionOf(amount: (quoted: { payerAmount: string; payeeAmount: string }) => Amount) {
  const { body, quote } = await tuition(client);
  const { payerAmount = 0, payeeAmount = 0 } = quote.payouts[0] ?? {};
  const stated = amount({ payerAmount: payerAmount.toFixed(2), payeeAmount: payeeAmount.toFixed(2) });
  return { ...body, recipients: body.recipients.map((recipient) => ({ ...recipient, amount: stated })) };
}

/** Expects dry-run to name `paths` and submit to refuse them, or, without paths, submit to pay. */
async function expectBoth(body: object, paths: string[]): Promise<Paid | undefined> {
  expect(await missingIn(client, body)).toEqual(paths);
  if (paths.length === 0) return pay(client, body);
  expect(await refusedFor(client, body)).toEqual({ status: 400, code: "[GEN9002]", missing: paths });
  return undefined;
}

const cent = (amount: string, units: number) => ((Math.round(Number(amount) * 100) + units) / 100).toFixed(2);

describe("a currency beside what the payer gives", () => {
  const at = "recipients.0.amount.currency";

  test("is the payer's: an amount meant in the school's currency is never paid in another", async () => {
    await expectBoth(await tuitionOf(() => ({ payerAmount: "1500.00", currency: "AUD" })), [at]);
    await expectBoth(await tuitionOf(() => ({ payerAmount: "1500.00", currency: "USD" })), [at]);
    await expectBoth(await tuitionOf(() => ({ payerAmount: "1500.00", currency: "BRL" })), []);
  });

  test("may be the school's beside an amount that the quote itself has as the payer's", async () => {
    await expectBoth(await tuitionOf(({ payerAmount }) => ({ payerAmount, currency: "AUD" })), []);
    await expectBoth(await tuitionOf(({ payerAmount }) => ({ payerAmount: cent(payerAmount, 1), currency: "AUD" })), [
      at,
    ]);
  });

  test("of the tenant's leg is the payer's as well", async () => {
    const { body } = await splitBody(client);
    await expectBoth(withRecipient(body, 1, {}, { currency: "AUD" }), ["recipients.1.amount.currency"]);
    await expectBoth(withRecipient(body, 1, {}, { currency: "BRL" }), []);
  });
});

describe("an amount that leaves its payee nothing", () => {
  test("is named, with a reason, and is not paid", async () => {
    const body = await tuitionOf(() => ({ payerAmount: "0.01" }));
    await expectBoth(body, ["recipients.0.amount.payerAmount"]);
    const { requirements } = await dryRun(client, (await create(client, body)).id);
    expect(requirements[0]?.reason).toBe("The payee would receive nothing for 0.01 BRL");
  });

  test("may also be below the rail's minimum, for which the fee does not count", async () => {
    await expectBoth(await tuitionOf(() => ({ payerAmount: "0.10" })), ["recipients.totalAmount"]);
    await expectBoth(await tuitionOf(() => ({ payerAmount: "1.00" })), []);
    const payroll = withRecipient(payrollBody(2), 0, {}, { payeeAmount: "0.01" });
    await expectBoth(payroll, ["recipients.0.amount.payeeAmount"]);
  });
});

describe("the amount beside the one that the mode fixes", () => {
  test("is the quote's, to the minor unit", async () => {
    await expectBoth(await tuitionOf((quoted) => quoted), []);
    const changed = (units: number) =>
      tuitionOf(({ payerAmount, payeeAmount }) => ({ payerAmount, payeeAmount: cent(payeeAmount, units) }));
    await expectBoth(await changed(1), []);
    await expectBoth(await changed(2), ["recipients.0.amount.payeeAmount"]);
    await expectBoth(await tuitionOf(({ payerAmount }) => ({ payerAmount, payeeAmount: "99999.00" })), [
      "recipients.0.amount.payeeAmount",
    ]);
  });

  test("is what the quote's rate gives for another amount", async () => {
    const wrong = await tuitionOf(({ payeeAmount }) => ({ payerAmount: "1500.00", payeeAmount }));
    await expectBoth(wrong, ["recipients.0.amount.payeeAmount"]);
    const { requirements } = await dryRun(client, (await create(client, wrong)).id);
    const [, payeeAmount = ""] =
      /^1500\.00 BRL makes ([\d.]+) AUD by this quote$/.exec(requirements[0]?.reason ?? "") ?? [];
    const paid = await expectBoth(await tuitionOf(() => ({ payerAmount: "1500.00", payeeAmount })), []);
    expect(paid?.connectorPayment?.payouts).toMatchObject([{ payerAmount: "1500.00", payeeAmount }]);
  });

  test("is checked against the quote as well where the payee's amount is fixed", async () => {
    const { body, quote } = await fixedReceiptBody(client, "supplier_payment");
    const payerAmount = (quote.payouts[0]?.payerAmount ?? 0).toFixed(2);
    await expectBoth(withRecipient(body, 0, {}, { payerAmount: cent(payerAmount, 2) }), [
      "recipients.0.amount.payerAmount",
    ]);
    await expectBoth(withRecipient(body, 0, {}, { payerAmount }), []);
  });

  test("is ignored in a batch, which has no quote, and reported as ignored", async () => {
    const body = withRecipient(payrollBody(2), 1, {}, { payerAmount: "99999.00" });
    const { rule, controls } = await dryRun(client, (await create(client, body)).id);
    expect(rule.missingRequirements).toEqual([]);
    expect(controls["ignored"]).toEqual(["recipients.1.amount.payerAmount"]);
  });
});

describe("zeros at the end of an amount", () => {
  test("do not change what is paid, in a currency without decimals", async () => {
    const payouts = [{ payeeId: 5006, amount: 1000 }];
    const { body } = await fixedReceiptBody(client, "supplier_payment");
    const quote = await client.newQuote({ payouts, countryCode: "GB", paymentType: "company" });
    const chosen = { quoteId: quote.quoteId, selectedQuoteVariantId: quote.variants[0].id };
    const manualPayment = { ...body.instructions.manualPayment, ...chosen };
    const amount = { payeeAmount: "1000.00", currency: "JPY" };
    const paid = await expectBoth(
      {
        ...body,
        recipients: [{ ...body.recipients[0], connectorPayeeId: 5006, amount }],
        instructions: { manualPayment },
      },
      [],
    );
    expect(paid?.connectorPayment?.payouts).toMatchObject([{ payeeAmount: "1000" }]);
    const exact = await tuitionOf(({ payerAmount }) => ({ payerAmount: `${payerAmount}000` }));
    expect((await expectBoth(exact, []))?.connectorPayment?.payouts).toMatchObject([{ payeeAmount: "1500.00" }]);
    await expectBoth(await tuitionOf(() => ({ payerAmount: "1500.005" })), ["recipients.0.amount.payerAmount"]);
  });
});
