import { measured } from "@intents/deployment/metrics.ts";
import { toLoggedFault } from "@intents/domain/logged-fault.ts";
import type { Asking } from "@intents/execution/polling/question.ts";
import type { Key } from "@intents/storage/table/keys.ts";

// The lines of the log that alarms count, by the fields that infra/alarm-rows.ts looks for.

type Write = (message: string, fields: Readonly<Record<string, unknown>>) => void;
/** The part of a logger that is used here. */
type Log = Readonly<{ info: Write; warn: Write; error: Write }>;

/** A question to a rail, and besides each payment of which the rail had news, or none for too long. */
export function logAsked(log: Log, rail: string, about: number, { outcome, news }: Asking): void {
  log.info("asked", { rail, about, outcome, news: news.length });
  for (const { asked, outcome: became } of news) {
    const { tenantId, id: intentId, executionId } = asked;
    logAdvanced(log, { tenantId, intentId, executionId, outcome: became });
  }
}

type AdvancedLine = Readonly<{ tenantId: string; intentId: string; executionId?: string; outcome: string }>;

/** The outcome of an intent, or of one of its executions. */
export const logAdvanced = (log: Log, line: AdvancedLine): void => log.info("advanced", line);

/** Timers that nobody sent in time. */
export function logOverdue(log: Log, overdue: number, nowMs: number): void {
  if (overdue > 0) log.warn("timers overdue", measured("OverdueTimers", overdue, {}, nowMs));
}

/** How far the sweeps are behind, and the rails that hold payments without settings. */
export function logDispatched(log: Log, behindMs: number, missing: readonly string[]): void {
  log.info("dispatched", { behindSeconds: Math.round(behindMs / 1000) });
  for (const rail of missing) log.warn("no such rail", { rail, outcome: "rail_missing" });
}

/** Work that nobody looked after. */
export const logFound = (log: Log, found: Readonly<Record<string, unknown>>): void =>
  log.warn("unattended", { ...found, outcome: "unattended" });

/** An entry of audit or ledger that was changed or removed. */
export const logChanged = (log: Log, { PK, SK }: Key, eventName: string | undefined): void =>
  log.error("history", { outcome: "history_changed", PK, SK, eventName });

/** An entry that could not be copied. */
export const logUncopied = (log: Log, about: string, reason: unknown): void =>
  log.error("history", { outcome: "history_uncopied", about, error: toLoggedFault(reason) });
