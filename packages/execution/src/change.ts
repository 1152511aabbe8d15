import type { IntentEvent } from "@intents/domain/intents/audit-event.ts";
import { milestoneOf } from "@intents/domain/intents/milestone.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { timerFor } from "@intents/domain/intents/timer.ts";
import { watchFor } from "@intents/domain/polling/watch.ts";
import { countsOf, intentActions } from "@intents/storage/intents/intents.ts";
import { coverSpread } from "@intents/storage/polling/spread.ts";
import { timerAttributes } from "@intents/storage/polling/timers.ts";
import { watchAttributes } from "@intents/storage/polling/watches.ts";
import { countActions } from "@intents/storage/table/counters.ts";
import { type Action, transact } from "@intents/storage/table/transact.ts";
import { placeOf, type Run } from "./run.ts";

/** An intent as it was read (undefined for a new one), the intent to be stored, and the events of the change. */
export type Change<After extends PaymentIntent> = Readonly<{
  before: PaymentIntent | undefined;
  after: After;
  events: readonly IntentEvent[];
  /** The time to go on with the intent, if its state alone does not tell it: milliseconds since 1970. */
  wakeAtMs?: number;
}>;

/** The intent as stored, or the labels of the conditions that did not hold: `intent`, or those of other writes. */
export type Changed<After extends PaymentIntent> =
  | Readonly<{ done: true; intent: After }>
  | Readonly<{ done: false; failed: readonly string[] }>;

/**
 * The one way to write an intent: with its timer or watch, the counters and the audit entry that follow from the change, and
 * with the writes of `also`, of other records that belong to it. One transaction writes all of it or nothing.
 */
export async function change<After extends PaymentIntent>(
  run: Run,
  wanted: Change<After>,
  also: readonly Action[] = [],
): Promise<Changed<After>> {
  const { timerShards: timers, watchShards: watches } = run.settings;
  await coverSpread(run.table, { timers, watches });
  const { intent, actions } = changeActions(run, wanted);
  const verdict = await transact(run.table, () => [...actions(), ...also]);
  if (!verdict.done) return verdict;
  const milestone = milestoneOf(wanted.before, intent);
  if (milestone !== undefined) run.note?.(milestone);
  return { done: true, intent };
}

/**
 * The writes of a change, for the transaction of another one. Each try has to build them anew, so that counters spread
 * (H27).
 */
export function changeActions<After extends PaymentIntent>(
  run: Run,
  { before, after, events, wakeAtMs }: Change<After>,
): { intent: After; actions: () => Action[] } {
  const { table } = run;
  const nowMs = run.now();
  // Taking over a claim changes nothing that a caller sees, `updatedAt` included: it happens now.
  const at = after.updatedAt === before?.updatedAt ? new Date(nowMs).toISOString() : after.updatedAt;
  const entries = events.map(({ name, actor: { name: actor, clientId }, data }) => ({
    event: `paymentIntent.${name}`,
    actor,
    at,
    ...(clientId !== undefined && { clientId }),
    ...(data !== undefined && { data }),
  }));
  const { intent, actions } = intentActions(table, before, after, entries, (stored) => waitsOf(run, stored, wakeAtMs));
  return { intent, actions: () => [...actions, ...countActions(intent.tenantId, countsOf(before, intent), table)] };
}

/** The attributes of what an intent waits for: a timer, a watch, or nothing. */
export function waitsOf(run: Run, intent: PaymentIntent, wakeAtMs?: number) {
  const watch = watchFor(intent);
  if (watch !== undefined) return watchAttributes(placeOf(run, intent), watch);
  const timer = timerFor(intent, run.settings, run.now());
  if (timer === undefined) return {};
  return timerAttributes(run.settings.timerShards, intent.id, { ...timer, dueAtMs: wakeAtMs ?? timer.dueAtMs });
}
