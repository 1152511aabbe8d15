import { newRecordId } from "@intents/domain/ids.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { IntentStatus } from "@intents/domain/intents/statuses.ts";
import { createIntent } from "@intents/execution/drafts/create.ts";
import { EVENT_SHARDS, eventActions } from "@intents/storage/events/events.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import { shardOf } from "@intents/storage/table/shared-keys.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { newDraft } from "../service/tuition.ts";
import { request } from "./request.ts";
import { type Stage, TENANT } from "./stage.ts";

const useCases = ["education_provider_tuition", "supplier_payment", "allowance_payment"] as const;
const OF_EACH = 100;

/** Records for all lists, made once: 100 completed payments and 100 drafts of each of three use cases. */
export async function fillLists(stage: Stage): Promise<string> {
  const { client, table, run } = stage;
  const known = filled.get(stage);
  if (known !== undefined) return known;
  const { id } = await newDraft(client);
  await client.submit(id);
  await stage.settle(id);
  const [completed, draft] = await Promise.all([id, (await newDraft(client)).id].map((one) => read(stage, one)));
  const copies = Array.from({ length: OF_EACH }, () =>
    useCases.flatMap((useCase) =>
      [completed, draft].map((intent) => ({ ...intent, useCase, ...ownIdOf(useCase) }) as PaymentIntent),
    ),
  ).flat();
  await mapInTurns(copies, 20, (copy) => {
    stage.moveClock(1);
    const nowMs = Date.now();
    const at = new Date(nowMs).toISOString();
    return createIntent(
      { ...run, table },
      { ...copy, id: newRecordId(nowMs, run.random), createdAt: at, updatedAt: at },
      { userId: copy.createdBy, clientId: "demo" },
    );
  });
  for (let made = 0; made < 60; made++) {
    await client.newStudent({ email: `list.${made % 3}@example.com` });
    await client.newPayer();
    await client.newPayee();
  }
  filled.set(stage, id);
  return id;
}
/** A third of the payments have the same id of the tenant's own. */
const ownIdOf = (useCase: string) => (useCase === "supplier_payment" ? { externalId: "ORDER-7" } : {});
const filled = new WeakMap<Stage, string>();

async function read({ table }: Stage, id: string): Promise<PaymentIntent> {
  const found = await findIntent(table, TENANT, id);
  if (!found.ok) throw new Error(`${id} does not exist`);
  return found.value;
}

const list = (route: string, path: string) =>
  request(route, "GET", async (stage) => {
    await fillLists(stage);
    // For a while a container knows that the index of changes is complete.
    await stage.client.call("GET", `/v2/${path}`);
    return `/v2/${path}`;
  });
/** Stores events of `count` intents with these statuses, evenly over all partitions; returns the moment before. */
async function tellEvents(
  { table, run, moveClock }: Stage,
  count: number,
  statuses: readonly IntentStatus[],
): Promise<string> {
  moveClock(1_000);
  const [after, atMs] = [new Date(Date.now()).toISOString(), Date.now() + 1];
  await mapInTurns([...Array(count).keys()], 20, (index) => {
    const newId = () => newRecordId(atMs, run.random);
    let id = newId();
    while (shardOf(id, EVENT_SHARDS) !== index % EVENT_SHARDS) id = newId();
    const changes = statuses.map((status) => ({ of: "paymentIntent", id, status }) as const);
    return transact(table, () => eventActions(table, { tenantId: TENANT, about: id, atMs, step: 1 }, changes));
  });
  moveClock(20_000);
  return after;
}

/** Stores a stage's events once, and lists from the moment before them. */
function events(query: string, count: number, statuses: readonly IntentStatus[] = ["draft"]) {
  const told = new WeakMap<Stage, string>();
  return request("listEvents", "GET", async (stage) => {
    const after = told.get(stage) ?? (await tellEvents(stage, count, statuses));
    told.set(stage, after);
    return `/v2/events?${query}&after=${after}`;
  });
}
const payments = (query: string) => list("listPaymentIntents", `payment-intents?${query}`);

/** Lists of a tenant with 600 intents, and 60 students, payers and payees. */
export const listOperations = {
  "the newest payments": payments(""),
  "the newest 50 payments": payments("limit=50"),
  "ten payments by status": payments("filter[status]=completed&limit=10"),
  "payments by status": payments("filter[status]=completed&limit=50"),
  "payments by status and use case": payments("filter[status]=completed&filter[useCase]=supplier_payment&limit=50"),
  "payments by status, the third page": payments("filter[status]=completed&limit=50&skip=100"),
  "payments by the tenant's own id": payments("filter[externalId]=ORDER-7&limit=50"),
  "payments of a day": payments("filter[createdAt][$gte]=2026-11-20T00:00:00.000Z&limit=50"),
  "what changed since yesterday": payments("sort=updatedAt&filter[updatedAt][$gte]=2026-11-20T00:00:00.000Z&limit=50"),
  "the newest 50 events": events("limit=50", 100, ["draft", "ready_for_quote", "quoted"]),
  "events of a type that there are none of": events("limit=1&type=commissionRequest", 600),
  "events, where nothing has happened": events("limit=50", 0),
  "payments by another field": payments("filter[payer.role]=student&limit=50"),
  "the newest payments with payees": payments("limit=10&population[0][path]=recipients.connectorPayeeId"),
  "the newest students": list("listStudents", "students"),
  "students by email": list("listStudents", "students?filter[email]=list.1@example.com"),
  "the newest payers": list("listPayers", "payers"),
  "the newest payees": list("listPayees", "payees"),
};
