import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import {
  clearRailFailures,
  findRailState,
  noteRailFailure,
  type RailState,
} from "@intents/storage/polling/rail-state.ts";
import { rewindSweepCursor } from "@intents/storage/polling/sweeps.ts";
import { wakeBatch } from "@intents/storage/polling/timers.ts";
import type { AskedExecution, Posted, Question } from "@intents/storage/queue/queue.ts";
import { isNewsOfLeg } from "../batches/leg-work.ts";
import { askForStatuses } from "../rails/ask.ts";
import type { Run } from "../run.ts";
import { type Applied, applyAnswer } from "../settle/answer.ts";
import { startAlone, withoutAlone } from "./alone-payments.ts";
import { findOther, isSilence, retryAfterOf } from "./probe.ts";
import { afterAnswer, afterFailure, everyOf } from "./search.ts";
import type { Post } from "./sweep.ts";

/** A person has to look into a rail that failed so many questions in a row (H24). */
const FAILURES_ALARMING = 10;
/** A rail that is silent is left alone for up to so many intervals: it is only asked about a single payment each time. */
const LEFT_ALONE_MAX = 2;

/**
 * The outcome of an answer about one execution. `unanswered`: the rail tells nothing of it. `failed_alone`: nor does
 * it, again and again, in questions about this one alone.
 */
export type Answered = Readonly<{ asked: AskedExecution; outcome: Applied | "unanswered" | "failed_alone" }>;

/** The outcome of a question. `news`: its executions that were overdue, or not answered as `pending`. */
export type Asking = Readonly<{ outcome: Applied; news: readonly Answered[] }>;

const quiet: Asking = { outcome: "applied", news: [] };

/** The payments of a rail that no settings name, about which nobody can ask. */
export const railMissing = (about: readonly AskedExecution[]): Asking => ({
  outcome: "rail_missing",
  news: about.map((asked) => ({ asked, outcome: "rail_missing" })),
});

const isSame = (one: AskedExecution, other: AskedExecution): boolean => one.executionId === other.executionId;

/**
 * Asks a rail how executions stand, and looks into each with news, or overdue for news. Other answers change no
 * payment. An execution that fails stops no other.
 */
export async function ask(run: Run, given: Question, post: Post): Promise<Asking> {
  const { rail } = given;
  const state = await findRailState(run.table, rail);
  const question = await withoutAlone(run, given, state);
  if (question === undefined) return quiet;
  const isSearch = question.search !== undefined;
  // A rail that is doubted is asked what dispels the doubt. A search goes on once the rail is asked again.
  const isLeftAlone = state.retryAtMs > run.now() && !(isSearch && state.failures === 1);
  if (isLeftAlone && isSearch) {
    await post([{ message: question, delaySeconds: (state.retryAtMs - run.now()) / 1000 }]);
    return quiet;
  }
  if (isLeftAlone) return handBack(run, question, post);
  if (state.failures > 0 && !isSearch) return probe(run, question, state, post);
  const askedAtMs = run.now();
  const answers = await askForStatuses(run, rail, question.about);
  if (answers === undefined) return railMissing(question.about);
  if (isSilence(answers)) return doubt(run, question, { state, answers }, post);
  if (state.failures > 0) await clearRailFailures(run.table, rail);
  await goOn(run, question, answers.length, post);
  const answered = question.about.slice(0, answers.length);
  return { outcome: "applied", news: await applyAnswers(run, answered, { answers, askedAtMs }, post) };
}

/** Sends what follows an answer about the first `answered` of a question: those that are left, or its search. */
async function goOn(run: Run, question: Question, answered: number, post: Post): Promise<void> {
  const unasked = question.about.slice(answered);
  if (unasked.length > 0) return post([{ message: { ...question, about: unasked } }]);
  const { parts, atFault } = afterAnswer(question, isSame);
  for (const { payment, isAsked } of atFault) await startAlone(run, question.rail, payment, isAsked);
  const { search: _search, ...swept } = question;
  if (parts.length > 0) await post(parts.map((part) => ({ message: { ...swept, ...part } })));
}

/**
 * Deals with a question that a rail has told nothing of. Another one follows, which tells whether that is due to the rail
 * or to a payment. Where that one fails, too, or there is no other payment, the rail is silent: it is left alone.
 */
async function doubt(
  run: Run,
  question: Question,
  { state, answers }: Readonly<{ state: RailState; answers: readonly StatusAnswer[] }>,
  post: Post,
): Promise<Asking> {
  const { rail, search, ...swept } = question;
  const isFirst = search === undefined;
  const other = isFirst ? await findOther(run, question, state) : undefined;
  const next = afterFailure(question, other);
  const retryAfterMs = retryAfterOf(answers);
  const failures = state.failures + 1;
  const leftAloneMs = retryAfterMs ?? pauseMs(run, failures);
  // In the midst of a search the rail has just answered others: that is no doubt about the rail.
  if (isFirst || next === undefined || retryAfterMs !== undefined) {
    const about = next?.about[0]?.executionId ?? question.about[0]?.executionId;
    const failure = { retryAtMs: run.now() + leftAloneMs, about };
    const isNoted = await noteRailFailure(run.table, rail, state, failure);
    // Of several questions that fail at the same time, one is followed by another.
    if (next === undefined || (isFirst && !isNoted)) return handBack(run, question, post, failures);
  }
  await post([
    { message: { ...swept, rail, ...next }, ...(retryAfterMs !== undefined && { delaySeconds: leftAloneMs / 1000 }) },
  ]);
  return quiet;
}

/**
 * Asks a rail that was left alone about a single payment, another one each time: if it answers, all others are asked about
 * as ever. The failure is counted before, so that one worker at a time does this, and one that dies holds up nobody.
 */
async function probe(run: Run, question: Question, state: RailState, post: Post): Promise<Asking> {
  const { rail, about } = question;
  const single = (await findOther(run, question, state)) ?? about[0];
  if (single === undefined) return quiet;
  const failures = state.failures + 1;
  const failure = { retryAtMs: run.now() + pauseMs(run, failures), about: single.executionId };
  if (!(await noteRailFailure(run.table, rail, state, failure))) return handBack(run, question, post);
  const askedAtMs = run.now();
  const answers = await askForStatuses(run, rail, [single]);
  if (answers === undefined) return railMissing([single]);
  if (isSilence(answers)) {
    const retryAtMs = run.now() + (retryAfterOf(answers) ?? 0);
    if (retryAtMs > failure.retryAtMs)
      await noteRailFailure(run.table, rail, { ...state, failures }, { ...failure, retryAtMs });
    return handBack(run, question, post, failures);
  }
  await clearRailFailures(run.table, rail);
  const others = about.filter((each) => !isSame(each, single));
  // Should these fail, the one that was answered tells again whether that is due to the rail.
  const search = { failed: [], witness: single };
  if (others.length > 0) await post([{ message: { ...question, about: others, search } }]);
  return { outcome: "applied", news: await applyAnswers(run, [single], { answers, askedAtMs }, post) };
}

/** The time for which a rail is left alone after so many failures in a row. */
const pauseMs = ({ settings }: Run, failures: number): number =>
  Math.min(2 ** Math.max(0, failures - 2), LEFT_ALONE_MAX) * settings.pollIntervalMs;

/**
 * Moves the cursor of these watches back, so that the next sweep after the rail's pause hands them on again. Overdue
 * executions are looked into without an answer: a later one still counts.
 */
async function handBack(run: Run, question: Question, post: Post, failures = 0): Promise<Asking> {
  const { rail, shard, age, fromMs } = question;
  await rewindSweepCursor(run.table, { rail, shard, age }, fromMs);
  const overdue = everyOf(question).filter((asked) => isLookedInto(run, asked));
  const news = (await applyTimeouts(run, overdue, post)).filter(({ outcome }) => outcome !== "unanswered");
  return { outcome: failures >= FAILURES_ALARMING ? "polls_failing" : "applied", news };
}

export const applyTimeouts = (run: Run, about: readonly AskedExecution[], post: Post): Promise<readonly Answered[]> =>
  applyAnswers(run, about, { answers: [], askedAtMs: run.now() }, post);

const isLookedInto = (run: Run, { lookMs = Number.POSITIVE_INFINITY }: AskedExecution): boolean => run.now() >= lookMs;

/**
 * Deals with all answers, however some of them fail, and throws the first failure in the end. No answer is one as well:
 * silence and an answer without news lead to the same once they last too long.
 */
export async function applyAnswers(
  run: Run,
  about: readonly AskedExecution[],
  { answers, askedAtMs }: Readonly<{ answers: readonly StatusAnswer[]; askedAtMs: number }>,
  post: Post,
): Promise<readonly Answered[]> {
  const news = about.flatMap((asked, index) => {
    const answer = answers[index] ?? ({ kind: "unavailable", reason: "no answer" } as const);
    return answer.kind === "pending" && !isLookedInto(run, asked) ? [] : [{ asked, answer }];
  });
  const batches = new Map<string, Reported>();
  const applied = await Promise.allSettled(
    news.map(async ({ asked, answer }): Promise<Answered> => {
      const unchanged = answer.kind === "unavailable" ? "unanswered" : "applied";
      if (unchanged === "unanswered" && !isLookedInto(run, asked)) return { asked, outcome: unchanged };
      const { order } = asked;
      if (order === undefined) {
        const outcome = await applyAnswer(run, { ...asked, askedAtMs }, answer);
        return { asked, outcome: outcome === "applied" ? unchanged : outcome };
      }
      if (await isNewsOfLeg(run, { ...asked, order, askedAtMs }, answer)) {
        const batch = `${asked.tenantId} ${asked.id}`;
        const { orders } = batches.get(batch) ?? { orders: [] };
        batches.set(batch, { asked, orders: unchanged === "unanswered" ? orders : [...orders, order] });
      }
      return { asked, outcome: unchanged };
    }),
  );
  const woken = await Promise.all([...batches.values()].map((some) => wake(run, some)));
  await post(woken.flat());
  const failed = applied.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return applied.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

/** A batch of which there is news, by one of its recipients, and the orders of those that the rail has told of. */
type Reported = Readonly<{ asked: AskedExecution; orders: readonly number[] }>;

/** Wakes the worker of a batch, and tells it the recipients that the rail has told of. */
async function wake(run: Run, { asked: { tenantId, id }, orders: news }: Reported): Promise<Posted[]> {
  const lease = await wakeBatch(run.table, { tenantId, id }, run.now());
  return lease === undefined ? [] : [{ message: { kind: "timer", ...lease, news } }];
}
