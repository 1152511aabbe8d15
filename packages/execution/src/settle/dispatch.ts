import { findDue, leaseTimer } from "@intents/storage/intents/timers.ts";
import { type Message, type Queue, sendMessages } from "@intents/storage/queue/queue.ts";
import type { Table } from "@intents/storage/table/table.ts";

const PAGE = 100;
const PAGES_MAX = 50;

/** One message per shard: shards are worked on side by side, each within its own deadline (H22). */
export const dispatchShards = (queue: Queue, shards: number): Promise<void> =>
  sendMessages(
    queue,
    Array.from({ length: shards }, (_, shard) => ({ message: { kind: "shard", shard } })),
  );

/** Leases the timers of a shard that are due within `aheadMs`, and sends each as a message, delayed until it is due. */
export async function dispatchShard(
  run: { table: Table; queue: Queue; now: () => number },
  shard: number,
  aheadMs: number,
  deadlineMs: number,
): Promise<number> {
  let sent = 0;
  for (let page = 0; page < PAGES_MAX && run.now() < deadlineMs; page++) {
    const due = await findDue(run.table, shard, run.now() + aheadMs, PAGE);
    const leased = await Promise.all(
      due.map(async (timer) => ({ timer, lease: await leaseTimer(run.table, timer, run.now(), aheadMs) })),
    );
    const messages = leased.flatMap(({ timer, lease }) => {
      if (lease === undefined) return [];
      const message: Message = { kind: "timer", ...lease };
      return { message, delaySeconds: (timer.dueAtMs - run.now()) / 1000 };
    });
    await sendMessages(run.queue, messages);
    sent += messages.length;
    if (due.length < PAGE) break;
  }
  return sent;
}
