import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { hasMetadata, hasTooMuch, type MetadataChanges, mergeMetadata, TOO_MUCH } from "@intents/domain/metadata.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { metadataAction, noteMetadata } from "@intents/storage/intents/metadata.ts";
import type { IntentKey } from "@intents/storage/table/keys.ts";
import { StoreBusy, transact } from "@intents/storage/table/transact.ts";
import type { Run } from "../run.ts";
import { readAnswer } from "./read-answer.ts";

/** Tries while other changes of the same metadata come in between. */
const TRIES_MAX = 20;
const PAUSE_MS_MAX = 50;

/**
 * Lays changes over the metadata of an intent, in whatever status it is, and gives the answer about it; `isCurrent` says
 * whether the answer is as the caller knows it. Of the intent itself nothing changes that anybody sees.
 */
export async function changeMetadata(
  run: Run,
  about: IntentKey,
  { changes, isCurrent }: Readonly<{ changes: MetadataChanges; isCurrent: (answer: object) => boolean }>,
) {
  const { table } = run;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const found = await readAnswer(run, about);
    if (!found.ok) return found;
    const { intent, metadata: before, tell: answerWith } = found.value;
    if (!isCurrent(answerWith(before))) return fail({ kind: "stale" } as const);
    const after = mergeMetadata(before, changes);
    if (hasTooMuch(after)) return fail({ kind: "shape", problems: [TOO_MUCH] } as const);
    if (isDeepStrictEqual(after, before ?? {})) return ok(answerWith(before));
    const { done } = await transact(table, () => [
      ...metadataAction(table, about, before, after),
      ...(hasMetadata(after) ? noteMetadata(table, intent) : []),
    ]);
    if (done) return ok(answerWith(after));
    await pause(randomInt(PAUSE_MS_MAX));
  }
  throw new StoreBusy("The metadata of an intent are being changed by many at once");
}
