import { changedAt } from "@intents/domain/changed-at.ts";
import { eraseStudents } from "@intents/domain/commissions/csv.ts";
import { ERASED, eraseFrom, isErasable } from "@intents/domain/privacy/subject.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { renameRequested, renameStudent } from "@intents/storage/commissions/names.ts";
import { listFiles, putFile, readFile } from "@intents/storage/files/files.ts";
import { listLegs, replaceLeg } from "@intents/storage/intents/batch-legs.ts";
import { answerAction, findAnswer } from "@intents/storage/intents/submissions.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { change } from "../change.ts";
import { deleteParty } from "../documents/deletion.ts";
import { deletePaymentDocument } from "../documents/retention.ts";
import { forgetPeople } from "../rails/ask.ts";
import type { Run } from "../run.ts";
import { findOwnDocuments } from "./documents.ts";
import { type Asked, type FoundIntent, findIntents, findParties, subjectOf } from "./find.ts";

/** What an erasure has done. `waiting` names the payments that still run: repeat it once they have ended. */
export type Erased = Readonly<{ parties: number; intents: number; waiting: readonly string[] }>;

/**
 * Erases a person from a tenant's records, rail and files. Each intent goes after everything that only it leads to, and
 * the saved parties go last, so that repeating it finds what a crash has left.
 */
export async function eraseSubject(run: Run, asked: Asked): Promise<Erased> {
  const { table } = run;
  const parties = await findParties(table, asked);
  const subject = subjectOf(asked, parties);
  const waiting: string[] = [];
  const ended: FoundIntent[] = [];
  for await (const found of findIntents(table, asked.tenantId, subject)) {
    if (isErasable(found.intent)) ended.push(found);
    else waiting.push(found.intent.id);
  }
  await eraseNames(run, asked.tenantId, new Set(ended.filter(namesStudent).flatMap(paymentIdsOf)));
  for (const found of ended) {
    if (!(await eraseIntent(run, found))) waiting.push(found.intent.id);
  }
  for (const { kind, party } of parties) {
    await deleteParty(run, { tenantId: asked.tenantId, kind, partyId: party._id });
  }
  return { parties: parties.length, intents: ended.length, waiting };
}

const paymentIdsOf = ({ intent }: FoundIntent): number[] =>
  intent.executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);

/** Whether the commission of a payment tells the person's name: it is the student's, or without one the payer's. */
const namesStudent = ({ intent, roles }: FoundIntent): boolean =>
  roles.includes("subject") || intent.subject === undefined;

/** Erases the students of these payments from requests for commissions and from stored exports. */
async function eraseNames({ table, files }: Run, tenantId: string, paymentIds: ReadonlySet<number>): Promise<void> {
  if (paymentIds.size === 0) return;
  await renameRequested(table, tenantId, paymentIds, ERASED);
  for await (const keys of listFiles(files, keysOf(tenantId).object("exports", ""))) {
    for (const key of keys) {
      const before = Buffer.from(await readFile(files, key)).toString();
      const after = eraseStudents(before, paymentIds);
      if (after !== before) await putFile(files, key, Buffer.from(after), "text/csv; charset=utf-8");
    }
  }
}

/** Erases a person from one intent; false when the intent, or what belongs to it, was changed at the same moment. */
async function eraseIntent(run: Run, found: FoundIntent): Promise<boolean> {
  const { table } = run;
  const { intent: before, roles } = found;
  const { tenantId, id } = before;
  const at = new Date(run.now()).toISOString();
  for (const { ref, document } of await findOwnDocuments(table, found)) {
    await deletePaymentDocument(run, tenantId, ref, document);
  }
  for (const { executionId } of before.executions) {
    await forgetPeople(run, tenantId, executionId);
  }
  for (const leg of before.bulkProgress === undefined ? [] : await listLegs(table, before)) {
    if (!(await replaceLeg(table, before, leg, eraseFrom(leg, roles), at))) return false;
  }
  const [answer, commissions] = await Promise.all([
    findAnswer(table, tenantId, id),
    namesStudent(found) ? findCommissions(table, tenantId, paymentIdsOf(found)) : undefined,
  ]);
  const after = { ...eraseFrom(before, roles), updatedAt: changedAt(before.updatedAt, run.now()) };
  const { done } = await change(run, { before, after, events: [] }, [
    ...(answer === undefined ? [] : [answerAction(table, tenantId, id, { ...answer, body: eraseBody(answer.body) })]),
    ...[...(commissions?.values() ?? [])].map(({ commission }) => renameStudent(table, tenantId, commission, ERASED)),
  ]);
  return done;

  function eraseBody(body: string): string {
    const { data } = JSON.parse(body) as { data: object };
    return JSON.stringify({ data: eraseFrom(data, roles) });
  }
}
