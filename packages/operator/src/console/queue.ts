import type { QueueView } from "@intents/console/queue.tsx";
import { listHookedTenants } from "@intents/storage/webhooks/endpoints.ts";
import { WHY } from "../command-line.ts";
import { readOverdue, readQueue } from "../queue.ts";
import { readEndpoints } from "../webhooks.ts";
import { ofEach } from "../whose.ts";
import type { Means } from "./means.ts";

/** The endpoints of so many tenants are shown. */
const HOOKED_MAX = 50;
/** Overdue timers of each shard on the page. */
const OVERDUE_MAX = 10;

export async function readQueueView({ session }: Means): Promise<QueueView> {
  const [read, overdue, hooked] = await Promise.all([
    readQueue(session),
    readOverdue(session, Date.now(), OVERDUE_MAX),
    listHookedTenants(session.table),
  ]);
  const endpoints = await ofEach(hooked.slice(0, HOOKED_MAX), (tenant) => readEndpoints(session, tenant));
  const { messages, deadLetters, lanes, timersDue, timersOverdue, questions, unattended } = read;
  const redrive = {
    says: "Send the messages that failed once more",
    command: session.command("queue", "redrive", ...WHY),
  };
  return {
    messages,
    deadLetters,
    lanes,
    timersDue,
    timersOverdue,
    questions,
    unattended,
    endpoints,
    overdue: overdue.map(({ owner = "INTENT", tenantId, id, dueAtMs }) => {
      return { owner, tenantId, id, dueAt: new Date(dueAtMs).toISOString() };
    }),
    acts: deadLetters > 0 ? [redrive] : [],
  };
}
