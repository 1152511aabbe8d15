import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Timer } from "@intents/domain/intents/timer.ts";
import type { AuditEvent } from "../src/audit/intents.ts";
import { countsOf, intentActions } from "../src/intents/intents.ts";
import { timerAttributes } from "../src/polling/timers.ts";
import { countActions } from "../src/table/counters.ts";
import { keysOf } from "../src/table/keys.ts";
import type { Table } from "../src/table/table.ts";
import { type Action, transact } from "../src/table/transact.ts";

export type Extras = Readonly<{ timer?: Timer; events?: readonly AuditEvent[]; also?: readonly Action[] }>;

/** Writes an intent over `before`, or as a new one, with a timer and events that a test chooses. */
export async function writeIntent(
  table: Table,
  before: PaymentIntent | undefined,
  after: PaymentIntent,
  { timer, events = [], also = [] }: Extras = {},
) {
  const waits = timer === undefined ? {} : timerAttributes(4, after.id, timer);
  const { intent, actions } = intentActions(table, before, after, events, () => waits);
  const verdict = await transact(table, () => [
    ...actions,
    ...countActions(intent.tenantId, countsOf(before, intent), table),
    ...also,
  ]);
  return { verdict, intent };
}

/** Makes an item wait that has nothing but its key and these attributes: those of a timer or of a watch. */
export const putWaiting = (
  table: Table,
  { tenantId, id }: Readonly<{ tenantId: string; id: string }>,
  waits: Readonly<Record<string, string | number>>,
) => table.db.send(new PutCommand({ TableName: table.name, Item: { ...keysOf(tenantId).timer(id), ...waits } }));
