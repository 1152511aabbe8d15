import type { Settings } from "@intents/deployment/settings.ts";
import { openRails } from "@intents/rails/open-rails.ts";
import { openFiles } from "@intents/storage/files/files.ts";
import type { Run } from "./run.ts";

/** The means of executions, by the settings of a function, or of an operator's command that acts for it. */
export const openRun = (settings: Settings, { table, now, random }: Pick<Run, "table" | "now" | "random">): Run => ({
  table,
  files: openFiles(settings.BUCKET_NAME),
  rails: openRails(settings, { db: table.db, now, random }).rails,
  random,
  now,
  settings: {
    draftTtlMs: settings.DRAFT_TTL_HOURS * 3_600_000,
    // Several settings are parts of it, so that it cannot be nothing.
    pollIntervalMs: Math.max(settings.POLL_INTERVAL_SECONDS * 1000, 1),
    leaseMs: settings.SUBMIT_LEASE_SECONDS * 1000,
    recoveryAfterMs: settings.RECOVERY_AFTER_SECONDS * 1000,
    timerShards: settings.TIMER_SHARDS,
    watchShards: settings.WATCH_SHARDS,
    payerAppUrl: settings.PAYER_APP_URL,
    checkoutHoldMs: settings.CHECKOUT_HOLD_SECONDS * 1000,
    transferHoldMs: settings.TRANSFER_HOLD_SECONDS * 1000,
    unpaidMax: settings.UNPAID_PAYMENTS_MAX,
  },
});
