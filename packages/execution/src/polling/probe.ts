import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { listAlone } from "@intents/storage/polling/alone.ts";
import type { RailState } from "@intents/storage/polling/rail-state.ts";
import { findNewestWatches } from "@intents/storage/polling/watches.ts";
import type { AskedExecution, Question } from "@intents/storage/queue/queue.ts";
import type { Run } from "../run.ts";
import { toAsked } from "./sweep.ts";

/** Whether a rail has told nothing of anybody. */
export const isSilence = (answers: readonly StatusAnswer[]): boolean =>
  answers.every(({ kind }) => kind === "unavailable");

/** For how long the rail itself has said that it is to be left alone. */
export function retryAfterOf(answers: readonly StatusAnswer[]): number | undefined {
  const words = answers.flatMap((answer) => (answer.kind === "unavailable" ? (answer.retryAfterMs ?? []) : []));
  return words.length === 0 ? undefined : Math.max(...words);
}

/** Newest watches of a partition that are searched for a payment to ask about. */
const OTHERS_MAX = 100;

/**
 * The payment for a question about one alone, by which the rail shows whether it answers. A question about several gives
 * one of its own; otherwise another payment of the rail serves. Payments not probed since the last answer come first, then
 * the one probed longest ago. So payments that always fail hide no healthy one.
 */
export async function findOther(
  run: Run,
  { rail, shard, about }: Question,
  { probed, aloneAtMs }: RailState,
): Promise<AskedExecution | undefined> {
  const isFresh = ({ executionId }: Pick<AskedExecution, "executionId">): boolean => !probed.includes(executionId);
  const own = about.length > 1 ? about : [];
  const fresh = pick(run, own.filter(isFresh));
  if (fresh !== undefined) return fresh;
  const all = [...own];
  const known = new Set(about.map(({ executionId }) => executionId));
  if (aloneAtMs !== undefined) for (const { executionId } of await listAlone(run.table, rail)) known.add(executionId);
  const { watchShards } = run.settings;
  for (let after = 0; after < watchShards; after++) {
    const place = { rail, shard: (shard + after) % watchShards };
    const watches = await findNewestWatches(run.table, place, OTHERS_MAX);
    const found = watches.filter(({ executionId }) => !known.has(executionId)).map((watch) => toAsked(run, watch));
    const other = pick(run, found.filter(isFresh));
    if (other !== undefined) return other;
    all.push(...found);
  }
  return all.toSorted((one, other) => probed.indexOf(one.executionId) - probed.indexOf(other.executionId))[0];
}

const pick = <Element>({ random }: Run, from: readonly Element[]): Element | undefined =>
  from[Buffer.from(random(4)).readUInt32BE() % Math.max(from.length, 1)];
