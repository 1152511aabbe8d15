import type { Tenant } from "@intents/domain/parties/tenant.ts";
import { listOperatorAudit } from "@intents/storage/audit/operators.ts";
import { readRequests } from "@intents/storage/commissions/commission-requests.ts";
import { findIntents } from "@intents/storage/intents/intents.ts";
import { listReconciliations, reconciliationId } from "@intents/storage/intents/reconciliation.ts";
import { findDue, OVERDUE_MS } from "@intents/storage/intents/timers.ts";
import { listRecords } from "@intents/storage/lists/lists.ts";
import { findProposal } from "@intents/storage/operations/proposals.ts";
import { listTenants } from "@intents/storage/parties/registers.ts";
import { findDeadLetters, peek, readDepth } from "@intents/storage/queue/dead-letters.ts";
import { openQueue } from "@intents/storage/queue/queue.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";
import type { Session } from "./session.ts";
import { digestOf, PROPOSAL_MS } from "./two-persons.ts";

/** What needs a person: since when, what it is and about whom, and the command that acts. */
export type Task = Readonly<{ since: string; tenant?: string; what: string; about: string; next: string }>;

/** So many tenants are looked at side by side. */
const TENANTS_AT_ONCE = 10;
/** Of a kind, a tenant has no more tasks than this; what is older comes once these are done. */
const KIND_MAX = 1_000;
/** So many overdue timers of a shard are told one by one. */
const TIMERS_MAX = 100;
const AUDIT_MAX = 1_000;

/** Everything that needs a person, oldest first: of all tenants and of the service, or of one tenant alone. */
export async function findTasks(
  session: Pick<Session, "table" | "settings">,
  tenantId: string | undefined,
  nowMs: number,
): Promise<Task[]> {
  const { table } = session;
  const tenants = tenantId === undefined ? await listTenants(table) : [{ tenantId }];
  const perTenant = await mapInTurns(tenants, TENANTS_AT_ONCE, ({ tenantId: tenant }) =>
    findTenantTasks(table, tenant, nowMs),
  );
  const service = tenantId === undefined ? await findServiceTasks(session, nowMs) : [];
  return [...perTenant.flat(), ...service].toSorted((one, other) => one.since.localeCompare(other.since));
}

async function findTenantTasks(table: Table, tenant: Tenant["tenantId"], nowMs: number): Promise<Task[]> {
  const found = await Promise.all([
    findUnknown(table, tenant),
    findHeld(table, tenant),
    findReconciliations(table, tenant),
    findRequests(table, tenant),
    findProposals(table, tenant, nowMs),
  ]);
  return found.flat();
}

const list = async (table: Table, tenant: string, filter: Readonly<Record<string, string>>) => {
  const query = { filter, sort: [], population: [], stripped: [], skip: 0, limit: KIND_MAX };
  const page = await listRecords(table, tenant, "INTENT", query);
  if (!page.ok) throw new Error(`A list of intents was refused: ${page.failure.kind}`);
  return page.value.items;
};

/** Payments of which nobody knows whether the rail has made them. */
const findUnknown = async (table: Table, tenant: string): Promise<Task[]> =>
  (await list(table, tenant, { status: "requires_recovery" })).map(({ id, updatedAt: since }) => ({
    ...{ since, tenant, what: "the outcome of a payment is unknown", about: id },
    next: `intents timeline ${id} --tenant ${tenant}; ask the rail; intents resolve ${id} --tenant ${tenant} --as …`,
  }));

/** Batches that an operator holds. */
async function findHeld(table: Table, tenant: string): Promise<Task[]> {
  const running = await list(table, tenant, { status: "executing", deliveryMode: "bulk" });
  const intents = await findIntents(
    table,
    running.map(({ id }) => ({ tenantId: tenant, id })),
  );
  return intents.flatMap(({ id, stopped }) =>
    stopped?.how !== "held"
      ? []
      : {
          ...{ since: stopped.at, tenant, what: `a batch is held: ${stopped.reason}`, about: id },
          next: `intents resume ${id} --tenant ${tenant}, or intents cancel`,
        },
  );
}

const findReconciliations = async (table: Table, tenant: string): Promise<Task[]> =>
  (await listReconciliations(table, tenant)).flatMap((record) =>
    record.closed !== undefined
      ? []
      : {
          ...{ since: record.openedAt, tenant, what: `a rail said "${record.said}" and ${record.stands} stands` },
          about: record.intentId,
          next: `settle it, then reconciliation close '${reconciliationId(record)}' --tenant ${tenant}`,
        },
  );

async function findRequests(table: Table, tenant: string): Promise<Task[]> {
  const tasks: Task[] = [];
  for await (const page of readRequests(table, tenant)) {
    for (const { requestId: id, status, createdOn, totalAmount, currency } of page) {
      if (status !== "submitted") continue;
      tasks.push({
        ...{
          since: createdOn,
          tenant,
          what: `commissions of ${totalAmount} ${currency} are to be paid out`,
          about: id,
        },
        next: `commission-requests pay ${id} --tenant ${tenant} --proof FILE, or reject`,
      });
    }
  }
  return tasks;
}

/** Changes that one operator has proposed, and that another has to carry out. */
async function findProposals(table: Table, tenant: string, nowMs: number): Promise<Task[]> {
  const entries = await listOperatorAudit(table, tenant, AUDIT_MAX);
  const young = entries.filter(({ at, action }) => /\.propose$/.test(action) && Date.parse(at) > nowMs - PROPOSAL_MS);
  const tasks = await mapInTurns(young, TENANTS_AT_ONCE, async ({ at, action, operator, data }): Promise<Task[]> => {
    const proposed = action.replace(/\.propose$/, "");
    const known = await findProposal(table, { tenantId: tenant, wish: digestOf({ action: proposed, data }) });
    if (known?.at !== at || Date.parse(known.expiresAt) <= nowMs) return [];
    return [
      {
        ...{ since: at, tenant, what: `${operator} proposed ${proposed}`, about: JSON.stringify(data ?? {}) },
        next: `as another person, ${proposed.replace(".", " ")} with the same words, until ${known.expiresAt}`,
      },
    ];
  });
  return tasks.flat();
}

/** What waits for nobody's payment in particular: messages that failed, and timers that nobody has obeyed. */
async function findServiceTasks(
  { table, settings }: Pick<Session, "table" | "settings">,
  nowMs: number,
): Promise<Task[]> {
  const { QUEUE_URL, TIMER_SHARDS } = await settings();
  const deadLetters = await findDeadLetters(openQueue(QUEUE_URL));
  const [{ visible, inFlight }, [oldest]] = await Promise.all([readDepth(deadLetters), peek(deadLetters)]);
  const failed = visible + inFlight;
  const letters: Task[] =
    failed === 0
      ? []
      : [
          {
            ...{ since: oldest?.sentAt ?? "", what: `${failed} messages failed five times`, about: oldest?.body ?? "" },
            next: "queue show and the log, then queue redrive",
          },
        ];
  const shards = Array.from({ length: TIMER_SHARDS }, (_, shard) => shard);
  const timers = await mapInTurns(shards, TENANTS_AT_ONCE, (shard) => findOverdue(table, shard, nowMs - OVERDUE_MS));
  return [...letters, ...timers.flat()];
}

async function findOverdue(table: Table, shard: number, untilMs: number): Promise<Task[]> {
  for await (const timers of findDue(table, shard, untilMs, TIMERS_MAX)) {
    return timers.map(({ tenantId: tenant, id, dueAtMs, owner = "INTENT" }) => ({
      ...{ since: new Date(dueAtMs).toISOString(), tenant, what: "a timer is overdue", about: id },
      next:
        owner === "INTENT"
          ? `queue show: does the schedule run? intents timeline ${id} --tenant ${tenant}`
          : "queue show: does the schedule run?",
    }));
  }
  return [];
}
