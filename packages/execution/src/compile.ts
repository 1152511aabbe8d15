import type { Caller } from "@intents/domain/caller.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { moveIntent } from "@intents/domain/intent-states.ts";
import { selectedVariant } from "@intents/domain/manual-payment-checks.ts";
import { inFlight, isClaimed, type PaymentIntent } from "@intents/domain/payment-intent.ts";
import { planExecution } from "@intents/domain/payment-order.ts";
import { evaluateIntent } from "@intents/domain/requirements.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findIntent } from "@intents/storage/intents.ts";
import { change } from "./change.ts";
import { gatherFacts } from "./facts.ts";
import { refusal } from "./plan.ts";
import type { Run } from "./run.ts";

/** Compiles the execution plan of a draft and stores it on the intent, which stays a draft. */
export async function compileIntent(run: Run, caller: Caller, id: string): Promise<Result<PaymentIntent, Failure>> {
  const found = await findIntent(run.table, caller.tenantId, id);
  if (!found.ok) return found;
  const intent = found.value;
  const nowMs = run.now();
  if (isClaimed(intent)) return fail(inFlight(intent, nowMs));
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
  const actor = { cause: "caller", name: caller.userId } as const;
  const changed = await change(run, { before: intent, after, events: [{ name: "compiled", actor }] });
  return changed.done ? ok(changed.intent) : fail({ kind: "in_flight", status: intent.status, retryAfterSeconds: 1 });
}
