import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Changes, type ErrorBody, noRateLimit, type Quote, quoteBody } from "./client.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

const QUOTE_TTL_SECONDS = 1.5;

const { client, basic } = await openService({ ...noRateLimit, QUOTE_TTL_SECONDS: String(QUOTE_TTL_SECONDS) });

const fxBody = {
  fromCurrency: "BRL",
  toCurrency: "AUD",
  amount: 1000,
  fromCountryCode: "BRA",
  toCountryCode: "AUS",
  paymentType: "provider",
};
const isIsoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const isNumber = expect.any(Number);
const isText = expect.stringMatching(/\S/);

const askFx = (changes: Changes = {}) =>
  client.call<{ data: { rate: number } } & ErrorBody>("POST", "/v2/fx-rate", { body: { ...fxBody, ...changes } });
const askQuote = (changes: Changes = {}, asker = client) =>
  asker.call("POST", "/v2/quotes", { body: { ...quoteBody, ...changes } });
const payout = (payeeId: number, amount: number) => ({ payeeId, amount });

describe("an fx rate", () => {
  test("has the fields of the specification, and no others", async () => {
    expect((await askFx()).body.data).toEqual({
      fromCurrencyCode: "BRL",
      toCurrencyCode: "AUD",
      rate: isNumber,
      taxPercentage: isNumber,
      settlementMethod: isNumber,
      expiresOn: isIsoTime,
    });
  });

  test("is the rate of a bank transfer's quote, in the same direction", async () => {
    const [{ body }, { variants }] = await Promise.all([askFx(), client.newQuote()]);
    expect(body.data.rate).toBe(variants[0]["fxRate"]);
    expect(body.data.rate).toBeLessThan(Number(variants[0]["marketRate"]));
  });

  test("between the same currency is 1", async () => {
    const { body } = await askFx({ fromCurrency: "AUD", fromCountryCode: "AUS" });
    expect(body.data.rate).toBe(1);
  });

  test.each(["provider", "company", "private"])("is answered for the payment type %s", async (paymentType) => {
    expect((await askFx({ paymentType })).status).toBe(200);
  });

  test("of a pair without a rate, or a country without a rail, is 422", async () => {
    expectEnvelope(await askFx({ toCurrency: "KPW", toCountryCode: "PRK" }), 422, "[QOT0003]");
    expectEnvelope(await askFx({ fromCountryCode: "PRK" }), 422, "[QOT0003]");
    expectEnvelope(await askFx({ fromCurrency: "KPW" }), 422, "[QOT0003]");
  });

  test("needs all six fields, in their forms: alpha-3 countries, an exact number, ISO 4217", async () => {
    expectShape(await client.call("POST", "/v2/fx-rate", { body: {} }), ...Object.keys(fxBody));
    const wrong = {
      fromCurrency: "brl",
      toCurrency: "AUX",
      amount: "1000",
      fromCountryCode: "BR",
      toCountryCode: "AUX",
      paymentType: "gift",
      x: 1,
    };
    expectShape(await askFx(wrong), "x", ...Object.keys(fxBody));
    for (const amount of [0, -1, 1.234, 1e300, null]) expectShape(await askFx({ amount }), "amount");
    expectShape(await askFx({ fromCurrency: "JPY", fromCountryCode: "JPN", amount: 1000.5 }), "amount");
    expect((await askFx({ fromCurrency: "KWD", fromCountryCode: "KWT", amount: 1000.125 })).status).toBe(200);
  });
});

describe("a quote", () => {
  test("has the fields of the specification, typed as it says", async () => {
    const quote = await client.newQuote();
    expect(quote).toEqual({
      quoteId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      countryCode: "BR",
      paymentType: "provider",
      createdAt: isIsoTime,
      expiresOn: isIsoTime,
      hasInstallments: true,
      variants: expect.any(Array),
      payouts: [
        {
          payeeId: 5001,
          fromCurrency: "BRL",
          toCurrency: "AUD",
          payerAmount: isNumber,
          payeeAmount: 1500,
          fxRate: isNumber,
        },
      ],
    });
    for (const variant of quote.variants) {
      expect(variant).toEqual({
        id: isNumber,
        settlementMethod: isText,
        settlementChannel: isText,
        fromCurrency: "BRL",
        toCurrency: "AUD",
        fromAmount: isNumber,
        fxRate: isNumber,
        fee: isNumber,
        minAmount: isNumber,
        maxAmount: isNumber,
        spread: isNumber,
        marketRate: isNumber,
        commissionBeneficiaryId: 1001,
        commission: isNumber,
        meta: expect.objectContaining({
          category: expect.stringMatching(/^(bank-transfer|card|cash|wallet)$/),
          uiFlow: isText,
          eta: { disbursement: { unit: isText, min: isNumber, max: isNumber } },
          noticeKeys: expect.any(Array),
        }),
      });
      expect(Number.isSafeInteger(variant.id)).toBe(true);
      if ((variant["meta"] as { category: string }).category === "card") {
        expect(variant["meta"]).toMatchObject({ cardNetworks: expect.arrayContaining(["visa"]) });
      }
    }
    expect(new Set(quote.variants.map(({ id }) => id)).size).toBe(quote.variants.length);
  });

  const corridors = [
    ["BR", [payout(5001, 1500)]],
    ["JP", [payout(5005, 0.01)]],
    ["US", [payout(5006, 1_234_567)]],
    ["IN", [payout(5007, 1234.567)]],
    ["KW", [payout(5006, 99_999)]],
    ["AU", [payout(5001, 1500)]],
    ["GB", [payout(5001, 1234.56), payout(5010, 0.07)]],
    ["VN", [payout(5004, 33.33), payout(5009, 66.67)]],
  ] as const;
  test.each(corridors)(
    "from %s conserves money: the payer pays the payouts and the fee, to the last digit",
    async (countryCode, payouts) => {
      const quote = await client.newQuote({ countryCode, payouts });
      const [{ fromAmount, fee, fromCurrency }] = quote.variants;
      const parts = [Number(fee), ...quote.payouts.map(({ payerAmount }) => payerAmount)];
      expect(thousandths(fromAmount)).toBe(parts.reduce((sum, part) => sum + thousandths(part), 0));
      expect(quote.payouts.map(({ payeeId, payeeAmount }) => ({ payeeId, amount: payeeAmount }))).toEqual(payouts);
      if (fromCurrency === "JPY") expect(parts.every(Number.isInteger)).toBe(true);
    },
  );
  /** An amount in thousandths: no currency here has more than three decimals. */
  const thousandths = (amount: unknown): number => Math.round(Number(amount) * 1000);

  test("offers the methods of the payer's country: bank transfer first, a checkout everywhere, pix in Brazil", async () => {
    for (const countryCode of ["BR", "AU", "IN", "CN", "NG", "VA", "TV", "KI", "DE", "US"]) {
      const { variants } = await client.newQuote({ countryCode });
      const [first, ...others] = variants;
      expect(first).toMatchObject({
        settlementMethod: "dmt",
        settlementChannel: "bank",
        meta: { category: "bank-transfer" },
      });
      expect(
        others.map(({ settlementChannel }) => settlementChannel),
        countryCode,
      ).toContain("checkout");
      expect(others.some(({ settlementMethod }) => settlementMethod === "pix")).toBe(countryCode === "BR");
    }
  });

  test("in one currency has rate 1 and no spread", async () => {
    const { variants } = await client.newQuote({ countryCode: "AU" });
    for (const variant of variants)
      expect(variant).toMatchObject({ fromCurrency: "AUD", fxRate: 1, spread: 0, marketRate: 1 });
  });

  test("is read back as it was made, also once it has expired", async () => {
    const beforeMs = Date.now();
    const quote = await client.newQuote();
    const madeMs = Date.parse(quote.expiresOn) - QUOTE_TTL_SECONDS * 1000;
    expect(madeMs).toBeGreaterThanOrEqual(beforeMs);
    expect(madeMs).toBeLessThanOrEqual(Date.now());
    expect(await client.must<Quote>("GET", `/v2/quotes/${quote.quoteId}`)).toEqual(quote);
    await pause(Date.parse(quote.expiresOn) - Date.now() + 50);
    expect(await client.must<Quote>("GET", `/v2/quotes/${quote.quoteId}`)).toEqual(quote);
  });

  test.each(["nothing", "00000000-0000-4000-8000-000000000000"])("that was never made (%s) is 404", async (id) => {
    const reply = await client.call("GET", `/v2/quotes/${id}`);
    expectEnvelope(reply, 404, "[QOT0002]");
    expect(reply.body.details).toEqual({ quoteId: id });
  });

  test("from or to a country without a rail is 422", async () => {
    const reply = await askQuote({ countryCode: "KP" });
    expectEnvelope(reply, 422, "[QOT0003]");
    expect(reply.body.details).toMatchObject({ fromCurrency: "KPW", toCurrency: "AUD" });
    const payee = await client.newPayee({ countryCode: "KP", currencyCode: "KPW" });
    expectEnvelope(await askQuote({ payouts: [payout(payee.id, 100)] }), 422, "[QOT0003]");
  });

  test("with several payouts needs AllowSplitPayment, and says so", async () => {
    const payouts = [payout(5001, 1000), payout(5010, 500)];
    const refused = await askQuote({ payouts }, basic);
    expectEnvelope(refused, 403, "[GEN9004]");
    expect(refused.body.details).toEqual({
      reason: expect.stringContaining("AllowSplitPayment"),
      legacyConstraint: isText,
      failedRequirements: ["AllowSplitPayment"],
    });
    expect((await askQuote({ payouts: payouts.slice(0, 1) }, basic)).status).toBe(201);
    expect((await askQuote({ payouts })).status).toBe(201);
  });

  test("of a company is from the tenant's own country when none is given; the others must name one", async () => {
    const company = { payouts: quoteBody.payouts, paymentType: "company" };
    expect(await client.must("POST", "/v2/quotes", { body: company })).toMatchObject({ countryCode: "AU" });
    expect(await basic.must("POST", "/v2/quotes", { body: company })).toMatchObject({ countryCode: "IN" });
    expect(await client.newQuote({ paymentType: "company", countryCode: "BR" })).toMatchObject({ countryCode: "BR" });
    for (const paymentType of ["provider", "private"]) {
      expectShape(await client.call("POST", "/v2/quotes", { body: { ...company, paymentType } }), "countryCode");
    }
  });

  test("never rounds: an amount with more decimals than its currency has is refused, and so is one that is no amount", async () => {
    for (const [payeeId, amount] of [
      [5001, 1.005],
      [5006, 100.5],
      [5007, 1.2345],
    ] as const) {
      expectShape(await askQuote({ payouts: [payout(payeeId, amount)] }), "payouts.0.amount");
    }
    for (const amount of [0, -1, "1500", null, 1e300, 1e-9]) {
      expectShape(await askQuote({ payouts: [{ payeeId: 5001, amount }] }), "payouts.0.amount");
    }
    for (const [payeeId, amount] of [
      [5001, 1.05],
      [5006, 100],
      [5007, 1.234],
    ] as const) {
      expect((await askQuote({ payouts: [payout(payeeId, amount)] })).status).toBe(201);
    }
  });

  test("names every payee that does not exist, that repeats, or whose currency differs", async () => {
    expectShape(
      await askQuote({ payouts: [payout(1, 1), payout(5001, 1), payout(2, 1)] }),
      "payouts.0.payeeId",
      "payouts.2.payeeId",
    );
    expectShape(await askQuote({ payouts: [payout(5001, 1), payout(5001, 2)] }), "payouts.1.payeeId");
    expectShape(await askQuote({ payouts: [payout(5001, 1), payout(5002, 2)] }), "payouts");
  });

  test("needs its fields in their forms, and takes no others", async () => {
    expectShape(await client.call("POST", "/v2/quotes", { body: {} }), "payouts", "paymentType", "countryCode");
    expectShape(
      await askQuote({ payouts: [], countryCode: "BRA", paymentType: "gift" }),
      "payouts",
      "countryCode",
      "paymentType",
    );
    expectShape(
      await askQuote({ payouts: [{ payeeId: "5001", amount: 1, currency: "AUD" }] }),
      "payouts.0.payeeId",
      "payouts.0.currency",
    );
    expectShape(await askQuote({ payouts: Array.from({ length: 11 }, () => payout(5001, 1)) }), "payouts");
    expectShape(await askQuote({ payouts: payout(5001, 1), currency: "AUD" }), "payouts", "currency");
  });

  test("may pay the tenant's own payee, another tenant's, and the tenant's own company", async () => {
    const [own, others] = await Promise.all([client.newPayee(), basic.newPayee()]);
    for (const { id } of [own, others]) expect((await askQuote({ payouts: [payout(id, 10)] })).status).toBe(201);
    expect((await askQuote({ payouts: [payout(1001, 10)], paymentType: "company" })).status).toBe(201);
  });
});
