import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import {
  type PartyDetails,
  type SavedPayer,
  type Student,
  toPayerDetails,
  toStudentDetails,
} from "@intents/domain/parties/party.ts";
import { countActions } from "../table/counters.ts";
import { changeKey, keysOf } from "../table/keys.ts";
import { findRecord, readRecords } from "../table/records.ts";
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
 * Applies `change` to the party as it is stored now; undefined when there is none, and `stale` when `isCurrent` denies
 * that it is as the caller knows it. No other change is overwritten.
 */
export async function updateParty<Kind extends PartyKind>(
  table: Table,
  tenantId: string,
  kind: Kind,
  id: string,
  change: (party: PartyOf[Kind]) => PartyOf[Kind],
  isCurrent: (party: PartyOf[Kind]) => boolean = () => true,
): Promise<PartyOf[Kind] | "stale" | undefined> {
  const Key = keysOf(tenantId).party(kind, id);
  for (let tries = 0; tries < UPDATE_TRIES_MAX; tries++) {
    const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    if (Item === undefined) return undefined;
    const stored = fromDoc<PartyOf[Kind]>(Item);
    if (!isCurrent(stored)) return "stale";
    const changed = change(stored);
    const version = Number(Item["version"]);
    const put = {
      TableName: table.name,
      Item: { ...toPartyItem(tenantId, kind, changed), version: version + 1 },
      ConditionExpression: "version = :version",
      ExpressionAttributeValues: { ":version": version },
    };
    // A transaction has a token, so that this write is not made twice when it is repeated after a lost answer (H15).
    if ((await transact(table, () => [{ label: "party", write: { Put: put } }])).done) return changed;
    await pause(randomInt(PAUSE_MS_MAX));
  }
  throw new StoreBusy("A party is being changed by many at once");
}

/** Deletes a party; false when there is none. */
export async function deleteParty(table: Table, tenantId: string, kind: PartyKind, id: string): Promise<boolean> {
  const Delete = {
    TableName: table.name,
    Key: keysOf(tenantId).party(kind, id),
    ConditionExpression: "attribute_exists(PK)",
  };
  const verdict = await transact(table, () => [
    { label: "party", write: { Delete } },
    ...countActions(tenantId, [{ counter: kind, from: "all" }], table),
  ]);
  return verdict.done;
}

/** The saved parties of a kind that have this e-mail, in whatever case it is written. */
export const findPartiesByEmail = <Kind extends PartyKind>(
  table: Table,
  tenantId: string,
  kind: Kind,
  email: string,
): AsyncGenerator<PartyOf[Kind][]> =>
  readRecords<PartyOf[Kind]>(table, {
    IndexName: "byOwner",
    KeyConditionExpression: "ownerPK = :pk",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).byEmail(kind, email) },
  });

/** The details of the students or payers with these ids, students first (SPEC, Parties); what is missing has no entry. */
export async function findPartyDetails(
  table: Table,
  tenantId: string,
  partyIds: readonly string[],
): Promise<Map<string, PartyDetails>> {
  const found = await Promise.all(
    partyIds.map(async (id): Promise<[string, PartyDetails] | undefined> => {
      const student = await findParty(table, tenantId, "STUDENT", id);
      if (student !== undefined) return [id, toStudentDetails(student)];
      const payer = await findParty(table, tenantId, "PAYER", id);
      return payer === undefined ? undefined : [id, toPayerDetails(payer)];
    }),
  );
  return new Map(found.filter((entry) => entry !== undefined));
}

/** The item of a party: its document, and the keys of the indexes that list it. */
export function toPartyItem(tenantId: string, kind: PartyKind, party: Student | SavedPayer) {
  const keys = keysOf(tenantId);
  return {
    ...keys.writtenParty(kind, party._id),
    listPK: keys.list(kind),
    listSK: party._id,
    changeSK: changeKey(party.updatedAt, party._id),
    ownerPK: keys.byEmail(kind, party.email),
    doc: toDoc(party),
  };
}
