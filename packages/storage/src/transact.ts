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

/** Contention or throttling outlasted the deadline; nothing was written. */
export class StoreBusy extends Error {}

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
  for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
    const { actions, token } = request;
    try {
      const TransactItems = actions.map(({ write }) => write);
      await table.db.send(new TransactWriteCommand({ TransactItems, ClientRequestToken: token }));
      return { done: true };
    } catch (error) {
      const failed = failedConditions(error, actions);
      if (failed.length > 0) return { done: false, failed };
      if (!isContention(error)) throw error;
      // Only what was certainly not written is asked for anew; whatever else is asked for again by its token (H15).
      if (error instanceof TransactionCanceledException) request = newRequest(build(attempt));
    }
    const waitMs = randomInt(20, 40 * 2 ** Math.min(attempt - 1, 5));
    if (performance.now() - startMs + waitMs > DEADLINE_MS) break;
    await sleep(waitMs);
  }
  throw new StoreBusy("The store stayed contended");
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
/** Why a whole request was turned away. */
const contentionErrors = new Set([
  "TransactionInProgressException",
  "ThrottlingException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
]);

function isContention(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof TransactionCanceledException)) return contentionErrors.has(error.name);
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? "None").filter((code) => code !== "None");
  return codes.length > 0 && codes.every((code) => contentionCodes.has(code));
}
