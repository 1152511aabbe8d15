import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import { endLeg, isOpen, isUnsent } from "@intents/domain/batches/leg.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { isLeased } from "@intents/domain/intents/claim.ts";
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
import { wakeBatch } from "@intents/storage/polling/timers.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import { writeLeg } from "../batches/leg-work.ts";
import { askSoon } from "../polling/ask-soon.ts";
import type { Post } from "../polling/sweep.ts";
import { placeOf, type Run } from "../run.ts";

/** Payments of a batch changed side by side. */
const SIDE_BY_SIDE = 10;
/** Seconds until a payment on its way has reached the rail. */
const SENT_AFTER_S = 1;

/** An execution that the rail has, or is about to have; with a leg, of one recipient of a batch. */
type Execution = Readonly<{ executionId: string; leg?: BatchLeg }> & RailState;
/** How it stands with us, whatever the rail has to tell. */
type RailState = Readonly<{ hasEnded: boolean; hasCleared: boolean }>;

/** Why nothing happened to an execution; of what has ended, whether it can still be returned. */
type Refused =
  | Readonly<{ kind: "no_leg" | "not_cleared" | "not_found" | "on_its_way" }>
  | Readonly<{ kind: "final"; isReturnable: boolean }>
  | Readonly<{ kind: "not_taken"; reason: string }>;
type Decided = Result<Readonly<{ payment?: SandboxPayment }>, Refused>;
type Attempt = Readonly<{ execution: Execution; outcome: Decided }>;

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

  if (wish.how === "receive" && intent.bulkProgress !== undefined) {
    return receiveDeposit(run, { sandbox, post }, { intent, paymentId }, executions);
  }

  const isNamed = ({ leg }: Execution) => leg === undefined || wish.order === undefined || leg.order === wish.order;
  const attempts = await mapInTurns(executions.filter(isNamed), SIDE_BY_SIDE, async (execution): Promise<Attempt> => {
    const { leg } = execution;
    const isTaken = leg === undefined || leg.railPaymentId !== undefined;
    const outcome = isTaken
      ? await decideTaken(sandbox, intent, execution, wish)
      : await decideUntaken(run, intent, leg, wish);
    return { execution, outcome };
  });
  const done = attempts.filter(({ outcome }) => outcome.ok);
  if (done.length === 0) return fail(refusalOf(intent, attempts));
  await askSoonOf(run, post, intent, done);
  return ok({ payments: attempts.flatMap(({ outcome }) => (outcome.ok ? (outcome.value.payment ?? []) : [])) });
}

/** Has the one deposit of a batch come in, of which no recipient has one of its own. */
async function receiveDeposit(
  run: Run,
  { sandbox, post }: Readonly<{ sandbox: SandboxRail; post: Post }>,
  { intent, paymentId }: Readonly<{ intent: PaymentIntent; paymentId: number }>,
  executions: readonly Execution[],
): Promise<Result<{ payments: SandboxPayment[] }, Failure>> {
  const { tenantId, status } = intent;
  const reference = String(paymentId);
  if (intent.connectorPayment?.reference !== reference)
    return fail({ kind: "cannot_happen", status, reason: DEPOSIT_OF_BATCH });
  if (isTerminal(status)) return fail({ kind: "cannot_happen", status, reason: ENDED });
  if (!(await sandbox.receiveDeposit(tenantId, reference))) return unknownPayment;
  const taken = executions.filter(({ leg }) => leg?.railPaymentId !== undefined);
  const payments = await mapInTurns(taken, SIDE_BY_SIDE, ({ executionId }) =>
    sandbox.listPayments(tenantId, { executionId, limit: 1 }),
  );
  const posted = taken.map((execution, at) => {
    const payment = payments[at]?.[0];
    return { execution, outcome: ok(payment === undefined ? {} : { payment }) };
  });
  await askSoonOf(run, post, intent, posted);
  return ok({ payments: payments.flat() });
}

/** Has the service look now: at what a rail has news of, by a question; at a batch of which it need not ask, by its worker. */
async function askSoonOf(run: Run, post: Post, intent: PaymentIntent, done: readonly Attempt[]): Promise<void> {
  const { tenantId, id } = intent;
  const asked = done.flatMap(({ execution: { executionId, leg }, outcome }) =>
    outcome.ok && outcome.value.payment !== undefined
      ? [{ tenantId, id, executionId, ...(leg !== undefined && { order: leg.order }) }]
      : [],
  );
  if (asked.length > 0) await askSoon(run, intent, asked, post);
  if (asked.length === done.length) return;
  const lease = await wakeBatch(run.table, { tenantId, id }, run.now());
  if (lease !== undefined) await post([{ message: { kind: "timer", ...lease } }]);
}

const unknownPayment = fail({ kind: "not_found", resource: "payment" } as const);

/** The executions under a payment id: the intent's last, or those of one or all recipients of a batch. */
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
  return [{ executionId: last.executionId, hasEnded, hasCleared }];
}

const toExecution = (leg: BatchLeg): Execution => ({
  executionId: leg.executionId,
  leg,
  hasEnded: !isOpen(leg),
  hasCleared: leg.status === "cleared",
});

/**
 * A return comes after the end: as long as the intent does not know that anything has cleared, nothing is returned. What
 * ended as it is wished to, and without a wish, is only told to an intent that does not know it yet.
 */
async function decideTaken(
  sandbox: SandboxRail,
  { tenantId }: PaymentIntent,
  { executionId, hasEnded, hasCleared }: Execution,
  wish: TestWish,
): Promise<Decided> {
  if (wish.how === "return" && !hasCleared) return fail({ kind: "not_cleared" });
  const decided = await sandbox.decide(tenantId, executionId, wish);
  if (!decided.ok) return decided;
  const { fulfilled, payment } = decided.value;
  const isReturnable = payment.legs.some(({ outcome }) => outcome === "cleared");
  return fulfilled === "by_itself" && hasEnded ? fail({ kind: "final", isReturnable }) : ok({ payment });
}

/**
 * The same for a recipient of a batch whom no rail has taken. A rail that cannot be reached, or that finds a duplicate,
 * is asked again and again: a tester ends that by letting it fail.
 */
async function decideUntaken(run: Run, intent: PaymentIntent, leg: BatchLeg, { how }: TestWish): Promise<Decided> {
  if (!isOpen(leg))
    return how === "fail" && leg.status === "failed" ? ok({}) : fail({ kind: "final", isReturnable: false });
  const isHeld = intent.stopped !== undefined;
  const isWaiting = isUnsent(leg) && !isLeased(leg, run.now()) && (isHeld || leg.triedAtMs !== undefined);
  if (!isWaiting) return fail({ kind: "on_its_way" });
  const why = isHeld ? `an operator holds the batch (${intent.stopped.reason})` : leg.reason;
  const reason = `no rail has taken recipient ${leg.order}: ${why}; \`fail\` ends it`;
  if (how !== "fail") return fail({ kind: "not_taken", reason });
  // A tester says what a rail would.
  const ended = endLeg(leg, "failed", { atMs: run.now(), by: "rail" }, FAILED_UNTAKEN);
  const isEnded = await writeLeg(run, intent, leg, ended);
  return isEnded ? ok({}) : fail({ kind: "on_its_way" });
}

/** Why the wish came true for none of the payments. */
function refusalOf({ status }: PaymentIntent, attempts: readonly Attempt[]): Failure {
  const refused = attempts.flatMap(({ outcome }) => (outcome.ok ? [] : [outcome.failure]));
  const find = <Kind extends Refused["kind"]>(kind: Kind) =>
    refused.find((each): each is Extract<Refused, { kind: Kind }> => each.kind === kind);
  if (find("on_its_way")) return { kind: "in_flight", status, retryAfterSeconds: SENT_AFTER_S };
  if (refused.length === 0 || find("no_leg"))
    return { kind: "shape", problems: ["order must be that of a recipient of this payment"] };
  const notTaken = find("not_taken");
  if (notTaken) return { kind: "cannot_happen", status, reason: notTaken.reason };
  const isOver = attempts.every(({ execution }) => execution.hasEnded);
  if (find("not_cleared")) return { kind: "cannot_happen", status, reason: isOver ? NOTHING_LEFT : NOT_CLEARED };
  const isReturnable = refused.some((each) => each.kind === "final" && each.isReturnable);
  if (find("final") || isTerminal(status))
    return { kind: "cannot_happen", status, reason: isReturnable ? `${ENDED}; ${CAN_RETURN}` : ENDED };
  return { kind: "not_found", resource: "payment" };
}

const FAILED_UNTAKEN = "failed before a rail had taken it";
const DEPOSIT_OF_BATCH = "the recipients of a batch have one deposit, which comes in under the batch's own payment id";
const ENDED = "it has ended, and an end stays as it is";
const CAN_RETURN = "what has cleared can still be returned";
const NOT_CLEARED = "nothing of it has cleared yet that could be returned: wait until it is completed";
const NOTHING_LEFT = "no money of it has arrived, or is left, that could be returned";
