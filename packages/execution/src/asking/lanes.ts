import type { Queue } from "@intents/storage/queue/queue.ts";

/** The queue for what a rail is asked: rails take turns with the lanes, so that a slow one holds up its own. */
export function laneOf(lanes: readonly Queue[], rail: number): Queue {
  const lane = lanes[Math.max(rail, 0) % lanes.length];
  if (lane === undefined) throw new Error("There is no queue for questions to rails");
  return lane;
}
