import { webcrypto } from "node:crypto";
import { openRails } from "@intents/connectors/open-rails.ts";
import type { Settings } from "@intents/deployment/settings.ts";
import type { RandomBytes } from "@intents/domain/ids.ts";
import type { Run } from "@intents/execution/run.ts";
import { openFiles } from "@intents/storage/files.ts";
import type { Table } from "@intents/storage/table.ts";

const now = (): number => Date.now();
const random: RandomBytes = (count) => webcrypto.getRandomValues(new Uint8Array(count));

/** The means of executions, with the same rails and settings as the service's own functions. */
export const openRun = (table: Table, settings: Settings): Run => ({
  table,
  files: openFiles(settings.BUCKET_NAME),
  rails: openRails(settings, { db: table.db, now, random }).rails,
  random,
  now,
  settings: {
    draftTtlMs: settings.DRAFT_TTL_HOURS * 3_600_000,
    pollIntervalMs: settings.POLL_INTERVAL_SECONDS * 1000,
    leaseMs: settings.SUBMIT_LEASE_SECONDS * 1000,
    recoveryAfterMs: settings.RECOVERY_AFTER_SECONDS * 1000,
    timerShards: settings.TIMER_SHARDS,
    payerAppUrl: settings.PAYER_APP_URL,
  },
});
