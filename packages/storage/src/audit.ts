import { createHash } from "node:crypto";
import type { PaymentIntent } from "@intents/domain/payment-intent.ts";
import { keysOf } from "./keys.ts";
import { type Table, toDoc } from "./table.ts";
import type { Action } from "./transact.ts";

/** Something that happened to an intent: an internal record, never delivered to callers. */
export type AuditEvent = Readonly<{
  event: string;
  actor: string;
  at: string;
  data?: Readonly<Record<string, unknown>>;
}>;

/** The entries of one change, each chained to the one before by its hash, and the new head of the chain (H56). */
export function auditActions(
  table: Table,
  intent: PaymentIntent,
  events: readonly AuditEvent[],
): { actions: Action[]; head: string | undefined } {
  let head = intent.auditHead;
  const actions = events.map((event, step) => {
    const doc = toDoc({ ...event, intentId: intent.id, version: intent.version, previous: head ?? null });
    head = createHash("sha256").update(doc).digest("hex");
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
