import type { Queue } from "@intents/storage/queue/queue.ts";
import type { FailedItem } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { listHookedTenants } from "@intents/storage/webhooks/endpoints.ts";
import { postWebhooks } from "@intents/storage/webhooks/messages.ts";

/** Has the endpoints of all tenants looked after: a nudge that was lost, and an attempt that is due, are made good. */
export async function tickWebhooks(table: Table, queue: Queue | undefined, failed: FailedItem[]): Promise<void> {
  if (queue === undefined) return;
  try {
    const tenants = await listHookedTenants(table);
    await postWebhooks(
      queue,
      tenants.map((tenantId) => ({ kind: "tenant", tenantId }) as const),
    );
  } catch (reason) {
    failed.push({ about: "webhooks", reason });
  }
}
