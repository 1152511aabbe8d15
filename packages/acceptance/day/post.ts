import type { Posted } from "@intents/storage/queue/queue.ts";

type Sent = Readonly<{ atMs: number; number: number; posted: Posted }>;

/** A simulated day's queues: messages arrive after their delays, in SQS's whole seconds, then in sending order. */
export function openPost(now: () => number) {
  const heap: Sent[] = [];
  let sent = 0;
  const isBefore = (one: Sent, other: Sent) =>
    one.atMs < other.atMs || (one.atMs === other.atMs && one.number < other.number);
  const at = (index: number): Sent => heap[index] as Sent;
  const swap = (one: number, other: number) => {
    [heap[one], heap[other]] = [at(other), at(one)];
  };

  function add(item: Sent): void {
    heap.push(item);
    for (let index = heap.length - 1; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!isBefore(at(index), at(parent))) break;
      swap(index, parent);
      index = parent;
    }
  }

  function takeFirst(): Posted {
    const { posted } = at(0);
    const last = heap.pop() as Sent;
    if (heap.length > 0) heap[0] = last;
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let first = index;
      if (left < heap.length && isBefore(at(left), at(first))) first = left;
      if (right < heap.length && isBefore(at(right), at(first))) first = right;
      if (first === index) return posted;
      swap(index, first);
      index = first;
    }
  }

  const post = async (messages: readonly Posted[]): Promise<void> => {
    for (const posted of messages) {
      const delayMs = Math.max(0, Math.ceil(posted.delaySeconds ?? 0)) * 1_000;
      add({ atMs: now() + delayMs, number: sent++, posted });
    }
  };
  return {
    post,
    /** When the next message arrives. */
    nextMs: (): number => heap[0]?.atMs ?? Number.POSITIVE_INFINITY,
    takeFirst,
    sent: () => sent,
  };
}
