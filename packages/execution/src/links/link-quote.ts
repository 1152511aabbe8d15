import { referenceRates } from "@intents/domain/amounts/exchange-rates.ts";
import { type Decimal, fromMinorUnits } from "@intents/domain/amounts/money.ts";
import { type Failure, toPublicFailure } from "@intents/domain/failure.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { entryLimits } from "@intents/domain/links/entry-limits.ts";
import { takesItsQuote } from "@intents/domain/links/link-payment.ts";
import { lockedCountryOf, planPayouts, portionsOf, toLinkQuoteAnswer } from "@intents/domain/links/payment-link.ts";
import type { Payee } from "@intents/domain/parties/payee.ts";
import { type PriceRequest, priceQuote } from "@intents/domain/quotes/pricing.ts";
import { corridorOf, payeesAbroad } from "@intents/domain/rails/description.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { addLinkQuote } from "@intents/storage/intents/quotes.ts";
import { findPayeesOf } from "@intents/storage/parties/payees.ts";
import { getTenant } from "@intents/storage/parties/tenants.ts";
import { issueQuote } from "../quotes/issue.ts";
import { railFor } from "../rails/ask.ts";
import type { Run } from "../run.ts";

type Question = Readonly<{ payerCountryCode: string; amount?: Decimal | undefined }>;
type Answer = ReturnType<typeof toLinkQuoteAnswer>;

/** Prices a payment by a link for its payer. A refused amount, which the payer alone chose, is told with its bounds. */
export async function issueLinkQuote(
  run: Pick<Run, "table" | "rails" | "random">,
  link: PaymentIntent,
  { payerCountryCode: countryCode, amount }: Question,
  life: Readonly<{ nowMs: number; ttlMs: number }>,
): Promise<Result<Answer, Failure>> {
  const locked = lockedCountryOf(link) ?? countryCode;
  if (countryCode !== locked)
    return fail({ kind: "shape", problems: [`payerCountryCode must be ${locked}, from where the link is paid`] });
  const { table } = run;
  const [payees, tenant] = await Promise.all([findPayeesOf(table, link), getTenant(table, link.tenantId)]);
  const { rail } = railFor(run, corridorOf(countryCode, payeesAbroad(link.recipients, payees)));
  const { commissionSpread } = tenant;
  const terms = { countryCode, paymentType: "provider", rail, tenantId: link.tenantId, commissionSpread } as const;
  const refuse = (problem: string) => fail(toAmountFailure(problem, findLimits(link, payees, terms)));

  const payouts = planPayouts(link, amount, payees);
  if (!payouts.ok) return refuse(payouts.failure.problems.join());
  const issued = await issueQuote(
    run,
    { ...terms, payouts: payouts.value },
    {
      ...life,
      add: (table, tenantId, quote) => addLinkQuote(table, tenantId, quote, link.id),
      whyNot: ({ variants }) =>
        amount !== undefined && !variants.some(takesItsQuote) ? ("outside_limits" as const) : undefined,
    },
  );
  if (issued.ok) return ok(toLinkQuoteAnswer(link, issued.value, payees));
  const { failure } = issued;
  if (failure === "outside_limits") return refuse("amount is outside the limits of every way to pay from this country");
  return failure.kind === "shape"
    ? refuse("amount is too large to be carried exactly")
    : fail(toPublicFailure(failure));
}

/** The bounds of what a payer of this country may enter; undefined where the link sets the amount, or nobody there pays. */
function findLimits(
  link: PaymentIntent,
  payees: ReadonlyMap<number, Payee>,
  terms: Omit<PriceRequest, "payouts">,
): ReturnType<typeof entryLimits> | undefined {
  const portions = portionsOf(link);
  const currency = link.recipients[0]?.amount?.currency ?? "";
  // Limits are the same for every amount: this one can be split and priced in each currency.
  const payouts = planPayouts(link, fromMinorUnits(1_000_000n, currency), payees);
  const priced = payouts.ok ? priceQuote({ ...terms, payouts: payouts.value }, referenceRates, () => 0) : payouts;
  return portions && priced.ok ? entryLimits(priced.value.variants, portions) : undefined;
}

function toAmountFailure(problem: string, limits: ReturnType<typeof findLimits>) {
  if (limits === undefined) return { kind: "shape", problems: [problem] } as const;
  const { minAmount, maxAmount, currency } = limits;
  return {
    kind: "shape",
    problems: [`${problem}: it may be ${minAmount} to ${maxAmount} ${currency}`],
    limits,
  } as const;
}
