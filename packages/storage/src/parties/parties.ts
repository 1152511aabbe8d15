import { createHash, randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { DeleteCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import {
  type PartyDetails,
  type SavedPayer,
  type Student,
  toPayerDetails,
  toStudentDetails,
} from "@intents/domain/parties/party.ts";
import { countActions } from "../table/counters.ts";
import { keysOf } from "../table/keys.ts";
import { findRecord, readRecords } from "../table/records.ts";
import { changeKey } from "../table/shared-keys.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import { StoreBusy, transact } from "../table/transact.ts";

export type PartyKind = "STUDENT" | "PAYER";
export type PartyOf = { STUDENT: Student; PAYER: SavedPayer };

/** Enough tries for dozens of callers who change one party at once: each round lets one of them through. */
const UPDATE_TRIES_MAX = 20;
const PAUSE_MS_MAX = 50;

export async function addParty<Kind extends PartyKind>(
  table: Table,
  tenantId: string,
  kind: Kind,
  party: PartyOf[Kind],
): Promise<void> {
  const Item = { ...toPartyItem(tenantId, kind, party), version: 1 };
  const put = { TableName: table.name, Item, ConditionExpression: "attribute_not_exists(PK)" };
  const verdict = await transact(table, () => [
    { label: "party", write: { Put: put } },
    ...countActions(tenantId, [{ counter: kind, to: "all" }], table),
  ]);
  if (!verdict.done) throw new Error("A new party's id is already in use");
}

export const findParty = <Kind extends PartyKind>(table: Table, tenantId: string, kind: Kind, id: string) =>
  findRecord<PartyOf[Kind]>(table, keysOf(tenantId).party(kind, id));

/**
 * Applies `change` to the party as it is stored now; undefined when there is none, `stale` when `isCurrent` denies that
 * it is as the caller knows it, and `unfit` when `change` gives nothing. No other change is overwritten.
 */
export function updateParty<Kind extends PartyKind>(
  table: Table,
  tenantId: string,
  kind: Kind,
  id: string,
  change: (party: PartyOf[Kind]) => PartyOf[Kind] | undefined,
  isCurrent: (party: PartyOf[Kind]) => boolean = () => true,
): Promise<PartyOf[Kind] | "stale" | "unfit" | undefined> {
  return asStored<Kind, PartyOf[Kind] | "stale" | "unfit">(table, tenantId, kind, id, async (stored, version) => {
    if (!isCurrent(stored)) return "stale";
    const changed = change(stored);
    if (changed === undefined) return "unfit";
    const Item = { ...toPartyItem(tenantId, kind, changed), version: version + 1 };
    const put = { TableName: table.name, Item, ...ifVersion(version) };
    // A transaction has a token, so that this write is not made twice when it is repeated after a lost answer (H15).
    return (await transact(table, () => [{ label: "party", write: { Put: put } }])).done ? changed : undefined;
  });
}

/**
 * Deletes a party; false when there is none. What stays is a trace: payments may name the party by its id alone, and its
 * e-mail must still find them when that person asks to be forgotten.
 */
export async function deleteParty(table: Table, tenantId: string, kind: PartyKind, id: string): Promise<boolean> {
  const keys = keysOf(tenantId);
  const deleted = await asStored(table, tenantId, kind, id, async ({ email }, version) => {
    const TableName = table.name;
    const Delete = { TableName, Key: keys.party(kind, id), ...ifVersion(version) };
    const entry = { ownerPK: keys.byFormerEmail(kind, digestOf(email)), listSK: id };
    const trace = { TableName, Item: { ...keys.formerParty(kind, id), ...entry, doc: toDoc({ _id: id }) } };
    const verdict = await transact(table, () => [
      { label: "party", write: { Delete } },
      { label: "trace", write: { Put: trace } },
      ...countActions(tenantId, [{ counter: kind, from: "all" }], table),
    ]);
    return verdict.done || undefined;
  });
  return deleted ?? false;
}

/**
 * Runs `attempt` on the stored party, anew whenever it gives undefined because another change came first; undefined
 * when there is no such party.
 */
async function asStored<Kind extends PartyKind, Done>(
  table: Table,
  tenantId: string,
  kind: Kind,
  id: string,
  attempt: (party: PartyOf[Kind], version: number) => Promise<Done | undefined>,
): Promise<Done | undefined> {
  const Key = keysOf(tenantId).party(kind, id);
  for (let tries = 0; tries < UPDATE_TRIES_MAX; tries++) {
    const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    if (Item === undefined) return undefined;
    const done = await attempt(fromDoc<PartyOf[Kind]>(Item), Number(Item["version"]));
    if (done !== undefined) return done;
    await pause(randomInt(PAUSE_MS_MAX));
  }
  throw new StoreBusy("A party is being changed by many at once");
}

const ifVersion = (version: number) => ({
  ConditionExpression: "version = :version",
  ExpressionAttributeValues: { ":version": version },
});

/** The deleted parties of a kind that had this e-mail. */
export const findFormerParties = (
  table: Table,
  tenantId: string,
  kind: PartyKind,
  email: string,
): AsyncGenerator<Readonly<{ _id: string }>[]> =>
  readRecords(table, ownedBy(keysOf(tenantId).byFormerEmail(kind, digestOf(email))));

/** Forgets a deleted party, whose payments name nobody any more. */
export async function forgetParty({ db, name }: Table, tenantId: string, kind: PartyKind, id: string): Promise<void> {
  await db.send(new DeleteCommand({ TableName: name, Key: keysOf(tenantId).formerParty(kind, id) }));
}

const digestOf = (email: string): string => createHash("sha256").update(email.toLowerCase()).digest("hex");

/** The saved parties of a kind that have this e-mail, in whatever case it is written. */
export const findPartiesByEmail = <Kind extends PartyKind>(
  table: Table,
  tenantId: string,
  kind: Kind,
  email: string,
): AsyncGenerator<PartyOf[Kind][]> => readRecords(table, ownedBy(keysOf(tenantId).byEmail(kind, email)));

const ownedBy = (ownerPK: string) => ({
  IndexName: "byOwner",
  KeyConditionExpression: "ownerPK = :pk",
  ExpressionAttributeValues: { ":pk": ownerPK },
});

/** The details of the students or payers with these ids, students first (SPEC, Parties); what is missing has no entry. */
export async function findPartyDetails(
  table: Table,
  tenantId: string,
  partyIds: readonly string[],
): Promise<Map<string, PartyDetails>> {
  const found = await Promise.all(
    partyIds.map(async (id): Promise<[string, PartyDetails] | undefined> => {
      const [student, payer] = await Promise.all([
        findParty(table, tenantId, "STUDENT", id),
        findParty(table, tenantId, "PAYER", id),
      ]);
      if (student !== undefined) return [id, toStudentDetails(student)];
      return payer === undefined ? undefined : [id, toPayerDetails(payer)];
    }),
  );
  return new Map(found.filter((entry) => entry !== undefined));
}

/** The item of a party: its document, and the keys of the indexes that list it. */
export function toPartyItem(tenantId: string, kind: PartyKind, party: Student | SavedPayer) {
  const keys = keysOf(tenantId);
  return {
    ...keys.party(kind, party._id),
    listPK: keys.list(kind),
    listSK: party._id,
    changeSK: changeKey(party.updatedAt, party._id),
    ownerPK: keys.byEmail(kind, party.email),
    ...(party.externalId !== undefined && { externalPK: keys.ofExternalId(kind, party.externalId) }),
    doc: toDoc(party),
  };
}
