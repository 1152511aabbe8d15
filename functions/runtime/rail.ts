import { openRails } from "@intents/connectors/open-rails.ts";
import type { Run } from "@intents/execution/run.ts";
import { openFiles } from "@intents/storage/files.ts";
import { now, random, settings, table } from "./environment.ts";

const { CONNECTOR, CONNECTOR_URL, CONNECTOR_SECRET, CONNECTOR_FORMER_URLS } = settings;
const { RAIL_TABLE_NAME, BASE_URL, SANDBOX_SETTLE_SECONDS, SANDBOX_DEDUP_SECONDS } = settings;

const opened = openRails(
  {
    ...{ CONNECTOR, CONNECTOR_URL, CONNECTOR_SECRET, CONNECTOR_FORMER_URLS },
    ...{ RAIL_TABLE_NAME, BASE_URL, SANDBOX_SETTLE_SECONDS, SANDBOX_DEDUP_SECONDS },
  },
  { db: table.db, now, random },
);

/** The simulated rails, where there are any: not in production. */
export const { sandboxes } = opened;

/**
 * What executions work with in this container. The settings are named here rather than in a package, because the
 * deployment gives a function those that its entry file and this folder name.
 */
export const run: Run = {
  table,
  files: openFiles(settings.BUCKET_NAME),
  rails: opened.rails,
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
};
