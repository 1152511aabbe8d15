import type { Table } from "@intents/storage/table/table.ts";
import { listEndpoints } from "@intents/storage/webhooks/endpoints.ts";
import type { CommandLine } from "./command-line.ts";

/** Webhook endpoints that the service has disabled by itself. Enabling one, or deleting it, is its tenant's. */
export async function findDisabledWebhooks(
  { table, command }: Readonly<{ table: Table; command: CommandLine }>,
  tenant: string,
) {
  const endpoints = await listEndpoints(table, tenant);
  const tasks = endpoints.flatMap(({ endpoint: { id: about, url, disabledReason, updatedAt: since } }) => {
    if (disabledReason === undefined || disabledReason === "asked") return [];
    const why = disabledReason === "gone" ? "it answered 410" : "no attempt succeeded for five days";
    const what = `events are not sent to ${url} any more, for ${why}: tell the tenant`;
    return [{ since, tenant, what, about, next: command("webhooks", "deliveries", about, "--tenant", tenant) }];
  });
  return { tasks };
}
