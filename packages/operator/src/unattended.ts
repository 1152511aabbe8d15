import { railKeys } from "@intents/execution/rails/ask.ts";
import { describeUnattended, findUnattended } from "@intents/execution/unattended/index-check.ts";
import { findUnattendedWebhooks } from "@intents/execution/webhooks/lag.ts";
import { readSpread, type Spread, widerSpread } from "@intents/storage/polling/spread.ts";
import type { Session } from "./session.ts";

export type Looked = Pick<Session, "table" | "settings" | "run">;

/** The shards that a tick covers: those of its settings, and all that were ever written to. */
export async function readCovered({ table, settings }: Looked): Promise<Spread> {
  const [stored, { TIMER_SHARDS: timers, WATCH_SHARDS: watches }] = await Promise.all([readSpread(table), settings()]);
  return widerSpread(stored, { timers, watches });
}

/** The hourly check's findings as of now. */
export async function readUnattended(session: Looked, nowMs: number): Promise<ReturnType<typeof describeUnattended>[]> {
  const [spread, run, settings] = await Promise.all([readCovered(session), session.run(), session.settings()]);
  const aheadMs = settings.DISPATCH_AHEAD_SECONDS * 1000;
  const { pollIntervalMs } = run.settings;
  const [found, webhooks] = await Promise.all([
    findUnattended(session.table, { keys: railKeys(run), spread, aheadMs, pollIntervalMs }, nowMs),
    findUnattendedWebhooks(session.table, nowMs),
  ]);
  return [...found.map(describeUnattended), ...webhooks];
}
