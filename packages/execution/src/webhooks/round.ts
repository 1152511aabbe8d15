import type { WebhookEndpoint } from "@intents/domain/webhooks/endpoint.ts";
import {
  type EndpointHealth,
  hasFailed,
  isUnanswered,
  PAUSES_MS,
  pauseAfter,
  succeeded,
} from "@intents/domain/webhooks/endpoint-health.ts";
import type { After } from "@intents/storage/events/cursor.ts";
import type { Event } from "@intents/storage/events/feed.ts";
import { type FailedItem, settleInTurns } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { type Attempt, type Delivery, putDelivery } from "@intents/storage/webhooks/deliveries.ts";
import { disableEndpoint, findEndpoint } from "@intents/storage/webhooks/endpoints.ts";
import { type EndpointKey, readSigningSecrets } from "@intents/storage/webhooks/secrets.ts";
import type { Pace } from "./pace.ts";
import { ANSWER_MS_MAX, type Answer, type Send } from "./send.ts";
import { signedHeaders } from "./signature.ts";
import type { Item, Work } from "./work.ts";

/** The means of deliveries. */
export type Deliverer = Readonly<{
  table: Table;
  send: Send;
  pace: Pace;
  now: () => number;
  /** A number from 0 to below 1. */
  random: () => number;
}>;

/** The outcome of a round: the endpoint's standing, how far its cursor may move, and the times of next attempts. */
export type Outcome = Readonly<{
  standing: EndpointHealth;
  end: After | undefined;
  /** All items were dealt with. */
  isWhole: boolean;
  wakes: readonly number[];
  isStopped: boolean;
  /** The things about which an event could not be dealt with, while all others were. */
  failed: readonly FailedItem[];
}>;

const GONE = 410;
/** Attempts kept of a delivery. */
const ATTEMPTS_KEPT = 20;

/**
 * Sends the items of a round: those about one thing one after the other, others side by side. It ends early when the
 * endpoint turns out to be failing, disabled or deleted, or the time is up.
 */
export async function carryOut(
  run: Deliverer,
  key: EndpointKey,
  { items, end, replay, unwanted }: Work,
  before: EndpointHealth,
  deadlineMs: number,
): Promise<Outcome> {
  let health = before;
  const wakes: number[] = [];
  let isStopped = false;
  const left = new Set(items);

  const note = async (item: Item, endpoint: WebhookEndpoint, answer: Answer, startedMs: number) => {
    const nowMs = run.now();
    const tookMs = nowMs - startedMs;
    const attempt = { at: new Date(startedMs).toISOString(), tookMs, ...outcomeOf(answer) };
    const { attempts, formerAttempts } = withAttempt(item.before, attempt);
    if (isSuccess(answer)) {
      health = succeeded(health, nowMs, tookMs);
      await putDelivery(run.table, key, { ...bare(item), status: "delivered", attempts });
      left.delete(item);
      return;
    }
    const [random, retryAfterMs] = [run.random(), "retryAfterMs" in answer ? answer.retryAfterMs : 0];
    const isProbe = before.probe !== undefined;
    // Of requests that were under way together, those that fail after the endpoint is failing are no probes.
    if (isProbe || health.probe === undefined)
      health = hasFailed(health, { eventId: item.event.id, nowMs, random, retryAfterMs });
    if (!isProbe) {
      const isDown = (health.failedSinceMs ?? nowMs) <= endOf(attempts[formerAttempts]);
      const count = attempts.length - formerAttempts;
      const pauseMs = pauseAfter(isDown ? Math.min(count, PAUSES_MS.length) : count, random, retryAfterMs);
      const record = failedOnce(item, { attempts, formerAttempts }, answer, pauseMs && nowMs + pauseMs);
      await putDelivery(run.table, key, record);
      if (pauseMs !== undefined) wakes.push(nowMs + pauseMs);
      left.delete(item);
    }
    if (health.probe !== undefined) isStopped = true;
    // A worker that stood still for days does not know whether another one has succeeded meanwhile.
    const isUnheard = nowMs < deadlineMs && isUnanswered(health, nowMs);
    const reason = answer.status === GONE ? "gone" : isUnheard ? "unanswered" : undefined;
    if (reason === undefined) return;
    isStopped = true;
    await disableEndpoint(run.table, key.tenantId, endpoint, reason, nowMs);
  };

  const isOver = () => isStopped || run.now() + ANSWER_MS_MAX >= deadlineMs;
  const attempt = async (item: Item) => {
    if (isOver()) return;
    const startedMs = run.now();
    // Whatever its tenant has changed holds from the next attempt on.
    const [endpoint, secrets] = await Promise.all([
      findEndpoint(run.table, key),
      readSigningSecrets(run.table, key, startedMs),
    ]);
    if (endpoint === undefined || endpoint.status === "disabled" || secrets.length === 0) {
      isStopped = true;
      return;
    }
    await note(item, endpoint, await deliver(run, endpoint.url, item.event, secrets), startedMs);
  };

  const given = unwanted.map(({ nextAttemptAt: _, ...before }): Delivery => ({ ...before, status: "failed" }));
  await Promise.all(given.map((delivery) => putDelivery(run.table, key, delivery)));
  const endpoint = await findEndpoint(run.table, key);
  const host = endpoint === undefined ? "" : new URL(endpoint.url).hostname;
  const groups = [...Map.groupBy(items, ({ event }) => event.resource.id).values()];
  const failed: FailedItem[] = [];
  const nameOf = ([item]: readonly Item[]) => `${key.tenantId} ${key.id} ${item?.event.id}`;
  const send = async (group: readonly Item[]) => {
    for (const item of group) await run.pace(host, () => attempt(item), isOver);
  };
  await settleInTurns(groups, groups.length, send, { failed, nameOf });
  // An event with a record waits on it; one that is to be sent again is not done before it was sent.
  const isWhole = !items.some((item) => left.has(item) && (item.before === undefined || replay !== undefined));
  return {
    standing: health,
    end: isWhole ? end : undefined,
    isWhole,
    wakes,
    isStopped: isOver() || failed.length > 0,
    failed,
  };
}

/** A delivery is given up only if others succeeded since its first attempt: while a receiver is down, nothing is. */
const endOf = (first: Attempt | undefined): number =>
  first === undefined ? Number.NEGATIVE_INFINITY : Date.parse(first.at) + first.tookMs;

/** The attempts of a delivery with one more, and the number of kept ones from before it was asked for again. */
function withAttempt({ attempts = [], formerAttempts = 0 }: Partial<Delivery> = {}, attempt: Attempt) {
  const all = [...attempts, attempt];
  const left = Math.max(0, all.length - ATTEMPTS_KEPT);
  return { attempts: all.slice(left), formerAttempts: Math.max(0, formerAttempts - left) };
}

const bare = ({ event: { externalId: _inFeed, ...event }, after }: Item) => ({ event, after });
const isSuccess = ({ status = 0 }: Answer): boolean => status >= 200 && status < 300;
const outcomeOf = (answer: Answer) =>
  answer.status === undefined ? { problem: answer.problem } : { status: answer.status };

const failedOnce = (
  item: Item,
  { attempts, formerAttempts }: ReturnType<typeof withAttempt>,
  answer: Answer,
  nextAtMs: number | undefined,
): Delivery => ({
  ...bare(item),
  status: nextAtMs === undefined ? "failed" : "waiting",
  attempts,
  ...(formerAttempts > 0 && { formerAttempts }),
  ...(nextAtMs !== undefined && { nextAttemptAt: new Date(nextAtMs).toISOString() }),
  ...(answer.status !== undefined && answer.body !== "" && { answer: answer.body }),
});

/** The envelope of Standard Webhooks: what the feed tells of the event, and nothing personal. */
const deliver = ({ send, now }: Deliverer, url: string, event: Event, secrets: readonly string[]): Promise<Answer> => {
  const { id, type, time: timestamp, resource, status, externalId } = event;
  const data = { id, resource, status, ...(externalId !== undefined && { externalId }) };
  return sendSigned({ send, now }, url, { id, content: { type, timestamp, data } }, secrets);
};

/** Sends one signed request. */
export const sendSigned = (
  { send, now }: Pick<Deliverer, "send" | "now">,
  url: string,
  { id, content }: Readonly<{ id: string; content: object }>,
  secrets: readonly string[],
): Promise<Answer> => {
  const body = JSON.stringify(content);
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "payment-intents-webhooks/1",
    ...signedHeaders(id, body, secrets, now()),
  };
  return send({ url, headers, body });
};
