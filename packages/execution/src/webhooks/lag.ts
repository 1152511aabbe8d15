import type { WebhookEndpoint } from "@intents/domain/webhooks/endpoint.ts";
import type { After } from "@intents/storage/events/cursor.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { listWaiting } from "@intents/storage/webhooks/deliveries.ts";
import { type Followed, listEndpoints, listHookedTenants } from "@intents/storage/webhooks/endpoints.ts";
import type { EndpointKey } from "@intents/storage/webhooks/secrets.ts";
import { findFresh } from "./work.ts";

/** The backlog of an endpoint, as far as its oldest 1,000 events tell. */
export type Lag = Readonly<{
  /** Deliveries that wait for another attempt, 50 at most. */
  waiting: number;
  /** When the oldest event happened that is not delivered. */
  oldestAt?: string;
  /** Since when something is due that nobody has attempted, although nobody works on the endpoint. */
  unattendedSinceMs?: number;
}>;

/** Pages of events to search; an endpoint may want few of them. */
const PAGES_MAX = 20;
/** The schedule finds what is due within a minute, and a slow receiver is worked on all the time. */
const UNATTENDED_MS = 15 * 60_000;
const AT_ONCE = 10;

/** How far an endpoint is behind its tenant's feed. */
export async function readLag(
  table: Table,
  tenantId: string,
  { endpoint, progress }: Followed,
  nowMs: number,
): Promise<Lag> {
  const { cursor, standing: health, leasedUntilMs = 0, atMs } = progress;
  const key = { tenantId, id: endpoint.id };
  const [waits, fresh] = await Promise.all([
    listWaiting(table, key, Number.MAX_SAFE_INTEGER),
    findUndelivered(table, key, endpoint, cursor, nowMs),
  ]);
  const undelivered = [...waits, ...fresh].map(({ event }) => event.time).toSorted();
  const [oldestAt] = undelivered;
  if (oldestAt === undefined) return { waiting: 0 };
  const retries = waits.map(({ nextAttemptAt = "" }) => Date.parse(nextAttemptAt));
  const dueMs = health.probe?.atMs ?? Math.min(...retries, ...fresh.map(({ event }) => Date.parse(event.time)));
  const sinceMs = Math.max(dueMs, atMs, leasedUntilMs);
  const isUnattended = endpoint.status === "enabled" && sinceMs < nowMs - UNATTENDED_MS;
  return { waiting: waits.length, oldestAt, ...(isUnattended && { unattendedSinceMs: sinceMs }) };
}

/** The first events behind a cursor that an endpoint wants and has not been sent. */
async function findUndelivered(
  table: Table,
  key: EndpointKey,
  endpoint: WebhookEndpoint,
  cursor: After,
  nowMs: number,
) {
  let behind = cursor;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { fresh, passed, hasMore } = await findFresh(table, key, endpoint, behind, nowMs);
    if (fresh.length > 0 || !hasMore) return fresh;
    behind = passed.last ?? behind;
  }
  return [];
}

/** Endpoints to which something is due that nobody attempts: a fault of the service, and of no receiver. */
export async function findUnattendedWebhooks(
  table: Table,
  nowMs: number,
): Promise<Readonly<{ what: string; about: string; at: string }>[]> {
  const tenants = await listHookedTenants(table);
  const found = await mapInTurns(tenants, AT_ONCE, async (tenantId) => {
    const endpoints = await listEndpoints(table, tenantId);
    const lags = await Promise.all(endpoints.map((each) => readLag(table, tenantId, each, nowMs)));
    return lags.flatMap(({ unattendedSinceMs }, index) => {
      const about = `${tenantId} ${endpoints[index]?.endpoint.id}`;
      const at = new Date(unattendedSinceMs ?? 0).toISOString();
      return unattendedSinceMs === undefined ? [] : [{ what: "events of a webhook endpoint are not sent", about, at }];
    });
  });
  return found.flat();
}
