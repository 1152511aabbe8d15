import { findStoredRequest } from "@intents/storage/commissions/commission-requests.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findReissuer } from "@intents/storage/intents/reissues.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";

type About = Readonly<{ about: string; what: string; next: string }>;

/** Tasks looked up side by side. */
const AT_ONCE = 10;

/**
 * The tasks of open records, each with the requests for commissions that wait for it, and with the payment by which the
 * same money may have moved again before the record was opened.
 */
export const withWaiting = <Task extends About>(table: Table, tenantId: string, tasks: readonly Task[]) =>
  mapInTurns(tasks, AT_ONCE, async (task) => {
    const [requests, reissuer] = await Promise.all([
      findWaiting(table, tenantId, task.about),
      findReissuer(table, tenantId, task.about),
    ]);
    const waits = requests.map((id) => `; request ${id} for its commission waits for that`).join("");
    const reissued = reissuer === undefined ? "" : `; payment ${reissuer.intentId} pays it again`;
    return { ...task, what: task.what + reissued + waits };
  });

/**
 * The tasks of requests for commissions without those that wait for a record, which the record's task names. A request
 * for money that has come back since is to be rejected, by the command that `toReject` gives.
 */
export async function withoutWaiting<Task extends About>(
  table: Table,
  tenantId: string,
  tasks: readonly Task[],
  toReject: (requestId: string) => string,
) {
  const kept = await mapInTurns(tasks, AT_ONCE, async (task) => {
    const requestId = task.about;
    const { underReview } = (await findStoredRequest(table, { tenantId, requestId })) ?? {};
    if (underReview === undefined) return [task];
    const held = await findCommissions(table, tenantId, underReview);
    const waits = held.some(({ heldBy, commission }) => heldBy === requestId && commission.underReview !== undefined);
    const what = `commissions are requested of payments whose money came back (${underReview.join(", ")}): reject the request`;
    return waits ? [] : [{ ...task, what, next: toReject(requestId) }];
  });
  return kept.flat();
}

/** The requests for the commissions of a payment that are not paid while it is under review. */
async function findWaiting(table: Table, tenantId: string, id: string): Promise<string[]> {
  const found = await findIntent(table, tenantId, id);
  if (!found.ok || found.value.bulkProgress !== undefined) return [];
  const paymentIds = found.value.executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const held = await findCommissions(table, tenantId, paymentIds);
  const requests = held.flatMap(({ heldBy, commission }) =>
    heldBy !== undefined && commission.commissionPaidDate === undefined ? [heldBy] : [],
  );
  return [...new Set(requests)];
}
