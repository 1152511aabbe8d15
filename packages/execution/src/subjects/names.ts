import { studentIn } from "@intents/domain/commissions/commission.ts";
import { eraseStudents } from "@intents/domain/commissions/csv.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { eraseRequested, eraseStudent, withoutStudent } from "@intents/storage/commissions/names.ts";
import { changeFile, listFiles, type StoredFile } from "@intents/storage/files/files.ts";
import { type FailedItem, settleInTurns } from "@intents/storage/table/in-turns.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { type Table, toDoc } from "@intents/storage/table/table.ts";
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
  const erase = async (one: FoundIntent) => {
    const commissions = await commissionsOf(table, one);
    for (const commission of commissions) await eraseStudent(table, tenantId, commission);
    return { one, paymentIds: commissions.map(({ paymentId }) => paymentId) };
  };
  const erased = await settleInTurns(found, 1, erase, { failed, nameOf: ({ intent }) => intent.id });
  const paymentIds = new Set(erased.flatMap((each) => each.paymentIds));
  const copies: FailedItem[] = [];
  if (paymentIds.size > 0) {
    await eraseRequested(table, tenantId, paymentIds, copies);
    const eraseRows = ({ key }: StoredFile) => changeFile(files, key, (csv) => eraseStudents(csv, paymentIds));
    const named = { failed: copies, nameOf: ({ key }: StoredFile) => key };
    for await (const exports of listFiles(files, keysOf(tenantId).object("exports", "")))
      await settleInTurns(exports, 1, eraseRows, named);
  }
  failed.push(...copies);
  return erased.flatMap(({ one, paymentIds: own }) => (copies.length === 0 || own.length === 0 ? one : []));
}

/** Whether a commission of an intent tells the person's name. */
export const isNamed = async (table: Table, found: FoundIntent): Promise<boolean> =>
  (await commissionsOf(table, found)).some((commission) => toDoc(withoutStudent(commission)) !== toDoc(commission));

/** The commissions of those executions of an intent whose student is the person. */
export async function commissionsOf(table: Table, { intent, roles }: FoundIntent) {
  const theirs = intent.executions.filter((execution) => roles.includes(studentIn(execution)));
  const paymentIds = theirs.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const found = await findCommissions(table, intent.tenantId, paymentIds);
  return found.map(({ commission }) => commission);
}
