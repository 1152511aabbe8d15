import { ENDPOINTS_MAX } from "@intents/domain/webhooks/endpoint.ts";
import type { Queue } from "@intents/storage/queue/queue.ts";
import { type FailedItem, settleInTurns } from "@intents/storage/table/in-turns.ts";
import { listEndpoints } from "@intents/storage/webhooks/endpoints.ts";
import { DELAY_MS_MAX, postWebhooks } from "@intents/storage/webhooks/messages.ts";
import type { EndpointKey } from "@intents/storage/webhooks/secrets.ts";
import { deliverTo } from "./deliver.ts";
import type { Deliverer } from "./round.ts";

/** The means of deliveries, and the queue of endpoints that are slow or fail. */
export type Server = Deliverer & Readonly<{ apart: Queue }>;

/**
 * Delivers to the endpoints of a tenant, side by side. One that is slow or fails is handed to a queue of its own kind, so
 * that nobody waits for it. Gives those that could not be dealt with.
 */
export async function serveTenant(run: Server, tenantId: string, deadlineMs: number): Promise<FailedItem[]> {
  const followed = await listEndpoints(run.table, tenantId);
  const keys = followed.flatMap(({ endpoint: { id, status }, progress: { standing: health } }) =>
    status === "enabled" ? [{ tenantId, id, isSlow: health.isSlow === true }] : [],
  );
  const slow = keys.filter(({ isSlow }) => isSlow).map(({ id }) => ({ kind: "endpoint", tenantId, id }) as const);
  await postWebhooks(run.apart, slow);
  const failed: FailedItem[] = [];
  const quick = keys.filter(({ isSlow }) => !isSlow);
  const nameOf = ({ id }: EndpointKey) => `${tenantId} ${id}`;
  await settleInTurns(quick, ENDPOINTS_MAX, (key) => serveEndpoint(run, key, deadlineMs), { failed, nameOf });
  return failed;
}

/** Delivers to one endpoint, and has it looked after again when that is due. A tick finds what is further ahead. */
export async function serveEndpoint(run: Server, { tenantId, id }: EndpointKey, deadlineMs: number): Promise<void> {
  const { hasMore, wakeAtMs = Number.POSITIVE_INFINITY } = await deliverTo(run, { tenantId, id }, deadlineMs);
  const waitMs = hasMore ? 0 : wakeAtMs - run.now();
  if (waitMs <= DELAY_MS_MAX) await postWebhooks(run.apart, [{ kind: "endpoint", tenantId, id }], waitMs);
}
