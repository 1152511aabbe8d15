import { isDeepStrictEqual } from "node:util";
import type { Filter, SortKey } from "@intents/domain/lists/query.ts";
import { judge } from "@intents/domain/test/filter-oracle-fixture.ts";
import { sortAsMongo } from "@intents/domain/test/sort-oracle-fixture.ts";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { noRateLimit } from "./client.ts";
import { openOperatedService } from "./service-fixture.ts";

const settings = { ...noRateLimit, SANDBOX_SETTLE_SECONDS: "0.2", POLL_INTERVAL_SECONDS: "0.2" };
const { client, operator } = await openOperatedService(settings);

type Item = Readonly<{ id: string }> & Readonly<Record<string, unknown>>;
type Page = Readonly<{ data: Readonly<{ paymentIntents: readonly Item[] }>; total: number; hasMore: boolean }>;

async function list(filter: Filter = {}, sort: readonly SortKey[] = []): Promise<Page> {
  const names = sort.map(({ path, descending }) => `${descending ? "-" : ""}${path}`).join(" ");
  const asked = new URLSearchParams({
    limit: "1000",
    filter: JSON.stringify(filter),
    ...(names !== "" && { sort: names }),
  });
  const { status, body } = await client.call<Page>("GET", `/v2/payment-intents?${asked}`);
  if (status !== 200) throw new Error(`${asked} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
const byId = ({ data }: Page) => new Map(data.paymentIntents.map((item) => [item.id, item]));

expect((await operator.run("seed", "--tenant", "1001", "--intents", "40", "--yes", "--reason", "lists")).code).toBe(0);
await Promise.all(Array.from({ length: 8 }, () => client.newTuitionIntent()));

/** Adds a record and moves another on, for as long as the queries run. */
let isOver = false;
const changing = (async () => {
  while (!isOver) {
    const { id } = await client.newTuitionIntent();
    await client.submit(id);
    await client.waitForStatus(id, "completed");
  }
})();
afterAll(async () => {
  isOver = true;
  await changing;
});

/** Fields whose values are compared as they stand: amounts are judged in units, and dates take no other word. */
const dates = ["createdAt", "updatedAt"];
const texts = ["status", "useCase", "deliveryMode", "amountMode", "name", "payer.role", "createdBy", "id"];
const nested = ["recipients.connectorPayeeId", "recipients.role", "statusHistory.status", "executions.status"];
const fields = [...dates, ...texts, ...nested, "publicLinkId"];
const some = [...byId(await list()).values()];
const valuesAt = (path: string): readonly unknown[] => {
  const found = path
    .split(".")
    .reduce<unknown[]>((nodes, name) => nodes.flatMap((node) => Object(node)[name] ?? []), [...some]);
  return [...new Set(found.flat()), ...(dates.includes(path) ? [] : ["nothing"])];
};

const condition = fc.constantFrom(...fields).chain((path) => {
  const value = fc.constantFrom(...valuesAt(path));
  const values = fc.array(value, { minLength: 1, maxLength: 3 });
  return fc
    .oneof(
      ...["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"].map((name) => value.map((operand) => ({ [name]: operand }))),
      ...["$in", "$nin", "$all"].map((name) => values.map((operand) => ({ [name]: operand }))),
      fc.boolean().map((operand) => ({ $exists: operand })),
    )
    .map((operand): Filter => ({ [path]: operand }));
});
const filters = fc.oneof(
  condition,
  ...["$and", "$or", "$nor"].map((name) =>
    fc.array(condition, { minLength: 1, maxLength: 3 }).map((branches): Filter => ({ [name]: branches })),
  ),
);
const sorts = fc.uniqueArray(fc.record({ path: fc.constantFrom(...fields), descending: fc.boolean() }), {
  maxLength: 2,
  selector: ({ path }) => path,
});

/** A list that is sorted by one date alone has equal dates in the order of their ids, and otherwise the newest first. */
function inFull(sort: readonly SortKey[]): readonly SortKey[] {
  const [first, second] = sort;
  const isByDate = (first?.path === "createdAt" || first?.path === "updatedAt") && second === undefined;
  return isByDate ? [first, { path: "id", descending: first.descending }] : sort;
}

test("a list of what the API and an operator made is MongoDB's, while records are added and move on", async () => {
  let before = byId(await list());
  const check = async (filter: Filter, sort: readonly SortKey[]) => {
    const found = await list(filter, sort);
    const after = byId(await list());
    // An unchanged payment has its place in the answer; a changed one's state at that time is unknown.
    const still = [...after.values()].filter((item) => isDeepStrictEqual(before.get(item.id), item));
    const expected = sortAsMongo(
      still.filter((item) => judge(item, filter)),
      inFull(sort),
    );
    const isQuiet = still.length === after.size;
    before = after;
    const steady = new Set(still.map(({ id }) => id));
    const answered = found.data.paymentIntents.filter(({ id }) => steady.has(id));
    expect(answered.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect(answered).toEqual(expected);
    expect(found.hasMore).toBe(false);
    // The total is counted a moment before or after the list is read.
    if (isQuiet) expect(found.total).toBe(found.data.paymentIntents.length);
  };
  await fc.assert(fc.asyncProperty(filters, sorts, check), { numRuns: 60, seed: 1, endOnFailure: true });
});
