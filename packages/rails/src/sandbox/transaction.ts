import { setTimeout as pause } from "node:timers/promises";
import { type CancellationReason, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand as RailTransactWriteCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import type { RandomBytes } from "@intents/domain/ids.ts";

const TRIES_MAX = 8;
const FIRST_PAUSE_MS = 25;

/** Cancellation codes that say nothing about our conditions: the same transaction may succeed a moment later. */
const passingCodes = new Set(["None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

/** `failed`: a condition did not hold; one reason per action, in their order. */
type Verdict = Readonly<{ kind: "written" }> | Readonly<{ kind: "failed"; reasons: readonly CancellationReason[] }>;

/**
 * Writes all or nothing. Only a failed condition is a verdict; conflicts and throttling are tried again (H16). When it
 * throws, nobody knows whether anything was written.
 */
export async function transact(
  db: DynamoDBDocumentClient,
  actions: TransactWriteCommandInput["TransactItems"],
  random: RandomBytes,
): Promise<Verdict> {
  for (let tries = 1; ; tries += 1) {
    try {
      await db.send(new RailTransactWriteCommand({ TransactItems: actions }));
      return { kind: "written" };
    } catch (error) {
      const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
      if (reasons.some(({ Code }) => Code === "ConditionalCheckFailed")) return { kind: "failed", reasons };
      const isPassing = reasons.length > 0 && reasons.every(({ Code = "" }) => passingCodes.has(Code));
      if (!isPassing || tries === TRIES_MAX) throw error;
    }
    await pause((FIRST_PAUSE_MS * 2 ** tries * (random(1)[0] ?? 0)) / 256);
  }
}
