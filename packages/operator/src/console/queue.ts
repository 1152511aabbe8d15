import type { QueueView } from "@intents/console/queue.tsx";
import { WHY } from "../command-line.ts";
import { readOverdue, readQueue } from "../queue.ts";
import type { Means } from "./means.ts";

/** So many overdue timers of each shard are named. */
const OVERDUE_MAX = 10;

export async function readQueueView({ session }: Means): Promise<QueueView> {
  const [read, overdue] = await Promise.all([readQueue(session), readOverdue(session, Date.now(), OVERDUE_MAX)]);
  const { messages, deadLetters, lanes, timersDue, timersOverdue, questions, unattended } = read;
  const redrive = {
    says: "Send the messages that failed once more",
    command: session.command("queue", "redrive", ...WHY),
  };
  return {
    ...{ messages, deadLetters, lanes, timersDue, timersOverdue, questions, unattended },
    overdue: overdue.map(({ owner = "INTENT", tenantId, id, dueAtMs }) => {
      return { owner, tenantId, id, dueAt: new Date(dueAtMs).toISOString() };
    }),
    acts: deadLetters > 0 ? [redrive] : [],
  };
}
