import { type Queue, sendMessages } from "@intents/storage/queue/queue.ts";
import { railNumber } from "../rails/ask.ts";
import type { Run } from "../run.ts";
import type { Post } from "./sweep.ts";

/** The queue for what a rail is asked: rails take turns with the lanes, so that a slow one holds up its own. */
export function laneOf(lanes: readonly Queue[], rail: number): Queue {
  const lane = lanes[Math.max(rail, 0) % lanes.length];
  if (lane === undefined) throw new Error("There is no queue for questions to rails");
  return lane;
}

/** Sends questions on the lanes of their rails, and all else on the queue of timers. */
export const openPost =
  (run: Pick<Run, "rails">, queue: Queue, lanes: readonly Queue[]): Post =>
  async (messages) => {
    const queues = Map.groupBy(messages, ({ message }) =>
      message.kind === "question" || message.kind === "alone" ? laneOf(lanes, railNumber(run, message.rail)) : queue,
    );
    for (const [to, posted] of queues) await sendMessages(to, posted);
  };
