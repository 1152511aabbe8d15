import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Timer } from "@intents/domain/intents/timer.ts";
import type { AuditEvent } from "../audit/intents.ts";
import { countActions } from "../table/counters.ts";
import type { Table } from "../table/table.ts";
import { type Action, transact } from "../table/transact.ts";
import { countsOf, intentActions } from "./intents.ts";
import { timerAction } from "./timers.ts";

export type Beside = Readonly<{ timer?: Timer; events?: readonly AuditEvent[]; also?: readonly Action[] }>;

/** Writes an intent over `before`, or as a new one, with a timer and events that a test chooses. */
export async function writeIntent(
  table: Table,
  before: PaymentIntent | undefined,
  after: PaymentIntent,
  { timer, events = [], also = [] }: Beside = {},
) {
  const { intent, actions } = intentActions(table, before, after, events);
  const verdict = await transact(table, () => [
    ...actions,
    timerAction(table, 4, intent, timer),
    ...countActions(intent.tenantId, countsOf(before, intent), table),
    ...also,
  ]);
  return { verdict, intent };
}
