import { addAmounts, compareAmounts } from "../amounts/money.ts";
import { methodsFrom } from "../quotes/payment-methods.ts";
import { fitsLimits, priceQuote } from "../quotes/pricing.ts";
import { countries } from "../reference/countries.ts";
import type { IntentDraft } from "../scenarios/draft.ts";
import type { Facts, Finding } from "./finding.ts";

/**
 * Somebody can pay a link at a set price: a published link cannot be recalled (SPEC, Limits). It is priced from the one
 * country that it is locked to, else from a country of its own currency.
 */
export function linkLimits({ recipients = [], instructions }: IntentDraft, facts: Facts): readonly Finding[] {
  const { payFromCountryCode, lockedFields = [] } = instructions?.paymentLink ?? {};
  const [{ amount, connectorPayeeId = 0 } = {}] = recipients;
  const payee = facts.payees.get(connectorPayeeId);
  const currencyCode = amount?.currency;
  const prices = recipients.flatMap((recipient) => recipient.amount?.payeeAmount ?? []);
  if (payee === undefined || currencyCode === undefined || prices.length < recipients.length) return [];
  const countryCode = lockedFields.includes("pay_from_country") ? payFromCountryCode : homeOf(currencyCode);
  if (countryCode === undefined) return [];
  const payouts = [{ payee: { ...payee, currencyCode }, amount: addAmounts(...prices) }];
  const { tenantId, rail, rates } = facts;
  const priced = priceQuote(
    { payouts, countryCode, rail, tenantId, paymentType: "provider", commissionSpread: "0" },
    rates,
    () => 0,
  );
  if (!priced.ok) return priced.failure.kind === "shape" ? [{ path: PATH, reason: TOO_LARGE }] : [];
  const { variants } = priced.value;
  if (variants.some((variant) => fitsLimits(variant, [variant.payouts[0]?.payerAmount ?? "0"]))) return [];
  const { fromCurrency } = variants[0];
  const [least = ""] = variants.map(({ minAmount }) => minAmount).toSorted(compareAmounts);
  const most = variants
    .map(({ maxAmount }) => maxAmount)
    .toSorted(compareAmounts)
    .at(-1);
  const reason = `Nobody can pay this link: a payment takes ${least} to ${most} ${fromCurrency} without the fee`;
  return [{ path: PATH, reason, satisfiedBy: "amounts within these limits" }];
}

const PATH = "recipients.totalAmount";
const TOO_LARGE = "Nobody can pay this link: its amounts are too large";

/** A country that pays in a currency. */
const homeOf = (currency: string): string | undefined =>
  countries.find(({ currencies, countryCode }) => currencies[0] === currency && methodsFrom(countryCode).length > 0)
    ?.countryCode;
