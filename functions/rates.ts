import { rateRoutes } from "@intents/contract/rates.ts";
import { referenceRates } from "@intents/domain/amounts/exchange-rates.ts";
import type { Payee } from "@intents/domain/parties/payee.ts";
import { toQuoteAnswer } from "@intents/domain/quotes/answer.ts";
import { findFxRate } from "@intents/domain/quotes/fx-rate.ts";
import { corridorOf, pickRail } from "@intents/domain/rails/description.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { issueQuote } from "@intents/execution/quotes/issue.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { railRows } from "@intents/rails/rail-rows.ts";
import { addQuote, findQuote } from "@intents/storage/intents/quotes.ts";
import { findPayees } from "@intents/storage/parties/payees.ts";
import { getTenant } from "@intents/storage/parties/tenants.ts";
import { random, settings, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";

const ttlMs = settings.QUOTE_TTL_SECONDS * 1000;

export const handler = endpoint(
  "rates",
  rateRoutes,
  {
    findFxRate: async ({ body, nowMs }) => {
      const found = findFxRate({ ...body, amount: String(body.amount) }, referenceRates, nowMs + ttlMs);
      return found.ok ? ok({ ...found.value, rate: Number(found.value.rate) }) : found;
    },

    createQuote: async ({ caller, body, nowMs }) => {
      if (body.payouts.length > 1 && !caller.permissions.includes("AllowSplitPayment")) return fail(noSplitPayment);
      const [payees, tenant] = await Promise.all([
        findPayees(
          table,
          body.payouts.map(({ payeeId }) => payeeId),
        ),
        getTenant(table, caller.tenantId),
      ]);
      const problems = payeeProblems(body.payouts, payees);
      if (problems.length > 0) return fail({ kind: "shape", problems });

      const countryCode = body.countryCode ?? tenant.countryCode;
      const { rail } = pickRail(railRows[settings.CONNECTOR], corridorOf(countryCode, [...payees.values()]));
      const issued = await issueQuote(
        { table, random },
        {
          payouts: body.payouts.flatMap(({ payeeId, amount }) => {
            const payee = payees.get(payeeId);
            return payee === undefined ? [] : { payee, amount: String(amount) };
          }),
          countryCode,
          paymentType: body.paymentType,
          rail,
          tenantId: caller.tenantId,
          commissionSpread: tenant.commissionSpread,
        },
        { nowMs, ttlMs, add: addQuote },
      );
      return issued.ok ? ok(toQuoteAnswer(issued.value)) : issued;
    },

    getQuote: async ({ caller, params }) => {
      const quote = await findQuote(table, caller.tenantId, params.id);
      return quote === undefined ? fail({ kind: "quote_not_found", quoteId: params.id }) : ok(toQuoteAnswer(quote));
    },
  },
  { gate },
);

const noSplitPayment = {
  kind: "permission",
  reason: "A quote with several payouts needs the permission AllowSplitPayment",
  legacyConstraint: "multiPayoutQuote",
  failedRequirements: ["AllowSplitPayment"],
} as const;

/** The problems of the payees of a quote: each must exist and be named once, and all must have one currency. */
function payeeProblems(payouts: readonly { payeeId: number }[], payees: ReadonlyMap<number, Payee>): string[] {
  const problems = payouts.flatMap(({ payeeId }, index) => {
    if (!payees.has(payeeId)) return [`payouts.${index}.payeeId must be the id of a payee`];
    const first = payouts.findIndex((payout) => payout.payeeId === payeeId);
    return first < index ? [`payouts.${index}.payeeId must not repeat payouts.${first}.payeeId`] : [];
  });
  const currencies = new Set([...payees.values()].map(({ currencyCode }) => currencyCode));
  return currencies.size > 1 ? [...problems, "payouts must all be in the same payee currency"] : problems;
}
