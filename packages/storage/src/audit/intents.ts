import { createHash } from "node:crypto";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { keysOf } from "../table/keys.ts";
import { listPartition } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** Something that happened to an intent: an internal record, never delivered to callers. */
export type AuditEvent = Readonly<{
  event: string;
  actor: string;
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
  const doc = toDoc({ intentId, version, at: first.at, events, previous: auditHead ?? null } satisfies Entry);
  const hash = hashOf(doc);
  const Item = { ...keysOf(intent.tenantId).audit(intentId, version), doc, hash };
  const write = { Put: { TableName: table.name, Item, ConditionExpression: "attribute_not_exists(PK)" } };
  return { actions: [{ label: "audit", write }], head: hash };
}

const hashOf = (doc: string): string => createHash("sha256").update(doc).digest("hex");

/** The events of one change, which happened at one time. */
type Entry = Readonly<{
  intentId: string;
  version: number;
  at: string;
  events: readonly Omit<AuditEvent, "at">[];
  previous: string | null;
}>;

/** An entry as stored. `doc` is the text that its hash was made of. */
export type StoredAuditEntry = Entry & Readonly<{ doc: string; hash: string }>;

/** All that happened to an intent, change by change, oldest first. */
export async function listAudit(
  table: Table,
  { tenantId, id }: Readonly<{ tenantId: string; id: string }>,
): Promise<StoredAuditEntry[]> {
  const items = await listPartition(table, keysOf(tenantId).audit(id, 0).PK);
  return items.map((item) => {
    const { doc, hash } = item as { doc: string; hash: string };
    return { ...fromDoc<Entry>(item), doc, hash };
  });
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
