import { setTimeout as pause } from "node:timers/promises";
import type { RandomBytes } from "@intents/domain/ids.ts";
import type {
  ExecuteAnswer,
  ExecutionKey,
  FundAnswer,
  FundingOrder,
  PaymentOrder,
  Rail,
  RecordsAnswer,
  StatusAnswer,
} from "@intents/domain/rails/rail.ts";
import type * as z from "zod";
import { describeScenario, type HttpTerms } from "../descriptions.ts";
import { askForAll } from "../statuses.ts";
import { addressIn } from "./address.ts";
import {
  answerSignatureOf,
  ExecuteReply,
  FundReply,
  PageReply,
  Problem,
  parseJson,
  readText,
  type Secrets,
  SIGNATURE_HEADER,
  StatusesReply,
  StatusReply,
  secretBehind,
  signatureOf,
  TIMESTAMP_HEADER,
} from "./contract.ts";
import { failureReason, provesUnsent } from "./send-failure.ts";

/** The time for all tries of one call together: a function has 28 s, a claim 60 s (H5). */
const BUDGET_MS = 20_000;
const TRIES_MAX = 4;
const FIRST_PAUSE_MS = 100;
/** undici gives up connecting after 10 s, coarsely. Cut off before that, nobody could tell whether a try was sent. */
const CONNECT_MS = 11_000;

type HttpOptions = Readonly<{
  /** Where the contract is served, such as `https://rail.example/v1`. */
  url: string;
  /** Shared with the rail: the first signs every request, any of them may have signed an answer. */
  secrets: () => Promise<Secrets>;
  terms: HttpTerms;
  fetch?: typeof globalThis.fetch;
  now: () => number;
  random: RandomBytes;
  /** Milliseconds that one call may take over all tries; 20,000 by default. */
  budgetMs?: number;
}>;

type Ask = Readonly<{ method: "GET" | "PUT" | "POST" | "DELETE"; url: URL; body: string }>;

/** The outcome of a request. `wasSentBefore`: an earlier try may have reached the rail without an answer. */
type Outcome =
  | Readonly<{ kind: "answered"; status: number; json: string; wasSentBefore: boolean; retryAfterMs?: number }>
  | Readonly<{ kind: "unreachable" | "unknown"; reason: string }>;

/** A rail behind the REST contract of docs/rail-api.yaml. */
export function openHttpRail(options: HttpOptions): Rail {
  const address = addressIn(options.url);
  const { rail, scenarios } = options.terms;
  const urlOf = (...path: readonly string[]) => new URL([address, ...path.map(encodeURIComponent)].join("/"));
  const paymentUrl = (executionId: string) => urlOf("payments", executionId);
  return {
    rail: { ...rail, address },
    describe: (scenario) => describeScenario(rail.name, scenarios, scenario),
    execute: (order, executionId) => execute(options, paymentUrl(executionId), order, executionId),
    status: (tenantId, executionId) => sendForStatus(options, "GET", paymentUrl(executionId), tenantId, executionId),
    statuses: (asked) => {
      const untilMs = options.now() + (options.budgetMs ?? BUDGET_MS);
      return statusesOf(options, { url: urlOf("payments", "status"), paymentUrl, untilMs }, asked);
    },
    cancel: (tenantId, executionId) => sendForStatus(options, "DELETE", paymentUrl(executionId), tenantId, executionId),
    fund: (order) => fund(options, urlOf("fundings", order.fundingReference), order),
    list: (page) => list(options, urlOf("payments"), page),
  };
}

async function execute(
  options: HttpOptions,
  url: URL,
  order: PaymentOrder,
  executionId: string,
): Promise<ExecuteAnswer> {
  const reply = await put(options, url, order, ExecuteReply);
  if (reply.kind !== "replied") return reply;
  const { tenantId, executionId: answered, answer } = reply.reply;
  return tenantId === order.tenantId && answered === executionId ? answer : unreadable;
}

async function fund(options: HttpOptions, url: URL, { fundingReference, ...order }: FundingOrder): Promise<FundAnswer> {
  const reply = await put(options, url, order, FundReply);
  if (reply.kind !== "replied") return reply;
  const { tenantId, fundingReference: answered, answer } = reply.reply;
  return tenantId === order.tenantId && answered === fundingReference ? answer : unreadable;
}

type Replied<Reply> =
  | Readonly<{ kind: "replied"; reply: Reply }>
  | Readonly<{ kind: "unreachable" | "unknown"; reason: string }>;

/** Asks the rail to create something. Asking again for what was created before gets the same answer. */
async function put<Reply>(
  options: HttpOptions,
  url: URL,
  body: object,
  shape: () => z.ZodType<Reply>,
): Promise<Replied<Reply>> {
  const outcome = await send(options, { method: "PUT", url, body: JSON.stringify(body) });
  if (outcome.kind !== "answered") return outcome;
  const reply = outcome.status === 200 ? parseJson(shape, outcome.json) : undefined;
  if (reply !== undefined) return { kind: "replied", reply };
  const problem = outcome.status >= 400 ? parseJson(Problem, outcome.json) : undefined;
  if (problem === undefined) return unreadable;
  // A rail that did not accept this try says nothing about an earlier one that may have reached it.
  const isProven = problem.outcome === "not_accepted" && !outcome.wasSentBefore;
  return { kind: isProven ? "unreachable" : "unknown", reason: problem.reason };
}

const unreadable = { kind: "unknown", reason: "the rail's answer is unreadable" } as const;

/** The status of an execution: asked for (`GET`), or after an attempt to cancel it (`DELETE`). */
async function sendForStatus(
  options: HttpOptions,
  method: "GET" | "DELETE",
  url: URL,
  tenantId: string,
  executionId: string,
): Promise<StatusAnswer> {
  url.searchParams.set("tenantId", tenantId);
  const outcome = await send(options, { method, url, body: "" });
  if (outcome.kind !== "answered") return { kind: "unavailable", reason: outcome.reason };
  const reply = parseJson(StatusReply, outcome.json);
  if (reply?.tenantId === tenantId && reply.executionId === executionId) return reply.answer;
  return unavailable(outcome);
}

/** The statuses by which a rail says that it has no such resource: it tells of one payment at a time. */
const UNKNOWN_RESOURCE = [404, 405, 501];
/** The statuses that may be due to one payment of a question alone. */
const isDueToContent = (status: number): boolean =>
  status === 500 || (status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status));

type Asking = Readonly<{ url: URL; paymentUrl: (executionId: string) => URL; untilMs: number }>;

/**
 * The status of many executions. A question that the rail refuses as a whole is halved, until the payment that it
 * stumbles over is alone: the others are answered, however often that one comes along. Those at the end for which there
 * is no time are left out.
 */
async function statusesOf(
  options: HttpOptions,
  asking: Asking,
  asked: readonly ExecutionKey[],
): Promise<readonly StatusAnswer[]> {
  const all = (answer: StatusAnswer) => asked.map(() => answer);
  const leftMs = asking.untilMs - options.now();
  if (leftMs <= 0) return [];
  const body = JSON.stringify({ payments: asked });
  const outcome = await send({ ...options, budgetMs: leftMs }, { method: "POST", url: asking.url, body });
  if (outcome.kind !== "answered") return all({ kind: "unavailable", reason: outcome.reason });
  const reply = outcome.status === 200 ? parseJson(StatusesReply, outcome.json) : undefined;
  if (reply !== undefined) return toAnswers(asked, reply.payments);
  if (UNKNOWN_RESOURCE.includes(outcome.status)) return oneByOne(options, asking, asked);
  if (!isDueToContent(outcome.status)) return all(unavailable(outcome));
  if (asked.length === 1) return oneByOne(options, asking, asked);
  const half = Math.ceil(asked.length / 2);
  const answers = await statusesOf(options, asking, asked.slice(0, half));
  return answers.length < half ? answers : [...answers, ...(await statusesOf(options, asking, asked.slice(half)))];
}

/** Asks for as long as the last question may still take half of the time. */
function oneByOne(options: HttpOptions, { paymentUrl, untilMs }: Asking, asked: readonly ExecutionKey[]) {
  const { now, budgetMs = BUDGET_MS } = options;
  const status: Rail["status"] = (tenantId, executionId) => {
    const left = { ...options, budgetMs: Math.max(untilMs - now(), 1) };
    return sendForStatus(left, "GET", paymentUrl(executionId), tenantId, executionId);
  };
  return askForAll({ status }, asked, () => now() > untilMs - budgetMs / 2);
}

/** The answers in the order of the question. One that is missing, doubled or unreadable says nothing. */
function toAnswers(asked: readonly ExecutionKey[], payments: readonly unknown[]): StatusAnswer[] {
  const keyOf = ({ tenantId, executionId }: ExecutionKey) => JSON.stringify([tenantId, executionId]);
  const readable = payments.flatMap((payment) => StatusReply().safeParse(payment).data ?? []);
  const answers = Map.groupBy(readable, keyOf);
  return asked.map((key): StatusAnswer => {
    const [one, ...others] = answers.get(keyOf(key)) ?? [];
    if (one !== undefined && others.length === 0) return one.answer;
    return { kind: "unavailable", reason: one === undefined ? "the rail left it out" : "the rail said it twice" };
  });
}

async function list(
  options: HttpOptions,
  url: URL,
  { sinceMs, after, limit }: Parameters<Rail["list"]>[0],
): Promise<RecordsAnswer> {
  url.search = new URLSearchParams({
    sinceMs: String(sinceMs),
    limit: String(limit),
    ...(after !== undefined && { after }),
  }).toString();
  const outcome = await send(options, { method: "GET", url, body: "" });
  if (outcome.kind !== "answered") return { kind: "unavailable", reason: outcome.reason };
  const reply = outcome.status === 200 ? parseJson(PageReply, outcome.json) : undefined;
  return reply?.sinceMs === sinceMs && reply.after === after ? reply.answer : unavailable(outcome);
}

const unavailable = ({ json, retryAfterMs }: Readonly<{ json: string; retryAfterMs?: number }>) => ({
  kind: "unavailable" as const,
  reason: parseJson(Problem, json)?.reason ?? unreadable.reason,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

/** A rail is left alone by its own word for at most as long as a queue can delay a message. */
const RETRY_AFTER_MAX_MS = 900_000;

/** For how long a 429 or 503 says that the rail is to be left alone, in seconds or as a date. */
function retryAfterOf(status: number, given: string | null, nowMs: number): Readonly<{ retryAfterMs?: number }> {
  if (given === null || (status !== 429 && status !== 503)) return {};
  const saidMs = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - nowMs;
  return Number.isNaN(saidMs) ? {} : { retryAfterMs: Math.max(0, Math.min(saidMs, RETRY_AFTER_MAX_MS)) };
}

/** The sender is unproven: the rail may still have carried out the request. */
const unsigned = { kind: "unknown", reason: "the rail's answer is not signed by the rail" } as const;

/**
 * Asks until there is an answer, or until the tries or the budget are used up. Asking again is safe, because the
 * executionId makes it the same payment. The rail counts as `unreachable` only if provably no try was sent (H3).
 */
async function send(options: HttpOptions, ask: Ask): Promise<Outcome> {
  const { now, random, budgetMs = BUDGET_MS } = options;
  const secrets = await options.secrets().catch(failureReason);
  if (typeof secrets === "string") return { kind: "unreachable", reason: `no signing secret: ${secrets}` };
  const deadlineMs = now() + budgetMs;
  const signal = AbortSignal.timeout(budgetMs);
  let wasSentBefore = false;
  for (let tries = 1; ; tries += 1) {
    try {
      const { response, signature } = await sendOnce(options, ask, signal, secrets[0]);
      const { status, headers } = response;
      const body = await readText(response);
      const sign = (secret: string) => answerSignatureOf({ signature, status, body: body ?? "" }, secret);
      if (secretBehind(headers.get(SIGNATURE_HEADER) ?? "", secrets, sign) === undefined) return unsigned;
      const wait = retryAfterOf(status, headers.get("retry-after"), now());
      return { kind: "answered", status, json: body ?? "", wasSentBefore, ...wait };
    } catch (error) {
      wasSentBefore ||= !provesUnsent(error);
      const pauseMs = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + (random(1)[0] ?? 0) / 512);
      const leftMs = deadlineMs - now();
      if (tries === TRIES_MAX || signal.aborted || leftMs < pauseMs + CONNECT_MS) {
        return { kind: wasSentBefore ? "unknown" : "unreachable", reason: failureReason(error) };
      }
      await pause(pauseMs);
    }
  }
}

async function sendOnce(options: HttpOptions, ask: Ask, signal: AbortSignal, secret: string) {
  const { fetch = globalThis.fetch, now } = options;
  const { method, url, body } = ask;
  const timestamp = String(now());
  const path = url.pathname + url.search;
  const signature = signatureOf({ timestamp, method, path, body }, secret);
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json", [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature },
    // A redirect would carry a payment to an address that nobody configured.
    redirect: "manual",
    signal,
    ...(body === "" ? {} : { body }),
  });
  return { response, signature };
}
