import {
  type AlonePayment,
  endAloneLease,
  findWatch,
  forgetAlone,
  hastenAlone,
  leaseAlone,
  listAlone,
  putAlone,
} from "@intents/storage/polling/alone.ts";
import {
  clearRailFailures,
  findRailState,
  noteRailFailure,
  type RailState,
} from "@intents/storage/polling/rail-state.ts";
import type { Alone } from "@intents/storage/queue/queue.ts";
import { askForStatuses } from "../rails/ask.ts";
import type { Run } from "../run.ts";
import { alonePauseMs } from "./alone-payments.ts";
import { isSilence, retryAfterOf } from "./probe.ts";
import { type Asking, applyAnswers, applyTimeouts, railMissing } from "./question.ts";
import { type Post, toAsked } from "./sweep.ts";

/** A worker has so long for one question about a payment alone: longer than a rail may take. */
const LEASE_MS = 30_000;
/** A person has to look into a payment that has failed alone so often. */
const FAILURES_TOLD = 3;

/**
 * Asks a rail about the payment that has waited longest of those that failed alone. A lease keeps others from doing the
 * same, so that payments at which the rail hangs never take more than one worker; one that dies ends with its lease.
 */
export async function askAlone(run: Run, { rail }: Alone, post: Post): Promise<Asking> {
  const quiet = { outcome: "applied", news: [] } as const;
  const state = await findRailState(run.table, rail);
  const [nowMs, { aloneAtMs = Number.POSITIVE_INFINITY, retryAtMs }] = [run.now(), state];
  if (aloneAtMs > nowMs || retryAtMs > nowMs) return quiet;
  const untilMs = nowMs + LEASE_MS;
  if (!(await leaseAlone(run.table, rail, { aloneAtMs, nowMs, untilMs }))) return quiet;
  const [first, ...others] = await listAlone(run.table, rail, true);
  const isDue = first !== undefined && first.dueAtMs <= nowMs;
  const { asking = quiet, dueAtMs } = isDue ? await askAbout(run, rail, { ...first, state }, post) : { ...first };
  const times = [others[0]?.dueAtMs, dueAtMs].filter((ms) => ms !== undefined);
  const nextMs = times.length === 0 ? undefined : Math.min(...times);
  await endAloneLease(run.table, rail, untilMs, nextMs);
  // Another payment may have failed alone meanwhile, and be due after the lease.
  const [next] = await listAlone(run.table, rail, true);
  if (next !== undefined && next.dueAtMs < (nextMs ?? Number.POSITIVE_INFINITY))
    await hastenAlone(run.table, rail, next.dueAtMs);
  if (nextMs !== undefined && nextMs <= run.now()) await post([{ message: { kind: "alone", rail } }]);
  return asking;
}

/** The result of a question about one payment; `dueAtMs`: the time of its next question alone, if there is one. */
type Outcome = Readonly<{ asking?: Asking; dueAtMs?: number }>;

async function askAbout(
  run: Run,
  rail: string,
  { state, ...payment }: AlonePayment & Readonly<{ state: RailState }>,
  post: Post,
): Promise<Outcome> {
  const watch = await findWatch(run.table, payment);
  if (watch === undefined) {
    await forgetAlone(run.table, rail, payment);
    return {};
  }
  const [asked, askedAtMs] = [toAsked(run, watch), run.now()];
  const answers = await askForStatuses(run, rail, [asked]);
  if (answers !== undefined && !isSilence(answers)) {
    await forgetAlone(run.table, rail, payment);
    if (state.failures > 0) await clearRailFailures(run.table, rail);
    return { asking: { outcome: "applied", news: await applyAnswers(run, [asked], { answers, askedAtMs }, post) } };
  }
  const nowMs = run.now();
  const failures = payment.failures + 1;
  const dueAtMs = nowMs + alonePauseMs(run, watch, failures, nowMs);
  await putAlone(run.table, rail, { ...payment, failures, dueAtMs });
  if (answers === undefined) return { asking: railMissing([asked]), dueAtMs };
  const retryAfterMs = retryAfterOf(answers) ?? 0;
  if (retryAfterMs > 0) await noteRailFailure(run.table, rail, state, { retryAtMs: nowMs + retryAfterMs });
  const news = (await applyTimeouts(run, [asked], post)).map(({ outcome, ...of }) => {
    const isTold = outcome === "unanswered" && failures >= FAILURES_TOLD;
    return { ...of, outcome: isTold ? ("failed_alone" as const) : outcome };
  });
  return { asking: { outcome: "applied", news }, dueAtMs };
}
