import { expect, test } from "vitest";
import { fixedReceiptBody, type Paid, pay, refusedFor } from "./scenarios-fixture.ts";
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

test("the currency of what the payer gives is the payer's: an amount meant in the school's is never paid in another", async () => {
  const currency = "recipients.0.amount.currency";
  await expectBoth(await tuitionOf(() => ({ payerAmount: "1500.00", currency: "AUD" })), [currency]);
  await expectBoth(await tuitionOf(({ payerAmount }) => ({ payerAmount, currency: "AUD" })), []);
});

test("an amount next to the one that the mode fixes is what the quote's rate gives", async () => {
  const wrong = await tuitionOf(({ payeeAmount }) => ({ payerAmount: "1500.00", payeeAmount }));
  await expectBoth(wrong, ["recipients.0.amount.payeeAmount"]);
  const { requirements } = await dryRun(client, (await create(client, wrong)).id);
  const [, payeeAmount = ""] =
    /^1500\.00 BRL makes ([\d.]+) AUD by this quote$/.exec(requirements[0]?.reason ?? "") ?? [];
  const paid = await expectBoth(await tuitionOf(() => ({ payerAmount: "1500.00", payeeAmount })), []);
  expect(paid?.connectorPayment?.payouts).toMatchObject([{ payerAmount: "1500.00", payeeAmount }]);
});

test("zeros at the end of an amount do not change what is paid, in a currency without decimals", async () => {
  const payouts = [{ payeeId: 5006, amount: 1000 }];
  const { body } = await fixedReceiptBody(client, "supplier_payment");
  const quote = await client.newQuote({ payouts, countryCode: "GB", paymentType: "company" });
  const chosen = { quoteId: quote.quoteId, selectedQuoteVariantId: quote.variants[0].id };
  const manualPayment = { ...body.instructions.manualPayment, ...chosen };
  const amount = { payeeAmount: "1000.00", currency: "JPY" };
  const recipients = [{ ...body.recipients[0], connectorPayeeId: 5006, amount }];
  const paid = await expectBoth({ ...body, recipients, instructions: { manualPayment } }, []);
  expect(paid?.connectorPayment?.payouts).toMatchObject([{ payeeAmount: "1000" }]);
});
