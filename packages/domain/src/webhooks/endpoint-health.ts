import { HOUR_MS, MINUTE_MS } from "../durations.ts";

const SECOND_MS = 1_000;

/** The pauses between the attempts of one delivery, and between those at an endpoint that is failing. */
export const PAUSES_MS = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS],
] as const;
/** Pauses are up to so much longer or shorter, so that what failed together is not repeated together. */
const JITTER = 0.2;
/** A receiver may ask for a pause of up to a day. */
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;
/** After so many different events in a row failed, the endpoint is failing. */
export const FAILED_IN_ROW_MAX = 5;
/** An endpoint is disabled after so long in which all attempts failed. */
export const GIVEN_UP_AFTER_MS = 5 * 24 * HOUR_MS;
/** An endpoint that takes longer than this is served apart from quick ones. */
const SLOW_MS = 3 * SECOND_MS;

/** How an endpoint takes what it is sent. */
export type EndpointHealth = Readonly<{
  /** The different events that failed since the last success, as many as count. */
  failed: readonly string[];
  /** When the first attempt failed since which none succeeded. */
  failedSinceMs?: number;
  /** Set while the endpoint is failing: one event is tried at a time, and nothing is given up. */
  probe?: Readonly<{ count: number; atMs: number }>;
  /** Set once it succeeded again: deliveries that failed before this moment are tried at once. */
  wellSinceMs?: number;
  /** Its last attempt took long or failed: it is served apart. */
  isSlow?: true;
}>;

export const NEW: EndpointHealth = { failed: [] };

/** The pause before the next attempt, after so many; undefined when there is none. `random` is below 1. */
export function pauseAfter(attempts: number, random: number, retryAfterMs = 0): number | undefined {
  const pauseMs = PAUSES_MS[attempts - 1];
  if (pauseMs === undefined) return undefined;
  return Math.max(Math.round(pauseMs * (1 - JITTER + 2 * JITTER * random)), Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
}

/** The standing after an attempt that succeeded. */
export function succeeded(before: EndpointHealth, nowMs: number, tookMs: number): EndpointHealth {
  const wellSinceMs = before.probe === undefined ? before.wellSinceMs : nowMs;
  return { failed: [], ...(wellSinceMs !== undefined && { wellSinceMs }), ...(tookMs > SLOW_MS && { isSlow: true }) };
}

/** The standing after a failed attempt: a probe of a failing endpoint, or an attempt after which it may be failing. */
export function hasFailed(
  before: EndpointHealth,
  {
    eventId,
    nowMs,
    random,
    retryAfterMs,
  }: Readonly<Record<"nowMs" | "random" | "retryAfterMs", number>> & { readonly eventId: string },
): EndpointHealth {
  const failed = [...before.failed.filter((id) => id !== eventId), eventId].slice(-FAILED_IN_ROW_MAX);
  const isFailing = before.probe !== undefined || failed.length === FAILED_IN_ROW_MAX;
  const count = before.probe === undefined ? 0 : before.probe.count + 1;
  const pauseMs = pauseAfter(Math.min(count + 1, PAUSES_MS.length), random, retryAfterMs) ?? 0;
  return {
    ...before,
    failed,
    failedSinceMs: before.failedSinceMs ?? nowMs,
    isSlow: true,
    ...(isFailing && { probe: { count, atMs: nowMs + pauseMs } }),
  };
}

/** Whether an endpoint is to be disabled, for all attempts of the last days failed. */
export const isUnanswered = ({ failedSinceMs }: EndpointHealth, nowMs: number): boolean =>
  failedSinceMs !== undefined && nowMs - failedSinceMs >= GIVEN_UP_AFTER_MS;
