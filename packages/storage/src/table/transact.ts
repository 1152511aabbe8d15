import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { tenantOf } from "./key-owners.ts";
import type { Table } from "./table.ts";

type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/**
 * One write of a transaction; a verdict names a failed condition by its `label`. One that is dated, in milliseconds since
 * 1970, is sent soon after that or not at all.
 */
export type Action = Readonly<{ label: string; write: Write; datedMs?: number }>;

/** Done, or the labels of the conditions that failed: a verdict, which no retry would change. */
export type Verdict = Readonly<{ done: true }> | Readonly<{ done: false; failed: readonly string[] }>;

/** Thrown when contention or throttling outlasted the deadline. */
export class StoreContended extends Error {}
/** Thrown when the store cancelled or turned away every try: nothing was written. */
export class StoreBusy extends StoreContended {}
/** Thrown when the answer to a try was lost and no later try told its outcome: all of it may have been written. */
export class StoreUnsure extends StoreContended {}

/** The label of an event's write. */
export const EVENT = "event";

/** The longest wait of a caller. */
const PATIENCE_MS = 3_000;
const TRIES_MAX = 12;
/**
 * A dated write is sent, repeated and waited for no longer than this after its date: readers of events take what is older
 * for complete (Decision 025).
 */
export const SENT_WITHIN_MS = 10_000;

/**
 * Writes all actions or none. Any failed condition is a verdict; conflicts and throttling alone are tried again with
 * jitter (H16), and dated writes not beyond their time. `build` gets the number of the try, so that a counter can move to
 * another shard (H27).
 */
export async function transact(table: Table, build: (attempt: number) => readonly Action[]): Promise<Verdict> {
  const { patienceMs = PATIENCE_MS, now = Date.now } = table;
  const startMs = performance.now();
  let request = newRequest(build(0));
  let mayBeWritten = false;
  for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
    const { actions, token } = request;
    const TransactItems = actions.map(({ write }) => write);
    const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: token });
    const untilMs = Math.min(...actions.map(({ datedMs = Number.POSITIVE_INFINITY }) => datedMs)) + SENT_WITHIN_MS;
    const sends = watchSends(command, () => now() <= untilMs);
    const limit = untilMs === Number.POSITIVE_INFINITY ? undefined : limitOf(untilMs - now());
    try {
      await table.db.send(command, limit);
      await tellChanged(table, actions);
      return { done: true };
    } catch (error) {
      const failed = failedConditions(error, actions);
      if (failed.length > 0) return { done: false, failed };
      const isLate = error instanceof SentTooLate || limit?.abortSignal.aborted === true;
      if (!isLate && !isContention(error)) throw error;
      const isCancelled = error instanceof TransactionCanceledException;
      // A cancellation is final for its token, whatever happened to earlier answers.
      mayBeWritten = !isCancelled && (mayBeWritten || [...sends.failures, error].some(hidesWrite));
      // Only a cancelled transaction gets a new token; any other may be written, and is repeated with its token (H15).
      if (isCancelled) request = newRequest(build(attempt));
      if (isLate) break;
    }
    const waitMs = randomInt(20, 40 * 2 ** Math.min(attempt - 1, 5));
    if (performance.now() - startMs + waitMs > patienceMs) break;
    await sleep(waitMs);
  }
  if (mayBeWritten) throw new StoreUnsure("The store stayed contended, and may have written what it was asked for");
  throw new StoreBusy("The store stayed contended");
}

async function tellChanged({ changed }: Table, actions: readonly Action[]): Promise<void> {
  const event = actions.find(({ label }) => label === EVENT);
  if (event !== undefined) await changed?.(tenantOf(String(event.write.Put?.Item?.["PK"])));
}

/** Ends the wait for an answer. Dates may lie ahead of the clock, as far as clocks differ. */
const limitOf = (ms: number) => ({
  abortSignal: AbortSignal.timeout(Math.max(0, Math.min(Math.ceil(ms), SENT_WITHIN_MS))),
});

/** Thrown in place of sending what is too old to be sent. */
class SentTooLate extends Error {}

/**
 * Collects the failures of a command's requests, and stops those that come too late: the SDK repeats some by itself, and
 * throws only the last failure.
 */
function watchSends(command: TransactWriteCommand, isInTime: () => boolean): { failures: readonly unknown[] } {
  const failures: unknown[] = [];
  command.middlewareStack.add(
    (next) => async (request) => {
      if (!isInTime()) throw new SentTooLate("The transaction is too old to be sent");
      return next(request).catch((failure: unknown) => {
        failures.push(failure);
        throw failure;
      });
    },
    // Its priority puts it below the SDK's retries, which come first in this step.
    { step: "finalizeRequest", priority: "low", name: "watchSends", override: true },
  );
  return { failures };
}

/** A transaction with a token, by which the store recognizes a repetition, so that repeating it is harmless. */
const newRequest = (actions: readonly Action[]) => ({ actions, token: randomUUID() });

function failedConditions(error: unknown, actions: readonly Action[]): string[] {
  if (!(error instanceof TransactionCanceledException)) return [];
  const reasons = error.CancellationReasons ?? [];
  return actions.filter((_, index) => reasons[index]?.Code === "ConditionalCheckFailed").map(({ label }) => label);
}

/** Codes for contention among the reasons of a cancelled transaction. */
const contentionCodes = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);
/** Errors by which the store turns a whole request away before it writes anything. */
const refusals = new Set(["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"]);
/** The error of a request while an earlier one with its token is being written. */
const IN_PROGRESS = "TransactionInProgressException";

/** Whether a request may have been written in spite of this failure. */
const hidesWrite = (failure: unknown): boolean =>
  !(
    failure instanceof TransactionCanceledException ||
    failure instanceof SentTooLate ||
    (failure instanceof Error && refusals.has(failure.name))
  );

function isContention(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof TransactionCanceledException)) return refusals.has(error.name) || error.name === IN_PROGRESS;
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? "None").filter((code) => code !== "None");
  return codes.length > 0 && codes.every((code) => contentionCodes.has(code));
}
