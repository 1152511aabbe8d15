import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { inFlight, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { railKeyOf } from "@intents/domain/rails/description.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { TestWish } from "@intents/rails/sandbox/fates.ts";
import type { SandboxRail } from "@intents/rails/sandbox/sandbox.ts";
import type { SandboxPayment } from "@intents/rails/sandbox/shown.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findPaymentOwner } from "@intents/storage/intents/submissions.ts";
import { askSoon } from "../asking/ask-soon.ts";
import type { Post } from "../asking/sweep.ts";
import { placeOf, type Run } from "../run.ts";

/** So many payments of a batch are changed side by side. */
const SIDE_BY_SIDE = 10;
/** What is on its way to the rail is there by then, in seconds. */
const SENT_AFTER_S = 1;

/** An execution that the rail has, or is about to have; with an order, of one recipient of a batch. */
type Execution = Readonly<{ executionId: string; order?: number }> & Standing;
/** How it stands with us, whatever the rail has to tell. */
type Standing = Readonly<{ isSent: boolean; hasEnded: boolean; hasCleared: boolean }>;

type Decided = Awaited<ReturnType<SandboxRail["decide"]>>;

/**
 * Makes something happen to a payment of the tenant's, now: at the simulated rail, which is then asked how the payment
 * stands as it would be later. Of a batch, by its own payment id, it happens to every recipient's payment to which it can.
 */
export async function decidePayment(
  run: Run,
  { sandboxes, post }: Readonly<{ sandboxes: readonly SandboxRail[]; post: Post }>,
  { tenantId, paymentId }: Readonly<{ tenantId: string; paymentId: number }>,
  wish: TestWish,
): Promise<Result<{ payments: SandboxPayment[] }, Failure>> {
  const owner = await findPaymentOwner(run.table, paymentId);
  if (owner?.tenantId !== tenantId) return unknownPayment;
  const found = await findIntent(run.table, tenantId, owner.intentId);
  if (!found.ok) return unknownPayment;
  const intent = found.value;
  if (isClaimed(intent)) return fail(inFlight(intent, run.now(), run.settings.leaseMs));
  const executions = await executionsOf(run, intent, paymentId);
  if (executions.length === 0) return unknownPayment;
  const { rail } = placeOf(run, intent);
  const sandbox = sandboxes.find(({ port }) => railKeyOf(port.rail) === rail);
  if (sandbox === undefined) return fail({ kind: "not_simulated" });

  const isNamed = ({ order }: Execution) => order === undefined || wish.order === undefined || order === wish.order;
  const named = executions.filter(isNamed);
  const decided: { execution: Execution; outcome: Decided }[] = [];
  for (let start = 0; start < named.length; start += SIDE_BY_SIDE) {
    const some = named.slice(start, start + SIDE_BY_SIDE).map(async (execution) => ({
      execution,
      outcome: await decideOne(sandbox, intent, execution, wish),
    }));
    decided.push(...(await Promise.all(some)));
  }
  const done = decided.flatMap(({ execution: { executionId, order }, outcome }) =>
    outcome.ok
      ? [
          {
            payment: outcome.value.payment,
            asked: { tenantId, id: intent.id, executionId, ...(order !== undefined && { order }) },
          },
        ]
      : [],
  );
  if (done.length === 0) return fail(refusalOf(intent, decided));
  await askSoon(
    run,
    intent,
    done.map(({ asked }) => asked),
    post,
  );
  return ok({ payments: done.map(({ payment }) => payment) });
}

const unknownPayment = fail({ kind: "not_found", resource: "payment" } as const);

/** What of an intent goes under a payment id: its last execution, or of a batch the payments of one or all recipients. */
async function executionsOf(run: Run, intent: PaymentIntent, paymentId: number): Promise<Execution[]> {
  if (intent.bulkProgress !== undefined) {
    const legs = await listLegs(run.table, intent);
    const isWhole = intent.connectorPayment?.reference === String(paymentId);
    return legs.filter(({ payment }) => isWhole || payment.connectorPaymentId === paymentId).map(toExecution);
  }
  const last = intent.executions.at(-1);
  if (last?.connectorPaymentIds.includes(paymentId) !== true) return [];
  const hasEnded = isTerminal(intent.status);
  const hasCleared = hasEnded && last.legs.some(({ status }) => status === "cleared");
  return [{ executionId: last.executionId, isSent: true, hasEnded, hasCleared }];
}

const toExecution = ({ executionId, order, status }: BatchLeg): Execution => ({
  ...{ executionId, order },
  isSent: status !== "pending",
  hasEnded: status !== "pending" && status !== "executing",
  hasCleared: status === "cleared",
});

/**
 * A return comes after the end: as long as the intent does not know that anything has cleared, nothing is returned. What
 * ended as it is wished to, and without a wish, is only told to an intent that does not know it yet.
 */
async function decideOne(
  sandbox: SandboxRail,
  { tenantId }: PaymentIntent,
  { executionId, hasEnded, hasCleared }: Execution,
  wish: TestWish,
): Promise<Decided> {
  if (wish.how === "return" && !hasCleared) return fail({ kind: "not_cleared" });
  const decided = await sandbox.decide(tenantId, executionId, wish);
  return decided.ok && decided.value.fulfilled === "by_itself" && hasEnded ? fail({ kind: "final" }) : decided;
}

/** Why the wish came true for none of the payments. */
function refusalOf(
  { status }: PaymentIntent,
  decided: readonly Readonly<{ execution: Execution; outcome: Decided }>[],
): Failure {
  if (decided.some(({ execution }) => !execution.isSent))
    return { kind: "in_flight", status, retryAfterSeconds: SENT_AFTER_S };
  const kinds = decided.flatMap(({ outcome }) => (outcome.ok ? [] : [outcome.failure.kind]));
  if (kinds.length === 0 || kinds.includes("no_leg"))
    return { kind: "shape", problems: ["order must be that of a recipient of this payment"] };
  if (kinds.includes("not_cleared")) return { kind: "cannot_happen", status, reason: NOT_CLEARED };
  if (kinds.includes("final") || isTerminal(status)) return { kind: "cannot_happen", status, reason: ENDED };
  return { kind: "not_found", resource: "payment" };
}

const ENDED = "it has ended, and an end stays as it is; what has cleared can still be returned";
const NOT_CLEARED = "nothing of it has cleared yet that could be returned: wait until it is completed";
