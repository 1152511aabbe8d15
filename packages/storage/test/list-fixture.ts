import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Filter, ListQuery, SortKey } from "@intents/domain/lists/query.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import fc from "fast-check";
import { indexRecipients } from "../src/intents/external-ids.ts";
import { mapInTurns } from "../src/table/in-turns.ts";
import type { Table } from "../src/table/table.ts";
import { writeIntent } from "./intent-fixture.ts";

const FROM_MS = Date.UTC(2026, 10, 1);
/** Intents are created within so few milliseconds that some of them share one. */
const CREATED_MS_MAX = 200;
const parents = ["p0", "p1", "p2"];
const statuses = ["draft", "executing", "completed", "failed"] as const;
const useCases = ["supplier_payment", "payroll_payment", "generic_service_invoice"] as const;
const deliveryModes = ["manual", "bulk", "payment_link_submission"] as const;
const amountModes = ["payer_fixed", "recipient_fixed"] as const;
const roles = ["student", "tenant", "family"] as const;
const names = ["Ana", "ana", "Zoë", "😀 fees", "", "9"];
/** Several intents have the same of them, and so have recipients of one intent. */
const externalIds = ["INV-7", "inv-7", "a:/#b"] as const;
const payees = [5001, 5002, 5003];

const hex = (digits: number) =>
  fc.integer({ min: 0, max: 16 ** digits - 1 }).map((number) => number.toString(16).padStart(digits, "0"));

const recipient = fc.record(
  {
    order: fc.integer({ min: 0, max: 3 }),
    connectorPayeeId: fc.constantFrom(...payees),
    role: fc.constantFrom("education_provider", "tenant"),
    externalId: fc.constantFrom(...externalIds),
    amount: fc.record({ currency: fc.constantFrom("AUD", "EUR"), portionBps: fc.nat(3) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** Intents whose ids begin with their time of creation, as all ids of the service do. */
export const intents = (tenantId: string): fc.Arbitrary<PaymentIntent> =>
  fc
    .record(
      {
        createdMs: fc.nat(CREATED_MS_MAX),
        // Often the same for several intents, and for an intent that was never changed the time of its creation.
        changedAfterMs: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(CREATED_MS_MAX)),
        tail: hex(12),
        status: fc.constantFrom(...statuses),
        useCase: fc.constantFrom(...useCases),
        deliveryMode: fc.constantFrom(...deliveryModes),
        amountMode: fc.constantFrom(...amountModes),
        payer: fc.record(
          { role: fc.constantFrom(...roles), partyId: fc.constantFrom("s1", "s2") },
          { requiredKeys: ["role"] },
        ),
        recipients: fc.array(recipient, { maxLength: 3 }),
        name: fc.constantFrom(...names),
        externalId: fc.constantFrom(...externalIds),
        parent: fc.constantFrom(...parents),
      },
      {
        requiredKeys: [
          "createdMs",
          "changedAfterMs",
          "tail",
          "status",
          "useCase",
          "deliveryMode",
          "amountMode",
          "payer",
          "recipients",
        ],
      },
    )
    .map(({ createdMs, changedAfterMs, tail, parent, ...rest }) => {
      const ms = FROM_MS + createdMs;
      return {
        ...storedIntent(),
        ...rest,
        tenantId,
        id: ms.toString(16).padStart(12, "0") + tail,
        createdAt: new Date(ms).toISOString(),
        updatedAt: new Date(ms + changedAfterMs).toISOString(),
        ...(parent !== undefined && { createdFrom: { paymentIntentId: parent } }),
      } as PaymentIntent;
    });

/** Stores the drawn intents, in no particular order, as a create does. */
export async function storeAll(table: Table, drawn: readonly PaymentIntent[]): Promise<void> {
  await mapInTurns(drawn, 8, async (after) =>
    writeIntent(table, undefined, after, { also: await indexRecipients(table, after) }),
  );
}

const dates = fc.integer({ min: -2, max: CREATED_MS_MAX + 2 }).map((ms) => new Date(FROM_MS + ms).toISOString());

/** The values that a field is compared with: mostly values that it may hold, sometimes values that it never holds. */
function valuesOf(ids: readonly string[]): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  const id = fc.oneof({ weight: 5, arbitrary: fc.constantFrom("nobody", ...ids) }, fc.constantFrom("", "f", "019a"));
  return {
    id,
    _id: id,
    status: fc.constantFrom(...statuses, "cancelled"),
    useCase: fc.constantFrom(...useCases),
    deliveryMode: fc.constantFrom(...deliveryModes),
    amountMode: fc.constantFrom(...amountModes, "legacy_reissue"),
    createdAt: dates,
    updatedAt: dates,
    "createdFrom.paymentIntentId": fc.constantFrom(...parents, "orphan"),
    externalId: fc.constantFrom(...externalIds, "none", null),
    "recipients.externalId": fc.constantFrom(...externalIds, "none", null),
    "payer.role": fc.constantFrom(...roles),
    "payer.partyId": fc.constantFrom("s1", "s2", null),
    name: fc.constantFrom(...names, null),
    "recipients.order": fc.integer({ min: 0, max: 4 }),
    "recipients.0.connectorPayeeId": fc.constantFrom(...payees),
    "recipients.amount.currency": fc.constantFrom("AUD", "EUR", null),
    "nothing.here": fc.constantFrom("x", null),
  };
}
const indexed = [
  ...["status", "useCase", "deliveryMode", "createdAt", "updatedAt", "createdFrom.paymentIntentId", "id"],
  ...["externalId", "recipients.externalId"],
];

const comparison = (value: fc.Arbitrary<unknown>) => {
  const list = fc.array(value, { maxLength: 3 });
  return fc.oneof(
    fc.record({ $in: list }),
    fc.record({ $nin: list }),
    fc.record({ $in: list, $ne: value }),
    fc.record({ $eq: value }),
    fc.record({ $ne: value }),
    fc.record({ $gte: value, $lt: value }, { requiredKeys: [] }),
    fc.record({ $gt: value }),
    fc.record({ $lte: value }),
    fc.record({ $all: list }),
  );
};

/** One condition on `field`, with any operator that a field can have. */
function condition(field: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Filter> {
  const plain = fc.oneof(value, comparison(value));
  const operand = fc.oneof(
    { weight: 6, arbitrary: plain },
    fc.record({ $exists: fc.boolean() }),
    fc.record({ $type: fc.subarray(["string", "number", "array", "null"], { minLength: 1 }) }),
    fc.record({ $size: fc.nat(3) }),
    fc.record({ $not: comparison(value).filter((wanted) => Object.keys(wanted).length > 0) }),
    fc.record({ $elemMatch: comparison(value) }),
  );
  return operand.map((wanted) => ({ [field]: wanted }));
}

function filters(ids: readonly string[]): fc.Arbitrary<Filter> {
  const values = valuesOf(ids);
  const anyField = fc.oneof(...Object.entries(values).map(([field, value]) => condition(field, value)));
  const indexedField = fc.oneof(...indexed.map((field) => condition(field, values[field] ?? fc.constant(null))));
  const element = fc.record({ order: fc.nat(3), connectorPayeeId: fc.constantFrom(...payees) }, { requiredKeys: [] });
  const elements = element.map((wanted): Filter => ({ recipients: { $elemMatch: wanted } }));
  const leaf = fc.oneof({ weight: 4, arbitrary: indexedField }, { weight: 3, arbitrary: anyField }, elements);
  const branches = fc.array(leaf, { minLength: 1, maxLength: 3 });
  const logic = fc.oneof(
    branches.map(($and): Filter => ({ $and })),
    branches.map(($or): Filter => ({ $or })),
    branches.map(($nor): Filter => ({ $nor })),
  );
  const parts = fc.array(fc.oneof({ weight: 4, arbitrary: leaf }, logic), { maxLength: 3 });
  return parts.map((all) => Object.assign({}, ...all) as Filter);
}

const sorts: fc.Arbitrary<readonly SortKey[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  fc.array(
    fc.record({
      path: fc.constantFrom(
        "createdAt",
        "updatedAt",
        "id",
        "_id",
        "status",
        "name",
        "recipients.order",
        "payer.partyId",
      ),
      descending: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
);

/** Any list query on intents that have these ids. */
export const queries = (ids: readonly string[]): fc.Arbitrary<ListQuery> =>
  fc
    .record(
      {
        filter: filters(ids),
        sort: sorts,
        projection: fc.record({
          mode: fc.constantFrom("include", "exclude"),
          paths: fc.subarray(["id", "name", "status", "recipients.order", "payer"], { minLength: 1 }),
        }),
        skip: fc.oneof(fc.nat(20), fc.nat(ids.length + 10)),
        limit: fc.oneof(fc.nat(10), fc.nat(ids.length + 10)),
      },
      { requiredKeys: ["filter", "sort", "skip", "limit"] },
    )
    .map((query) => ({ ...query, population: [], stripped: [] }));
