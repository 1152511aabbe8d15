import { studentIn } from "@intents/domain/commissions/commission.ts";
import { eraseStudents } from "@intents/domain/commissions/csv.ts";
import { ERASED } from "@intents/domain/privacy/subject.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { renameRequested, renameStudent } from "@intents/storage/commissions/names.ts";
import { changeFile, listFiles } from "@intents/storage/files/files.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Table } from "@intents/storage/table/table.ts";
import type { Run } from "../run.ts";
import type { FoundIntent } from "./find.ts";

/**
 * Erases the person from the commissions of these intents, and then from what copies them: requests for commissions and
 * stored exports.
 */
export async function eraseNames(
  { table, files }: Run,
  tenantId: string,
  found: readonly FoundIntent[],
): Promise<void> {
  const paymentIds = new Set<number>();
  for (const one of found) {
    for (const commission of await commissionsOf(table, one)) {
      await renameStudent(table, tenantId, commission, ERASED);
      paymentIds.add(commission.paymentId);
    }
  }
  if (paymentIds.size === 0) return;
  await renameRequested(table, tenantId, paymentIds, ERASED);
  for await (const exports of listFiles(files, keysOf(tenantId).object("exports", ""))) {
    for (const { key } of exports) await changeFile(files, key, (csv) => eraseStudents(csv, paymentIds));
  }
}

/** Whether a commission of an intent tells the person's name. */
export const isNamed = async (table: Table, found: FoundIntent): Promise<boolean> =>
  (await commissionsOf(table, found)).some(({ studentName }) => studentName !== ERASED);

/** The commissions of those executions of an intent whose student is the person. */
async function commissionsOf(table: Table, { intent, roles }: FoundIntent) {
  const theirs = intent.executions.filter((execution) => roles.includes(studentIn(execution)));
  const paymentIds = theirs.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const found = await findCommissions(table, intent.tenantId, paymentIds);
  return [...found.values()].map(({ commission }) => commission);
}
