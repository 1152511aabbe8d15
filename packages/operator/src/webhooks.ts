import { deliveryStatuses } from "@intents/domain/webhooks/delivery.ts";
import { readLag } from "@intents/execution/webhooks/lag.ts";
import { type DeliveryQuery, listDeliveries } from "@intents/storage/webhooks/deliveries.ts";
import { type Followed, listEndpoints } from "@intents/storage/webhooks/endpoints.ts";
import { type Command, Option } from "commander";
import { limitOption, printAll } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";
import { tenantOption } from "./tenants.ts";
import { ofEach, tenantsOf, whoseOption } from "./whose.ts";

export function webhookCommands(program: Command): void {
  const webhooks = program.command("webhooks").description("tenants' webhook endpoints, and what they were sent");
  webhooks
    .command("list")
    .description("endpoints: their status, since when they fail, and the oldest event that is not delivered")
    .addOption(whoseOption())
    .action(async ({ tenant }: Readonly<{ tenant?: string }>, command: Command) => {
      const session = await openSession(command);
      printAll(session, await ofEach(await tenantsOf(session, tenant), (each) => readEndpoints(session, each)));
    });
  webhooks
    .command("deliveries")
    .description("what became of events at an endpoint, newest first; no bodies, which may hold what is personal")
    .argument("<id>", "the endpoint, as listed")
    .addOption(tenantOption())
    .addOption(new Option("--status <status>", "only in this status").choices(deliveryStatuses))
    .addOption(limitOption())
    .action(
      async (id: string, { tenant, ...query }: Readonly<{ tenant: string }> & DeliveryQuery, command: Command) => {
        await showDeliveries(await openSession(command), { tenantId: tenant, id }, query);
      },
    );
}

/** The endpoints of a tenant, as operators see them. */
export async function readEndpoints({ table }: Pick<Session, "table">, tenant: string) {
  const nowMs = Date.now();
  const endpoints = await listEndpoints(table, tenant);
  return Promise.all(endpoints.map((each) => toRow(table, tenant, each, nowMs)));
}

async function toRow(table: Session["table"], tenant: string, followed: Followed, nowMs: number) {
  const { endpoint, progress } = followed;
  const { failedSinceMs, probe } = progress.standing;
  const { oldestAt, waiting } = await readLag(table, tenant, followed, nowMs);
  return {
    tenant,
    id: endpoint.id,
    url: endpoint.url,
    status: endpoint.disabledReason ?? endpoint.status,
    failingSince: toTime(failedSinceMs),
    nextAttemptAt: toTime(probe?.atMs),
    waiting,
    undeliveredSince: oldestAt,
  };
}

const toTime = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

async function showDeliveries(
  session: Session,
  key: Readonly<{ tenantId: string; id: string }>,
  { limit, ...query }: DeliveryQuery,
): Promise<void> {
  const known = await listEndpoints(session.table, key.tenantId);
  if (!known.some(({ endpoint }) => endpoint.id === key.id)) throw new Refusal(`No endpoint ${key.id}`);
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (let after: string | undefined; ; ) {
    const asked = { ...query, limit: limit - rows.length, ...(after !== undefined && { after }) };
    const page = await listDeliveries(session.table, key, asked, Date.now());
    for (const { event, status, attempts, nextAttemptAt } of page?.items ?? []) {
      const last = attempts.at(-1);
      rows.push({
        id: event.id,
        time: event.time,
        type: event.type,
        about: event.resource.id,
        status,
        attempts: attempts.length,
        last: last?.status ?? last?.problem,
        nextAttemptAt,
      });
    }
    if (page === undefined || !page.hasMore || rows.length >= limit) break;
    after = page.nextCursor;
  }
  printAll(session, rows);
}
