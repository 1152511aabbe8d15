import type { Failure } from "@intents/domain/failure.ts";

/** How a refusal looks to a caller, and whether an Idempotency-Key stays bound to it. */
export type ErrorRow<Detail extends string = string> = Readonly<{
  status: number;
  /** Bracketed public code; absent where the specification shows none. */
  code?: `[${string}]`;
  /** The error: a sentence without its full stop. */
  message: string;
  /** The caller's next step: the sentence behind it. */
  next: string;
  /** The `Retry-After` of a refusal that knows no time of its own. */
  retryAfterSeconds?: number;
  /** Headers that always come with it. */
  headers?: Readonly<Record<string, string>>;
  /** The fields of the failure that callers are told, under `details`. */
  details?: readonly Detail[];
  /** Whether a replay with the same key must return this same answer (SPEC, "Idempotency behavior on a retry"; H9). */
  bindsKey: boolean;
  /** When the same request, by the same key, may succeed: `told`: as its `Retry-After` says; `later`: after a while. */
  retry?: "told" | "later";
}>;

/** A row for every failure: one that is missing does not compile. */
export type ErrorTable = {
  readonly [Kind in Failure["kind"]]: ErrorRow<Exclude<keyof Extract<Failure, { kind: Kind }> & string, "kind">>;
};
