import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { parseSettings } from "@intents/deployment/settings.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { batchLeg } from "@intents/domain/test/leg-fixture.ts";
import { NEW } from "@intents/domain/webhooks/endpoint-health.ts";
import { openRun } from "@intents/execution/open-run.ts";
import { checkDaily } from "@intents/execution/unattended/daily-check.ts";
import { startS3AndSqs } from "@intents/local/stores/s3-and-sqs.ts";
import { eventActions } from "@intents/storage/events/events.ts";
import { placeAt } from "@intents/storage/events/feed.ts";
import { addLegs } from "@intents/storage/intents/batch-legs.ts";
import { addTenant } from "@intents/storage/parties/tenants.ts";
import { forgetAlone, putAlone } from "@intents/storage/polling/alone.ts";
import { widenSpread } from "@intents/storage/polling/spread.ts";
import { OVERDUE_MS, timerAttributes } from "@intents/storage/polling/timers.ts";
import { watchAttributes } from "@intents/storage/polling/watches.ts";
import { findDeadLetters } from "@intents/storage/queue/dead-letters.ts";
import { openQueue, sendMessages } from "@intents/storage/queue/queue.ts";
import { reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { type Table, toDoc } from "@intents/storage/table/table.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { putWaiting, writeIntent } from "@intents/storage/test/intent-fixture.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import { addEndpoint } from "@intents/storage/webhooks/endpoints.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openCommandLine } from "./command-line.ts";
import { boundsFor, findTasks } from "./tasks.ts";

const NOW_MS = Date.UTC(2026, 10, 22, 9);
const at = (ms: number) => new Date(ms).toISOString();

let table: Table;
let queueUrl: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  const [store, files] = await Promise.all([startTable({ isHostile: false }), startS3AndSqs(undefined, ["documents"])]);
  ({ table } = store);
  queueUrl = files.queue.url;
  vi.stubEnv("AWS_ENDPOINT_URL_SQS", files.endpoint);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  stop = async () => {
    vi.unstubAllEnvs();
    await Promise.all([store.stop(), files.stop()]);
  };
});
afterAll(() => stop());

const settings = async () => parseSettings({ QUEUE_URL: queueUrl, TIMER_SHARDS: "4" });
const run = async () =>
  openRun(await settings(), { table, now: () => NOW_MS, random: (count) => new Uint8Array(count) });
const find = (tenantId: string | undefined, bounds = boundsFor(50)) =>
  findTasks({ table, settings, run, command: openCommandLine({ port: "3000" }, undefined) }, tenantId, NOW_MS, bounds);

let tenants = 4000;
async function newTenant(): Promise<string> {
  const tenantId = String(++tenants);
  const terms = { countryCode: "AU", currencyCode: "AUD", commissionSpread: "0", createdAt: at(NOW_MS) };
  await addTenant(table, { tenantId, name: "Demo", ...terms });
  return tenantId;
}

test("an endpoint that was disabled by itself, and one with unsent events, are told", async () => {
  const tenantId = await newTenant();
  const change = { operator: "tenant:user", atMs: NOW_MS, action: "webhooks.create", reason: "by the tenant" };
  const add = (id: string, more: object, agoMs: number) => {
    const times = { createdAt: at(NOW_MS - agoMs), updatedAt: at(NOW_MS - agoMs) };
    const endpoint = { id, url: `https://${id}.example/`, status: "enabled", changes: 0, ...times, ...more } as const;
    const progress = { cursor: placeAt(NOW_MS - agoMs), standing: NEW, atMs: NOW_MS - agoMs };
    return addEndpoint(table, tenantId, { endpoint, progress, secret: "whsec_AA==" }, change);
  };
  await add("asked", { status: "disabled", disabledReason: "asked" }, 7_200_000);
  await add("gone", { status: "disabled", disabledReason: "gone" }, 7_200_000);
  await add("idle", { types: ["leg"] }, 7_200_000);
  await add("worked", {}, 60_000);
  await add("still", {}, 7_200_000);
  const described = { tenantId, about: "i1", atMs: NOW_MS - 3_600_000, step: 1 };
  await transact({ ...table, now: () => described.atMs }, () =>
    eventActions(table, described, [{ of: "paymentIntent", id: "i1", status: "draft" }]),
  );
  const { tasks } = await find(undefined);
  const theirs = tasks.filter(({ tenant, about }) => tenant === tenantId || about.startsWith(tenantId));
  expect(theirs).toEqual([
    {
      ...{ since: at(NOW_MS - 7_200_000), tenant: tenantId, about: "gone" },
      what: "events are not sent to https://gone.example/ any more, for it answered 410: tell the tenant",
      next: expect.stringMatching(new RegExp(`webhooks deliveries gone --tenant ${tenantId}$`)),
    },
    expect.objectContaining({
      ...{ since: at(described.atMs), about: `${tenantId} still`, what: "events of a webhook endpoint are not sent" },
    }),
  ]);
});

/** An id that begins with its time, as all of them do. */
const idAt = (ms: number, tail = 0) => ms.toString(16).padStart(12, "0") + tail.toString(16).padStart(12, "0");

test("messages that failed five times are one task, since the oldest of them", async () => {
  const others = (await find(undefined)).tasks;
  const deadLetters = await findDeadLetters(openQueue(queueUrl));
  await sendMessages(
    deadLetters,
    [1, 2, 3].map((shard) => ({ message: { kind: "shard", shard } as const })),
  );
  const { tasks } = await find(undefined);
  const [task, ...more] = tasks.filter((each) => !others.some(({ about }) => about === each.about));
  expect(more).toEqual([]);
  expect(task).toMatchObject({
    what: "3 messages failed five times: the log tells why",
    since: expect.stringMatching(/Z$/),
  });
  expect(task?.next).toBe("npx -y pnpm@12 operator queue redrive --reason '...'");
  expect(task).not.toHaveProperty("tenant");
  // They are the service's, and no tenant's.
  expect((await find(await newTenant())).tasks).toEqual([]);
});

test("timers that nobody has obeyed are told with whose they are, those that are only just due are not", async () => {
  const tenant = await newTenant();
  const dueAt = (dueAtMs: number) => timerAttributes(4, String(dueAtMs), { kind: "expire_draft", dueAtMs });
  const [late, request] = [NOW_MS - OVERDUE_MS - 1_000, NOW_MS - OVERDUE_MS];
  await putWaiting(table, { tenantId: tenant, id: "draft" }, dueAt(late));
  await putWaiting(table, { tenantId: tenant, id: "young" }, dueAt(NOW_MS - OVERDUE_MS + 1));
  const waits = timerAttributes(4, "request", { kind: "finish_request", dueAtMs: request });
  await put([{ ...keysOf(tenant).timer("request", "COMMISSION_REQUEST"), ...waits }]);
  const { tasks, hasMore } = await find(undefined);
  expect(hasMore).toBe(false);
  expect(tasks.filter(({ what }) => what.startsWith("a timer is overdue"))).toEqual([
    {
      ...{ since: at(late), tenant, what: "a timer is overdue: does the schedule run?", about: "draft" },
      next: `npx -y pnpm@12 operator intents timeline draft --tenant ${tenant}`,
    },
    {
      ...{ since: at(request), tenant, what: "a timer is overdue: does the schedule run?", about: "request" },
      next: "npx -y pnpm@12 operator queue show",
    },
  ]);
});

test("timers in a shard that no tick covers are a task, until ticks cover it", async () => {
  const tenant = await newTenant();
  const waits = { ...timerAttributes(1, "stranded", { kind: "advance_batch", dueAtMs: NOW_MS }), dueShard: "DUE#63" };
  await putWaiting(table, { tenantId: tenant, id: "stranded" }, waits);
  const listed = async () => (await find(undefined)).tasks.filter(({ about }) => about === "shard 63");
  expect(await listed()).toEqual([
    {
      ...{ since: at(NOW_MS), what: "timers in a shard that no tick covers", about: "shard 63" },
      next: "npx -y pnpm@12 operator queue show",
    },
  ]);
  await widenSpread(table, { timers: 64 });
  expect(await listed()).toEqual([]);
  // It is dispatched from now on, and told as overdue like any other, if nobody obeys it.
  await putWaiting(table, { tenantId: tenant, id: "stranded" }, { ...waits, dueAt: NOW_MS - OVERDUE_MS });
  expect((await find(undefined)).tasks).toContainEqual(expect.objectContaining({ tenant, about: "stranded" }));
});

test("a payment that the daily check found without a timer is a task until it has ended", async () => {
  const tenantId = await newTenant();
  const id = idAt(NOW_MS, 7);
  const dates = { createdAt: at(NOW_MS), updatedAt: at(NOW_MS) };
  const { intent } = await writeIntent(table, undefined, storedIntent({ id, tenantId, status: "draft", ...dates }));
  expect((await checkDaily(await run(), Number.POSITIVE_INFINITY)).restored).toEqual([
    { tenantId, id, status: "draft", at: at(NOW_MS) },
  ]);
  const listed = async () => (await find(undefined)).tasks.filter(({ about }) => about === id);
  expect(await listed()).toEqual([
    {
      ...{ since: at(NOW_MS), tenant: tenantId, about: id },
      what: "nobody looked after a payment until then: find out why",
      next: `npx -y pnpm@12 operator intents timeline ${id} --tenant ${tenantId}`,
    },
  ]);
  await writeIntent(table, intent, { ...intent, status: "cancelled" });
  expect(await listed()).toEqual([]);
});

test("payments at which their rail fails are told with their rail, and to their own tenant only", async () => {
  const [tenant, another] = [await newTenant(), await newTenant()];
  const rail = "http https://rail.example";
  const watch = { executionId: "e", seed: "a", startedMs: NOW_MS, isCheckout: false, isHolding: false };
  await put([{ ...keysOf(tenant).intent("a"), ...watchAttributes({ shards: 1, rail }, watch) }]);
  const failing = { tenantId: tenant, id: "a", executionId: "e", failures: 4, sinceMs: NOW_MS, dueAtMs: NOW_MS };
  await putAlone(table, rail, failing);
  const { tasks } = await find(tenant);
  expect(tasks).toEqual([
    {
      ...{ since: at(NOW_MS), tenant, about: "a" },
      what: `the rail ${rail} answers about others, and failed 4 questions about this payment: ask it why`,
      next: `npx -y pnpm@12 operator intents timeline a --tenant ${tenant}`,
    },
  ]);
  expect((await find(another)).tasks).toEqual([]);
  await forgetAlone(table, rail, failing);
});

/** Writes items as they are. */
async function put(items: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  for (let start = 0; start < items.length; start += 25) {
    const some = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await table.db.send(new BatchWriteCommand({ RequestItems: { [table.name]: some } }));
  }
}

test("of many payments whose outcome is unknown the oldest are told, and that there are more", async () => {
  const tenantId = await newTenant();
  for (const minutes of [3, 1, 2]) {
    const madeMs = NOW_MS - minutes * 60_000;
    const dates = { createdAt: at(madeMs), updatedAt: at(madeMs) };
    const unknown = storedIntent({ id: idAt(madeMs), tenantId, status: "requires_recovery", ...dates });
    await writeIntent(table, undefined, unknown);
  }
  const found = await find(tenantId, boundsFor(2));
  expect(found.tasks.map(({ since }) => since)).toEqual([at(NOW_MS - 180_000), at(NOW_MS - 120_000)]);
  expect(found).toMatchObject({ hasMore: true, unseen: [] });
  expect(await find(tenantId, boundsFor(3))).toMatchObject({ hasMore: false, tasks: { length: 3 } });
});

test("a batch whose outcome is unknown names the recipients for which it was lost track of", async () => {
  const tenantId = await newTenant();
  const madeMs = NOW_MS - 3 * 3_600_000;
  const id = idAt(madeMs);
  const dates = { createdAt: at(madeMs), updatedAt: at(madeMs) };
  const batch = { id, tenantId, status: "requires_recovery", deliveryMode: "bulk", ...dates } as const;
  await writeIntent(table, undefined, storedIntent(batch));
  const trouble = { what: "boom", sinceMs: madeMs, times: 7, retryAtMs: NOW_MS };
  const legs = [batchLeg({ order: 0, status: "cleared" }), batchLeg({ order: 1, trouble }), batchLeg({ order: 2 })];
  await addLegs(
    table,
    batch,
    legs.map((leg, index) => ({ ...leg, payment: { ...leg.payment, connectorPaymentId: 900 + index } })),
  );
  expect((await find(tenantId)).tasks).toMatchObject([
    { about: id, what: "the outcome of a batch, by recipient 1 (boom), is unknown: ask the rail" },
  ]);
});

/** Records of which only the newest makes a task. */
const requestsOf = (tenantId: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const requestId = idAt(NOW_MS - index);
    const status = index === 0 ? "submitted" : "paid";
    const money = { totalAmount: "1.00", currency: "AUD", paymentCount: 1, payments: [] };
    const keys = keysOf(tenantId);
    return {
      ...{ ...keys.commissionRequest(requestId), listPK: keys.list("COMMISSION_REQUEST"), listSK: requestId },
      doc: toDoc({ requestId, status, createdOn: at(NOW_MS - index), ...money }),
      phase: "ended",
    };
  });
const contradictionsOf = (tenantId: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const intentId = idAt(NOW_MS - index);
    const about = { intentId, executionId: "e1", kind: "contradicts_outcome" } as const;
    const closed = index === 0 ? {} : { closed: { at: at(NOW_MS), by: "olga", reason: "settled" } };
    const record = { tenantId, ...about, said: "cleared", stands: "failed", openedAt: at(NOW_MS), ...closed };
    return { ...keysOf(tenantId).reconciliation(reconciliationId(about)), doc: toDoc(record) };
  });

test("a payment that was paid again before its record was opened is one task, which names both", async () => {
  const tenantId = await newTenant();
  const about = idAt(NOW_MS);
  const again = { ...keysOf(tenantId).reissue(about), doc: toDoc({ intentId: "the-second" }) };
  await put([...contradictionsOf(tenantId, 2), again]);
  const { tasks } = await find(tenantId);
  expect(tasks).toMatchObject([
    { about, what: expect.stringMatching(/settle it by hand; payment the-second pays it again$/) },
  ]);
});

test("what is looked at does not grow with what there is, and what is not looked at is said", async () => {
  const bounds = { tasks: 10, records: 300, tenants: 2 };
  const asked = async (count: number) => {
    const tenantId = await newTenant();
    await put([...requestsOf(tenantId, count), ...contradictionsOf(tenantId, count)]);
    const sent = vi.spyOn(table.db, "send");
    const found = await find(tenantId, bounds);
    const calls = sent.mock.calls.length;
    sent.mockRestore();
    expect(found.tasks).toHaveLength(2);
    expect(found).toMatchObject({
      hasMore: false,
      unseen: [
        `reconciliation records of tenant ${tenantId} but the newest 300`,
        `requests for commissions of tenant ${tenantId} but the newest 300`,
      ],
    });
    return calls;
  };
  const calls = await asked(500);
  expect(await asked(1_000)).toBe(calls);
  expect(calls).toBeLessThan(30);
  const few = await find(undefined, bounds);
  expect(few.unseen).toContain("tenants after 4002: name one");
});
