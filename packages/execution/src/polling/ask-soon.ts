import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { AskedExecution } from "@intents/storage/queue/queue.ts";
import { chunksOf } from "@intents/storage/table/records.ts";
import { shardOf } from "@intents/storage/table/shared-keys.ts";
import { questionMaxOf } from "../rails/ask.ts";
import { placeOf, type Run } from "../run.ts";
import type { Post } from "./sweep.ts";

/** Has the rail of an intent asked about some of its executions before their next point, by the questions of all others. */
export async function askSoon(
  run: Run,
  intent: PaymentIntent,
  about: readonly AskedExecution[],
  post: Post,
): Promise<void> {
  const { rail, shards } = placeOf(run, intent);
  const part = { rail, shard: shardOf(intent.id, shards), age: "near" } as const;
  const questions = chunksOf(about, questionMaxOf(run, rail) ?? 1);
  await post(questions.map((some) => ({ message: { kind: "question", ...part, fromMs: run.now(), about: some } })));
}
