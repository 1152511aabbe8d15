import { DAY_MS, HOUR_MS, MINUTE_MS } from "@intents/domain/durations.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { GIVEN_UP_AFTER_MS, NEW } from "@intents/domain/webhooks/endpoint-health.ts";
import { deliverTo } from "@intents/execution/webhooks/deliver.ts";
import type { Answer, Outgoing } from "@intents/execution/webhooks/send.ts";
import { newSecret } from "@intents/execution/webhooks/signature.ts";
import { readCursor } from "@intents/storage/events/cursor.ts";
import { placeAt } from "@intents/storage/events/feed.ts";
import { addEndpoint, findEndpoint } from "@intents/storage/webhooks/endpoints.ts";
import type { openFollower } from "./follower.ts";
import { must } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { Faults, Scheduler } from "./scheduler.ts";
import type { SimulatedWorld } from "./world.ts";

type Body = Readonly<{ timestamp: string; data: Readonly<{ id: string }> }>;
type Sent = Readonly<{ id: string; about: string; time: string }>;

const FINE: Answer = { status: 204, body: "", retryAfterMs: 0 };
const FAILS: Answer = { status: 500, body: "no", retryAfterMs: 0 };
/** A function's time for deliveries. */
const WORK_MS = 26_000;
/** A receiver takes an event at this attempt at the latest, so that none is given up. */
const ATTEMPTS_MAX = 5;
/** After so long without a success a receiver takes whatever is sent, so that the service never disables its endpoint. */
const DOWN_MS_MAX = GIVEN_UP_AFTER_MS - DAY_MS;
/** Longer than the margin of the feed, a lease, and the longest pause. */
const RESTS_MS = [20_000, 2 * MINUTE_MS, 13 * HOUR_MS, 13 * HOUR_MS];
const SERVED_MAX = 1_000;

/** The ways in which a delivery fails on its way. */
const wayFaults: Faults<Answer> = {
  "a receiver that is not reached": async () => ({ problem: "ECONNREFUSED" }),
  "the loss of a receiver's answer": async (perform) => {
    await perform();
    return { problem: "TIMEOUT" };
  },
};

/** The chance that a receiver of each mood fails. */
const moods = { fine: 0, patchy: 0.5, down: 1 };

/**
 * The endpoint of a tenant and its receiver, which fails, hangs, answers too late and forgets. Each event since its
 * making is taken, however often its workers die and nudges are lost; and none from before.
 */
export function openReceiver(
  { run, table, clock, healed }: SimulatedWorld,
  scheduler: Scheduler,
  random: Random,
  { tenantId }: Pick<Caller, "tenantId">,
) {
  const key = { tenantId, id: "receiver" };
  /** The record that an event is about: the reviews of a payment are one beside it. */
  const aboutOf = (id: string) => readCursor(tenantId, id)?.place.split("#").slice(1, -1).join("#") ?? "";
  const taken = new Map<string, Sent>();
  const attempts = new Map<string, number>();
  const stumbled = new Set<string>();
  let madeMs: number | undefined;
  let mood: keyof typeof moods = "fine";
  let isCalm = false;
  let takenAllMs = 0;
  let tookMs = clock.ms;

  const isLongDown = () => clock.ms - tookMs >= DOWN_MS_MAX;

  async function receive({ body }: Outgoing): Promise<Answer> {
    const { timestamp: time, data } = JSON.parse(body) as Body;
    const { id } = data;
    const count = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, count);
    const isTaken = isCalm || healed.rail || isLongDown() || count >= ATTEMPTS_MAX || !random.chance(moods[mood]);
    if (!isTaken) return FAILS;
    if (!taken.has(id)) taken.set(id, { id, time, about: aboutOf(id) });
    return FINE;
  }

  async function send(outgoing: Outgoing): Promise<Answer> {
    const perform = () => receive(outgoing);
    const answer = await (isLongDown() ? perform() : scheduler.pass("a webhook", wayFaults, perform));
    const { data } = JSON.parse(outgoing.body) as Body;
    if (answer.status === FINE.status) tookMs = clock.ms;
    else stumbled.add(aboutOf(data.id));
    return answer;
  }

  const means = {
    ...{ table: run.table, now: run.now, send, random: () => random.below(1_000) / 1_000 },
    pace: <Done>(_host: string, work: () => Promise<Done>) => work(),
  };
  const serve = () => deliverTo(means, key, run.now() + WORK_MS);

  async function make(): Promise<void> {
    madeMs = clock.ms;
    const at = new Date(madeMs).toISOString();
    const endpoint = { id: key.id, url: "https://example.com/hook", createdAt: at, updatedAt: at, changes: 0 };
    const progress = { cursor: placeAt(madeMs), standing: NEW, atMs: madeMs };
    const made = { endpoint: { ...endpoint, status: "enabled" as const }, progress, secret: newSecret(random.bytes) };
    const change = { operator: "tenant", atMs: madeMs, action: "webhooks.create", reason: "by the tenant" };
    await addEndpoint(table, tenantId, made, change);
  }

  /** Takes all that is due, as long as its endpoint is free. */
  async function takeAll(): Promise<void> {
    takenAllMs = clock.ms;
    isCalm = true;
    let hasMore = madeMs !== undefined;
    for (let times = 0; hasMore && times < SERVED_MAX; times++) ({ hasMore } = await serve());
    isCalm = false;
  }

  return {
    /** Has the endpoint served once, by a worker; the first time it is made. */
    serve: async () => {
      if (madeMs === undefined) await scheduler.outside(make);
      return serve();
    },
    changeMood: () => {
      mood = random.pick(Object.keys(moods) as (keyof typeof moods)[]);
      return mood;
    },
    /** Takes all due events twice a day: a receiver that is down for days misses forgotten ones. */
    catchUp: async () => {
      if (clock.ms - takenAllMs >= 12 * HOUR_MS) await scheduler.outside(takeAll);
    },

    /** Lets the time pass until nothing can wait any more. */
    finish: async (move: (ms: number) => void) => {
      for (const ms of RESTS_MS) {
        move(ms);
        await takeAll();
      }
    },

    /** Checks that the events that a follower was told are the ones that were taken. */
    check: async ({ statuses }: ReturnType<typeof openFollower>) => {
      if (madeMs === undefined) return;
      const endpoint = await findEndpoint(table, key);
      must(endpoint?.status === "enabled", `the endpoint of ${tenantId} is disabled: ${endpoint?.disabledReason}`);
      const since = new Date(madeMs).toISOString();
      for (const [id, time] of statuses)
        must(time < since || taken.has(id), `the event ${id} of ${time} did not reach its endpoint`);
      const last = new Map<string, string>();
      for (const { id, about, time } of taken.values()) {
        must(statuses.has(id), `the event ${id} was sent, and is not in the feed`);
        must(time >= since, `the event ${id} of ${time} was sent to an endpoint of ${since}`);
        if (stumbled.has(about)) continue;
        must((last.get(about) ?? "") <= time, `the event ${id} of ${time} came after one of ${last.get(about)}`);
        last.set(about, time);
      }
    },
  };
}
