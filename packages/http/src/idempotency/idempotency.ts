import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyValidationError,
  makeIdempotent,
} from "@aws-lambda-powertools/idempotency";
import { errorTable } from "@intents/contract/errors.ts";
import type { Failure } from "@intents/domain/failure.ts";
import type { Result } from "@intents/domain/result.ts";
import { findAnswer, type SubmitStart } from "@intents/storage/intents/submissions.ts";
import type { Table } from "@intents/storage/table/table.ts";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { json, toRefusal } from "../answers.ts";
import { keyHashOf } from "./key-hash.ts";
import { KeyRecord } from "./key-record.ts";

/** The outcome of a handler by key: the body it committed, and the intent under which that body is stored. */
export type Committed = Readonly<{
  body: string;
  intentId: string;
  replayed: boolean;
  /** The commit has kept the outcome with the key by itself. */
  isKept?: boolean;
}>;

export type KeyedRequest = Readonly<{
  event: APIGatewayProxyEvent;
  context: Context;
  tenantId: string;
  body: unknown;
  nowMs: number;
  /** The records of the key and intent, read while the request was counted. */
  preloaded?: Promise<SubmitStart> | undefined;
}>;

/** Answers a request that takes an Idempotency-Key; `run` gets the key's hash, or undefined when none was sent. */
export type Idempotency = (
  request: KeyedRequest,
  run: (keyHash: string | undefined) => Promise<Result<Committed, Failure>>,
) => Promise<APIGatewayProxyResult>;

/** The data kept with a key: a refusal, or for a success the place of its body, which holds personal data (H12). */
type Kept = Readonly<{ refusal?: APIGatewayProxyResult; intentId?: string }>;

/** A repeated request must equal the first one in everything that it asks for. */
const settings = { payloadValidationJmesPath: "@", hashFunction: "sha256" } as const;
const replayedHeader = { "Idempotent-Replayed": "true" };

/**
 * Runs a request once per Idempotency-Key within 24 hours of the key's first request. Replays get the kept answer: a
 * success, or a refusal whose row in the error table binds the key.
 */
export const openIdempotency =
  (table: Table): Idempotency =>
  async ({ event, context, tenantId, body, nowMs, preloaded }, run) => {
    const keyHash = keyHashOf(event);
    if (keyHash === undefined) return toAnswer(await run(undefined), nowMs);
    if (keyHash === "malformed") return toRefusal(malformedKey, nowMs);
    const start = await preloaded;
    const persistenceStore = new KeyRecord(table, { tenantId, keyHash }, start);
    let fresh: APIGatewayProxyResult | undefined;
    const runOnce = makeIdempotent(
      async (_payload: object): Promise<Kept | undefined> => {
        const outcome = await run(keyHash);
        fresh = toAnswer(outcome, nowMs);
        if (outcome.ok && outcome.value.isKept === true) persistenceStore.leave();
        if (outcome.ok) return { intentId: outcome.value.intentId };
        // A request before this one may have paid with the key, whose answer a wrong header must not take the place of.
        const isLate = outcome.failure.kind === "shape" && start?.binding !== undefined;
        return errorTable[outcome.failure.kind].bindsKey && !isLate ? { refusal: fresh } : undefined;
      },
      {
        persistenceStore,
        // The context tells how long a run may take: after that time a dead run is taken over.
        config: new IdempotencyConfig({ ...settings, lambdaContext: context }),
      },
    );
    try {
      const kept = await runOnce({ method: event.httpMethod, path: event.path, body: body ?? null });
      return fresh ?? (await answerAgain(table, tenantId, kept, start));
    } catch (error) {
      if (error instanceof IdempotencyValidationError) return toRefusal({ kind: "key_reused" }, nowMs);
      // Another request holds the key, at work or dead. The claim knows which, and keeps the two requests apart anyway.
      if (error instanceof IdempotencyAlreadyInProgressError) return toAnswer(await run(keyHash), nowMs);
      throw error;
    }
  };

const malformedKey = {
  kind: "shape",
  problems: ["Idempotency-Key must be 1 to 255 printable ASCII characters"],
} as const;

/** The answer of a run by this request, whether or not it is the first. */
const toAnswer = (outcome: Result<Committed, Failure>, nowMs: number): APIGatewayProxyResult =>
  outcome.ok
    ? json(200, outcome.value.body, outcome.value.replayed ? replayedHeader : {})
    : toRefusal(outcome.failure, nowMs);

async function answerAgain(
  table: Table,
  tenantId: string,
  kept: Kept = {},
  preloaded: SubmitStart = {},
): Promise<APIGatewayProxyResult> {
  const { refusal, intentId } = kept;
  if (refusal !== undefined) return { ...refusal, headers: { ...refusal.headers, ...replayedHeader } };
  const known = preloaded.intent?.id === intentId ? preloaded.answer : undefined;
  const answer = intentId === undefined ? undefined : (known ?? (await findAnswer(table, tenantId, intentId)));
  if (answer === undefined) throw new Error(`The answer of intent ${intentId} is kept with a key but not stored`);
  return json(200, answer.body, replayedHeader);
}
