import { expect, test } from "vitest";
import { quote } from "../../test/intent-fixture.ts";
import { toQuoteAnswer } from "./answer.ts";

test("a quote is answered with numbers, its variants in their order, and the payouts of the first one", () => {
  const stored = quote([5001]);
  const [variant] = stored.variants;
  const { variants, payouts, ...answer } = toQuoteAnswer(stored);
  const { commissionSpread: _own, variants: _stored, ...shown } = stored;
  expect(answer).toEqual(shown);
  expect(variants.map(({ id }) => id)).toEqual(stored.variants.map(({ id }) => id));
  const amounts = [
    "fromAmount",
    "fxRate",
    "fee",
    "minAmount",
    "maxAmount",
    "spread",
    "marketRate",
    "commission",
  ] as const;
  const copied = ["id", "settlementMethod", "settlementChannel", "fromCurrency", "toCurrency", "meta"] as const;
  expect(variants[0]).toMatchObject({
    ...Object.fromEntries(amounts.map((name) => [name, Number(variant[name])])),
    ...Object.fromEntries(copied.map((name) => [name, variant[name]])),
  });
  expect(variants[0]).toHaveProperty("commissionBeneficiaryId", variant.commissionBeneficiaryId);
  expect(payouts).toEqual(
    variant.payouts.map(({ payerAmount, payeeAmount, fxRate, ...named }) => ({
      ...named,
      payerAmount: Number(payerAmount),
      payeeAmount: Number(payeeAmount),
      fxRate: Number(fxRate),
    })),
  );
});
