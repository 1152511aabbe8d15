import { ApiError, ConnectionError, NotFinalError } from "./errors.ts";
import { A_DURATION, isDuration, type Machine } from "./machine.ts";
import { spread } from "./retries.ts";
import type { Options } from "./route.ts";
import type { PaymentIntent } from "./schemas/payment-intents.ts";
import type { PaymentIntentStatus } from "./schemas/words.ts";

// SPEC, "Events": how a payment is followed.
const POLL_MS = 30_000;
const SLOW_POLL_MS = 60_000;
const SLOW_AFTER_MS = 5 * 60_000;
const HAND_OVER_MS = 30 * 60_000;
const JITTER = 0.2;

const final = ["completed", "failed", "partially_completed", "cancelled"] as const satisfies PaymentIntentStatus[];

/** A status that is never left. */
export type FinalStatus = (typeof final)[number];
export type FinalIntent = PaymentIntent & { status: FinalStatus };
const isFinal = (intent: PaymentIntent): intent is FinalIntent =>
  (final as readonly PaymentIntentStatus[]).includes(intent.status);

export type Waiting = {
  /**
   * Asks for an intent until its status is final: every 30 seconds, every minute once it has been executing for 5
   * minutes, each time up to 20 % sooner or later. Throws a `NotFinalError` after 30 minutes, and at once for a link,
   * which has no end.
   */
  waitUntilFinal(id: string, options?: WaitOptions): Promise<FinalIntent>;
};
export type WaitOptions = Options &
  Readonly<{
    /** Ask this often instead, in milliseconds up to a day: in a sandbox, payments end within seconds. */
    intervalMs?: number;
    /** Throw the `NotFinalError` after this long instead of 30 minutes, in milliseconds up to a day. */
    budgetMs?: number;
  }>;

/** An intent, and when the service says to ask again. */
type Ask = (options: Options) => Promise<Readonly<{ intent: PaymentIntent; retryAfterMs?: number | undefined }>>;

export async function waitUntilFinal(
  ask: Ask,
  machine: Machine,
  { intervalMs, budgetMs = HAND_OVER_MS, ...options }: WaitOptions,
): Promise<FinalIntent> {
  if (!isDuration(budgetMs)) throw new TypeError(`budgetMs ${A_DURATION}`);
  if (intervalMs !== undefined && !isDuration(intervalMs)) throw new TypeError(`intervalMs ${A_DURATION}`);
  const beganMs = machine.now();
  let executingSinceMs: number | undefined;
  for (;;) {
    const seen = await ask(options).catch((error: unknown) => {
      // An outage is no reason to give up on a payment.
      if (!isOutage(error) || machine.now() - beganMs >= budgetMs) throw error;
      return undefined;
    });
    const nowMs = machine.now();
    if (seen !== undefined) {
      const { intent } = seen;
      if (isFinal(intent)) return intent;
      if (intent.status === "pending_link_payment")
        throw new NotFinalError(intent, "a link has no end; follow its payments");
      if (nowMs - beganMs >= budgetMs) throw new NotFinalError(intent, `${toWords(budgetMs)} were not enough`);
      executingSinceMs = intent.status === "executing" ? (executingSinceMs ?? nowMs) : undefined;
    }
    const isSlow = executingSinceMs !== undefined && nowMs - executingSinceMs >= SLOW_AFTER_MS;
    const askedMs = Math.min(seen?.retryAfterMs ?? 0, HAND_OVER_MS);
    const cadenceMs = intervalMs ?? (askedMs || (isSlow ? SLOW_POLL_MS : POLL_MS));
    // The last question comes when the budget ends.
    const leftMs = Math.max(beganMs + budgetMs - machine.now(), 1);
    await machine.sleep(Math.min(spread(cadenceMs, JITTER, machine.random), leftMs), options.signal);
  }
}

const toWords = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000} minutes` : `${ms} ms`);

const isOutage = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof ConnectionError) && error.retrySafe;
