import { lateLegs, namedLegs } from "@intents/domain/batches/trouble.ts";
import { listOperatorAudit } from "@intents/storage/audit/operators.ts";
import { readRequests } from "@intents/storage/commissions/commission-requests.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findIntent, findIntents } from "@intents/storage/intents/intents.ts";
import { listRecords } from "@intents/storage/lists/lists.ts";
import { findProposal } from "@intents/storage/operations/proposals.ts";
import { listTenantIds } from "@intents/storage/parties/registers.ts";
import { listAlone } from "@intents/storage/polling/alone.ts";
import { findDue, OVERDUE_MS } from "@intents/storage/polling/timers.ts";
import { findWatchedRails } from "@intents/storage/polling/watches.ts";
import { findDeadLetters, peek, readDepth } from "@intents/storage/queue/dead-letters.ts";
import { openQueue } from "@intents/storage/queue/queue.ts";
import { readReconciliations, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { type CommandLine, FILL_IN, WHY } from "./command-line.ts";
import { withoutWaiting, withWaiting } from "./review-tasks.ts";
import type { Session } from "./session.ts";
import { digestOf, PROPOSAL_MS } from "./two-persons.ts";
import { type Looked, readCovered } from "./unattended.ts";
import { findUnattendedTasks } from "./unattended-tasks.ts";
import { findDisabledWebhooks } from "./webhook-tasks.ts";

/**
 * A task for a person: its start, matter and subject, and the command that acts or shows the facts for a decision.
 * The command can be pasted as it is; if it needs a person's words, it is refused without them.
 */
export type Task = Readonly<{ since: string; tenant?: string; what: string; about: string; next: string }>;

export type Todo = Readonly<{
  /** The oldest tasks, oldest first. */
  tasks: readonly Task[];
  /** Whether there are more than those. */
  hasMore: boolean;
  /** A sentence for each unread part. */
  unseen: readonly string[];
}>;

/** Upper bounds on what a report reads and prints. */
export type Bounds = Readonly<{
  tasks: number;
  /** Of each kind of a tenant's records. */
  records: number;
  tenants: number;
}>;

/** The bounds for a list of so many tasks. */
export const boundsFor = (tasks: number): Bounds => ({
  tasks,
  records: Math.max(2_000, tasks),
  tenants: Math.max(250, tasks),
});

/** Tasks of one kind, oldest first as far as their order tells, and what was left out. */
type Found = Readonly<{ tasks: readonly Task[]; hasMore?: boolean; unseen?: string }>;

type Search = Readonly<{ table: Table; command: CommandLine; nowMs: number; bounds: Bounds }> &
  Pick<Session, "settings">;

/** Tenants or shards searched side by side. */
const AT_ONCE = 10;
/** A page of a list of payments, or of the audit, has no more. */
const PAGE_MAX = 1_000;
/** Overdue timers of a shard listed one by one. */
const TIMERS_MAX = 100;
/** Named recipients of a batch. */
const RECIPIENTS_MAX = 5;

/** Finds tasks, oldest first: of all tenants and of the service, or of one tenant alone. */
export async function findTasks(
  session: Looked & Pick<Session, "command">,
  tenantId: string | undefined,
  nowMs: number,
  bounds: Bounds,
): Promise<Todo> {
  const search: Search = { ...session, nowMs, bounds };
  const known = tenantId === undefined ? await listTenantIds(search.table, bounds.tenants + 1) : [tenantId];
  const tenants = known.slice(0, bounds.tenants);
  const perTenant = await mapInTurns(tenants, AT_ONCE, (tenant) => findTenantTasks(search, tenant));
  const service = tenantId === undefined ? await findServiceTasks(search, session) : [];
  const alone = await findAlone(search, session, tenantId);
  const found: Found[] = [...perTenant.flat(), ...service, alone];
  const tasks = found.flatMap((each) => each.tasks).toSorted((one, other) => one.since.localeCompare(other.since));
  const others = known.length > tenants.length ? [`tenants after ${tenants.at(-1)}: name one`] : [];
  return {
    tasks: tasks.slice(0, bounds.tasks),
    hasMore: tasks.length > bounds.tasks || found.some(({ hasMore }) => hasMore),
    unseen: [...others, ...found.flatMap(({ unseen }) => unseen ?? [])],
  };
}

const findTenantTasks = (search: Search, tenant: string): Promise<Found[]> =>
  Promise.all([
    findUnknown(search, tenant),
    findHeld(search, tenant),
    findReconciliations(search, tenant),
    findRequests(search, tenant),
    findProposals(search, tenant),
    findDisabledWebhooks(search, tenant),
  ]);

/** The oldest payments of a tenant that a filter by status finds at once. */
async function listOldest({ table }: Search, tenant: string, filter: Readonly<Record<string, string>>, most: number) {
  const sort = [{ path: "createdAt", descending: false }];
  const query = { filter, sort, population: [], stripped: [], skip: 0, limit: Math.min(most, PAGE_MAX) };
  const page = await listRecords(table, tenant, "INTENT", query);
  if (!page.ok) throw new Error(`A list of intents was refused: ${page.failure.kind}`);
  return page.value;
}

/** Payments of which nobody knows whether the rail has made them. */
async function findUnknown(search: Search, tenant: string): Promise<Found> {
  const filter = { status: "requires_recovery" };
  const { items, hasMore } = await listOldest(search, tenant, filter, search.bounds.tasks);
  const tasks = await mapInTurns(items, AT_ONCE, async ({ id, updatedAt: since, deliveryMode }) => ({
    since,
    tenant,
    about: id,
    what: `the outcome of ${deliveryMode === "bulk" ? await nameLate(search, tenant, id) : "a payment"} is unknown: ask the rail`,
    next: search.command("intents", "resolve", id, "--tenant", tenant, "--as", FILL_IN, ...WHY),
  }));
  return { tasks, hasMore };
}

/** The recipients for which a batch was lost track of, as far as they tell it themselves. */
async function nameLate({ table, nowMs, settings }: Search, tenantId: string, id: string): Promise<string> {
  const [found, legs] = await Promise.all([findIntent(table, tenantId, id), listLegs(table, { tenantId, id })]);
  const recoveryAfterMs = (await settings()).RECOVERY_AFTER_SECONDS * 1000;
  const late = found.ok ? lateLegs(found.value, legs, nowMs, { recoveryAfterMs }) : [];
  return late.length === 0 ? "a batch" : `a batch, by ${namedLegs(late, RECIPIENTS_MAX)},`;
}

/** Batches that an operator holds. */
async function findHeld(search: Search, tenant: string): Promise<Found> {
  const filter = { status: "executing", deliveryMode: "bulk" };
  const { items, hasMore } = await listOldest(search, tenant, filter, search.bounds.records);
  const batches = await findIntents(
    search.table,
    items.map(({ id }) => ({ tenantId: tenant, id })),
  );
  const tasks = batches.flatMap(({ id, stopped }) =>
    stopped?.how !== "held"
      ? []
      : {
          since: stopped.at,
          tenant,
          what: `a batch is held: ${stopped.reason}`,
          about: id,
          next: search.command("intents", "resume", id, "--tenant", tenant, ...WHY),
        },
  );
  return { tasks, ...(hasMore && { unseen: `running batches of tenant ${tenant} but the oldest ${items.length}` }) };
}

/** The tasks that the newest records make, where nothing tells open ones from those that are done. */
async function lookAt<Stored>(
  { bounds: { records: most } }: Search,
  pages: AsyncGenerator<readonly Stored[]>,
  what: string,
  toTask: (record: Stored) => Task | undefined,
  describe: (tasks: readonly Task[]) => Promise<readonly Task[]>,
): Promise<Found> {
  const looked: Stored[] = [];
  for await (const page of pages) {
    looked.push(...page);
    if (looked.length > most) break;
  }
  const tasks = await describe(looked.slice(0, most).flatMap((record) => toTask(record) ?? []));
  return { tasks, ...(looked.length > most && { unseen: `${what} but the newest ${most}` }) };
}

function findReconciliations(search: Search, tenant: string): Promise<Found> {
  const of = ["--tenant", tenant, "--as", FILL_IN, ...WHY];
  return lookAt(
    search,
    readReconciliations(search.table, tenant),
    `reconciliation records of tenant ${tenant}`,
    ({ closed, openedAt: since, said, stands, intentId: about, ...record }) =>
      closed === undefined
        ? {
            since,
            tenant,
            what: `a rail said "${said}" and ${stands} stands: settle it by hand`,
            about,
            next: search.command("reconciliation", "close", reconciliationId({ intentId: about, ...record }), ...of),
          }
        : undefined,
    (tasks) => withWaiting(search.table, tenant, tasks),
  );
}

/** Requests that are to be decided; one that waits for a review is told with its record. */
function findRequests(search: Search, tenant: string): Promise<Found> {
  const of = ["--tenant", tenant, "--proof", FILL_IN, ...WHY];
  return lookAt(
    search,
    readRequests(search.table, tenant),
    `requests for commissions of tenant ${tenant}`,
    ({ requestId: about, status, createdOn: since, totalAmount, currency }) =>
      status === "submitted"
        ? {
            since,
            tenant,
            about,
            what: `commissions of ${totalAmount} ${currency} are to be paid out, or rejected`,
            next: search.command("commission-requests", "pay", about, ...of),
          }
        : undefined,
    (tasks) =>
      withoutWaiting(search.table, tenant, tasks, (id) =>
        search.command("commission-requests", "reject", id, "--tenant", tenant, ...WHY),
      ),
  );
}

/** Changes that one operator has proposed, and that another has to carry out. */
async function findProposals({ table, command, nowMs }: Search, tenant: string): Promise<Found> {
  const entries = await listOperatorAudit(table, tenant, PAGE_MAX);
  const isYoung = ({ at }: Readonly<{ at: string }>) => Date.parse(at) > nowMs - PROPOSAL_MS;
  const young = entries.filter((entry) => /\.propose$/.test(entry.action) && isYoung(entry));
  const tasks = await mapInTurns(young, AT_ONCE, async ({ at, action, operator, data }): Promise<Task[]> => {
    const proposed = action.replace(/\.propose$/, "");
    const known = await findProposal(table, { tenantId: tenant, wish: digestOf({ action: proposed, data }) });
    if (known?.at !== at || Date.parse(known.expiresAt) <= nowMs) return [];
    return [
      {
        since: at,
        tenant,
        about: JSON.stringify(data ?? {}),
        what: `${operator} proposed ${proposed}: another person does the same, until ${known.expiresAt}`,
        next: command("audit", "--tenant", tenant),
      },
    ];
  });
  const last = entries.at(-1);
  const isCut = entries.length === PAGE_MAX && last !== undefined && isYoung(last);
  return { tasks: tasks.flat(), ...(isCut && { unseen: `proposals to tenant ${tenant} before ${last.at}` }) };
}

/** Payments at which their rail fails whenever it is asked about them. */
async function findAlone({ table, command }: Search, session: Looked, tenantId?: string): Promise<Found> {
  const shards = Array.from({ length: (await readCovered(session)).watches }, (_, shard) => shard);
  const watched = await mapInTurns(shards, AT_ONCE, (shard) => findWatchedRails(table, shard));
  const alone = await mapInTurns([...new Set(watched.flat().map(({ rail }) => rail))], AT_ONCE, async (rail) =>
    (await listAlone(table, rail)).map((payment) => ({ rail, ...payment })),
  );
  const theirs = alone.flat().filter((payment) => tenantId === undefined || payment.tenantId === tenantId);
  const tasks = theirs.map(({ tenantId: tenant, id, rail, failures, sinceMs }) => ({
    since: new Date(sinceMs).toISOString(),
    tenant,
    about: id,
    what: `the rail ${rail} answers about others, and failed ${failures} questions about this payment: ask it why`,
    next: command("intents", "timeline", id, "--tenant", tenant),
  }));
  return { tasks };
}

/** Finds tasks of no particular payment: failed messages and unattended work. */
async function findServiceTasks(search: Search, session: Looked): Promise<Found[]> {
  const [{ QUEUE_URL }, covered] = await Promise.all([session.settings(), readCovered(session)]);
  const shards = Array.from({ length: covered.timers }, (_, shard) => shard);
  const timers = await mapInTurns(shards, AT_ONCE, (shard) => findOverdue(search, shard));
  return [
    { tasks: await findFailed(search, QUEUE_URL) },
    { tasks: await findUnattendedTasks(search, session) },
    ...timers,
  ];
}

async function findFailed({ command }: Search, queueUrl: string): Promise<Task[]> {
  const deadLetters = await findDeadLetters(openQueue(queueUrl));
  const [{ visible, inFlight }, [oldest]] = await Promise.all([readDepth(deadLetters), peek(deadLetters)]);
  const failed = visible + inFlight;
  if (failed === 0) return [];
  return [
    {
      since: oldest?.sentAt ?? "",
      about: oldest?.body ?? "",
      what: `${failed} messages failed five times: the log tells why`,
      next: command("queue", "redrive", ...WHY),
    },
  ];
}

async function findOverdue({ table, command, nowMs, bounds }: Search, shard: number): Promise<Found> {
  const most = Math.min(TIMERS_MAX, bounds.tasks);
  const due = await findDue(table, shard, nowMs - OVERDUE_MS, most + 1).next();
  const timers = due.done ? [] : due.value;
  const tasks = timers
    .slice(0, most)
    .map(({ tenantId: tenant, id, dueAtMs, owner = "INTENT" }) => ({
      since: new Date(dueAtMs).toISOString(),
      tenant,
      about: id,
      what: "a timer is overdue: does the schedule run?",
      next: owner === "INTENT" ? command("intents", "timeline", id, "--tenant", tenant) : command("queue", "show"),
    }));
  return { tasks, hasMore: timers.length > most };
}
