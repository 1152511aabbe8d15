import { isTerminal } from "./intent-states.ts";
import type { PaymentIntent } from "./payment-intent.ts";

/** What an intent or a request for commissions waits for. `dueAtMs` is milliseconds since 1970. */
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
  // A batch has work to do at once, before there is anything to ask for.
  const isUnsent = intent.bulkProgress !== undefined && intent.lastConnectorPaymentId === undefined;
  return { kind: "poll", dueAtMs: isUnsent ? nowMs : nextPollMs(intent, settings, nowMs, 0) };
}

/**
 * When to ask the rail again. At an interval of 30 s that is every 30 s for 5 minutes, every 60 s up to half an hour,
 * then every 20th of the age up to 15 minutes, each ± 20 % (SPEC, Events; H23); other intervals scale it all. Failed
 * polls in a row double the wait, and a settlement that is expected earlier is not slept through.
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

/** 0.8 to 1.2, the same for the same seed, so that a run can be replayed (FNV-1a). */
function jitter(seed: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) {
    hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193) >>> 0;
  }
  return 0.8 + (0.4 * (hash % 1000)) / 1000;
}
