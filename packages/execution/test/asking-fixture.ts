import { forgetAlone, listAlone } from "@intents/storage/polling/alone.ts";
import { clearRailFailures } from "@intents/storage/polling/rail-state.ts";
import { moveSweepCursor } from "@intents/storage/polling/sweeps.ts";
import { listWatches } from "@intents/storage/polling/watches.ts";
import type { Alone, Posted, Question } from "@intents/storage/queue/queue.ts";
import { askAlone } from "../src/polling/ask-alone.ts";
import { type Answered, ask } from "../src/polling/question.ts";
import { toAsked } from "../src/polling/sweep.ts";
import type { Run } from "../src/run.ts";
import { actAs } from "./acting-fixture.ts";
import type { startWorld } from "./execution-fixture.ts";

export const rail = "sandbox embedded";

/** For tests: questions about payments that are made for them, to a rail that has a good name at the beginning of each. */
export function openAsking(world: Awaited<ReturnType<typeof startWorld>>) {
  const { table } = world;
  const posted: Posted[] = [];
  let shard = 0;

  /** Forgets how the rail has answered before. */
  async function begin(): Promise<void> {
    shard += 1;
    posted.length = 0;
    await clearRailFailures(table, rail);
    for (const payment of await listAlone(table, rail)) await forgetAlone(table, rail, payment);
  }

  /** Payments under way, with a question about all of them whose part of the watches was swept until now. */
  async function question(count: number): Promise<Question> {
    const about = [];
    for (let made = 0; made < count; made++) {
      const { id } = await world.newDraft();
      await world.submit(id);
      about.push(...(await listWatches(table, { tenantId: "1001", id })).map((watch) => toAsked(world.run, watch)));
    }
    const part = { rail, shard, age: "near" } as const;
    const fromMs = world.clock.ms;
    await moveSweepCursor(table, part, { atMs: 0, rewinds: 0 }, fromMs + 100);
    return { kind: "question", ...part, fromMs, about };
  }

  const post = async (messages: readonly Posted[]) => void posted.push(...messages);
  const put = (as: Run, of: Question) => actAs("advance-intent", () => ask(as, of, post));

  /** Puts a question, and all that follows it at once. */
  async function putWholly(as: Run, first: Question | Alone): Promise<Answered[]> {
    posted.length = 0;
    const answers: Answered[] = [];
    for (let message: Posted["message"] | undefined = first; message !== undefined; message = posted.shift()?.message) {
      if (message.kind === "question") answers.push(...(await put(as, message)).news);
      if (message.kind === "alone")
        answers.push(...(await actAs("advance-intent", () => askAlone(as, message, post))).news);
    }
    return answers;
  }

  /** The executions that are asked about alone. */
  const aloneOf = async () => (await listAlone(table, rail)).map(({ executionId }) => executionId).toSorted();

  return { question, posted, put, putWholly, aloneOf, begin };
}
