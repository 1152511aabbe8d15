import { parseSettings } from "@intents/deployment/settings.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import type { Execution, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { addressOf, type RailAddress, railKeyOf } from "@intents/domain/rails/description.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { advanceIntent } from "@intents/execution/advance.ts";
import { ask } from "@intents/execution/asking/question.ts";
import { sweep } from "@intents/execution/asking/sweep.ts";
import { sweepsOf } from "@intents/execution/asking/tick.ts";
import { change } from "@intents/execution/change.ts";
import { openRun } from "@intents/execution/open-run.ts";
import type { Run } from "@intents/execution/run.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { addTenant } from "@intents/storage/parties/tenants.ts";
import type { Message } from "@intents/storage/queue/queue.ts";
import { startTable, untimed } from "@intents/storage/test/table-fixture.ts";
import { openRandom } from "../simulation/random.ts";
import { type Capacity, countCapacity } from "./capacity.ts";
import { openPost } from "./post.ts";
import { type DayPayment, openDayRail } from "./rail.ts";

export const START_MS = Date.UTC(2026, 10, 21);
const MINUTE = 60_000;
export const TENANT = "1001";

/** Payments that begin at random times within `overMs`, each of which settles `settleMs` after it began. */
export type Plan = Readonly<{ payments: number; overMs: number; settleMs: number; seed: number }>;

/** A payment of one recipient, which its rail accepted just now. */
export function paymentUnderWay(
  id: string,
  nowMs: number,
  expectedSettlementMs: number,
  rail: RailAddress,
): PaymentIntent {
  const at = new Date(nowMs).toISOString();
  const amounts = { payerAmount: "1000.00", payerCurrency: "BRL", payeeAmount: "250.00", payeeCurrency: "AUD" };
  const leg = {
    order: 0,
    payeeId: 5001,
    splitRole: "principal_provider_amount",
    ...amounts,
    status: "executing",
  } as const;
  const execution: Execution = {
    ...{ executionId: `e${id}`, connector: rail.name, status: "executing", startedAt: at },
    ...{ connectorPaymentIds: [], payer: { firstName: "Ana" }, currency: "BRL", fee: "20.00", legs: [leg] },
  };
  const times = { createdAt: at, updatedAt: at };
  return storedIntent({
    id,
    tenantId: TENANT,
    ...times,
    status: "executing",
    executions: [execution],
    expectedSettlementMs,
    rail,
  });
}

const kinds = ["begin", "tick", "sweep", "question", "news"] as const;
type Kind = (typeof kinds)[number];

/** A day's figures: questions about payments, latencies of their ends, and the cost of each kind of work. */
export type Figures = Readonly<{
  payments: readonly DayPayment[];
  /** From the moment at which a payment settled until it was completed here. */
  latenciesMs: readonly number[];
  questions: Readonly<{ count: number; asked: number }>;
  messages: number;
  times: Readonly<Record<Kind, number>>;
  capacity: Readonly<Record<Kind, Capacity>>;
}>;

/**
 * Lets payments begin, wait and settle on a simulated clock, by the functions of the deployment with its own settings:
 * the tick of the schedule, sweeps, questions, and the real store. Only the rail is in memory, and work takes no time.
 */
export async function runDay({ payments, overMs, settleMs, seed }: Plan): Promise<Figures> {
  const { table: timed, stop } = await startTable({ isHostile: false });
  const table = untimed(timed);
  const random = openRandom(seed);
  const clock = { ms: START_MS };
  const now = () => clock.ms;
  const company = { name: "Day", countryCode: "BR", currencyCode: "BRL", commissionSpread: "0.01" };
  await addTenant(table, { tenantId: TENANT, ...company, createdAt: new Date(START_MS).toISOString() });
  const { rail, payments: held, questions } = openDayRail(now);
  const settings = parseSettings({});
  const run: Run = { ...openRun(settings, { table, now, random: random.bytes }), rails: [rail] };
  const { post, nextMs, takeFirst, sent } = openPost(now);
  const read = countCapacity(table);
  const capacity = Object.fromEntries(kinds.map((kind) => [kind, { read: 0, write: 0 }])) as Record<
    Kind,
    { read: number; write: number }
  >;
  const times = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  const counted = async <Value>(work: () => Promise<Value>, kindOf: (value: Value) => Kind): Promise<Value> => {
    const before = read();
    const value = await work();
    const [after, kind] = [read(), kindOf(value)];
    capacity[kind].read += after.read - before.read;
    capacity[kind].write += after.write - before.write;
    times[kind] += 1;
    return value;
  };

  const begun = new Map<string, PaymentIntent>();
  const begin = async () => {
    const id = newRecordId(now(), random.bytes);
    const settlesAtMs = now() + settleMs;
    const intent = paymentUnderWay(id, now(), settlesAtMs, addressOf(rail.rail));
    held.set(intent.executions[0]?.executionId ?? "", { settlesAtMs, times: [] });
    const { done } = await change(run, { before: undefined, after: intent, events: [] });
    if (!done) throw new Error(`${id} was not stored`);
    begun.set(id, intent);
  };
  const tick = async () => {
    const { pollIntervalMs, watchShards } = run.settings;
    const aheadMs = settings.DISPATCH_AHEAD_SECONDS * 1_000;
    await post(sweepsOf(railKeyOf(rail.rail), now(), { pollIntervalMs, watchShards, aheadMs }));
  };
  const take = async (message: Message): Promise<Kind> => {
    if (message.kind === "sweep") {
      await sweep(run, message, post);
      return "sweep";
    }
    if (message.kind === "timer") {
      await advanceIntent(run, message, now() + MINUTE);
      return "news";
    }
    const news = message.kind === "question" ? (await ask(run, message, post)).news : [];
    return news.length > 0 ? "news" : "question";
  };

  const starts = Array.from({ length: payments }, () => START_MS + random.below(overMs)).toSorted((a, b) => a - b);
  const endMs = (starts.at(-1) ?? START_MS) + settleMs + 2 * MINUTE;
  // The schedule ticks at a second of the minute that nobody chooses.
  let tickMs = START_MS - MINUTE + 23_000;
  for (;;) {
    const startMs = starts[0] ?? Number.POSITIVE_INFINITY;
    const dueMs = Math.min(startMs, tickMs, nextMs());
    if (dueMs > endMs) break;
    clock.ms = Math.max(clock.ms, dueMs);
    if (dueMs === startMs) {
      starts.shift();
      await counted(begin, () => "begin");
    } else if (dueMs === tickMs) {
      tickMs += MINUTE;
      await counted(tick, () => "tick");
    } else {
      await counted(
        () => take(takeFirst().message),
        (kind) => kind,
      );
    }
  }

  const latenciesMs: number[] = [];
  for (const { id, executions } of begun.values()) {
    const found = await findIntent(table, TENANT, id);
    const execution = found.ok ? found.value.executions[0] : undefined;
    if (execution?.endedAt === undefined) throw new Error(`${id} has not ended`);
    const settlesAtMs = held.get(executions[0]?.executionId ?? "")?.settlesAtMs ?? 0;
    latenciesMs.push(Date.parse(execution.endedAt) - settlesAtMs);
  }
  await stop();
  return { payments: [...held.values()], latenciesMs, questions, messages: sent(), times, capacity };
}
