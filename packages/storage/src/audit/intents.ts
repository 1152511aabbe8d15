import { createHash, randomBytes } from "node:crypto";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { type IntentKey, keysOf } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { listPartition } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** An event of an intent, as an internal record: its kind decides what callers see. */
export type AuditEvent = Readonly<{
  event: string;
  actor: string;
  /** The client of the key by which a user of the tenant came. */
  clientId?: string;
  at: string;
  data?: Readonly<Record<string, unknown>>;
}>;

/** The audit entry of one change with all its events, chained to the one before by its hash: the chain's new head (H56). */
export function auditActions(
  table: Table,
  intent: PaymentIntent,
  audited: readonly AuditEvent[],
): { actions: Action[]; head: string | undefined } {
  const { id: intentId, version, auditHead } = intent;
  const [first] = audited;
  if (first === undefined) return { actions: [], head: auditHead };
  const events = audited.map(({ at: _at, ...event }) => event);
  const salt = randomBytes(SALT_BYTES).toString("base64url");
  const doc = toDoc({ intentId, version, at: first.at, events, previous: auditHead ?? null, salt } satisfies Entry);
  const hash = hashOf(doc);
  const Item = { ...keysOf(intent.tenantId).audit(intentId, version), doc, hash };
  const write = { Put: { TableName: table.name, Item, ConditionExpression: "attribute_not_exists(PK)" } };
  return { actions: [{ label: "audit", write }], head: hash };
}

/** Callers are told the hashes of entries: with so many random bytes in them, none confirms a guess of what is not told. */
const SALT_BYTES = 12;

const hashOf = (doc: string): string => createHash("sha256").update(doc).digest("hex");

/** The events of one change, which happened at one time. */
type Entry = Readonly<{
  intentId: string;
  version: number;
  at: string;
  events: readonly Omit<AuditEvent, "at">[];
  previous: string | null;
  salt: string;
}>;

/** An entry as stored. `doc` is the text that its hash was made of. */
export type StoredAuditEntry = Entry & Readonly<{ doc: string; hash: string }>;

/** All that happened to an intent, change by change, oldest first. */
export async function listAudit(table: Table, { tenantId, id }: IntentKey): Promise<StoredAuditEntry[]> {
  const items = await listPartition(table, keysOf(tenantId).audit(id, 0).PK);
  return items.map(toEntry);
}

/** A part of an audit: at most `limit` entries behind that of version `after`. */
export type AuditPart = Readonly<{ after: number; limit: number }>;

/** A part of what happened to an intent, oldest first, and when the first change behind it happened, if there is one. */
export async function readAudit(
  table: Table,
  { tenantId, id }: IntentKey,
  { after, limit }: AuditPart,
): Promise<{ entries: StoredAuditEntry[]; nextAt: string | undefined }> {
  const { PK, SK } = keysOf(tenantId).audit(id, after);
  const pages = queryPages(table, {
    KeyConditionExpression: "PK = :pk AND SK > :after",
    ExpressionAttributeValues: { ":pk": PK, ":after": SK },
    ConsistentRead: true,
    Limit: limit + 1,
  });
  const items: Record<string, unknown>[] = [];
  for await (const { Items = [] } of pages) {
    items.push(...Items);
    if (items.length > limit) break;
  }
  const entries = items.map(toEntry);
  return { entries: entries.slice(0, limit), nextAt: entries[limit]?.at };
}

function toEntry(item: Record<string, unknown>): StoredAuditEntry {
  const { doc, hash } = item as { doc: string; hash: string };
  return { ...fromDoc<Entry>(item), doc, hash };
}

/** The events of audit entries, one by one. */
export const eventsOf = (entries: readonly Entry[]): AuditEvent[] =>
  entries.flatMap(({ at, events }) => events.map((event) => ({ ...event, at })));

/** The faults of an intent's audit entries, a sentence each: they must be one chain that ends at `auditHead` (H56). */
export function verifyAudit({ id, auditHead }: PaymentIntent, entries: readonly StoredAuditEntry[]): string[] {
  const chain = entries.flatMap(({ events, at, intentId, previous, doc, hash }, index) => {
    const named = `the audit entry ${events.map(({ event }) => event).join(", ")} of ${at}`;
    return [
      ...(intentId === id ? [] : [`${named} is about ${intentId}`]),
      ...(hashOf(doc) === hash ? [] : [`${named} was changed`]),
      ...(previous === (entries[index - 1]?.hash ?? null) ? [] : [`${named} does not follow the one before it`]),
    ];
  });
  return entries.at(-1)?.hash === auditHead ? chain : [...chain, "its audit does not end where the intent says"];
}
