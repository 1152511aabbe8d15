import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Failure } from "@intents/domain/failure.ts";
import { type ListQuery, matches } from "@intents/domain/list-query.ts";
import type { SavedPayer, Student } from "@intents/domain/party.ts";
import type { Payee } from "@intents/domain/payee.ts";
import type { PaymentIntent } from "@intents/domain/payment-intent.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { readCounts } from "./counters.ts";
import { childCounter, INTENT_COUNTER } from "./intents.ts";
import { keysOf, type Listed } from "./keys.ts";
import type { Table } from "./table.ts";

type RecordOf = { INTENT: PaymentIntent; STUDENT: Student; PAYER: SavedPayer; PAYEE: Payee };

export type Page<Stored> = Readonly<{ items: readonly Stored[]; hasMore: boolean; total: number }>;

/** What one request may read before it must say what to narrow (H33). */
const BYTES_MAX = 25_000_000;
/** What one query reads before it stops, however little of it a filter lets through (AWS: 1 MB). */
const QUERY_BYTES = 1_000_000;
/** A page is cut here, because Lambda answers at most 6 MB (H34). */
const PAGE_BYTES_MAX = 4_500_000;

/** One page of a tenant's records, newest first. */
export async function listRecords<Kind extends Listed>(
  table: Table,
  tenantId: string,
  kind: Kind,
  query: ListQuery,
): Promise<Result<Page<RecordOf[Kind]>, Failure>> {
  const plan = planList(tenantId, kind, query.filter);
  const counted = await countMatching(table, tenantId, plan);
  const items: RecordOf[Kind][] = [];
  let matched = 0;
  let pageBytes = 0;
  let readBytes = 0;
  let cut = false;
  const enough = () => counted !== undefined && (cut || matched > query.skip + query.limit);
  for await (const read of walk(table, plan, counted === undefined ? undefined : query.skip + query.limit + 1)) {
    readBytes += read.bytes;
    if (readBytes > BYTES_MAX) return fail({ kind: "shape", problems: [tooMuch(query)] });
    for (const stored of read.documents) {
      const record = JSON.parse(stored) as RecordOf[Kind];
      if (!matches(plan.named(record), query.filter)) continue;
      matched += 1;
      if (matched > query.skip && items.length < query.limit && !cut) {
        pageBytes += stored.length;
        cut = pageBytes > PAGE_BYTES_MAX;
        if (!cut) items.push(record);
      }
      if (enough()) break;
    }
    if (enough()) break;
  }
  const total = counted ?? matched;
  return ok({ items, hasMore: cut || matched > query.skip + items.length, total });
}

const tooMuch = ({ filter }: ListQuery): string => {
  const named = Object.keys(filter).join(", ");
  return `filter on ${named || "nothing"} would read too many records: narrow it by status, deliveryMode, useCase or parent`;
};

type Plan = Readonly<{
  index: "byCreation" | "byOwner";
  partition: string;
  /** Equalities on scalars that stand beside the document, so that the store can drop what does not match. */
  pushed: readonly (readonly [string, string])[];
  /** Set when the total can be read from counters: which one, and which of its keys count. */
  counter?: { name: string; counts: (key: string) => boolean };
  /** The record with both of its names for its id, as filters may use either. */
  named(record: object): object;
}>;

const pushable = ["status", "useCase", "deliveryMode", "amountMode"];
const countedBy = ["status", "useCase", "deliveryMode"];

function planList(tenantId: string, kind: Listed, filter: ListQuery["filter"]): Plan {
  const keys = keysOf(tenantId);
  const { "createdFrom.paymentIntentId": parent, ...withoutParent } = filter;
  const { email } = filter;
  const named = (record: object) => ({ ...record, ...idsOf(record) });
  if (kind === "INTENT") {
    const rest = parent === undefined ? filter : withoutParent;
    const wanted = countedBy.map((field) => filter[field]);
    const counter = {
      name: parent === undefined ? INTENT_COUNTER : childCounter(parent),
      counts: (key: string) => key.split("|").every((part, at) => wanted[at] === undefined || wanted[at] === part),
    };
    return {
      ...(parent === undefined
        ? { index: "byCreation", partition: keys.list(kind) }
        : { index: "byOwner", partition: keys.children(parent) }),
      pushed: Object.entries(filter).filter(([field]) => pushable.includes(field)),
      ...(Object.keys(rest).every((field) => countedBy.includes(field)) && { counter }),
      named,
    };
  }
  if (kind !== "PAYEE" && email !== undefined) {
    return { index: "byOwner", partition: keys.byEmail(kind, email), pushed: [], named };
  }
  const counter = { name: kind, counts: () => true };
  const unfiltered = Object.keys(filter).length === 0;
  return { index: "byCreation", partition: keys.list(kind), pushed: [], ...(unfiltered && { counter }), named };
}

function idsOf(record: object): { id: unknown; _id: unknown } {
  const { id, _id } = record as { id?: unknown; _id?: unknown };
  return { id: id ?? _id, _id: _id ?? id };
}

async function countMatching(table: Table, tenantId: string, { counter }: Plan): Promise<number | undefined> {
  if (counter === undefined) return undefined;
  const counts = await readCounts(table, tenantId, counter.name);
  return [...counts].reduce((sum, [key, count]) => (counter.counts(key) ? sum + count : sum), 0);
}

type Read = Readonly<{ documents: readonly string[]; bytes: number }>;

/**
 * The documents of a partition, newest first, query by query, and about how much was read for them. Without pushed
 * conditions no more than `wanted` are asked for; without `wanted` every query is charged in full, since all are read.
 */
async function* walk(table: Table, plan: Plan, wanted: number | undefined): AsyncGenerator<Read> {
  const pushed = plan.pushed.map(([field, value], index) => ({ field, value, name: `#f${index}`, mark: `:f${index}` }));
  let start: Record<string, unknown> | undefined;
  let left = wanted;
  do {
    const { Items = [], LastEvaluatedKey } = await table.db.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: plan.index,
        KeyConditionExpression: `${plan.index === "byCreation" ? "listPK" : "ownerPK"} = :pk`,
        ...(pushed.length > 0 && {
          FilterExpression: pushed.map(({ name, mark }) => `${name} = ${mark}`).join(" AND "),
          ExpressionAttributeNames: Object.fromEntries(pushed.map(({ name, field }) => [name, field])),
        }),
        ExpressionAttributeValues: {
          ":pk": plan.partition,
          ...Object.fromEntries(pushed.map(({ mark, value }) => [mark, value])),
        },
        ...(left !== undefined && pushed.length === 0 && { Limit: left }),
        ScanIndexForward: false,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    const documents = Items.map((item) => String(item["doc"]));
    const bytes = documents.reduce((sum, { length }) => sum + length, 0);
    const isWhole = wanted === undefined && LastEvaluatedKey !== undefined;
    yield { documents, bytes: isWhole ? Math.max(bytes, QUERY_BYTES) : bytes };
    left = left === undefined ? undefined : Math.max(1, left - Items.length);
    start = LastEvaluatedKey;
  } while (start !== undefined);
}
