import { readSweepState } from "@intents/execution/polling/tick.ts";
import { railKeys } from "@intents/execution/rails/ask.ts";
import { operatorAudit, SERVICE_TENANT } from "@intents/storage/audit/operators.ts";
import { findRailState } from "@intents/storage/polling/rail-state.ts";
import { countDue, findDue, OVERDUE_MS } from "@intents/storage/polling/timers.ts";
import { findDeadLetters, peek, readDepth, redrive } from "@intents/storage/queue/dead-letters.ts";
import { openQueue } from "@intents/storage/queue/queue.ts";
import { transact } from "@intents/storage/table/transact.ts";
import type { Command } from "commander";
import { openProgress, print } from "./output.ts";
import { openSession, type Session } from "./session.ts";
import { readCovered, readUnattended } from "./unattended.ts";

/** One run of the command moves at most so many messages. */
const REDRIVE_MAX = 10_000;

export function queueCommands(program: Command): void {
  const queue = program.command("queue").description("messages and timers");
  queue
    .command("show")
    .description("prints waiting and failed messages, due timers, each rail's failures and delay, and unattended work")
    .action(async (_options: unknown, command: Command) => {
      await show(await openSession(command));
    });
  queue
    .command("redrive")
    .description(`sends messages that failed five times once more, at most ${REDRIVE_MAX}`)
    .action(async (_options: unknown, command: Command) => {
      await sendAgain(await openSession(command));
    });
}

async function show(session: Session): Promise<void> {
  const deadLetters = await findDeadLetters(openQueue((await session.settings()).QUEUE_URL));
  const [{ messages, ...read }, sample] = await Promise.all([readQueue(session), peek(deadLetters)]);
  const { deadLetters: dead, ...rest } = read;
  print(session, { ...messages, deadLetters: dead, deadLetterSample: sample, ...rest });
}

/** How much polling has to work through, and how far it has come. Nothing is taken out of a queue for that. */
export async function readQueue(session: Session) {
  const settings = await session.settings();
  const queue = openQueue(settings.QUEUE_URL);
  const [messages, dead] = await Promise.all([readDepth(queue), readDepth(await findDeadLetters(queue))]);
  const nowMs = Date.now();
  const { timers, watches } = await readCovered(session);
  const shards = await Promise.all(
    Array.from({ length: timers }, async (_, shard) => ({
      shard,
      ...(await countDue(session.table, shard, nowMs, nowMs - OVERDUE_MS)),
    })),
  );
  const lanes = await Promise.all(settings.QUESTION_QUEUE_URLS.map((url) => readDepth(openQueue(url))));
  const sum = (of: "due" | "overdue") => shards.reduce((total, shard) => total + shard[of], 0);
  return {
    messages,
    deadLetters: dead.visible + dead.inFlight,
    timersDue: sum("due"),
    timersOverdue: sum("overdue"),
    shards: shards
      .filter(({ due }) => due > 0)
      .map(({ oldestMs = nowMs, ...shard }) => ({ ...shard, oldest: new Date(oldestMs).toISOString() })),
    lanes: lanes.map((depth, index) => ({ lane: index + 1, ...depth })),
    ...(await describeQuestions(session, watches, nowMs)),
    unattended: await readUnattended(session, nowMs),
  };
}

/** The oldest timers of each shard that are overdue. */
export async function readOverdue(session: Session, nowMs: number, limit: number) {
  const { timers } = await readCovered(session);
  const shards = Array.from({ length: timers }, (_, shard) => shard);
  const oldest = await Promise.all(
    shards.map(async (shard) => (await findDue(session.table, shard, nowMs - OVERDUE_MS, limit).next()).value ?? []),
  );
  return oldest.flat().toSorted((one, other) => one.dueAtMs - other.dueAtMs);
}

/** How far the questions to each rail are behind, and which rails with payments under way are not configured. */
async function describeQuestions({ table, run }: Session, watchShards: number, nowMs: number) {
  const keys = railKeys(await run());
  const counts = await Promise.all(
    keys.map(async (rail) => {
      const [{ behindMs }, { failures, retryAtMs }] = await Promise.all([
        readSweepState(table, [rail], watchShards, nowMs),
        findRailState(table, rail),
      ]);
      const leftAlone = retryAtMs > nowMs && { leftAloneUntil: new Date(retryAtMs).toISOString() };
      return { rail, secondsBehind: Math.round(behindMs / 1000), failures, ...leftAlone };
    }),
  );
  const { missing } = await readSweepState(table, keys, watchShards, nowMs);
  return { questions: counts, notConfigured: missing };
}

async function sendAgain(session: Session): Promise<void> {
  session.operation();
  const queue = openQueue((await session.settings()).QUEUE_URL);
  const deadLetters = await findDeadLetters(queue);
  const { visible, inFlight } = await readDepth(deadLetters);
  const messages = visible + inFlight;
  await session.confirm(`Send about ${messages} messages again?`);
  const change = session.change("queue.redrive", { messages });
  await transact(session.table, () => [operatorAudit(session.table, SERVICE_TENANT, change)]);
  const progress = openProgress("messages", messages);
  const moved = await redrive(deadLetters, queue, REDRIVE_MAX, progress.advance);
  progress.end();
  print(session, { moved });
}
