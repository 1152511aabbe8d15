import { type Files, listFiles, listFolders } from "../files/files.ts";
import { mapInTurns } from "../table/in-turns.ts";
import { historyCopyKey, isHistory, tenantOf } from "../table/key-owners.ts";
import type { Key } from "../table/keys.ts";
import { scanPages } from "../table/pages.ts";
import { listPartition } from "../table/records.ts";
import type { Table } from "../table/table.ts";

/** An entry of the audit or of the ledger, as stored. */
export type HistoryEntry = Key & Readonly<{ doc: string }>;

/** An entry that is not as its copy, or has none. */
export type CopyFault = Readonly<{ tenantId: string; about: string; problem: string; entry?: HistoryEntry }>;

export type CopyScan = Readonly<{
  history: Files;
  nowMs: number;
  /** This tenant's entries only. */
  tenantId?: string;
}>;

const SIDE_BY_SIDE = 16;
/** Entries are copied within seconds: one that is younger may have no copy yet. */
const COPIED_WITHIN_MS = 15 * 60_000;

/** Holds the audits and ledgers of the table against their copies, both ways. Memory does not grow with the table. */
export async function* compareHistory(table: Table, scan: CopyScan): AsyncGenerator<CopyFault> {
  for await (const partitions of storedPartitions(table, scan)) {
    const faults = await mapInTurns(partitions, SIDE_BY_SIDE, (partition) => comparePartition(table, partition, scan));
    yield* faults.flat();
  }
  for await (const folders of listFolders(scan.history, scan.tenantId === undefined ? "" : `T#${scan.tenantId}#`)) {
    const entries = await mapInTurns(folders, SIDE_BY_SIDE, (folder) => listPartition(table, folder));
    const emptied = folders.filter((_, index) => entries[index]?.length === 0);
    yield* emptied.map((PK) => faultOf(PK, "all its entries were removed"));
  }
}

/** The partitions of the history that the table holds, each once, page by page. */
async function* storedPartitions(table: Table, { tenantId }: CopyScan): AsyncGenerator<string[]> {
  let last: string | undefined;
  for await (const { Items = [] } of scanPages(table, ["PK"])) {
    const partitions = new Set(Items.map(({ PK }) => String(PK)).filter((PK) => PK !== last));
    last = String(Items.at(-1)?.["PK"] ?? last);
    yield [...partitions].filter((PK) => isHistory(PK) && (tenantId === undefined || tenantOf(PK) === tenantId));
  }
}

async function comparePartition(table: Table, PK: string, { history, nowMs }: CopyScan): Promise<CopyFault[]> {
  // Copies are listed first, because entries are never removed: each copy's entry must be found afterwards.
  const copies: string[] = [];
  for await (const page of listFiles(history, `${PK}/`)) copies.push(...page.map(({ key }) => key));
  const entries = (await listPartition(table, PK)) as HistoryEntry[];
  const stored = new Map(entries.map((entry) => [entry.SK, entry]));
  const changed = copies.flatMap((name) => {
    const SK = name.slice(PK.length + 1, name.lastIndexOf("/"));
    const entry = stored.get(SK);
    if (entry === undefined) return faultOf(PK, `the entry ${SK} was removed`);
    return historyCopyKey(entry, entry.doc) === name ? [] : faultOf(PK, `the entry ${SK} was replaced`);
  });
  const copied = new Set(copies);
  const missing = entries
    .filter((entry) => !copied.has(historyCopyKey(entry, entry.doc)) && atMsOf(entry) < nowMs - COPIED_WITHIN_MS)
    .map((entry) => ({ ...faultOf(PK, `the entry ${entry.SK} has no copy`), entry }));
  return [...changed, ...missing];
}

const atMsOf = ({ doc }: HistoryEntry): number => Date.parse((JSON.parse(doc) as { at: string }).at);

function faultOf(PK: string, problem: string): CopyFault {
  const [kind = "", id = ""] = PK.split("#").slice(-2);
  return { tenantId: tenantOf(PK), about: id, problem: `${kind.toLowerCase()}: ${problem}` };
}
