import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Table } from "./table.ts";

type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** One write of a transaction; `label` is how a failed condition is told apart from the others. */
export type Action = Readonly<{ label: string; write: Write }>;

/** Done, or the labels of the conditions that did not hold: a verdict, which no retry would change. */
export type Verdict = Readonly<{ done: true }> | Readonly<{ done: false; failed: readonly string[] }>;

/** Contention or throttling outlasted the deadline. */
export class StoreContended extends Error {}
/** Every try was cancelled or turned away by the store: nothing was written. */
export class StoreBusy extends StoreContended {}
/** The answer to a try was lost, and no later try was told what came of it: all of it may have been written. */
export class StoreUnsure extends StoreContended {}

/** How long a transaction is tried again when only contention stands in its way, in milliseconds. */
const DEADLINE_MS = 3_000;
const TRIES_MAX = 12;

/**
 * Writes all actions or none. Any failed condition is a verdict; conflicts and throttling alone are tried again with
 * jitter (H16). `build` gets the number of the try, so that a counter can move to another shard (H27).
 */
export async function transact(table: Table, build: (attempt: number) => readonly Action[]): Promise<Verdict> {
  const startMs = performance.now();
  let request = newRequest(build(0));
  let mayBeWritten = false;
  for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
    const { actions, token } = request;
    const TransactItems = actions.map(({ write }) => write);
    const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: token });
    const sends = watchSends(command);
    try {
      await table.db.send(command);
      return { done: true };
    } catch (error) {
      const failed = failedConditions(error, actions);
      if (failed.length > 0) return { done: false, failed };
      if (!isContention(error)) throw error;
      const isCancelled = error instanceof TransactionCanceledException;
      // A cancellation is the last word on its token, whatever became of the answers before it.
      mayBeWritten = !isCancelled && (mayBeWritten || [...sends.failures, error].some(hidesWrite));
      // Only what was certainly not written is asked for anew; whatever else is asked for again by its token (H15).
      if (isCancelled) request = newRequest(build(attempt));
    }
    const waitMs = randomInt(20, 40 * 2 ** Math.min(attempt - 1, 5));
    if (performance.now() - startMs + waitMs > DEADLINE_MS) break;
    await sleep(waitMs);
  }
  if (mayBeWritten) throw new StoreUnsure("The store stayed contended, and may have written what it was asked for");
  throw new StoreBusy("The store stayed contended");
}

/** Collects the failures of a command's single requests: the SDK repeats some by itself, and throws the last one only. */
function watchSends(command: TransactWriteCommand): { failures: readonly unknown[] } {
  const failures: unknown[] = [];
  command.middlewareStack.add(
    (next) => (request) =>
      next(request).catch((failure: unknown) => {
        failures.push(failure);
        throw failure;
      }),
    // Below the SDK's retries, which stand first in this step.
    { step: "finalizeRequest", priority: "low", name: "watchSends", override: true },
  );
  return { failures };
}

/** A transaction and the token by which its repetition is known, so that a retry of a lost answer is harmless. */
const newRequest = (actions: readonly Action[]) => ({ actions, token: randomUUID() });

function failedConditions(error: unknown, actions: readonly Action[]): string[] {
  if (!(error instanceof TransactionCanceledException)) return [];
  const reasons = error.CancellationReasons ?? [];
  return actions.filter((_, index) => reasons[index]?.Code === "ConditionalCheckFailed").map(({ label }) => label);
}

/** Why single actions were not written: in the reasons of a cancelled transaction. */
const contentionCodes = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);
/** Why a whole request was turned away before anything of it was written. */
const refusals = new Set(["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"]);
/** What a request is told while an earlier one with its token is being written. */
const IN_PROGRESS = "TransactionInProgressException";

/** Whether a request may have been written although it failed so. */
const hidesWrite = (failure: unknown): boolean =>
  !(failure instanceof TransactionCanceledException || (failure instanceof Error && refusals.has(failure.name)));

function isContention(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof TransactionCanceledException)) return refusals.has(error.name) || error.name === IN_PROGRESS;
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? "None").filter((code) => code !== "None");
  return codes.length > 0 && codes.every((code) => contentionCodes.has(code));
}
