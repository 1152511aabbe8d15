import { KEY_LABEL } from "@intents/storage/intents/submissions.ts";
import type { Action } from "@intents/storage/table/transact.ts";

type Written = Readonly<{ done: true }> | Readonly<{ done: false; failed: readonly string[] }>;

/**
 * Makes a change together with what becomes of its Idempotency-Key; without that, if the key belongs to a later request
 * by now, with which it stays. Tells whether the key was changed too.
 */
export async function withKey<Change extends Written>(
  keyActions: readonly Action[],
  write: (keyActions: readonly Action[]) => Promise<Change>,
): Promise<Readonly<{ changed: Change; hasKey: boolean }>> {
  const changed = await write(keyActions);
  const isKeyAlone = keyActions.length > 0 && !changed.done && changed.failed.every((label) => label === KEY_LABEL);
  if (isKeyAlone) return { changed: await write([]), hasKey: false };
  return { changed, hasKey: keyActions.length > 0 && changed.done };
}
