import { planBulkLegs, progressOf, transferTo } from "@intents/domain/bulk.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { numericIds } from "@intents/domain/ids.ts";
import { addAmounts } from "@intents/domain/money.ts";
import type { PaymentIntent, Submission, SubmittedWork } from "@intents/domain/payment-intent.ts";
import type { QuoteVariant } from "@intents/domain/quote.ts";
import type { Facts } from "@intents/domain/requirements.ts";
import type { Result } from "@intents/domain/result.ts";
import { findRule } from "@intents/domain/scenario-rules.ts";
import { addLegs, listLegs } from "@intents/storage/bulk-legs.ts";
import { findPayees } from "@intents/storage/payees.ts";
import { commit, newExecution, toExecutionLeg } from "./commit.ts";
import type { Run, Submitted } from "./run.ts";

/** Locks one rate per payee currency, by bank transfer. The intent must be clean. */
export function planBulk(intent: PaymentIntent, facts: Facts): SubmittedWork {
  const countryCode = intent.instructions?.manualPayment?.countryCode ?? "";
  const byCurrency = new Map([...facts.payees.values()].map((payee) => [payee.currencyCode, payee]));
  const variants = [...byCurrency.values()].map((payee) => {
    const transfer = transferTo(payee, countryCode, facts);
    if (!transfer.ok) throw new Error(`A clean batch cannot be priced: ${transfer.failure.reason}`);
    return transfer.value;
  });
  return { kind: "bulk", variants };
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
    addLegs(
      run.table,
      intent,
      planBulkLegs(intent, found.rule, variants, payees, executionId, numericIds(run.now(), run.random)),
    );
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
