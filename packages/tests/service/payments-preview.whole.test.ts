import { describe, expect, test } from "vitest";
import type { Data, ErrorBody, Intent } from "./client.ts";
import { commissionOf } from "./commissions.ts";
import { payerOf } from "./links.ts";
import { type Leg, type Money, type Preview, previewOf, submitHeld } from "./previews.ts";
import {
  allowanceBody,
  fixedReceiptBody,
  openLinkBody,
  payrollBody,
  priceLinkBody,
  shareLinkBody,
  splitBody,
} from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, newDraft, newKey, railPayments, tuition } from "./tuition.ts";

const { client } = await openService();

type Deposit = Money & Readonly<{ payouts: readonly Leg[] }>;
type Paid = Intent &
  Readonly<{ connectorPayment?: Deposit; executions: readonly Readonly<{ fee: string; legs: readonly Leg[] }>[] }>;

/** Submits a draft by its preview, which must be the same in dry-run and draft. */
async function payAsShown(body: object) {
  const { id } = await create(client, body);
  const shown = await previewOf(client, id);
  const compiled = await client.must<Intent & { preview: Preview }>("POST", `/v2/payment-intents/${id}/draft`);
  expect(compiled.preview).toEqual(shown);
  const { status, body: answer } = await submitHeld<Data<Paid>>(client, id, shown.hash, newKey());
  expect([status, (answer as unknown as ErrorBody).code]).toEqual([200, undefined]);
  return { id, shown, paid: answer.data };
}

const named = (fields: readonly string[]) => (leg: Leg) =>
  Object.fromEntries(fields.filter((field) => leg[field] !== undefined).map((field) => [field, leg[field]]));
const moved = named([
  ...["order", "payeeId", "splitRole", "payerAmount", "payerCurrency", "payeeAmount", "payeeCurrency"],
]);
const movedInBatch = named([
  ...["order", "payeeId", "payeeName", "splitRole", "payerAmount", "payerCurrency", "payeeAmount", "payeeCurrency"],
  ...["fxRate", "fee", "reference"],
]);

/** The sums by currency, in hundredths: all currencies of these tests have two decimals. */
const sums = (amounts: readonly Money[]) =>
  Object.fromEntries(
    [...Map.groupBy(amounts, ({ currency }) => currency)].map(([currency, parts]) => [
      currency,
      parts.reduce((sum, { amount }) => sum + BigInt(amount.replace(".", "")), 0n),
    ]),
  );
const received = (legs: readonly Leg[]) =>
  sums(legs.map((leg) => ({ currency: String(leg["payeeCurrency"]), amount: String(leg["payeeAmount"]) })));

async function reissueBody() {
  const { id } = await newDraft(client, { reference: "SANDBOX-FAIL" });
  await client.submit(id);
  await client.waitForStatus(id, "failed");
  const { body } = await tuition(client);
  return {
    ...{ useCase: "legacy_transaction_reissue", deliveryMode: "manual", amountMode: "legacy_reissue" },
    payer: { role: "student" },
    instructions: { ...body.instructions, reissue: { paymentIntentId: id } },
    termsAccepted: true,
  };
}

const byQuote: readonly (readonly [string, () => Promise<object>])[] = [
  ["tuition", async () => (await tuition(client)).body],
  ["tuition of two schools", async () => (await tuition(client, { payeeIds: [5001, 5010], amount: 700 })).body],
  ["tuition with a tenant split", async () => (await splitBody(client)).body],
  ["a supplier payment", async () => (await fixedReceiptBody(client, "supplier_payment")).body],
  ["a refund", async () => (await fixedReceiptBody(client, "tenant_funded_refund")).body],
  ["an allowance", async () => (await allowanceBody(client)).body],
  ["a reissue", reissueBody],
];

describe.concurrent("what the preview shows is what is debited, delivered and charged", () => {
  test.each(byQuote)("by %s", async (_, make) => {
    const { id, shown, paid } = await payAsShown(await make());
    const { amount, currency } = paid.connectorPayment ?? {};
    expect([{ currency, amount }]).toEqual(shown.debited);
    const completed = (await client.waitForStatus(id, "completed")) as Paid;
    const [execution] = completed.executions;
    expect(execution?.legs.map(moved)).toEqual(shown.legs.map(moved));
    expect(shown.charged).toEqual([{ currency, amount: execution?.fee }]);
    expect(sums(shown.delivered)).toEqual(received(execution?.legs ?? []));
    const earned = await commissionOf(client, id);
    const { commissionCurrency, commissionAmount, commissionSpread } = earned ?? {};
    const commission = { currency: commissionCurrency, amount: commissionAmount, spread: String(commissionSpread) };
    expect(earned && commission).toEqual(shown.commission);
    expect((await railPayments(client, id)).map(({ totalAmount }) => totalAmount)).toEqual(
      shown.debited.map((debit) => debit.amount),
    );
  });

  test("by a card, whose checkout asks for just that", async () => {
    const { body } = await tuition(client, { pick: ({ settlementMethod }) => settlementMethod === "card" });
    const { id, shown, paid } = await payAsShown(body);
    expect(paid.connectorPayment).toBeUndefined();
    expect(paid.executions[0]?.legs.map(moved)).toEqual(shown.legs.map(moved));
    expect((await railPayments(client, id)).map(({ totalAmount }) => totalAmount)).toEqual([shown.debited[0]?.amount]);
  });

  test("by a payroll, with each recipient's rate, fee and reference", async () => {
    const { id, shown, paid } = await payAsShown(payrollBody(6));
    const { amount, currency } = paid.connectorPayment ?? {};
    expect([{ currency, amount }]).toEqual(shown.debited);
    const completed = (await client.waitForStatus(id, "completed")) as Paid;
    const legs = completed.executions[0]?.legs ?? [];
    expect(legs.map(movedInBatch)).toEqual(shown.legs.map(movedInBatch));
    const fees = legs.map((leg) => ({ currency: String(leg["feeCurrency"]), amount: String(leg["fee"]) }));
    expect(sums(shown.charged)).toEqual(sums(fees));
    expect(sums(shown.delivered)).toEqual(received(legs));
    const sent = (await railPayments(client, id)).map(({ totalAmount }) => ({ currency: "AUD", amount: totalAmount }));
    expect(sums(sent)).toEqual(sums(shown.debited));
  });

  test.each([priceLinkBody(), priceLinkBody("generic_service_invoice"), priceLinkBody("owed_commission_invoice")])(
    "by a link for $useCase at a set price, of which each payer's quote says the payer's side",
    async (body) => {
      const { shown, paid } = await payAsShown(body);
      expect(shown).toMatchObject({ debited: [], charged: [], delivered: [{ currency: "AUD", amount: "99.00" }] });
      expect(shown).not.toHaveProperty("validUntil");
      const payer = payerOf(client, paid.publicLinkId ?? "");
      const { paymentIntentId } = await payer.open(await payer.sessionBody());
      const child = (await client.getIntent(paymentIntentId)) as Paid;
      const stated = named(["order", "payeeId", "splitRole", "payeeAmount", "payeeCurrency"]);
      expect(child.executions[0]?.legs.map(stated)).toEqual(shown.legs.map(stated));
    },
  );

  test.each([
    shareLinkBody(),
    openLinkBody(),
    openLinkBody("generic_service_invoice"),
    openLinkBody("owed_commission_invoice"),
  ])("by a link for $useCase, whose payers enter an amount, as shares", async (body) => {
    const { shown } = await payAsShown(body);
    expect([shown.debited, shown.charged, shown.delivered]).toEqual([[], [], []]);
    expect(shown.legs.map(named(["portionBps", "payeeAmount"]))).toEqual(
      body.recipients.map(({ amount: { portionBps } }) => ({ portionBps })),
    );
  });
});
