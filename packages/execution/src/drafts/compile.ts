import type { Failure } from "@intents/domain/failure.ts";
import { callerActor } from "@intents/domain/intents/audit-event.ts";
import { inFlight, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { planExecution } from "@intents/domain/intents/payment-order.ts";
import { moveIntent } from "@intents/domain/intents/states.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { evaluateIntent } from "@intents/domain/requirements/evaluate.ts";
import { selectedVariant } from "@intents/domain/requirements/quote-checks.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { change } from "../change.ts";
import type { Run } from "../run.ts";
import { gatherFacts } from "../submit/facts.ts";
import { refusal } from "../submit/plan.ts";

/** Compiles the execution plan of a draft and stores it on the intent, which stays a draft. */
export async function compileIntent(run: Run, caller: Caller, id: string): Promise<Result<PaymentIntent, Failure>> {
  const found = await findIntent(run.table, caller.tenantId, id);
  if (!found.ok) return found;
  const intent = found.value;
  const nowMs = run.now();
  if (isClaimed(intent)) return fail(inFlight(intent, nowMs, run.settings.leaseMs));
  const compiled = moveIntent(intent, "compile", caller.userId, nowMs);
  if (!compiled.ok) return compiled;

  const facts = await gatherFacts(run, intent, caller.permissions);
  const evaluation = evaluateIntent(intent, facts);
  const refused = refusal(intent, evaluation);
  if (refused !== undefined) return fail(refused);
  const { quote, payees } = facts;
  const variant = selectedVariant(intent, quote);
  // Only a payment by quote has terms to compile: a batch is priced by its submit, and a link for each payer.
  const after =
    quote === undefined || variant === undefined
      ? compiled.value
      : {
          ...compiled.value,
          executionPlan: planExecution(intent, { quote, variant, payees, connector: evaluation.connector }, nowMs),
        };
  const event = { name: "compiled", actor: callerActor(caller) } as const;
  const changed = await change(run, { before: intent, after, events: [event] });
  return changed.done ? ok(changed.intent) : fail({ kind: "in_flight", status: intent.status, retryAfterSeconds: 1 });
}
