import type { Failure } from "@intents/domain/failure.ts";
import { callerActor } from "@intents/domain/intents/audit-event.ts";
import { inFlight, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { planExecution } from "@intents/domain/intents/payment-order.ts";
import { moveIntent } from "@intents/domain/intents/states.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import type { PlannedWork } from "@intents/domain/previews/preview.ts";
import { type Evaluation, evaluateIntent } from "@intents/domain/requirements/evaluate.ts";
import type { Facts } from "@intents/domain/requirements/finding.ts";
import { selectedVariant } from "@intents/domain/requirements/quote-checks.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { change } from "../change.ts";
import { inOneCall, type Run } from "../run.ts";
import { gatherFacts } from "../submit/facts.ts";
import { planWork } from "../submit/plan.ts";
import { type HashedPreview, hashPreview } from "../submit/preview.ts";

/** A draft with its plan, and what a submit would pay by it. */
export type Compiled = Readonly<{ intent: PaymentIntent; preview: HashedPreview }>;

/** Compiles the execution plan of a draft and stores it on the intent, which stays a draft. */
export async function compileIntent(run: Run, caller: Caller, id: string): Promise<Result<Compiled, Failure>> {
  const found = await findIntent(run.table, caller.tenantId, id);
  if (!found.ok) return found;
  const intent = found.value;
  const nowMs = run.now();
  if (isClaimed(intent)) return fail(inFlight(intent, nowMs, run.settings.leaseMs));
  const compiled = moveIntent(intent, "compile", caller.userId, nowMs);
  if (!compiled.ok) return compiled;

  const facts = await gatherFacts(inOneCall(run), intent, caller.permissions);
  const evaluation = evaluateIntent(intent, facts);
  const work = planWork(run, intent, facts, evaluation);
  if (!work.ok) return work;
  const after = { ...compiled.value, ...planOf(intent, work.value, facts, evaluation) };
  const event = { name: "compiled", actor: callerActor(caller) } as const;
  const changed = await change(run, { before: intent, after, events: [event] });
  if (!changed.done) return fail({ kind: "in_flight", status: intent.status, retryAfterSeconds: 1 });
  return ok({ intent: changed.intent, preview: hashPreview(intent, work.value, facts) });
}

/** The plan to store. Only a payment by quote has one: a batch is priced by its submit, and a link for each payer. */
function planOf(
  intent: PaymentIntent,
  work: PlannedWork,
  { quote, payees, nowMs }: Facts,
  { connector }: Evaluation,
): Pick<PaymentIntent, "executionPlan"> {
  const variant = selectedVariant(intent, quote);
  if (work.kind !== "payment" || quote === undefined || variant === undefined) return {};
  return { executionPlan: planExecution(intent, work.order, { quote, variant, payees, connector }, nowMs) };
}
