import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Submission } from "@intents/domain/intents/submission.ts";
import { NOW_MS, storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { type Extras, writeIntent } from "../../test/intent-fixture.ts";
import { startTable } from "../../test/table-fixture.ts";
import { eventsOf, listAudit } from "../audit/intents.ts";
import { findTimer } from "../polling/timers.ts";
import { readCounts } from "../table/counters.ts";
import { keysOf } from "../table/keys.ts";
import { childCounter, findIntent, INTENT_COUNTER, intentCountKey } from "./intents.ts";
import { takePaymentId } from "./submissions.ts";
import { listCountKeys } from "./waiting.ts";

const { table, stop } = await startTable();
afterAll(stop);

let tenants = 2000;
let made = 0;
const newId = () => String(++made).padStart(24, "0");

const change = (before: PaymentIntent, changes: Partial<PaymentIntent>, beside?: Extras) =>
  writeIntent(table, before, { ...before, ...changes }, beside);

/** A new intent as it is stored, of a tenant of its own. */
async function newIntent(changes: Partial<PaymentIntent> = {}, beside?: Extras) {
  const tenantId = String(++tenants);
  const { intent, verdict } = await writeIntent(
    table,
    undefined,
    storedIntent({ id: newId(), tenantId, ...changes }),
    beside,
  );
  expect(verdict).toEqual({ done: true });
  return intent;
}

const found = async ({ tenantId, id }: PaymentIntent) => {
  const intent = await findIntent(table, tenantId, id);
  return intent.ok ? intent.value : intent.failure;
};
const itemOf = async ({ tenantId, id }: PaymentIntent) =>
  (await table.db.send(new GetCommand({ TableName: table.name, Key: keysOf(tenantId).intent(id) }))).Item;
const auditOf = (intent: PaymentIntent) => listAudit(table, intent);
const timerOf = ({ tenantId, id }: PaymentIntent) => findTimer(table, tenantId, id);
const countsOf = async (tenantId: string, counter = INTENT_COUNTER) =>
  Object.fromEntries([...(await readCounts(table, tenantId, counter))].filter(([, sum]) => sum !== 0));
const event = (name: string) => ({ event: name, actor: "demo-user", at: new Date(NOW_MS).toISOString() });

const submissionOf = ({ id }: PaymentIntent): Submission => ({
  executionId: `execution-${id}`,
  rail: { name: "sandbox", address: "embedded" },
  attempt: 1,
  leaseUntilMs: NOW_MS + 60_000,
  claimedAtMs: NOW_MS,
  asked: 0,
  work: {
    kind: "payment",
    commissionSpread: "0.01",
    order: {
      connectorPaymentId: 7,
      settlementMethod: "dmt",
      settlementChannel: "bank",
      payerCurrency: "BRL",
      totalAmount: "4020.00",
      fee: "20.00",
      payerKey: "ana@example.com",
      legs: [],
    },
  },
  documentIds: [],
  payer: { firstName: "Ana" },
  actor: "demo-user",
});
/** The intent as who holds another claim has read it. */
const heldBy = (intent: PaymentIntent, changes: Partial<Submission>): PaymentIntent => ({
  ...intent,
  submission: { ...submissionOf(intent), ...changes },
});
const withoutClaim = ({ submission: _submission, ...rest }: PaymentIntent): PaymentIntent => rest;
const claimed = async () => {
  const intent = await newIntent();
  return (await change(intent, { submission: submissionOf(intent) })).intent;
};

describe("a new intent", () => {
  test("is found as it was stored, as version 1, by its own tenant only", async () => {
    const intent = await newIntent({ name: "Zoë’s tuition — 2026" });
    expect(intent.version).toBe(1);
    expect(await found(intent)).toEqual(intent);
    expect(await found({ ...intent, tenantId: "1" })).toEqual({ kind: "not_found", resource: "payment intent" });
  });

  test("whose id is taken is refused, and leaves the stored intent as it is", async () => {
    const intent = await newIntent({}, { timer: { kind: "expire_draft", dueAtMs: 5 }, events: [event("created")] });
    const other = { ...intent, status: "cancelled" as const };
    const { verdict } = await writeIntent(table, undefined, other, { events: [event("stolen")] });
    expect(verdict).toEqual({ done: false, failed: ["intent", "audit"] });
    expect(await found(intent)).toEqual(intent);
    expect(await timerOf(intent)).toMatchObject({ dueAtMs: 5 });
    expect(await auditOf(intent)).toHaveLength(1);
    expect(await countsOf(intent.tenantId)).toEqual({ [intentCountKey(intent)]: 1 });
  });
});

describe("an intent that was read", () => {
  test("is written as its next version, and cannot be written again from the older reading", async () => {
    const first = await newIntent();
    const { intent: second } = await change(first, { name: "second" });
    expect(second.version).toBe(2);
    expect((await change(first, { name: "late" })).verdict).toEqual({ done: false, failed: ["intent"] });
    expect(await found(first)).toEqual(second);
  });

  test("that 20 writers change at once is changed by one of them", async () => {
    const intent = await newIntent();
    const writes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => change(intent, { name: `name-${index}` })),
    );
    const done = writes.filter(({ verdict }) => verdict.done);
    expect(done).toHaveLength(1);
    expect(await found(intent)).toEqual(done[0]?.intent);
  });

  test("keeps everything as it was when a record that belongs to the change is refused", async () => {
    const intent = await newIntent({}, { timer: { kind: "expire_draft", dueAtMs: 5 } });
    const { tenantId, id } = intent;
    const payment = takePaymentId(table, 4711, { tenantId, intentId: id });
    const rest = { events: [event("submitted")], also: [payment], timer: { kind: "poll" as const, dueAtMs: 9 } };
    await change(await newIntent(), {}, { also: [payment] });
    const { verdict } = await change(intent, { status: "executing" }, rest);
    expect(verdict).toEqual({ done: false, failed: ["paymentId"] });
    expect(await found(intent)).toEqual(intent);
    expect(await timerOf(intent)).toMatchObject({ kind: "expire_draft", dueAtMs: 5 });
    expect(await auditOf(intent)).toEqual([]);
    expect(await countsOf(tenantId)).toEqual({ [intentCountKey(intent)]: 1 });
  });
});

describe("a claimed intent", () => {
  test("is written by the holder of the claim, whatever version it was read at (H4)", async () => {
    const intent = await claimed();
    const read = { ...intent, version: 9 };
    const { verdict } = await writeIntent(table, read, { ...withoutClaim(read), status: "executing" });
    expect(verdict).toEqual({ done: true });
    expect(await found(intent)).toMatchObject({ status: "executing", version: 10 });
  });

  test.each([{ attempt: 2 }, { attempt: 0 }, { executionId: "another" }])(
    "is not written by a worker that holds %o instead (H5)",
    async (stale) => {
      const intent = await claimed();
      const { verdict } = await change(heldBy(intent, stale), { status: "executing" });
      expect(verdict).toEqual({ done: false, failed: ["intent"] });
      expect(await found(intent)).toEqual(intent);
    },
  );

  test("has no holder any more once it is committed", async () => {
    const intent = await claimed();
    await writeIntent(table, intent, { ...withoutClaim(intent), status: "executing" });
    const { verdict } = await writeIntent(table, intent, { ...withoutClaim(intent), status: "failed" });
    expect(verdict).toEqual({ done: false, failed: ["intent"] });
  });
});

describe("beside the document", () => {
  test("the item has the claim while there is one, and the parent of a child", async () => {
    const intent = await claimed();
    expect(await itemOf(intent)).toMatchObject({ executionId: intent.submission?.executionId, attempt: 1 });
    await writeIntent(table, intent, withoutClaim(intent));
    const item = await itemOf(intent);
    for (const absent of ["executionId", "attempt", "ownerPK"]) expect(item).not.toHaveProperty(absent);
    const child = await newIntent({ createdFrom: { paymentIntentId: intent.id } });
    expect(await itemOf(child)).toMatchObject({ ownerPK: keysOf(child.tenantId).children(intent.id) });
  });

  test("a change of status moves the counts of the tenant and of the parent to the new key", async () => {
    const child = await newIntent({ createdFrom: { paymentIntentId: "parent" } });
    const { intent } = await change(child, { status: "executing" });
    const counts = { "executing|education_provider_tuition|manual": 1 };
    expect(intentCountKey(intent)).toBe(Object.keys(counts)[0]);
    expect(await countsOf(child.tenantId)).toEqual(counts);
    expect(await countsOf(child.tenantId, childCounter("parent"))).toEqual(counts);
    expect(await listCountKeys(table, child.tenantId, ["draft", "executing"])).toEqual(Object.keys(counts));
  });

  test("the timer is set, replaced and removed in the change that says so", async () => {
    const first = await newIntent({}, { timer: { kind: "expire_draft", dueAtMs: 5 } });
    const { intent: second } = await change(first, {}, { timer: { kind: "poll", dueAtMs: 9 } });
    expect(await timerOf(first)).toEqual({ kind: "poll", dueAtMs: 9 });
    expect((await change(first, {})).verdict.done).toBe(false);
    expect(await timerOf(first)).toMatchObject({ kind: "poll" });
    await change(second, {});
    expect(await timerOf(first)).toBeUndefined();
  });
});

test("audit entries, one for each change, are chained to the hash of the one before (H56)", async () => {
  const first = await newIntent({}, { events: [event("created"), event("terms_accepted")] });
  const { intent: second } = await change(first, {});
  const { intent: third } = await change(second, {}, { events: [event("cancelled")] });
  const entries = await listAudit(table, first);
  const hashes = entries.map(({ doc }) => createHash("sha256").update(doc).digest("hex"));
  expect(entries.map(({ previous }) => previous)).toEqual([null, hashes[0]]);
  expect(entries.map(({ version }) => version)).toEqual([1, 3]);
  expect(eventsOf(entries)).toEqual(["created", "terms_accepted", "cancelled"].map(event));
  expect(entries.map(({ hash }) => hash)).toEqual(hashes);
  expect([first, second, third].map(({ auditHead }) => auditHead)).toEqual([hashes[0], hashes[0], hashes[1]]);
});
