import { createHash } from "node:crypto";
import type { DocumentRef } from "@intents/domain/parties/document-ref.ts";
import { type Key, OPERATOR, type TimerOwner } from "./keys.ts";

/** The owner of the timer or leg with this key: an intent, unless the key names another kind of record. */
export function parseTimerKey(PK: string): { tenantId: string; id: string; owner?: TimerOwner } | undefined {
  const [, tenantId, owner, id] = /^T#([^#]+)#(INTENT|COMMISSION_REQUEST)#([^#]+)$/.exec(PK) ?? [];
  if (tenantId === undefined || id === undefined) return undefined;
  return { tenantId, id, ...(owner === "COMMISSION_REQUEST" && { owner }) };
}

/** The owner of a document's record: the tenant or a payer, by `ref`, or the party on which it is saved. */
export type DocumentOwner = Readonly<{ tenantId: string }> &
  (Readonly<{ ref: DocumentRef }> | Readonly<{ kind: "STUDENT" | "PAYER"; partyId: string }>);

/** The owner of the document's record in a partition; undefined for other partitions. */
export function parseDocumentKey(PK: string): DocumentOwner | undefined {
  const [, tenantId, kind, id] = /^T#([^#]+)#(DOCUMENT|LINKDOCUMENT|STUDENT|PAYER)#(.+)$/.exec(PK) ?? [];
  if (tenantId === undefined || kind === undefined || id === undefined) return undefined;
  if (kind === "STUDENT" || kind === "PAYER") return { tenantId, kind, partyId: id };
  if (kind === "DOCUMENT") return { tenantId, ref: { documentId: id } };
  const [linkId = "", documentId = ""] = id.split("#");
  return { tenantId, ref: { linkId, documentId } };
}

/** A partition that belongs to one intent. */
export type Owned = Readonly<{ tenantId: string; kind: "INTENT" | "LEDGER" | "AUDIT"; id: string }>;

/** The intent that a partition belongs to; undefined for other partitions, such as the operators' audit. */
export function parseOwnedKey(PK: string): Owned | undefined {
  const [, tenantId, kind, id] = /^T#([^#]+)#(INTENT|LEDGER|AUDIT)#([^#]+)$/.exec(PK) ?? [];
  if (tenantId === undefined || id === undefined || id === OPERATOR) return undefined;
  return { tenantId, kind: kind as Owned["kind"], id };
}

/** The tenant that a partition belongs to. */
export const tenantOf = (PK: string): string => PK.split("#")[1] ?? "";

/** The partitions of the history: ledgers, audits, the operators' included, and reads of documents. */
export const isHistory = (PK: string): boolean => /^T#[^#]+#(LEDGER|AUDIT|READ)#[^#]+$/.test(PK);

/**
 * The name of an entry's copy. It ends in the hash of the entry, so that to copy it again changes nothing, and the copy
 * of a replaced entry lies beside that of the one before.
 */
export const historyCopyKey = ({ PK, SK }: Key, doc: string): string =>
  `${PK}/${SK}/${createHash("sha256").update(doc).digest("hex")}`;
