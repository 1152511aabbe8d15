import { createHash } from "node:crypto";
import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyValidationError,
  makeIdempotent,
} from "@aws-lambda-powertools/idempotency";
import { DynamoDBPersistenceLayer } from "@aws-lambda-powertools/idempotency/dynamodb";
import { errorTable } from "@intents/contract/errors.ts";
import type { Failure } from "@intents/domain/failure.ts";
import type { Result } from "@intents/domain/result.ts";
import { keysOf } from "@intents/storage/keys.ts";
import { bindKey, findAnswer, KEY_LIFETIME_MS } from "@intents/storage/submissions.ts";
import type { Table } from "@intents/storage/table.ts";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { json, toRefusal } from "./answers.ts";
import { headerOf } from "./request-body.ts";

/** What a replayable handler came to: the body it committed, and under which intent that body is stored. */
export type Committed = Readonly<{ body: string; intentId: string; replayed: boolean }>;

export type ReplayRequest = Readonly<{
  event: APIGatewayProxyEvent;
  context: Context;
  tenantId: string;
  body: unknown;
  nowMs: number;
}>;

/** Answers a request that takes an Idempotency-Key; `run` gets the key's hash, or undefined when none was sent. */
export type Replay = (
  request: ReplayRequest,
  run: (keyHash: string | undefined) => Promise<Result<Committed, Failure>>,
) => Promise<APIGatewayProxyResult>;

/** What Powertools keeps: of a success only where its body lies, because bodies hold personal data (H12). */
type Kept = { statusCode: number; intentId?: string; headers?: Record<string, string>; body?: string };

/** Carries a refusal past the idempotency store: a throw leaves the key free, a return binds it. */
class Unbound extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Printable ASCII of 1 to 255 characters. */
const KEY_PATTERN = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;

/**
 * Runs a request once per Idempotency-Key within 24 hours of the key's first request; replays answer with what was
 * kept, unless the error table says that a refusal leaves the key free.
 */
export const openReplay =
  (table: Table): Replay =>
  async (request, run) => {
    const key = headerOf(request.event, "idempotency-key");
    if (key === undefined) return toCommittedAnswer(await run(undefined), request.nowMs);
    if (KEY_PATTERN.test(key)) return oncePerKey(table, request, hashOf(key), run);
    const problems = ["Idempotency-Key must be 1 to 255 printable ASCII characters"];
    return toRefusal({ kind: "shape", problems }, request.nowMs);
  };

async function oncePerKey(
  table: Table,
  { event, context, tenantId, body, nowMs }: ReplayRequest,
  keyHash: string,
  run: Parameters<Replay>[1],
): Promise<APIGatewayProxyResult> {
  // What must be the same for a replay.
  const payload = { method: event.httpMethod, path: event.path, body: body ?? null };
  const payloadHash = hashOf(JSON.stringify(payload));
  const binding = await bindKey(table, tenantId, keyHash, payloadHash, nowMs);
  if (binding.payloadHash !== payloadHash) return toRefusal({ kind: "key_reused" }, nowMs);

  let fresh: APIGatewayProxyResult | undefined;
  const runOnce = makeIdempotent(
    async (_request: { key: string; payload: unknown }): Promise<Kept> => {
      const outcome = await run(keyHash);
      if (!outcome.ok && !errorTable[outcome.failure.kind].bindsKey) throw new Unbound(outcome.failure);
      fresh = toCommittedAnswer(outcome, nowMs);
      const { statusCode, headers, body } = fresh;
      return outcome.ok
        ? { statusCode, intentId: outcome.value.intentId }
        : { statusCode, headers: { ...(headers as Record<string, string>) }, body };
    },
    { persistenceStore: openStore(table, tenantId, keyHash), config: configOf(context) },
  );
  try {
    // The first request's time is part of the key, so that 24 hours end by our clock, whatever TTL has deleted (H8).
    const kept = await runOnce({ key: `${keyHash}:${binding.firstSeenMs}`, payload });
    return fresh ?? (await replay(table, tenantId, kept));
  } catch (error) {
    if (error instanceof Unbound) return toRefusal(error.failure, nowMs);
    if (error instanceof IdempotencyValidationError) return toRefusal({ kind: "key_reused" }, nowMs);
    // Somebody holds the key: at work, or dead. The claim knows which of them, and keeps the two of us apart anyway.
    if (error instanceof IdempotencyAlreadyInProgressError) return toCommittedAnswer(await run(keyHash), nowMs);
    throw error;
  }
}

const replayedHeader = { "Idempotent-Replayed": "true" };

/** The answer of a run of its own, first or not. */
const toCommittedAnswer = (outcome: Result<Committed, Failure>, nowMs: number): APIGatewayProxyResult =>
  outcome.ok
    ? json(200, outcome.value.body, outcome.value.replayed ? replayedHeader : {})
    : toRefusal(outcome.failure, nowMs);

async function replay(table: Table, tenantId: string, kept: Kept): Promise<APIGatewayProxyResult> {
  const { statusCode, intentId, headers = {}, body = "" } = kept;
  if (intentId === undefined) return json(statusCode, body, { ...headers, ...replayedHeader });
  const answer = await findAnswer(table, tenantId, intentId);
  if (answer === undefined) throw new Error(`The answer of intent ${intentId} is bound to a key but not stored`);
  return json(statusCode, answer.body, replayedHeader);
}

/** One store per request: a shared one would mix up the keys of concurrent requests. */
const openStore = (table: Table, tenantId: string, keyHash: string): DynamoDBPersistenceLayer =>
  new DynamoDBPersistenceLayer({
    tableName: table.name,
    keyAttr: "PK",
    sortKeyAttr: "SK",
    staticPkValue: keysOf(tenantId).idempotency(keyHash),
    expiryAttr: "ttl",
    awsSdkV3Client: table.client,
  });

function configOf(context: Context): IdempotencyConfig {
  const config = new IdempotencyConfig({
    eventKeyJmesPath: "key",
    payloadValidationJmesPath: "payload",
    expiresAfterSeconds: KEY_LIFETIME_MS / 1000,
    throwOnNoIdempotencyKey: true,
    hashFunction: "sha256",
  });
  // Without the context a crashed run would lock its key for the full 24 hours.
  config.registerLambdaContext(context);
  return config;
}
