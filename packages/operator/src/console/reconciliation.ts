import type { ReconciliationView } from "@intents/console/reconciliation.tsx";
import { type Reconciliation, readReconciliations, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { FILL_IN, WHY } from "../command-line.ts";
import type { Means } from "./means.ts";

/** One page looks at the newest records, and shows at most so many. */
const LOOKED_MAX = 2_000;
const SHOWN_MAX = 100;

export async function readReconciliation(means: Means, tenantId: string, isAll: boolean): Promise<ReconciliationView> {
  const { session } = means;
  const shown: Reconciliation[] = [];
  let looked = 0;
  let hasMore = false;
  for await (const page of readReconciliations(session.table, tenantId)) {
    for (const record of page) {
      hasMore = looked === LOOKED_MAX || shown.length === SHOWN_MAX;
      if (hasMore) break;
      looked += 1;
      if (isAll || record.closed === undefined) shown.push(record);
    }
    if (hasMore) break;
  }
  const records = shown.map((record) => {
    const { tenantId: _, earlier = [], ...rest } = record;
    return { id: reconciliationId(record), ...rest, earlier, command: closeCommand(session, record) };
  });
  return { isAll, records, looked, hasMore };
}

/** The command that closes an open record. */
export const closeCommand = ({ command }: Means["session"], record: Reconciliation): string =>
  command("reconciliation", "close", reconciliationId(record), "--tenant", record.tenantId, "--as", FILL_IN, ...WHY);
