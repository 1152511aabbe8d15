import { type DueTimer, findDue, leaseTimer, OVERDUE_MS, stepOfDue } from "@intents/storage/polling/timers.ts";
import { MessagesRefused, type Posted, type Queue, sendMessages } from "@intents/storage/queue/queue.ts";
import { type FailedItem, settleInTurns } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";

const PAGE = 100;
const PAGES_MAX = 50;

/** One message per shard: shards are worked on side by side, each within its own deadline (H22). */
export const dispatchShards = (queue: Queue, shards: number): Promise<void> =>
  sendMessages(
    queue,
    Array.from({ length: shards }, (_, shard) => ({ message: { kind: "shard", shard } })),
  );

/** How many timers were leased, how many of those that were read were overdue, and those that could not be sent. */
export type Dispatched = Readonly<{ leased: number; overdue: number; failed: readonly FailedItem[] }>;

/**
 * Leases the timers of a shard that are due within `aheadMs`, and sends each as a message, delayed until it is due. One
 * that cannot be leased or sent delays no other.
 */
export async function dispatchShard(
  run: { table: Table; queue: Queue; now: () => number },
  shard: number,
  aheadMs: number,
  deadlineMs: number,
): Promise<Dispatched> {
  const failed: FailedItem[] = [];
  const counts = { leased: 0, overdue: 0, failed };
  if (run.now() >= deadlineMs) return counts;
  let pages = 0;
  const startMs = run.now();
  for await (const due of findDue(run.table, shard, startMs + aheadMs, PAGE)) {
    const lease = async (timer: (typeof due)[number]) => ({ timer, lease: await sendingOf(run, timer, startMs) });
    const sent = await settleInTurns(due, PAGE, lease, { failed, nameOf });
    const messages = sent.flatMap(({ timer, lease }): Posted[] =>
      lease === undefined
        ? []
        : [{ message: { kind: "timer", ...lease }, delaySeconds: (timer.dueAtMs - run.now()) / 1000 }],
    );
    try {
      await sendMessages(run.queue, messages);
    } catch (reason) {
      if (!(reason instanceof MessagesRefused)) throw reason;
      failed.push({ about: `some of ${messages.length} messages`, reason });
    }
    counts.overdue += due.filter(({ dueAtMs }) => dueAtMs <= startMs - OVERDUE_MS).length;
    counts.leased += sent.filter(({ timer, lease }) => lease !== undefined && lease.leaseMs !== timer.dueAtMs).length;
    pages += 1;
    if (pages === PAGES_MAX || run.now() >= deadlineMs) break;
  }
  return counts;
}

const nameOf = ({ tenantId, id }: Readonly<{ tenantId: string; id: string }>): string => `${tenantId}/${id}`;

/** The token under which a timer is sent: of a new lease, or of the one that it has. */
async function sendingOf(
  { table, now }: { table: Table; now: () => number },
  timer: Parameters<typeof leaseTimer>[1],
  startMs: number,
): Promise<DueTimer | undefined> {
  const { dueAtMs, ...owner } = timer;
  const step = stepOfDue(dueAtMs, startMs);
  if (step === "leave") return undefined;
  return step === "lease" ? leaseTimer(table, timer, now()) : { ...owner, leaseMs: dueAtMs };
}
