import type { Claim } from "@intents/domain/intents/claim.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { askForStatus, isForgotten } from "../rails/ask.ts";
import type { Run } from "../run.ts";

// An operator ends a payment as never made by a word of its rail. Between that word and the command, recovery may have
// asked the rail to pay, and a request that nobody waits for any more may still be on its way.

/** A claimed execution that an operator ends as never made. */
type Claimed = Readonly<{ intent: PaymentIntent }> & Pick<Claim, "executionId" | "claimedAtMs" | "leaseUntilMs">;

/**
 * Whole seconds until the last request to pay has arrived or is lost: another lease after the lease of its worker. None was
 * put since the rail may have forgotten the execution.
 */
export function secondsOnItsWay(run: Run, { intent, claimedAtMs, leaseUntilMs }: Claimed): number {
  const { leaseMs } = run.settings;
  if (isForgotten(run, { intent, claimedAtMs: claimedAtMs + leaseMs })) return 0;
  return Math.max(0, Math.ceil((leaseUntilMs + leaseMs - run.now()) / 1000));
}

/** A rail's answer by which a payment may have been made. */
export type Doubt = Extract<StatusAnswer, { kind: "pending" | "received" | "settled" | "unavailable" }>;

/**
 * Asks the rail once more; undefined where no money has moved. The operator's word is enough where nobody has asked the
 * rail to pay since: it is not configured, or may have forgotten the payment and is silent.
 */
export async function findDoubt(run: Run, claimed: Claimed): Promise<Doubt | undefined> {
  const answer = await askForStatus(run, claimed);
  if (answer.kind === "unavailable") return isForgotten(run, claimed) ? undefined : answer;
  return answer.kind === "cancelled" || answer.kind === "not_found" || answer.kind === "not_asked" ? undefined : answer;
}
