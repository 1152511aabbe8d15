import { studentIn } from "@intents/domain/commissions/commission.ts";
import { eraseStudents } from "@intents/domain/commissions/csv.ts";
import { ERASED } from "@intents/domain/privacy/subject.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { renameRequested, renameStudent } from "@intents/storage/commissions/names.ts";
import { changeFile, listFiles, type StoredFile } from "@intents/storage/files/files.ts";
import { type FailedItem, settleInTurns } from "@intents/storage/table/in-turns.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Table } from "@intents/storage/table/table.ts";
import type { Run } from "../run.ts";
import type { FoundIntent } from "./find.ts";

/**
 * Erases the person from the commissions of these intents, and then from what copies them: requests for commissions and
 * stored exports. Gives the intents that tell no name any more outside of themselves. Those whose commissions, or a copy of
 * them, could not be changed have to stay as they are: only by them a repetition finds the rest.
 */
export async function eraseNames(
  { table, files }: Run,
  tenantId: string,
  found: readonly FoundIntent[],
  failed: FailedItem[],
): Promise<FoundIntent[]> {
  const rename = async (one: FoundIntent) => {
    const commissions = await commissionsOf(table, one);
    for (const commission of commissions) await renameStudent(table, tenantId, commission, ERASED);
    return { one, paymentIds: commissions.map(({ paymentId }) => paymentId) };
  };
  const renamed = await settleInTurns(found, 1, rename, { failed, nameOf: ({ intent }) => intent.id });
  const paymentIds = new Set(renamed.flatMap((each) => each.paymentIds));
  const copies: FailedItem[] = [];
  if (paymentIds.size > 0) {
    await renameRequested(table, tenantId, paymentIds, ERASED, copies);
    const erase = ({ key }: StoredFile) => changeFile(files, key, (csv) => eraseStudents(csv, paymentIds));
    const named = { failed: copies, nameOf: ({ key }: StoredFile) => key };
    for await (const exports of listFiles(files, keysOf(tenantId).object("exports", "")))
      await settleInTurns(exports, 1, erase, named);
  }
  failed.push(...copies);
  return renamed.flatMap(({ one, paymentIds: own }) => (copies.length === 0 || own.length === 0 ? one : []));
}

/** Whether a commission of an intent tells the person's name. */
export const isNamed = async (table: Table, found: FoundIntent): Promise<boolean> =>
  (await commissionsOf(table, found)).some(({ studentName }) => studentName !== ERASED);

/** The commissions of those executions of an intent whose student is the person. */
export async function commissionsOf(table: Table, { intent, roles }: FoundIntent) {
  const theirs = intent.executions.filter((execution) => roles.includes(studentIn(execution)));
  const paymentIds = theirs.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const found = await findCommissions(table, intent.tenantId, paymentIds);
  return found.map(({ commission }) => commission);
}
