import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import {
  clearRailFailures,
  findRailState,
  noteRailFailure,
  type RailState,
  rewindSweepCursor,
} from "@intents/storage/intents/sweeps.ts";
import { wakeBatch } from "@intents/storage/intents/timers.ts";
import type { Asked, Posted, Question } from "@intents/storage/queue/queue.ts";
import { isNewsOfLeg } from "../batches/leg-work.ts";
import { askForStatuses } from "../rails/ask.ts";
import type { Run } from "../run.ts";
import { lookInto, type Polled } from "../settle/poll.ts";
import type { Post } from "./sweep.ts";

/** A person has to look into a rail that failed so many questions in a row (H24). */
const FAILURES_ALARMING = 10;
/** A rail that fails is left alone for up to so many intervals. */
const LEFT_ALONE_MAX = 8;

/** What an answer about one execution led to. `unanswered`: the rail told of others, but not of this one. */
export type Answered = Readonly<{ asked: Asked; outcome: Polled | "unanswered" }>;

/** What a question led to, and besides each execution of which there was news, or silence for too long. */
export type Asking = Readonly<{ outcome: Polled; news: readonly Answered[] }>;

/**
 * Asks a rail how executions stand, and looks into those of which it has news, or of which it should have had some by
 * now. Other answers write nothing. One execution that cannot be dealt with keeps no other from being dealt with.
 */
export async function ask(run: Run, question: Question, post: Post): Promise<Asking> {
  const { rail, about } = question;
  const state = await findRailState(run.table, rail);
  if (state.retryAtMs > run.now()) return { outcome: "polled", news: await handBack(run, question, post) };
  const askedAtMs = run.now();
  const answers = await askForStatuses(run, rail, about);
  if (answers === undefined) return { outcome: "rail_missing", news: [] };
  if (answers.every(({ kind }) => kind === "unavailable")) return giveUp(run, question, state, post);
  if (state.failures > 0) await clearRailFailures(run.table, rail);
  const unasked = about.slice(answers.length);
  if (unasked.length > 0) await post([{ message: { ...question, about: unasked } }]);
  return { outcome: "polled", news: await heed(run, about.slice(0, answers.length), { answers, askedAtMs }, post) };
}

/**
 * Deals with a question that a rail has told nothing of. The first in a row may be due to one payment that the rail
 * stumbles over: it is put again in halves, until that payment is alone, and delays nobody else. When others fail too, it
 * is the rail, which is left alone for a while, and the question is handed back.
 */
async function giveUp(run: Run, question: Question, state: RailState, post: Post): Promise<Asking> {
  const { about, isPart = false } = question;
  const [asked, ...others] = about;
  const only = others.length === 0 ? asked : undefined;
  const isOnly = only !== undefined && (isPart || state.about === only.executionId);
  if (isOnly) return { outcome: "polled", news: await heedSilence(run, [only], post) };
  const failures = state.failures + 1;
  if (!isPart) {
    const pauses = failures === 1 ? 0 : Math.min(2 ** (failures - 2), LEFT_ALONE_MAX);
    const retryAtMs = run.now() + pauses * run.settings.pollIntervalMs;
    await noteRailFailure(run.table, question.rail, state.failures, {
      retryAtMs,
      ...(only && { about: only.executionId }),
    });
  }
  const outcome = failures >= FAILURES_ALARMING ? "polls_failing" : "polled";
  if (!isPart && failures > 1) return { outcome, news: await handBack(run, question, post) };
  await post(partsOf(question, run.settings.pollIntervalMs));
  return { outcome, news: [] };
}

/** The halves of a question; one about a single payment is put again a little later. */
function partsOf(question: Question, pollIntervalMs: number): Posted[] {
  const { about } = question;
  if (about.length === 1) return [{ message: { ...question, isPart: true }, delaySeconds: pollIntervalMs / 1000 }];
  const half = Math.ceil(about.length / 2);
  const halves = [about.slice(0, half), about.slice(half)];
  return halves.map((some) => ({ message: { ...question, about: some, isPart: true } }));
}

/**
 * Moves the cursor of these watches back, so that the next sweep after the rail's pause hands them on again. Whoever is
 * overdue has waited long enough for a rail that answers nobody: what it says later still counts.
 */
async function handBack(run: Run, question: Question, post: Post): Promise<readonly Answered[]> {
  const { rail, shard, age, fromMs, about } = question;
  await rewindSweepCursor(run.table, { rail, shard, age }, fromMs);
  const overdue = about.filter((asked) => isLookedInto(run, asked));
  return (await heedSilence(run, overdue, post)).filter(({ outcome }) => outcome !== "unanswered");
}

const heedSilence = (run: Run, about: readonly Asked[], post: Post): Promise<readonly Answered[]> =>
  heed(run, about, { answers: [], askedAtMs: run.now() }, post);

const isLookedInto = (run: Run, { lookMs = Number.POSITIVE_INFINITY }: Asked): boolean => run.now() >= lookMs;

/**
 * Deals with all answers, however some of them fail, and throws the first failure in the end. No answer is one as well:
 * silence and an answer without news lead to the same once they last too long.
 */
async function heed(
  run: Run,
  about: readonly Asked[],
  { answers, askedAtMs }: Readonly<{ answers: readonly StatusAnswer[]; askedAtMs: number }>,
  post: Post,
): Promise<readonly Answered[]> {
  const news = about.flatMap((asked, index) => {
    const answer = answers[index] ?? ({ kind: "unavailable", reason: "no answer" } as const);
    return answer.kind === "pending" && !isLookedInto(run, asked) ? [] : [{ asked, answer }];
  });
  const batches = new Map<string, Told>();
  const told = await Promise.allSettled(
    news.map(async ({ asked, answer }): Promise<Answered> => {
      const unchanged = answer.kind === "unavailable" ? "unanswered" : "polled";
      if (unchanged === "unanswered" && !isLookedInto(run, asked)) return { asked, outcome: unchanged };
      const { order } = asked;
      if (order === undefined) {
        const outcome = await lookInto(run, { ...asked, askedAtMs }, answer);
        return { asked, outcome: outcome === "polled" ? unchanged : outcome };
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
  const failed = told.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return told.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

/** A batch of which there is news, by one of its recipients, and the orders of those that the rail has told of. */
type Told = Readonly<{ asked: Asked; orders: readonly number[] }>;

/** Wakes the worker of a batch, and tells it the recipients that the rail has told of. */
async function wake(run: Run, { asked: { tenantId, id }, orders: news }: Told): Promise<Posted[]> {
  const lease = await wakeBatch(run.table, { tenantId, id }, run.now());
  return lease === undefined ? [] : [{ message: { kind: "timer", ...lease, news } }];
}
