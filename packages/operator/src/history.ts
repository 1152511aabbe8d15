import { operatorAudit, SERVICE_TENANT } from "@intents/storage/audit/operators.ts";
import { openFiles } from "@intents/storage/files/files.ts";
import { type CopyFault, compareHistory } from "@intents/storage/operations/history-scan.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { print } from "./output.ts";
import { Refusal } from "./refusal.ts";
import type { Session } from "./session.ts";

/** The bucket for copies of audit and ledger; undefined on a stage that has none. */
async function findHistory(session: Session) {
  const { STAGE, HISTORY_BUCKET } = await session.settings();
  return STAGE === "production" ? openFiles(HISTORY_BUCKET) : undefined;
}

/** Finds differences between audits and ledgers and their copies; undefined on a stage without copies. */
export async function findCopyFaults(session: Session, tenantId?: string): Promise<CopyFault[] | undefined> {
  const history = await findHistory(session);
  if (history === undefined) return undefined;
  const scan = { history, nowMs: Date.now(), ...(tenantId !== undefined && { tenantId }) };
  const faults: CopyFault[] = [];
  for await (const fault of compareHistory(session.table, scan)) faults.push(fault);
  return faults;
}

/** Copies the entries that have no copy: those from before the stage kept any, or of a day on which copying failed. */
export async function copyMissing(session: Session): Promise<void> {
  session.operation();
  const [history, { copyEntry }] = await Promise.all([
    findHistory(session),
    import("@intents/storage/audit/copies.ts"),
  ]);
  if (history === undefined) throw new Refusal("Only production keeps copies of audit and ledger");
  const missing = (await findCopyFaults(session))?.flatMap(({ entry }) => entry ?? []) ?? [];
  await session.confirm(`Copy ${missing.length} entries?`);
  const change = session.change("ledger.copy", { entries: missing.length });
  await transact(session.table, () => [operatorAudit(session.table, SERVICE_TENANT, change)]);
  for (const entry of missing) await copyEntry(history, entry, entry.doc);
  print(session, { copied: missing.length });
}
