import type { ShapeFailure } from "../result.ts";
export const paymentTypes = ["provider", "company", "private"] as const;
export type PaymentType = (typeof paymentTypes)[number];

/** The payment method of a variant as the method picker shows it. */
export type VariantMeta = Readonly<{
  category: "bank-transfer" | "card" | "cash" | "wallet";
  uiFlow: "bank-details" | "redirect";
  eta: Readonly<{ disbursement: Readonly<{ unit: "hours" | "days"; min: number; max: number }> }>;
  noticeKeys: readonly string[];
  cardNetworks?: readonly string[];
  installments?: readonly number[];
}>;

/** One payee's part of a quote. Amounts and rates are decimal strings; `fxRate` is payee currency per 1 payer currency. */
export type QuotePayout = Readonly<{
  payeeId: number;
  fromCurrency: string;
  toCurrency: string;
  payerAmount: string;
  payeeAmount: string;
  fxRate: string;
}>;

/** One way to pay. `fromAmount` = sum of its payouts' `payerAmount` + `fee`, to the minor unit. */
export type QuoteVariant = Readonly<{
  id: number;
  settlementMethod: string;
  settlementChannel: string;
  fromCurrency: string;
  toCurrency: string;
  fromAmount: string;
  fxRate: string;
  fee: string;
  minAmount: string;
  maxAmount: string;
  /** Decimal fraction by which `fxRate` is worse for the payer than `marketRate`. */
  spread: string;
  marketRate: string;
  commissionBeneficiaryId: number;
  commission: string;
  meta: VariantMeta;
  payouts: readonly QuotePayout[];
}>;

/** Rates, fees and the terms of the commission, locked until `expiresOn`. `variants[0]` is the bank transfer. */
export type Quote = Readonly<{
  quoteId: string;
  countryCode: string;
  paymentType: PaymentType;
  createdAt: string;
  expiresOn: string;
  hasInstallments: boolean;
  /** The part of the principal that the tenant earns: "0.01" is 1 %. */
  commissionSpread: string;
  variants: readonly [QuoteVariant, ...QuoteVariant[]];
}>;

/** The reason for a missing price: an unsupported request, country or currency. */
export type PriceFailure =
  | ShapeFailure
  | Readonly<{ kind: "pair_unavailable"; fromCurrency: string; toCurrency: string; reason: string }>;
