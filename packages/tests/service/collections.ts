import { randomBytes, randomInt } from "node:crypto";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { paymentIntentRoutes } from "@intents/contract/payment-intents.ts";
import { newLinkToken, newRecordId } from "@intents/domain/ids.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { planDraft } from "@intents/domain/intents/plan-draft.ts";
import type { Student } from "@intents/domain/parties/party.ts";
import { countsOf, toItem } from "@intents/storage/intents/intents.ts";
import { toPartyItem } from "@intents/storage/parties/parties.ts";
import { COUNTER_SHARDS, type Count } from "@intents/storage/table/counters.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** The body of a create: the contract's own example. */
export const sampleBody = JSON.stringify(paymentIntentRoutes.createPaymentIntent.example);

/** The first record was created at this time; one more follows every second. */
const FIRST_MS = Date.UTC(2026, 0, 1);
const createdMsOf = (index: number): number => FIRST_MS + index * 1_000;

const CHILDREN = 60;
const STUDENTS_PER_EMAIL = 3;

/** The number of items that DynamoDB writes at once. */
const BATCH_MAX = 25;
const BATCHES_AT_ONCE = 8;

const random = (count: number) => new Uint8Array(randomBytes(count));
const pick = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value;

/** Stores intents and students of one tenant directly, only as far as lists and changes read them: much faster than creates. */
export async function loadCollection(table: Table, tenantId: string, size: number): Promise<void> {
  const step = BATCH_MAX * BATCHES_AT_ONCE;
  const counts: Count[] = [];
  for (let at = 0; at < size; at += step) {
    const indexes = Array.from({ length: Math.min(step, size - at) }, (_, offset) => at + offset);
    const intents = indexes.map((index) => intentAt(tenantId, index));
    await writeItems(table, intents.map(toItem));
    await writeItems(
      table,
      indexes.map((index) => ({ ...toPartyItem(tenantId, "STUDENT", studentAt(index)), version: 1 })),
    );
    counts.push(...intents.flatMap((intent) => countsOf(undefined, intent)));
    counts.push(...indexes.map(() => ({ counter: "STUDENT", to: "all" })));
  }
  await writeCounts(table, tenantId, counts);
}

const draft = paymentIntentRoutes.createPaymentIntent.body().parse(JSON.parse(sampleBody));

/** An intent as a create makes it, in one of many states. Every fifth is a child; a parent has `CHILDREN` of them. */
function intentAt(tenantId: string, index: number): PaymentIntent {
  const createdMs = createdMsOf(index);
  const caller = { tenantId, userId: "demo-user", clientId: "demo", permissions: [] };
  const ids = { id: newRecordId(createdMs, random), publicLinkId: newLinkToken(random) };
  const isChild = index % 5 === 4;
  return {
    ...planDraft(draft, caller, ids),
    status: pick(["completed", "executing", "completed", "draft", "completed", "failed", "completed"], index),
    useCase: pick(["education_provider_tuition", "supplier_payment", "allowance_payment"], index),
    deliveryMode: isChild ? "payment_link_submission" : pick(["manual", "manual", "bulk"], index),
    ...(isChild && { createdFrom: { paymentIntentId: `parent-${Math.floor(index / 5 / CHILDREN)}` } }),
  };
}

function studentAt(index: number): Student {
  const createdMs = createdMsOf(index);
  const createdAt = new Date(createdMs).toISOString();
  const email = `student${Math.floor(index / STUDENTS_PER_EMAIL)}@example.com`;
  const _id = newRecordId(createdMs, random);
  return { _id, firstName: "Ana", lastName: "Silva", email, createdAt, updatedAt: createdAt };
}

/** Writes items as they are, a few hundred of them side by side. */
export async function writeItems({ db, name }: Table, items: readonly object[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / BATCH_MAX) }, (_, batch) =>
    items.slice(batch * BATCH_MAX, (batch + 1) * BATCH_MAX),
  );
  await Promise.all(
    batches.map(async (batch) => {
      const puts = batch.map((item) => ({ PutRequest: { Item: { ...item } } }));
      const { UnprocessedItems = {} } = await db.send(new BatchWriteCommand({ RequestItems: { [name]: puts } }));
      if (Object.keys(UnprocessedItems).length > 0) throw new Error("The store put off a part of a batch");
    }),
  );
}

/** Writes the counters as single creates would have: each record is counted in a random shard. */
async function writeCounts(table: Table, tenantId: string, counts: readonly Count[]): Promise<void> {
  const items = new Map<string, Record<string, string | number>>();
  for (const { counter, to = "" } of counts) {
    const key = keysOf(tenantId).counter(counter, randomInt(COUNTER_SHARDS));
    const item = items.get(key.PK + key.SK) ?? { ...key };
    items.set(key.PK + key.SK, { ...item, [to]: Number(item[to] ?? 0) + 1 });
  }
  await writeItems(table, [...items.values()]);
}
