import type { IntentDraft } from "../scenarios/draft.ts";

/** The value at a dotted path of an intent; undefined where there is none. */
export const valueAt = (intent: IntentDraft, path: string): unknown => path.split(".").reduce<unknown>(fieldOf, intent);

const fieldOf = (node: unknown, key: string): unknown =>
  typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined;

/** The paths that `pattern` stands for: one for each recipient where it has a `*`. */
export const pathsOf = ({ recipients = [] }: IntentDraft, pattern: string): string[] =>
  pattern.includes("*") ? recipients.map((_, index) => pattern.replace("*", String(index))) : [pattern];
