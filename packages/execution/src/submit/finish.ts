import type { Failure } from "@intents/domain/failure.ts";
import type { ClaimedIntent } from "@intents/domain/intents/payment-intent.ts";
import { orderOf } from "@intents/domain/intents/payment-order.ts";
import { fail, type Result } from "@intents/domain/result.ts";
import { StoreContended } from "@intents/storage/table/transact.ts";
import { askToExecute } from "../rails/ask.ts";
import type { Run, Submitted } from "../run.ts";
import { commit, paidExecution } from "./commit.ts";
import { notAccepted } from "./postpone.ts";
import { release } from "./release.ts";
import { startBatch } from "./start-batch.ts";

/** Asks the rail to execute a claimed submission, and stores its answer before any caller is told. */
export async function finishSubmission(run: Run, claimed: ClaimedIntent): Promise<Result<Submitted, Failure>> {
  const { work, executionId, claimedAtMs } = claimed.submission;
  try {
    if (work.kind === "bulk") return await startBatch(run, claimed, work);
    const order = orderOf(claimed, work.order);
    const answer = await askToExecute(run, { intent: claimed, executionId, claimedAtMs }, order);
    switch (answer.kind) {
      case "accepted":
        return await commit(run, claimed, paidExecution(run, claimed, order, answer));
      case "duplicate":
        return await release(run, claimed, duplicate(answer.untilMs, run.now()));
      case "refused":
        return await release(run, claimed, { kind: "rail_refused", reason: answer.reason });
      case "unreachable":
      case "unknown":
      case "not_asked":
        return await notAccepted(run, claimed, answer);
    }
  } catch (error) {
    // The payment is claimed, but the store did not take its outcome: the next request asks the rail again (H10).
    if (error instanceof StoreContended) return fail({ kind: "outcome_unknown" });
    throw error;
  }
}

const duplicate = (untilMs: number | undefined, nowMs: number) => ({
  kind: "duplicate_transaction" as const,
  ...(untilMs !== undefined && { retryAfterSeconds: Math.max(Math.ceil((untilMs - nowMs) / 1000), 1) }),
});
