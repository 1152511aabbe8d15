import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Timer } from "@intents/domain/intents/timer.ts";
import { nextAskMs } from "@intents/domain/polling/points.ts";
import { findRailState } from "@intents/storage/polling/rail-state.ts";
import { findTimer, leaseTimer } from "@intents/storage/polling/timers.ts";
import { listWatches } from "@intents/storage/polling/watches.ts";
import type { Posted } from "@intents/storage/queue/queue.ts";
import { type Advanced, advanceIntent } from "../src/advance.ts";
import { ask } from "../src/polling/question.ts";
import { toAsked } from "../src/polling/sweep.ts";
import { placeOf, type Run } from "../src/run.ts";
import { actAs } from "./acting-fixture.ts";

const WORKER = "advance-intent";
const advance = (message: Parameters<typeof advanceIntent>[1], as: Run): Promise<Advanced> =>
  actAs(WORKER, () => advanceIntent(as, message, Number.POSITIVE_INFINITY));

type Ticking = Readonly<{
  run: Run;
  clock: { ms: number };
  tenantId: string;
  get: (intentId: string) => Promise<PaymentIntent>;
}>;

/** For tests: what an intent of the tenant waits for, and the schedule's work for one intent at a time. */
export function ticking({ run, clock, tenantId, get }: Ticking) {
  const { table } = run;
  /** When the rail was last asked about an intent and its recipients. */
  const askedAt = new Map<string, number>();

  /** The watches of an intent to ask about next, and when: perhaps in the past. */
  async function nextAsk(intentId: string) {
    const watches = await listWatches(table, { tenantId, id: intentId });
    const times = watches.map((watch) => {
      const afterMs = Math.max(askedAt.get(intentId) ?? 0, watch.startedMs);
      return { watch, atMs: nextAskMs(watch, afterMs, run.settings) };
    });
    const atMs = Math.min(...times.map((each) => each.atMs));
    const untilMs = Math.max(atMs, clock.ms);
    return { atMs, due: times.filter((each) => each.atMs <= untilMs).map(({ watch }) => watch) };
  }

  /** The timer of an intent, or the next question to its rail, whichever comes first. */
  async function timerOf(intentId: string): Promise<Timer | undefined> {
    const timer = await findTimer(table, tenantId, intentId);
    const { atMs } = await nextAsk(intentId);
    return atMs < (timer?.dueAtMs ?? Number.POSITIVE_INFINITY) ? { kind: "poll", dueAtMs: atMs } : timer;
  }

  /** Asks the rail about an intent and its recipients at the next point, and advances its batch if there is news. */
  async function askNext(intentId: string, as: Run): Promise<Advanced> {
    const { rail: key } = placeOf(run, await get(intentId));
    const { atMs, due } = await nextAsk(intentId);
    const { retryAtMs } = await findRailState(table, key);
    clock.ms = Math.max(clock.ms, atMs, retryAtMs);
    askedAt.set(intentId, clock.ms);
    const about = due.map((watch) => toAsked(as, watch));
    const question = { kind: "question", rail: key, shard: 0, age: "near", fromMs: clock.ms, about } as const;
    const posted: Posted[] = [];
    const asked = await actAs(WORKER, () => ask(as, question, async (messages) => void posted.push(...messages)));
    for (const { message } of posted) if (message.kind === "timer") return advance(message, as);
    const outcome = asked.news[0]?.outcome ?? asked.outcome;
    return outcome === "unanswered" || outcome === "failed_alone" ? "applied" : outcome;
  }

  /** Moves the clock on to what the intent waits for, and acts on it as the schedule and a worker do. */
  async function tick(intentId: string, as: Run = run): Promise<Advanced> {
    const stored = await findTimer(table, tenantId, intentId);
    // A timer that is overdue is dispatched whatever else there is to do.
    const timer = stored !== undefined && stored.dueAtMs <= clock.ms ? stored : await timerOf(intentId);
    if (timer === undefined) throw new Error(`${intentId} waits for nothing`);
    if (timer.kind === "poll") return askNext(intentId, as);
    clock.ms = Math.max(clock.ms, timer.dueAtMs);
    const message = await leaseTimer(table, { tenantId, id: intentId, dueAtMs: timer.dueAtMs }, clock.ms);
    if (message === undefined) throw new Error(`The timer of ${intentId} was leased by somebody else`);
    return advance(message, as);
  }

  return { timerOf, tick };
}
