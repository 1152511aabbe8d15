import { addAmounts } from "@intents/domain/amounts/money.ts";
import { planBatchLegs, planFunding, transferTo } from "@intents/domain/batches/batch.ts";
import { progressOf } from "@intents/domain/batches/leg.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { newNumericId, numericIds } from "@intents/domain/ids.ts";
import type { ClaimedIntent, ConnectorPayment, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { SubmittedWork } from "@intents/domain/intents/submission.ts";
import type { FundAnswer } from "@intents/domain/rails/rail.ts";
import type { Facts } from "@intents/domain/requirements/finding.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findRule } from "@intents/domain/scenarios/rules.ts";
import { addLegs, listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findPayeesOf } from "@intents/storage/parties/payees.ts";
import { announceFunding, type NotAsked } from "../rails/ask.ts";
import type { Run, Submitted } from "../run.ts";
import { commit, depositOf, newExecution } from "./commit.ts";
import { notAccepted } from "./postpone.ts";
import { release } from "./release.ts";

type BatchWork = Extract<SubmittedWork, { kind: "bulk" }>;

/** Plans a batch, which locks one rate per payee currency and is paid by bank transfer. The intent must be clean. */
export function planBatch(run: Run, intent: PaymentIntent, facts: Facts): BatchWork {
  const countryCode = intent.instructions?.manualPayment?.countryCode ?? "";
  const byCurrency = new Map([...facts.payees.values()].map((payee) => [payee.currencyCode, payee]));
  const variants = [...byCurrency.values()].map((payee) => {
    const transfer = transferTo(payee, countryCode, facts);
    if (!transfer.ok) throw new Error(`A clean batch cannot be priced: ${transfer.failure.reason}`);
    return transfer.value;
  });
  return { kind: "bulk", variants, connectorPaymentId: newNumericId(run.now(), run.random) };
}

/**
 * Commits a claimed batch as executing, once the rail has told where to pay its one deposit and its legs are stored.
 * Legs are stored only where there are none, so that a worker that takes over goes on with the stored ones; the
 * schedule then pays them, a few at a time.
 */
export async function startBatch(
  run: Run,
  claimed: ClaimedIntent,
  work: BatchWork,
): Promise<Result<Submitted, Failure>> {
  const plan = await openPlan(run, claimed, work);
  const funded = await findDeposit(run, claimed, work, plan());
  if (!funded.ok) return notFunded(run, claimed, funded.failure);
  for (let tries = 1; !(await addLegs(run.table, claimed, plan())); tries++) {
    if (tries === ID_TRIES_MAX) throw new Error("No free payment ids found");
  }
  const legs = await listLegs(run.table, claimed);
  return commit(run, claimed, {
    execution: {
      ...newExecution(run, claimed),
      // A batch has one rate per payee currency, and one currency that pays all of them.
      currency: work.variants[0]?.fromCurrency ?? "",
      fee: addAmounts("0", ...legs.map(({ payment }) => payment.fee)),
      // Legs are items of their own, and answers take them from there.
      legs: [],
    },
    bulkProgress: progressOf(legs),
    ...(funded.value !== undefined && { connectorPayment: funded.value }),
  });
}

/** Plans the legs with new payment ids each time; their other fields are the same each time. */
async function openPlan(run: Run, claimed: ClaimedIntent, work: BatchWork) {
  const { executionId } = claimed.submission;
  const found = findRule(claimed);
  if (!("rule" in found)) throw new Error("A blocked batch was claimed");
  const { rule } = found;
  const payees = await findPayeesOf(run.table, claimed);
  return () => planBatchLegs(claimed, rule, work, payees, executionId, numericIds(run.now(), run.random));
}

type NotFunded = Exclude<FundAnswer, { kind: "funded" }> | NotAsked;

/** The one deposit for all legs, as the rail tells it. */
async function findDeposit(
  run: Run,
  intent: PaymentIntent,
  work: BatchWork,
  legs: ReturnType<typeof planBatchLegs>,
): Promise<Result<ConnectorPayment, NotFunded>> {
  const funding = planFunding(intent, work, legs);
  const answer = await announceFunding(run, intent, funding);
  if (answer.kind !== "funded") return fail(answer);
  const { amount, currency, fundingReference: reference } = funding;
  const deposit = { amount, currency, reference, legs: legs.flatMap(({ payment }) => payment.legs) };
  return ok({ ...depositOf(deposit, answer), announced: amount });
}

/**
 * Ends a start without a deposit. A first worker has sent no leg yet, and gives everything back. A later worker may
 * find legs that an earlier one has stored, and leaves the claim for the next.
 */
async function notFunded(run: Run, claimed: ClaimedIntent, answer: NotFunded): Promise<Result<Submitted, Failure>> {
  const { reason } = answer;
  if (claimed.submission.attempt > 1) {
    return notAccepted(run, claimed, answer.kind === "refused" ? { kind: "unknown", reason } : answer);
  }
  const isRefused = answer.kind === "refused";
  return release(run, claimed, isRefused ? { kind: "rail_refused", reason } : { kind: "rail_unavailable" });
}

/** The number of draws of new ids: those of 500 recipients include a taken one at times. */
const ID_TRIES_MAX = 10;
