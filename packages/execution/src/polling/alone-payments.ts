import { distanceMs } from "@intents/domain/polling/points.ts";
import type { Watch } from "@intents/domain/polling/watch.ts";
import { findWatch, hastenAlone, listAlone, putAlone } from "@intents/storage/polling/alone.ts";
import type { RailState } from "@intents/storage/polling/rail-state.ts";
import type { AskedExecution, Question } from "@intents/storage/queue/queue.ts";
import type { Run } from "../run.ts";
import { everyOf } from "./search.ts";

/** A payment that fails alone is left alone for up to so many of its own intervals. */
const PAUSE_MAX = 8;

/** The time until a payment is asked about again that has failed alone so often. */
export const alonePauseMs = ({ settings }: Run, watch: Watch, failures: number, nowMs: number): number =>
  failures === 0 ? 0 : Math.min(2 ** (failures - 1), PAUSE_MAX) * distanceMs(watch, nowMs, settings);

/** Has a payment that is at fault asked about alone from now on: at once, unless it was already. */
export async function startAlone(run: Run, rail: string, asked: AskedExecution, isAsked: boolean): Promise<void> {
  const watch = await findWatch(run.table, asked);
  if (watch === undefined) return;
  const { lookMs: _lookMs, ...payment } = asked;
  const [nowMs, failures] = [run.now(), isAsked ? 1 : 0];
  const dueAtMs = nowMs + alonePauseMs(run, watch, failures, nowMs);
  await putAlone(run.table, rail, { ...payment, failures, sinceMs: nowMs, dueAtMs });
  await hastenAlone(run.table, rail, dueAtMs);
}

/** The question without payments that are asked about alone; as one about all others, where its search was about those. */
export async function withoutAlone(
  run: Run,
  question: Question,
  { aloneAtMs }: RailState,
): Promise<Question | undefined> {
  if (aloneAtMs === undefined) return question;
  const alone = new Set((await listAlone(run.table, question.rail)).map(({ executionId }) => executionId));
  const all = everyOf(question);
  const others = all.filter(({ executionId }) => !alone.has(executionId));
  if (others.length === all.length) return question;
  const { search: _search, ...swept } = question;
  return others.length === 0 ? undefined : { ...swept, about: others };
}
