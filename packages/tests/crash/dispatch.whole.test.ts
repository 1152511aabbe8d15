import { DeleteMessageCommand, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { advanceIntent } from "@intents/execution/advance.ts";
import { dispatchShard } from "@intents/execution/polling/dispatch.ts";
import { ask } from "@intents/execution/polling/question.ts";
import { sweep } from "@intents/execution/polling/sweep.ts";
import type { Run } from "@intents/execution/run.ts";
import { actAs } from "@intents/execution/test/acting-fixture.ts";
import { SETTLE_MS, startWorld, type World } from "@intents/execution/test/execution-fixture.ts";
import { countCalls, failAt, faultNames, faults } from "@intents/execution/test/fault-fixture.ts";
import { startS3AndSqs } from "@intents/local/stores/s3-and-sqs.ts";
import { findTimer } from "@intents/storage/polling/timers.ts";
import { listWatches } from "@intents/storage/polling/watches.ts";
import { openQueue, type Posted, parseMessage, type Queue, sendMessages } from "@intents/storage/queue/queue.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

let world: World;
let dispatcher: Run & Readonly<{ queue: Queue }>;
let stopQueue: () => Promise<void>;
beforeAll(async () => {
  world = await startWorld();
  const store = await startS3AndSqs(undefined, ["documents"]);
  vi.stubEnv("AWS_ENDPOINT_URL_SQS", store.endpoint);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  dispatcher = { ...world.run, queue: openQueue(store.queue.url) };
  stopQueue = store.stop;
});
afterAll(async () => {
  dispatcher.queue.client.destroy();
  vi.unstubAllEnvs();
  await Promise.all([world.stop(), stopQueue()]);
});

const dispatch = (as: typeof dispatcher) =>
  actAs("advance-intent", () => dispatchShard(as, 0, 0, Number.POSITIVE_INFINITY));

const TICKS_MAX = 4;

/** Two submits whose answers were lost, and which their timers finish. */
async function unfinishedTwo(): Promise<string[]> {
  const ids = [(await world.newDraft()).id, (await world.newDraft()).id];
  for (const id of ids) await world.submit(id, "key", world.telling({ kind: "unknown", reason: "lost" }));
  world.clock.ms = Math.max(...(await dueOf(ids)));
  return ids;
}

/** The times at which the timers of these intents are due; intents without a timer are left out. */
const dueOf = async (ids: readonly string[]): Promise<number[]> =>
  (await Promise.all(ids.map((id) => findTimer(world.table, "1001", id)))).flatMap((timer) => timer?.dueAtMs ?? []);

const post = (messages: readonly Posted[]) => sendMessages(dispatcher.queue, messages);

const worker = <Done>(work: () => Promise<Done>) => actAs("advance-intent", work);

/** Acts on every message of the queue. */
async function consume(): Promise<unknown[]> {
  const { client, url: QueueUrl } = dispatcher.queue;
  const done: unknown[] = [];
  for (;;) {
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    if (Messages.length === 0) return done;
    for (const { Body = "", ReceiptHandle } of Messages) {
      const message = parseMessage(Body);
      if (message.kind === "timer")
        done.push(await worker(() => advanceIntent(world.run, message, Number.POSITIVE_INFINITY)));
      if (message.kind === "question") done.push(await worker(() => ask(world.run, message, post)));
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}

describe("a dispatcher that", () => {
  test.each(faultNames)("%s, at any call, loses no timer, and the next one sends what it did not", async (fault) => {
    await unfinishedTwo();
    const calls = await countCalls(dispatcher, dispatch);
    expect(calls).toBe(4); // One call finds the timers, two lease them, one sends them.
    await consume();
    for (let k = 1; k <= calls; k++) {
      const ids = await unfinishedTwo();
      const { letGo } = await failAt(dispatcher, k, faults[fault], dispatch);
      await consume();
      // Timers that were leased but never sent are due again when their leases have run out; a call under way may still
      // land.
      for (let ticks = 0; ticks < TICKS_MAX && (await dueOf(ids)).length > 0; ticks++) {
        world.clock.ms = Math.max(world.clock.ms, ...(await dueOf(ids)));
        await dispatch(dispatcher);
        await consume();
      }
      await letGo();
      expect((await consume()).filter((advanced) => advanced !== "stale")).toEqual([]);
      for (const id of ids) {
        const { status, executions } = await world.get(id);
        expect([k, status, executions.length]).toEqual([k, "executing", 1]);
        expect(await world.paymentsOf(id)).toHaveLength(1);
      }
    }
  });
});

describe("a sweep that", () => {
  /** Two payments whose money has arrived, so that the next question completes them. */
  async function settledTwo(): Promise<string[]> {
    const ids = [(await world.newDraft()).id, (await world.newDraft()).id];
    for (const id of ids) await world.submit(id, "key");
    world.clock.ms += SETTLE_MS;
    return ids;
  }
  const sweeping = (as: typeof dispatcher) => {
    const untilMs = world.clock.ms;
    const part = { rail: "sandbox embedded", shard: 0, age: "near" } as const;
    return worker(() => sweep(as, { kind: "sweep", ...part, untilMs }, (messages) => sendMessages(as.queue, messages)));
  };

  test.each(faultNames)("%s, at any call, loses no point: the next one hands on what it did not", async (fault) => {
    await settledTwo();
    const calls = await countCalls(dispatcher, sweeping);
    // They read the cursor, the state of the rail and the watches, send the question, and move the cursor.
    expect(calls).toBe(5);
    await consume();
    for (let k = 1; k <= calls; k++) {
      const ids = await settledTwo();
      const { letGo } = await failAt(dispatcher, k, faults[fault], sweeping);
      world.clock.ms += 1;
      await sweeping(dispatcher);
      await consume();
      await letGo();
      await consume();
      for (const id of ids) {
        const { status, executions } = await world.get(id);
        expect([k, status, executions.length]).toEqual([k, "completed", 1]);
        expect(await world.paymentsOf(id)).toHaveLength(1);
        expect(await listWatches(world.table, { tenantId: "1001", id })).toEqual([]);
      }
    }
  });
});
