import { openHttpRail } from "@intents/connectors/http.ts";
import { openSandboxRail, type SandboxRail } from "@intents/connectors/sandbox.ts";
import type { Connector } from "@intents/domain/connector.ts";
import type { Run } from "@intents/execution/run.ts";
import { openFiles } from "@intents/storage/files.ts";
import { now, random, settings, table } from "./environment.ts";

/** The simulated rail, on every stage but production. */
export const sandboxRail: SandboxRail = openSandboxRail({
  db: table.db,
  tableName: settings.RAIL_TABLE_NAME,
  baseUrl: settings.BASE_URL,
  settleSeconds: settings.SANDBOX_SETTLE_SECONDS,
  dedupSeconds: settings.SANDBOX_DEDUP_SECONDS,
  now,
  random,
});

function openConnector(): Connector {
  const { CONNECTOR, CONNECTOR_URL: url, CONNECTOR_SECRET: secret } = settings;
  if (CONNECTOR === "sandbox") return sandboxRail.connector;
  if (url === undefined || secret === undefined) {
    throw new Error("CONNECTOR=http needs CONNECTOR_URL and CONNECTOR_SECRET");
  }
  return openHttpRail({ url, secret, now, random });
}

/**
 * What executions work with in this container. The settings are named here rather than in a package, because the
 * deployment gives a function those that its entry file and this folder name.
 */
export const run: Run = {
  table,
  files: openFiles(settings.BUCKET_NAME),
  connector: openConnector(),
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
