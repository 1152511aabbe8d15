import type { Actor } from "@intents/domain/intents/audit-event.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { askToCancel, type NotAsked } from "../rails/ask.ts";
import type { Run } from "../run.ts";
import { apply, decide, isReceiptNew, noteReceipt } from "./answer.ts";

/** The actor who calls a payment off, and why. */
export type Wish = Readonly<{ actor: Actor<"caller" | "payer" | "operator">; cause: string }>;

/** The rail's answer, and the intent as written if that ended it; `done`: nobody changed it meanwhile. */
export type CalledOff = Readonly<{
  answer: StatusAnswer | NotAsked;
  written?: Readonly<{ done: boolean; after: PaymentIntent }>;
}>;

/** Asks the rail to call a payment off, and ends it if the rail says that it has ended, in whatever way. */
export async function callOff(run: Run, intent: PaymentIntent, { actor, cause }: Wish): Promise<CalledOff> {
  const execution = intent.executions.at(-1);
  if (execution === undefined) throw new Error(`Intent ${intent.id} is ${intent.status} without an execution`);
  const answer = await askToCancel(run, { intent, executionId: execution.executionId });
  if (isReceiptNew(execution, answer)) await noteReceipt(run, intent, execution);
  if (answer.kind !== "cancelled" && answer.kind !== "settled") return { answer };
  const decided = decide(run, intent, execution, answer);
  return decided === undefined
    ? { answer }
    : { answer, written: await apply(run, intent, { ...decided, cause }, actor) };
}
