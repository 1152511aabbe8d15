import { parseSettings } from "@intents/deployment/settings.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import type { Execution, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { distanceMs } from "@intents/domain/polling/points.ts";
import { watchFor } from "@intents/domain/polling/watch.ts";
import { addressOf, type RailAddress, railKeyOf } from "@intents/domain/rails/description.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { advanceIntent } from "@intents/execution/advance.ts";
import { change } from "@intents/execution/change.ts";
import { openRun } from "@intents/execution/open-run.ts";
import { askAlone } from "@intents/execution/polling/ask-alone.ts";
import { ask } from "@intents/execution/polling/question.ts";
import { sweep } from "@intents/execution/polling/sweep.ts";
import { sweepsOf } from "@intents/execution/polling/tick.ts";
import type { Run } from "@intents/execution/run.ts";
import { openServers } from "@intents/rails/test/http-fixture.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { addTenant } from "@intents/storage/parties/tenants.ts";
import { listAlone } from "@intents/storage/polling/alone.ts";
import type { Message, Posted } from "@intents/storage/queue/queue.ts";
import { startTable, untimed } from "@intents/storage/test/table-fixture.ts";
import { openRandom } from "./random.ts";
import { answerOverHttp, type Failing, type Failures, openFailingRail } from "./stumbling-rail.ts";

const START_MS = Date.UTC(2026, 10, 21);
const MINUTE = 60_000;
const TENANT = "1001";
/** Payments begin within so long, and settle at random times of the second span. */
const BEGIN_MS = MINUTE;
const SETTLE_MS = { fromMs: 3 * MINUTE, untilMs: 12 * MINUTE };
const OUTAGE_FROM_MS = 2 * MINUTE;
/** A rail is asked so many questions at once, unless a deployment is told otherwise. */
const QUESTIONS_AT_ONCE = 2;

/** Payments, some of which make their rail fail every question about them, and an outage of the whole rail. */
export type Stumbling = Readonly<{
  payments: number;
  poisoned: number;
  outageMs: number;
  failing: Failing;
  seed: number;
  afterMs?: number;
  /** Whether the rail is asked over HTTP, on the loopback address. */
  isServed?: boolean;
}>;

type Figures = Readonly<{
  /** When the last poisoned payment was known, since the first question or the outage. */
  foundMs: number;
  /** Questions that were put to find them, for each of them. */
  findingEach: number;
  /** Questions in vain once they were known, for each of them and each interval. */
  vainEach: number;
  /** The time from when the rail could tell an end until it was known, once all were found; and in intervals. */
  latencyMs: number;
  latencyIntervals: number;
  /** The longest time from when the rail could tell an end until it was known, from the beginning on. */
  latestMs: number;
  /** Healthy payments without an end. */
  left: number;
  alone: number;
}>;

/** Lets payments begin, wait and settle on a simulated clock, with the functions and settings of the deployment. */
export async function runStumbling({
  payments,
  poisoned,
  outageMs,
  failing,
  seed,
  afterMs = 0,
  isServed = false,
}: Stumbling): Promise<Figures> {
  const { table: timed, stop } = await startTable({ isHostile: false });
  const table = untimed(timed);
  const random = openRandom(seed);
  const clock = { ms: START_MS };
  const now = () => clock.ms;
  const company = { name: "Company", countryCode: "BR", currencyCode: "BRL", commissionSpread: "0.01" };
  await addTenant(table, { tenantId: TENANT, ...company, createdAt: new Date(START_MS).toISOString() });
  const settles = new Map<string, number>();
  const bad = new Set<string>();
  const isOut = () => now() >= START_MS + OUTAGE_FROM_MS && now() < START_MS + OUTAGE_FROM_MS + outageMs;
  const behaviour: Failures = {
    now,
    failing,
    isFailed: (about) => isOut() || about.some((id) => bad.has(id)),
    isSettled: (id) => now() >= (settles.get(id) ?? Number.POSITIVE_INFINITY),
  };
  const servers = openServers();
  const held = openFailingRail(behaviour, isServed ? await servers.serveHttp(answerOverHttp(behaviour)) : undefined);
  const { rail, questions } = held;
  const settings = parseSettings({});
  const run: Run = { ...openRun(settings, { table, now, random: random.bytes }), rails: [rail] };
  const { post, nextMs, takeFirst } = openPost(now);
  const found = new Map<string, number>();
  const seeFound = async () => {
    for (const { executionId } of await listAlone(table, railKeyOf(rail.rail)))
      if (bad.has(executionId) && !found.has(executionId)) found.set(executionId, now());
  };

  const intents: PaymentIntent[] = [];
  const begin = async () => {
    const id = newRecordId(now(), random.bytes);
    const settlesAtMs = START_MS + SETTLE_MS.fromMs + random.below(SETTLE_MS.untilMs - SETTLE_MS.fromMs);
    const intent = paymentUnderWay(id, now(), settlesAtMs, addressOf(rail.rail));
    const executionId = intent.executions[0]?.executionId ?? "";
    settles.set(executionId, settlesAtMs);
    // They are spread over all of them.
    if ((intents.length * 7) % payments < poisoned) bad.add(executionId);
    await change(run, { before: undefined, after: intent, events: [] });
    intents.push(intent);
  };
  const take = async (message: Message): Promise<unknown> => {
    if (message.kind === "sweep") return sweep(run, message, post);
    if (message.kind === "alone") return askAlone(run, message, post);
    if (message.kind === "question") {
      await ask(run, message, post);
      return message.search === undefined ? undefined : seeFound();
    }
    return message.kind === "timer" ? advanceIntent(run, message, now() + MINUTE) : undefined;
  };

  const starts = Array.from({ length: payments }, () => START_MS + random.below(BEGIN_MS)).toSorted((a, b) => a - b);
  const endMs = START_MS + Math.max(SETTLE_MS.untilMs, OUTAGE_FROM_MS + outageMs) + 3 * MINUTE + afterMs;
  let tickMs = START_MS - MINUTE + 23_000;
  for (;;) {
    const startMs = starts[0] ?? Number.POSITIVE_INFINITY;
    const messageMs = held.running() < QUESTIONS_AT_ONCE ? nextMs() : Number.POSITIVE_INFINITY;
    const dueMs = Math.min(startMs, tickMs, messageMs, held.nextMs());
    if (dueMs > endMs) break;
    clock.ms = Math.max(clock.ms, dueMs);
    if (dueMs === startMs) {
      starts.shift();
      await begin();
    } else if (dueMs === tickMs) {
      tickMs += MINUTE;
      const { pollIntervalMs, watchShards } = run.settings;
      const aheadMs = settings.DISPATCH_AHEAD_SECONDS * 1_000;
      await post(sweepsOf(railKeyOf(rail.rail), now(), { pollIntervalMs, watchShards, aheadMs }));
    } else if (dueMs === held.nextMs()) {
      await held.goOn();
    } else {
      const message = takeFirst();
      await held.begin(() => take(message));
    }
  }

  const outEndMs = outageMs === 0 ? START_MS : START_MS + OUTAGE_FROM_MS + outageMs;
  const foundMs = found.size < bad.size ? Number.POSITIVE_INFINITY : Math.max(outEndMs, ...found.values());
  const lateness: { ms: number; intervals: number }[] = [];
  let left = 0;
  let latestMs = 0;
  for (const intent of intents) {
    const executionId = intent.executions[0]?.executionId ?? "";
    if (bad.has(executionId)) continue;
    const stored = await findIntent(table, TENANT, intent.id);
    const endedAt = stored.ok ? stored.value.executions[0]?.endedAt : undefined;
    const watch = watchFor(intent);
    if (endedAt === undefined || watch === undefined) left += 1;
    else {
      const settledMs = settles.get(executionId) ?? 0;
      latestMs = Math.max(latestMs, Date.parse(endedAt) - Math.max(settledMs, outEndMs));
      const tellableMs = Math.max(settledMs, foundMs);
      const ms = Date.parse(endedAt) - tellableMs;
      lateness.push({ ms, intervals: ms / distanceMs(watch, tellableMs, run.settings) });
    }
  }
  const alone = await listAlone(table, railKeyOf(rail.rail));
  await stop();
  servers.closeAll();
  const isSearch = ({ atMs, isInVain, about }: (typeof questions)[number]) =>
    isInVain && !isOutAt(atMs) && !(about.length === 1 && (found.get(about[0] ?? "") ?? atMs) < atMs);
  const isOutAt = (atMs: number) => outageMs > 0 && atMs >= START_MS + OUTAGE_FROM_MS && atMs < outEndMs;
  const inVain = questions.filter(({ atMs, isInVain }) => isInVain && atMs > foundMs).length;
  const intervals = (clock.ms - foundMs) / run.settings.pollIntervalMs;
  return {
    foundMs: foundMs - Math.max(START_MS, outageMs > 0 ? outEndMs : START_MS),
    findingEach: bad.size === 0 ? 0 : questions.filter(isSearch).length / bad.size,
    vainEach: bad.size === 0 ? 0 : inVain / bad.size / intervals,
    latencyMs: Math.max(...lateness.map(({ ms }) => ms)),
    latencyIntervals: Math.max(...lateness.map(({ intervals: each }) => each)),
    latestMs,
    left,
    alone: alone.length,
  };
}

/** A payment of one recipient, which its rail accepted just now. */
function paymentUnderWay(id: string, nowMs: number, expectedSettlementMs: number, rail: RailAddress): PaymentIntent {
  const at = new Date(nowMs).toISOString();
  const amounts = { payerAmount: "1000.00", payerCurrency: "BRL", payeeAmount: "250.00", payeeCurrency: "AUD" };
  const execution: Execution = {
    ...{ executionId: `e${id}`, connector: rail.name, status: "executing", startedAt: at },
    ...{ connectorPaymentIds: [], payer: { firstName: "Ana" }, currency: "BRL", fee: "20.00" },
    legs: [{ order: 0, payeeId: 5001, splitRole: "principal_provider_amount", ...amounts, status: "executing" }],
  };
  return storedIntent({
    ...{ id, tenantId: TENANT, createdAt: at, updatedAt: at, status: "executing", rail },
    executions: [execution],
    expectedSettlementMs,
  });
}

/** The queues: messages arrive after their delays, in SQS's whole seconds, then in sending order. */
function openPost(now: () => number) {
  const waiting: { atMs: number; message: Message }[] = [];
  return {
    post: async (messages: readonly Posted[]): Promise<void> => {
      for (const { message, delaySeconds = 0 } of messages) {
        const atMs = now() + Math.max(0, Math.ceil(delaySeconds)) * 1_000;
        const before = waiting.findLastIndex((earlier) => earlier.atMs <= atMs);
        waiting.splice(before + 1, 0, { atMs, message });
      }
    },
    nextMs: (): number => waiting[0]?.atMs ?? Number.POSITIVE_INFINITY,
    takeFirst: (): Message => waiting.shift()!.message,
  };
}
