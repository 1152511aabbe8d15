import { findStoredRequest } from "@intents/storage/commissions/commission-requests.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";

type About = Readonly<{ about: string; what: string }>;

/** So many tasks are looked at side by side. */
const AT_ONCE = 10;

/** The tasks of open records, each with the requests for commissions that wait for it. */
export const withWaiting = <Task extends About>(table: Table, tenantId: string, tasks: readonly Task[]) =>
  mapInTurns(tasks, AT_ONCE, async (task) => {
    const requests = await findWaiting(table, tenantId, task.about);
    const waits = requests.map((id) => `; request ${id} for its commission waits for that`).join("");
    return { ...task, what: task.what + waits };
  });

/** The tasks of requests for commissions without those that wait for a record, which the record's task names. */
export async function withoutWaiting<Task extends About>(table: Table, tenantId: string, tasks: readonly Task[]) {
  const kept = await mapInTurns(tasks, AT_ONCE, async (task) => {
    const request = await findStoredRequest(table, { tenantId, requestId: task.about });
    return request?.underReview === undefined ? [task] : [];
  });
  return kept.flat();
}

/** The requests for the commissions of a payment that are not decided while it is under review. */
async function findWaiting(table: Table, tenantId: string, id: string): Promise<string[]> {
  const found = await findIntent(table, tenantId, id);
  if (!found.ok || found.value.bulkProgress !== undefined) return [];
  const paymentIds = found.value.executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const held = [...(await findCommissions(table, tenantId, [...new Set(paymentIds)])).values()];
  return held.flatMap(({ heldBy, commission }) =>
    heldBy !== undefined && commission.commissionPaidDate === undefined ? [heldBy] : [],
  );
}
