import { pick } from "../pick.ts";
import type { Quote, QuotePayout, QuoteVariant } from "./quote.ts";

/** A quote as callers see it: amounts and rates are JSON numbers, which pricing made sure can carry them exactly. */
export function toQuoteAnswer(quote: Quote) {
  const [bankTransfer] = quote.variants;
  return {
    ...pick(quote, ["quoteId", "countryCode", "paymentType", "createdAt", "expiresOn", "hasInstallments"]),
    variants: quote.variants.map(toVariantAnswer),
    payouts: bankTransfer.payouts.map(toPayoutAnswer),
  };
}

function toVariantAnswer(variant: QuoteVariant) {
  return {
    ...pick(variant, [
      "id",
      "settlementMethod",
      "settlementChannel",
      "fromCurrency",
      "toCurrency",
      "commissionBeneficiaryId",
      "meta",
    ]),
    fromAmount: Number(variant.fromAmount),
    fxRate: Number(variant.fxRate),
    fee: Number(variant.fee),
    minAmount: Number(variant.minAmount),
    maxAmount: Number(variant.maxAmount),
    spread: Number(variant.spread),
    marketRate: Number(variant.marketRate),
    commission: Number(variant.commission),
  };
}

const toPayoutAnswer = (payout: QuotePayout) => ({
  ...pick(payout, ["payeeId", "fromCurrency", "toCurrency"]),
  payerAmount: Number(payout.payerAmount),
  payeeAmount: Number(payout.payeeAmount),
  fxRate: Number(payout.fxRate),
});
