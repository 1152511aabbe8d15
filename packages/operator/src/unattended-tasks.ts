import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { listRestored, type Restored } from "@intents/execution/unattended/daily-check.ts";
import { findIntents } from "@intents/storage/intents/intents.ts";
import { findTimer } from "@intents/storage/polling/timers.ts";
import type { Table } from "@intents/storage/table/table.ts";
import type { CommandLine } from "./command-line.ts";
import { type Looked, readUnattended } from "./unattended.ts";

type Search = Readonly<{ table: Table; command: CommandLine; nowMs: number }>;

/** The checks mend what they can, hourly and daily: whatever is left, or comes again, is for a person. */
export async function findUnattendedTasks({ table, command, nowMs }: Search, session: Looked) {
  const [unattended, restored] = await Promise.all([readUnattended(session, nowMs), listRestored(table)]);
  const { request = [], payment = [] } = Object.groupBy(restored, ({ owner }) => (owner ? "request" : "payment"));
  const ended = new Set(
    (await findIntents(table, payment)).flatMap(({ id, status }) => (isTerminal(status) ? id : [])),
  );
  return [
    ...unattended.map(({ at: since, ...task }) => ({ since, ...task, next: command("queue", "show") })),
    ...payment
      .filter(({ id }) => !ended.has(id))
      .map(({ tenantId: tenant, id: about, at: since }) => ({
        since,
        tenant,
        what: "nobody looked after a payment until then: find out why",
        about,
        next: command("intents", "timeline", about, "--tenant", tenant),
      })),
    ...(await findOpen(table, request)).map(({ tenantId: tenant, id: about, at: since }) => ({
      since,
      tenant,
      what: "nobody looked after a request for commissions until then: find out why",
      about,
      next: command("queue", "show"),
    })),
  ];
}

/** The requests that still have work to be done, which is as long as they have a timer. */
async function findOpen(table: Table, requests: readonly Restored[]): Promise<Restored[]> {
  const timers = await Promise.all(requests.map(({ tenantId, id, owner }) => findTimer(table, tenantId, id, owner)));
  return requests.filter((_, index) => timers[index] !== undefined);
}
