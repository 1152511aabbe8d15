import { planBulkLegs, progressOf } from "@intents/domain/bulk.ts";
import { referenceRates } from "@intents/domain/exchange-rates.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { newNumericId } from "@intents/domain/ids.ts";
import { addAmounts } from "@intents/domain/money.ts";
import type { PaymentIntent, Submission, SubmittedWork } from "@intents/domain/payment-intent.ts";
import { priceQuote } from "@intents/domain/pricing.ts";
import type { QuoteVariant } from "@intents/domain/quote.ts";
import type { Facts } from "@intents/domain/requirements.ts";
import { ok, type Result } from "@intents/domain/result.ts";
import { findRule } from "@intents/domain/scenario-rules.ts";
import { addLegs, listLegs } from "@intents/storage/bulk-legs.ts";
import { findPayees } from "@intents/storage/payees.ts";
import { getTenant } from "@intents/storage/tenants.ts";
import { commit, newExecution, toExecutionLeg } from "./commit.ts";
import type { Run, Submitted } from "./run.ts";

/** Locks one rate per payee currency, by bank transfer: a batch has no quote of the caller's (DESIGN 17, Bulk). */
export async function planBulk(run: Run, intent: PaymentIntent, facts: Facts): Promise<Result<SubmittedWork, Failure>> {
  const { commissionSpread, countryCode: home } = await getTenant(run.table, intent.tenantId);
  const countryCode = intent.instructions?.manualPayment?.countryCode ?? home;
  const byCurrency = Map.groupBy([...facts.payees.values()], ({ currencyCode }) => currencyCode);
  const variants: QuoteVariant[] = [];
  for (const sameCurrency of byCurrency.values()) {
    // All of them, because each payee's country must have a rail.
    const payouts = sameCurrency.map((payee) => ({ payee, amount: "1" }));
    const request = {
      payouts,
      countryCode,
      paymentType: "company",
      tenantId: intent.tenantId,
      commissionSpread,
    } as const;
    const priced = priceQuote(request, referenceRates, () => newNumericId(run.now(), run.random));
    if (!priced.ok) return priced;
    // Only the rate and the fee are of use: every leg has an amount of its own.
    variants.push({ ...priced.value.variants[0], payouts: [] });
  }
  return ok({ kind: "bulk", variants });
}

/**
 * Stores the legs of a claimed batch and commits it as executing. Legs are put only where there are none, so that who
 * takes over goes on with what the one before has stored; the schedule then pays them, batch by batch.
 */
export async function startBulk(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  variants: readonly QuoteVariant[],
): Promise<Result<Submitted, Failure>> {
  const found = findRule(intent);
  if (!("rule" in found)) throw new Error("A blocked batch was claimed");
  const payees = await findPayees(
    run.table,
    intent.recipients.flatMap(({ connectorPayeeId }) => connectorPayeeId ?? []),
  );
  const { executionId } = submission;
  const addNumbered = () =>
    addLegs(run.table, intent, planBulkLegs(intent, found.rule, variants, payees, executionId, paymentIds(run)));
  for (let tries = 1; !(await addNumbered()); tries++) {
    if (tries === ID_TRIES_MAX) throw new Error("No free payment ids found");
  }
  const legs = await listLegs(run.table, intent);
  return commit(run, intent, submission, {
    execution: {
      ...newExecution(run, intent, submission),
      // One rate per payee currency, and one currency that pays them all.
      currency: variants[0]?.fromCurrency ?? "",
      fee: addAmounts("0", ...legs.map(({ payment }) => payment.fee)),
      legs: legs.flatMap(({ payment }) => payment.legs.map((leg) => toExecutionLeg(intent, leg))),
    },
    bulkProgress: progressOf(legs),
  });
}

/** How often new ids are drawn, of which those of 500 recipients meet somebody else's at times. */
const ID_TRIES_MAX = 10;

/** Ids of one batch's payments: neighbours, so that they differ from one another. */
function paymentIds(run: Run): () => number {
  let next = newNumericId(run.now(), run.random);
  return () => next++;
}
