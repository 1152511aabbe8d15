import type { PaymentIntent } from "./payment-intent.ts";
import { isTerminal } from "./statuses.ts";

/** The next step that an intent or a request for commissions waits for. `dueAtMs` is milliseconds since 1970. */
export type Timer = Readonly<{
  kind: "expire_draft" | "recover_submission" | "poll" | "finish_request";
  dueAtMs: number;
}>;

/** Durations that an operator may set, in milliseconds. */
export type TimerSettings = Readonly<{ draftTtlMs: number; pollIntervalMs: number }>;

/** The one timer of an intent, decided by its state alone; undefined when nothing is left to wait for. */
export function timerFor(intent: PaymentIntent, settings: TimerSettings, nowMs: number): Timer | undefined {
  if (intent.submission !== undefined) return { kind: "recover_submission", dueAtMs: intent.submission.leaseUntilMs };
  if (intent.status === "draft") {
    return { kind: "expire_draft", dueAtMs: Date.parse(intent.createdAt) + settings.draftTtlMs };
  }
  if (isTerminal(intent.status) || intent.status === "pending_link_payment") return undefined;
  // A batch whose payments are not sent yet has work to do at once; others wait for the rail.
  const isUnsent = intent.bulkProgress !== undefined && intent.lastConnectorPaymentId === undefined;
  return { kind: "poll", dueAtMs: isUnsent ? nowMs : nextPollMs(intent, settings, nowMs, 0) };
}

/**
 * The time at which to ask the rail again. At an interval of 30 s the wait is 30 s for the first 5 minutes, 60 s up to
 * half an hour, then a 20th of the age but at most 15 minutes, each ± 20 % (SPEC, Events; H23); another interval scales
 * all of these. Each failed poll in a row doubles the wait, and the wait ends at an expected settlement at the latest.
 */
export function nextPollMs(intent: PaymentIntent, settings: TimerSettings, nowMs: number, failures: number): number {
  const { pollIntervalMs } = settings;
  const execution = intent.executions.at(-1);
  const ageMs = execution === undefined ? 0 : nowMs - Date.parse(execution.startedAt);
  const waitMs =
    ageMs < 10 * pollIntervalMs
      ? pollIntervalMs
      : ageMs < 60 * pollIntervalMs
        ? 2 * pollIntervalMs
        : Math.min(ageMs / 20, 30 * pollIntervalMs);
  const dueAtMs = nowMs + Math.round(waitMs * 2 ** Math.min(failures, 5) * jitter(`${intent.id}:${nowMs}`));
  const expectedMs = intent.expectedSettlementMs ?? dueAtMs;
  return failures === 0 && expectedMs > nowMs ? Math.min(dueAtMs, expectedMs) : dueAtMs;
}

/** A factor of 0.8 to 1.2, the same for the same seed, so that a run can be replayed (FNV-1a). */
function jitter(seed: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) {
    hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193) >>> 0;
  }
  return 0.8 + (0.4 * (hash % 1000)) / 1000;
}
