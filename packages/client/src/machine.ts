/** The functions that a client needs from its machine. Tests have machines of their own. */
export type Machine = Readonly<{
  fetch: typeof fetch;
  /** Milliseconds since some moment. */
  now: () => number;
  /** Between 0 and 1. */
  random: () => number;
  /** Resolves after so many milliseconds, or throws the reason of the signal as soon as it is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  newKey: () => string;
}>;

export const thisMachine: Machine = {
  fetch: (...request) => fetch(...request),
  now: () => performance.now(),
  random: Math.random,
  sleep,
  newKey: () => crypto.randomUUID(),
};

/** Timers that wait for longer than 24.8 days do not wait at all; what is no number is taken for a millisecond. */
const DURATION_MS_MAX = 86_400_000;
export const isDuration = (ms: unknown): boolean => typeof ms === "number" && ms >= 1 && ms <= DURATION_MS_MAX;
export const A_DURATION = "must be a number of milliseconds, from 1 to 86400000 (a day)";

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      if (signal?.aborted === true) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener("abort", wake);
  });
}
