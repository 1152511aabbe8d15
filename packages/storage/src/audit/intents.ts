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

/** The audit entries of one change, each chained to the one before by its hash, and the chain's new head (H56). */
export function auditActions(
  table: Table,
  intent: PaymentIntent,
  events: readonly AuditEvent[],
): { actions: Action[]; head: string | undefined } {
  let head = intent.auditHead;
  const actions = events.map((event, step) => {
    const doc = toDoc({ ...event, intentId: intent.id, version: intent.version, previous: head ?? null });
    head = hashOf(doc);
    return {
      label: "audit",
      write: {
        Put: {
          TableName: table.name,
          Item: { ...keysOf(intent.tenantId).audit(intent.id, intent.version, step), doc, hash: head },
          ConditionExpression: "attribute_not_exists(PK)",
        },
      },
    };
  });
  return { actions, head };
}

const hashOf = (doc: string): string => createHash("sha256").update(doc).digest("hex");

/** An entry as stored. `doc` is the text that its hash was made of. */
export type StoredAuditEvent = AuditEvent &
  Readonly<{ intentId: string; version: number; previous: string | null; doc: string; hash: string }>;

/** All that happened to an intent, oldest first. */
export async function listAudit(
  table: Table,
  { tenantId, id }: Readonly<{ tenantId: string; id: string }>,
): Promise<StoredAuditEvent[]> {
  const items = await listPartition(table, keysOf(tenantId).audit(id, 0, 0).PK);
  return items.map((item) => {
    const { doc, hash } = item as { doc: string; hash: string };
    return { ...fromDoc<Omit<StoredAuditEvent, "doc" | "hash">>(item), doc, hash };
  });
}

/** The faults of an intent's audit entries, a sentence each: they must be one chain that ends at `auditHead` (H56). */
export function verifyAudit({ id, auditHead }: PaymentIntent, entries: readonly StoredAuditEvent[]): string[] {
  const chain = entries.flatMap(({ event, at, intentId, previous, doc, hash }, index) => {
    const named = `the audit entry ${event} of ${at}`;
    return [
      ...(intentId === id ? [] : [`${named} is about ${intentId}`]),
      ...(hashOf(doc) === hash ? [] : [`${named} was changed`]),
      ...(previous === (entries[index - 1]?.hash ?? null) ? [] : [`${named} does not follow the one before it`]),
    ];
  });
  return entries.at(-1)?.hash === auditHead ? chain : [...chain, "its audit does not end where the intent says"];
}
