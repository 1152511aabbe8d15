import { retries } from "./schemas/errors.ts";

// SPEC, "Limits" and "Idempotency behavior on a retry": which requests are sent again, and when. All of it is pure.

/** How often a call is sent again, unless its caller wants it less often. */
export const RETRIES_MAX = 5;
export const isRetriesMax = (times: unknown): boolean =>
  Number.isInteger(times) && Number(times) >= 0 && Number(times) <= RETRIES_MAX;
export const RETRIES_RANGE = `must be a whole number from 0 to ${RETRIES_MAX}`;

const FIRST_MS = 1000;
export const BACK_OFF_MS_MAX = 30_000;
const JITTER = 0.3;
/** A service that asks for more patience than this is not waited for: the caller is told. */
const TOLD_MS_MAX = 60_000;

/** An answer's grounds for another try; status 0 is no answer. */
export type Answer = Readonly<{ status: number; code?: string | undefined; retryAfterSeconds?: number | undefined }>;

/**
 * Whether a request may be sent again. Without a word of the service about it, one that makes something new may not: it
 * may have been carried out although it failed.
 */
export function isRetrySafe({ status, code, retryAfterSeconds }: Answer, creates: boolean): boolean {
  const row: Readonly<Record<string, "told" | "later">> = retries;
  const known = row[code ?? status];
  if (status === 429 || (known === "told" && retryAfterSeconds !== undefined)) return true;
  return !creates && (known === "later" || isOutage(status));
}

/** 501 will be the same the next time. */
const isOutage = (status: number): boolean => status === 0 || (status >= 500 && status !== 501);

/** How long to wait before the retry of this number, from 0; undefined where the caller is to decide. */
export function retryWaitMs(answer: Answer, creates: boolean, retry: number, random: () => number): number | undefined {
  const { status, retryAfterSeconds } = answer;
  if (retry >= RETRIES_MAX || !isRetrySafe(answer, creates)) return undefined;
  const askedMs = (retryAfterSeconds ?? 0) * 1000;
  if (askedMs > TOLD_MS_MAX) return undefined;
  // Never earlier than told; and not everybody at once.
  if (askedMs > 0) return askedMs * (1 + JITTER * random());
  // Without a back-off, `Retry-After: 0` would allow six tries within one outage.
  if (retryAfterSeconds === undefined && status !== 429 && !isOutage(status)) return undefined;
  const backOffMs = Math.min(FIRST_MS * 2 ** retry, BACK_OFF_MS_MAX);
  return Math.min(spread(backOffMs, JITTER, random), BACK_OFF_MS_MAX);
}

/** A time that is longer or shorter by up to a part of it. */
export const spread = (ms: number, part: number, random: () => number): number => ms * (1 + part * (2 * random() - 1));
