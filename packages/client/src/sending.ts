import { type AnswerInfo, type Content, readContent, retryAfterOf, toInfo } from "./answer.ts";
import { ApiError, ConnectionError } from "./errors.ts";
import type { Machine } from "./machine.ts";
import type { Request } from "./request.ts";
import { isRetrySafe, retryWaitMs } from "./retries.ts";

/** One try of a request, for whoever looks into it. Neither the key's secret nor a body is part of it. */
export type Attempt = Readonly<{
  method: string;
  /** With its ids and its query. */
  path: string;
  /** From 1. */
  attempt: number;
  idempotencyKey: string | undefined;
  durationMs: number;
  /** Undefined where no answer came. */
  status: number | undefined;
  code: string | undefined;
  requestId: string | undefined;
  /** Why no answer came. */
  cause: unknown;
  /** When it is sent again; undefined where it is not. */
  retryInMs: number | undefined;
}>;

/** Where requests go. */
export type Service = Readonly<{
  baseUrl: string;
  apiKey: string;
  timeoutMs: number;
  retriesMax: number;
  debug?: ((attempt: Attempt) => void) | undefined;
}>;

type Answered = Readonly<{ info: AnswerInfo; content: Content; isOk: boolean }>;
type Lost = Readonly<{ cause: unknown }>;
type Outcome = Answered | Lost;

/** Sends a request until it succeeds, or fails for good. */
export async function send(service: Service, machine: Machine, request: Request): Promise<Answered> {
  const creates = request.route.creates === true;
  const retriesMax = request.retriesMax ?? service.retriesMax;
  for (let retry = 0; ; retry++) {
    const beganMs = machine.now();
    const outcome = await tryOnce(service, machine, request);
    const isOk = "info" in outcome && outcome.isOk;
    const answer = toAnswer(outcome);
    const isLast = isOk || retry >= retriesMax;
    const retryInMs = isLast ? undefined : retryWaitMs(answer, creates, retry, machine.random);
    report(service, request, outcome, { attempt: retry + 1, durationMs: machine.now() - beganMs, retryInMs });
    if (isOk) return outcome;
    if (retryInMs === undefined) throw toError(request, outcome, isRetrySafe(answer, creates));
    await machine.sleep(retryInMs, request.signal);
  }
}

async function tryOnce(service: Service, machine: Machine, request: Request): Promise<Outcome> {
  const { baseUrl, apiKey } = service;
  const { route, method, path, headers, body, signal, timeoutMs = service.timeoutMs } = request;
  signal?.throwIfAborted();
  const attempt = new AbortController();
  const giveUp = () => attempt.abort(signal?.reason);
  const timer = setTimeout(() => attempt.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  signal?.addEventListener("abort", giveUp);
  try {
    const response = await machine.fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, "X-API-Key": apiKey },
      ...(body !== undefined && { body }),
      // Wherever a redirect leads, the key must not follow.
      redirect: "manual",
      signal: attempt.signal,
    });
    const fetchFile: typeof fetch = (link) => machine.fetch(link, { signal: attempt.signal });
    const content = await readContent(route, response, fetchFile);
    return { info: toInfo(response), content, isOk: response.ok || content instanceof File };
  } catch (cause) {
    signal?.throwIfAborted();
    return { cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

const codeOf = (content: Content): string | undefined =>
  "code" in content && typeof content["code"] === "string" ? content["code"] : undefined;

const toAnswer = (outcome: Outcome) =>
  "cause" in outcome
    ? { status: 0 }
    : {
        status: outcome.info.status,
        code: codeOf(outcome.content),
        retryAfterSeconds: retryAfterOf(outcome.info.headers),
      };

function toError({ route, idempotencyKey }: Request, outcome: Outcome, retrySafe: boolean): Error {
  const failed = { on: route.on, retrySafe, idempotencyKey };
  if ("cause" in outcome) return new ConnectionError(failed, outcome.cause);
  const { info, content } = outcome;
  const { message, details } = content as Readonly<Record<string, unknown>>;
  const texts = [message].flat().filter((part) => typeof part === "string");
  return new ApiError(texts.join("; ") || "nothing that could be read", failed, {
    ...toAnswer(outcome),
    ...info,
    details: details ?? {},
  });
}

type Timed = Pick<Attempt, "attempt" | "durationMs" | "retryInMs">;

function report({ debug }: Service, { method, path, idempotencyKey }: Request, outcome: Outcome, timed: Timed): void {
  const { info, content, cause }: Partial<Answered & Lost> = outcome;
  try {
    debug?.({
      method,
      path,
      idempotencyKey,
      ...timed,
      cause,
      status: info?.status,
      code: content && codeOf(content),
      requestId: info?.requestId,
    });
  } catch {
    // The answer of a payment is not lost because somebody's log is full.
  }
}
