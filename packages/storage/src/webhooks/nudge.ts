import type { Queue } from "../queue/queue.ts";
import { keysOf } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import type { Table } from "../table/table.ts";
import { postWebhooks } from "./messages.ts";

/** A container relies so long on what it knows of a tenant's having endpoints. */
const KNOWN_MS = 60_000;
const TENANTS_MAX = 10_000;
/** Nobody waits longer than this for a nudge, which may be lost. */
const PATIENCE_MS = 500;

/**
 * The table, after each of whose transactions with an event the deliverer of its tenant is nudged, if the tenant has
 * endpoints. A nudge says nothing but that, and a failed one is left to the next tick.
 */
export function nudging(table: Table, queue: Queue): Table {
  const known = new Map<string, Readonly<{ has: boolean; untilMs: number }>>();
  const hasEndpoints = async (tenantId: string): Promise<boolean> => {
    const nowMs = Date.now();
    const found = known.get(tenantId);
    if (found !== undefined && found.untilMs > nowMs) return found.has;
    const has = await hasAny(table, tenantId);
    if (known.size >= TENANTS_MAX) known.clear();
    known.set(tenantId, { has, untilMs: nowMs + KNOWN_MS });
    return has;
  };
  const nudge = async (tenantId: string) => {
    if (await hasEndpoints(tenantId)) await postWebhooks(queue, [{ kind: "tenant", tenantId }]);
  };
  return {
    ...table,
    changed: async (tenantId) => {
      let timer: NodeJS.Timeout | undefined;
      const isOver = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS);
      });
      await Promise.race([nudge(tenantId).catch(() => undefined), isOver]);
      clearTimeout(timer);
    },
  };
}

async function hasAny(table: Table, tenantId: string): Promise<boolean> {
  const pages = queryPages(table, {
    KeyConditionExpression: "PK = :pk",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).webhook("").PK },
    ProjectionExpression: "SK",
    Limit: 1,
  });
  for await (const { Count = 0 } of pages) return Count > 0;
  return false;
}
