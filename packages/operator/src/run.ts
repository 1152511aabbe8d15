import { webcrypto } from "node:crypto";
import { openHttpRail } from "@intents/connectors/http.ts";
import { openSandboxRail } from "@intents/connectors/sandbox.ts";
import type { Settings } from "@intents/contract/settings.ts";
import type { Connector } from "@intents/domain/connector.ts";
import type { RandomBytes } from "@intents/domain/ids.ts";
import type { Run } from "@intents/execution/run.ts";
import { openFiles } from "@intents/storage/files.ts";
import type { Table } from "@intents/storage/table.ts";

const now = (): number => Date.now();
const random: RandomBytes = (count) => webcrypto.getRandomValues(new Uint8Array(count));

/** What executions work with, as the service's own functions have it: the same rail, and the same settings. */
export const openRun = (table: Table, settings: Settings): Run => ({
  table,
  files: openFiles(settings.BUCKET_NAME),
  connector: openConnector(table, settings),
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

function openConnector({ db }: Table, settings: Settings): Connector {
  const { CONNECTOR, CONNECTOR_URL: url, CONNECTOR_SECRET: secret } = settings;
  if (CONNECTOR === "sandbox") {
    return openSandboxRail({
      db,
      tableName: settings.RAIL_TABLE_NAME,
      baseUrl: settings.BASE_URL,
      settleSeconds: settings.SANDBOX_SETTLE_SECONDS,
      dedupSeconds: settings.SANDBOX_DEDUP_SECONDS,
      now,
      random,
    }).connector;
  }
  if (url === undefined || secret === undefined) throw new Error("The rail's address or secret is not deployed");
  return openHttpRail({ url, secret, now, random });
}
