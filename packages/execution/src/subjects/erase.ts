import { changeKeptBody } from "@intents/domain/answers/kept-body.ts";
import { intentPrivacy } from "@intents/domain/answers/privacy.ts";
import { legPrivacy } from "@intents/domain/batches/privacy.ts";
import { changedAt } from "@intents/domain/changed-at.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { linkTermsPrivacy } from "@intents/domain/links/privacy.ts";
import { eraseFrom } from "@intents/domain/privacy/erasure.ts";
import { isErasable } from "@intents/domain/privacy/subject.ts";
import { EVENTS_DELETED_AFTER_MS } from "@intents/storage/events/events.ts";
import { forgetOwnId } from "@intents/storage/events/own-ids.ts";
import { deleteFile } from "@intents/storage/files/files.ts";
import { listLegs, rewriteLeg } from "@intents/storage/intents/batch-legs.ts";
import { unindexRecipients } from "@intents/storage/intents/external-ids.ts";
import { forgetMetadata } from "@intents/storage/intents/metadata.ts";
import { answerAction, findAnswer } from "@intents/storage/intents/submissions.ts";
import { findLink, replaceLinkTerms } from "@intents/storage/links/links.ts";
import { forgetParty } from "@intents/storage/parties/parties.ts";
import { type FailedItem, settleInTurns } from "@intents/storage/table/in-turns.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { change } from "../change.ts";
import { deleteParty } from "../documents/deletion.ts";
import { deletePaymentDocument } from "../documents/retention.ts";
import { forgetPeople } from "../rails/ask.ts";
import type { Run } from "../run.ts";
import { findOwnDocuments } from "./documents.ts";
import {
  type FormerParty,
  type FoundIntent,
  findFormer,
  findIntents,
  findParties,
  type SubjectQuery,
  subjectOf,
} from "./find.ts";
import { eraseNames, isNamed } from "./names.ts";

/**
 * The result of an erasure. `waiting` names payments that still run or were changed meanwhile, `failed` the failures
 * with their reasons: repeat it then.
 */
export type Erased = Readonly<{
  parties: number;
  intents: number;
  waiting: readonly string[];
  failed: readonly FailedItem[];
}>;

/**
 * Erases a person from a tenant's records, rail and files. Each intent goes after everything that only it leads to, and
 * the saved parties go last, and those of payments that still run stay, so that repeating it finds what is left. What
 * fails keeps nothing else from being erased.
 */
export async function eraseSubject(run: Run, asked: SubjectQuery): Promise<Erased> {
  const { tenantId } = asked;
  const [parties, former] = await Promise.all([findParties(run.table, asked), findFormer(run.table, asked)]);
  const waiting: PaymentIntent[] = [];
  const ended: FoundIntent[] = [];
  for await (const found of findIntents(run.table, tenantId, subjectOf(asked, parties, former))) {
    if (isErasable(found.intent)) ended.push(found);
    else waiting.push(found.intent);
  }
  const failed: FailedItem[] = [];
  const nameless = await eraseNames(run, tenantId, ended, failed);
  const nameOf = ({ intent }: FoundIntent) => intent.id;
  const erase = async (found: FoundIntent) => ({ found, isErased: await eraseIntent(run, found) });
  const tried = await settleInTurns(nameless, 1, erase, { failed, nameOf });
  const erased = new Set(tried.flatMap(({ found, isErased }) => (isErased ? found : [])));
  waiting.push(...tried.flatMap(({ found, isErased }) => (isErased ? [] : found.intent)));
  // A payment may lack the e-mail itself: only the party, or the party's trace, leads to it then.
  const left = [...waiting, ...ended.flatMap((found) => (erased.has(found) ? [] : found.intent))];
  const needed = new Set(left.flatMap(({ payer, subject }) => [payer?.partyId, subject?.partyId]));
  const named = { failed, nameOf: ({ _id }: FormerParty) => `party ${_id}` };
  const saved = parties.map(({ kind, party: { _id } }) => ({ kind, _id })).filter(({ _id }) => !needed.has(_id));
  const remove = async ({ kind, _id }: FormerParty) => {
    await deleteParty(run, { tenantId, kind, partyId: _id });
    return { kind, _id };
  };
  const gone = await settleInTurns(saved, 1, remove, named);
  const traces = [...gone, ...former.filter(({ _id }) => !needed.has(_id))];
  await settleInTurns(traces, 1, ({ kind, _id }) => forgetParty(run.table, tenantId, kind, _id), named);
  return { parties: gone.length, intents: erased.size, waiting: waiting.map(({ id }) => id), failed };
}

/** Erases a person from one intent; false when the intent, or what belongs to it, was changed at the same moment. */
async function eraseIntent(run: Run, found: FoundIntent): Promise<boolean> {
  const { table } = run;
  const { intent: before, roles } = found;
  const owners = [...roles, "anybody"] as const;
  const { tenantId, id } = before;
  if (!(await eraseDocuments(run, found))) return false;
  for (const { executionId } of before.executions) await forgetPeople(run, tenantId, executionId);
  for (const leg of before.bulkProgress === undefined ? [] : await listLegs(table, before)) {
    if (!(await rewriteLeg(table, before, leg, eraseFrom(leg, legPrivacy, owners)))) return false;
  }
  // A request for commissions that was made at the same moment may have written the name again.
  if (await isNamed(table, found)) return false;
  await unindexRecipients(table, before);
  if (before.externalId !== undefined) await forgetOwnId(table, before, eventsSinceMs(before, run.now()));
  const answer = await findAnswer(table, tenantId, id);
  const after = { ...eraseFrom(before, intentPrivacy, owners), updatedAt: changedAt(before.updatedAt, run.now()) };
  const link = before.publicLinkId === undefined ? undefined : await findLink(table, before.publicLinkId);
  const { done } = await change(run, { before, after, events: [] }, [
    ...(answer
      ? [
          answerAction(table, tenantId, id, {
            ...answer,
            body: changeKeptBody(answer.body, (data) => eraseFrom(data, intentPrivacy, owners)),
          }),
        ]
      : []),
    forgetMetadata(table, before),
    ...(link?.terms ? [replaceLinkTerms(table, link, eraseFrom(link.terms, linkTermsPrivacy, owners))] : []),
  ]);
  return done;
}

/** The time of the oldest event about an intent that the store still has. */
const eventsSinceMs = ({ createdAt }: PaymentIntent, nowMs: number): number =>
  Math.max(Date.parse(createdAt), nowMs - EVENTS_DELETED_AFTER_MS);

/** Deletes the person's documents in an intent; false when a submit has just reserved one, whose record then stays. */
async function eraseDocuments(run: Run, found: FoundIntent): Promise<boolean> {
  const { tenantId, id } = found.intent;
  const keys = keysOf(tenantId);
  for (const stored of await findOwnDocuments(run.table, found)) {
    const { ref } = stored;
    const upload = "linkId" in ref ? keys.payerUpload(ref.linkId, ref.documentId) : keys.object("tmp", ref.documentId);
    await deleteFile(run.files, upload);
    if (!(await deletePaymentDocument(run, tenantId, stored, id))) return false;
  }
  return true;
}
