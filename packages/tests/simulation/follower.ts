import { toLegAnswer } from "@intents/domain/answers/batch-answer.ts";
import { toIntentAnswer } from "@intents/domain/answers/intent-answer.ts";
import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import type { StatusChange } from "@intents/domain/events/status-change.ts";
import { changeEvents } from "@intents/domain/events/status-change.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { type Event, readFeed, SETTLED_AFTER_MS } from "@intents/storage/events/feed.ts";
import { parseOwnedKey, tenantOf } from "@intents/storage/table/key-owners.ts";
import { type Item, scanItems } from "./items.ts";
import { type Ledger, must } from "./ledger.ts";
import { CLOCK_MS_MAX } from "./scheduler.ts";
import type { SimulatedWorld } from "./world.ts";

const PAGE = 50;

/** A caller who follows a tenant's events from the beginning, and goes on from where the last page ended. */
export function openFollower({ table, clock }: SimulatedWorld, { tenantId }: Pick<Caller, "tenantId">) {
  const statuses = new Map<string, string>();
  /** The times of events, by their ids. */
  const lastStatuses = new Map<string, string>();
  const seen = new Set<string>();
  let last = "";
  let after: string | undefined;

  function take({ id, time, resource, status }: Event): void {
    const key = keyOf(resource);
    must(!lastStatuses.has(id), `the event of ${key} at ${time} is told twice`);
    lastStatuses.set(id, time);
    must(last <= time, `the event of ${key} at ${time} comes after one of ${last}`);
    last = time;
    seen.add(`${time} ${key} ${status}`);
    statuses.set(key, status);
  }

  /** Reads on to the present end. */
  async function follow(nowMs = clock.ms): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      const page = await readFeed(table, tenantId, { limit: PAGE, ...(after && { after }) }, nowMs);
      must(page.ok, "the cursor of a page is refused");
      page.value.items.forEach(take);
      ({ nextCursor: after, hasMore } = page.value);
    }
  }

  /** Checks, once nothing is under way, that every stored event was told, and that all of them replay to what is. */
  async function check(ledger: Ledger): Promise<void> {
    // An event may be dated by a clock that is ahead.
    await follow(clock.ms + SETTLED_AFTER_MS + CLOCK_MS_MAX + 1);
    const items = (await scanItems(table, table.name)).filter(
      ({ PK, SK }) => SK === "LINK" || tenantOf(String(PK)) === tenantId,
    );
    for (const { PK, SK, doc } of items.filter((item) => String(item["PK"]).includes("#EVENT#"))) {
      const time = new Date(Number.parseInt(String(SK), 10)).toISOString();
      for (const { resource, status } of changeEvents(JSON.parse(String(doc)) as StatusChange[])) {
        must(seen.has(`${time} ${keyOf(resource)} ${status}`), `the event ${PK} ${SK} was never told`);
      }
    }
    const intents = new Map([...ledger.intents].filter(([, intent]) => intent.tenantId === tenantId));
    const current = new Map([...statusesOf(intents), ...storedStatuses(items, intents)]);
    for (const [key, status] of current) {
      must(statuses.get(key) === status, `${key} is ${status}, and by its events ${statuses.get(key)}`);
    }
    must(statuses.size === current.size, `events tell of ${statuses.size} things, and there are ${current.size}`);
  }
  return { follow, check, statuses: lastStatuses as ReadonlyMap<string, string> };
}

const keyOf = ({ type, id, order }: Event["resource"]): string =>
  [type, id, ...(order === undefined ? [] : [order])].join(" ");

/** The statuses of intents and of the legs that they hold, as callers are answered. */
function* statusesOf(intents: Ledger["intents"]): Generator<[string, string]> {
  for (const intent of intents.values()) {
    yield [`paymentIntent ${intent.id}`, intent.status];
    const legs = toIntentAnswer(intent).executions.at(-1)?.legs ?? [];
    for (const { order, status } of legs) yield [`leg ${intent.id} ${order}`, status];
  }
}

/** The statuses of records of their own: the legs of batches, links, and requests for commissions. */
function* storedStatuses(items: readonly Item[], intents: Ledger["intents"]): Generator<[string, string]> {
  for (const { PK, SK, doc, holder, closedBy, phase } of items) {
    const record = () => JSON.parse(String(doc)) as Record<string, unknown>;
    const owner = intents.get(parseOwnedKey(String(PK))?.id ?? "");
    // The legs of a batch that has not begun are nobody's business.
    if (String(SK).startsWith("LEG#") && owner?.bulkProgress !== undefined) {
      const { order, status } = toLegAnswer(owner, record() as unknown as BatchLeg);
      yield [`leg ${owner.id} ${order}`, status];
    }
    if (SK === "LINK") {
      const status = closedBy === undefined ? (holder === undefined ? "open" : "held") : "closed";
      const intentId = String(record()["intentId"]);
      if (intents.has(intentId)) yield [`paymentLink ${intentId}`, status];
    }
    if (SK === "COMMISSION_REQUEST" && phase !== "claiming" && phase !== "aborting") {
      yield [`commissionRequest ${record()["requestId"]}`, String(record()["status"])];
    }
  }
}
