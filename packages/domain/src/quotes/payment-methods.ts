import type { Decimal } from "../amounts/money.ts";
import { findCountry } from "../reference/countries.ts";
import type { VariantMeta } from "./quote.ts";

/** One way in which payers of some countries can pay. All figures are ours: the specification shows none. */
export type PaymentMethod = Readonly<{
  settlementMethod: string;
  settlementChannel: "bank" | "checkout" | "volt";
  /** The numeric `settlementMethod` of an fx-rate. */
  code: number;
  displayName: string;
  /** Paying-from countries, ISO 3166-1 alpha-2. */
  countries: "all" | readonly string[];
  /** Fixed fee, worth in US dollars. */
  feeUsd: Decimal;
  /** Decimal fraction taken off the market rate when the currency changes. */
  spread: Decimal;
  /** The limits of what the payer may send, without the fee, worth in US dollars. */
  minUsd: Decimal;
  maxUsd: Decimal;
  meta: VariantMeta;
}>;

/** North Korea has no rail: nobody settles its won, and no bank there is connected. */
export const countriesWithoutRail: readonly string[] = ["KP"];

/** The 21 members of the euro area since Bulgaria joined on 2026-01-01. */
const euroArea = "AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK".split(" ");

const cardNetworks = ["visa", "mastercard", "amex", "unionpay"];

const days = (min: number, max: number): VariantMeta["eta"] => ({ disbursement: { unit: "days", min, max } });
const hours = (min: number, max: number): VariantMeta["eta"] => ({ disbursement: { unit: "hours", min, max } });

/** A wallet or an instant scheme that is paid on its own hosted page. */
const wallet = (
  code: number,
  settlementMethod: string,
  displayName: string,
  countries: readonly string[],
): PaymentMethod => ({
  settlementMethod,
  settlementChannel: "checkout",
  code,
  displayName,
  countries,
  feeUsd: "2",
  spread: "0.015",
  minUsd: "0.10",
  maxUsd: "25000",
  meta: { category: "wallet", uiFlow: "redirect", eta: days(1, 2), noticeKeys: ["wallet-limits"] },
});

/** A voucher that the payer takes to a shop or a bank counter. */
const cash = (code: number, settlementMethod: string, displayName: string, countryCode: string): PaymentMethod => ({
  settlementMethod,
  settlementChannel: "checkout",
  code,
  displayName,
  countries: [countryCode],
  feeUsd: "4",
  spread: "0.02",
  minUsd: "0.10",
  maxUsd: "2500",
  meta: { category: "cash", uiFlow: "redirect", eta: days(2, 4), noticeKeys: ["voucher-expires", "pay-in-cash"] },
});

/** All payment methods. The first two serve every country that has any; a code is never given to another method. */
export const paymentMethods: readonly PaymentMethod[] = [
  {
    settlementMethod: "dmt",
    settlementChannel: "bank",
    code: 1,
    displayName: "Bank transfer",
    countries: "all",
    feeUsd: "5",
    spread: "0.006",
    minUsd: "0.10",
    maxUsd: "2000000",
    meta: {
      category: "bank-transfer",
      uiFlow: "bank-details",
      eta: days(1, 3),
      noticeKeys: ["quote-payment-reference", "sender-bank-fees"],
    },
  },
  {
    settlementMethod: "card",
    settlementChannel: "checkout",
    code: 2,
    displayName: "Credit or debit card",
    countries: "all",
    feeUsd: "3",
    spread: "0.025",
    minUsd: "0.10",
    maxUsd: "50000",
    meta: { category: "card", uiFlow: "redirect", eta: days(1, 2), noticeKeys: ["card-issuer-fees"], cardNetworks },
  },
  {
    settlementMethod: "installment",
    settlementChannel: "checkout",
    code: 3,
    displayName: "Card in installments",
    countries: ["AR", "BR", "CL", "CO", "IN", "MX", "PE", "TR"],
    feeUsd: "5",
    spread: "0.035",
    minUsd: "0.10",
    maxUsd: "25000",
    meta: {
      category: "card",
      uiFlow: "redirect",
      eta: days(1, 2),
      noticeKeys: ["card-issuer-fees", "issuer-interest"],
      cardNetworks,
      installments: [3, 6, 9, 12],
    },
  },
  {
    settlementMethod: "volt",
    settlementChannel: "volt",
    code: 4,
    displayName: "Instant bank payment",
    countries: ["AU", "GB", ...euroArea],
    feeUsd: "1",
    spread: "0.008",
    minUsd: "0.10",
    maxUsd: "100000",
    meta: { category: "bank-transfer", uiFlow: "redirect", eta: hours(2, 24), noticeKeys: ["approve-in-bank-app"] },
  },
  wallet(5, "pix", "Pix", ["BR"]),
  wallet(6, "alipay", "Alipay", ["CN", "HK"]),
  wallet(7, "wechat-pay", "WeChat Pay", ["CN"]),
  wallet(8, "upi", "UPI", ["IN"]),
  wallet(9, "paypal", "PayPal", ["AU", "CA", "GB", "NZ", "US", ...euroArea]),
  wallet(10, "m-pesa", "M-Pesa", ["KE", "TZ"]),
  wallet(11, "mobile-money", "Mobile money", ["CI", "CM", "GH", "RW", "SN", "UG", "ZM"]),
  wallet(12, "gcash", "GCash", ["PH"]),
  wallet(13, "grabpay", "GrabPay", ["MY", "SG"]),
  wallet(14, "kakaopay", "KakaoPay", ["KR"]),
  wallet(15, "momo", "MoMo", ["VN"]),
  cash(16, "boleto", "Boleto Bancário", "BR"),
  cash(17, "oxxo", "OXXO", "MX"),
  cash(18, "efecty", "Efecty", "CO"),
  cash(19, "rapipago", "Rapipago", "AR"),
  cash(20, "konbini", "Konbini", "JP"),
];

/** How payers in a country can pay, the bank transfer first; empty for a country without a rail. */
export function methodsFrom(countryCode: string): readonly PaymentMethod[] {
  if (findCountry(countryCode) === undefined || countriesWithoutRail.includes(countryCode)) return [];
  return paymentMethods.filter(({ countries }) => countries === "all" || countries.includes(countryCode));
}
