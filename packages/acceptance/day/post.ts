import type { Posted } from "@intents/storage/queue/queue.ts";

/** A simulated day's queues: messages arrive after their delays, in SQS's whole seconds, then in sending order. */
export function openPost(now: () => number) {
  /** Messages that have not arrived, in the order of their arrival. */
  const waiting: { atMs: number; posted: Posted }[] = [];
  let sent = 0;

  const post = async (messages: readonly Posted[]): Promise<void> => {
    for (const posted of messages) {
      const atMs = now() + Math.max(0, Math.ceil(posted.delaySeconds ?? 0)) * 1_000;
      const before = waiting.findLastIndex((earlier) => earlier.atMs <= atMs);
      waiting.splice(before + 1, 0, { atMs, posted });
      sent += 1;
    }
  };
  return {
    post,
    /** When the next message arrives. */
    nextMs: (): number => waiting[0]?.atMs ?? Number.POSITIVE_INFINITY,
    takeFirst(): Posted {
      const first = waiting.shift();
      if (first === undefined) throw new Error("No message waits");
      return first.posted;
    },
    sent: () => sent,
  };
}
