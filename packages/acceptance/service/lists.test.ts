import { beforeAll, describe, expect, test } from "vitest";
import type { ErrorBody } from "./client.ts";
import { expectShape, problemsOf } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

// The basic key's tenant owns nothing but what one test makes.
const { client, basic } = await openService();

type Item = Readonly<{ _id: string | number; createdAt: string }> & Readonly<Record<string, unknown>>;
type Page = Readonly<{
  data: Readonly<Record<string, readonly Item[]>>;
  hasMore: boolean;
  count: number;
  total: number;
}>;

/** The number of records of each kind; they are made one after the other, so that their order is known. */
const MADE = 6;
const made: Record<string, (string | number)[]> = {};
const draftBody = (deliveryMode: "manual" | "bulk") =>
  deliveryMode === "manual"
    ? {
        useCase: "supplier_payment",
        deliveryMode,
        amountMode: "recipient_fixed",
        payer: { role: "tenant" },
        termsAccepted: true,
      }
    : {
        useCase: "payroll_payment",
        deliveryMode,
        amountMode: "mixed_composite",
        payer: { role: "tenant" },
        termsAccepted: true,
      };

beforeAll(async () => {
  for (let index = 0; index < MADE; index++) {
    const [student, payer, payee, intent] = await Promise.all([
      client.newStudent({ email: `student${index}@example.com`, firstName: index < 2 ? "Ana" : "Rui", city: "Recife" }),
      client.newPayer({
        email: `payer${index}@example.com`,
        address: { country: "BR", city: index < 2 ? "Recife" : "Natal" },
      }),
      client.newPayee({ name: `Payee ${index}` }),
      client.must<{ id: string }>("POST", "/v2/payment-intents", { body: draftBody(index < 2 ? "bulk" : "manual") }),
    ]);
    for (const [name, id] of Object.entries({
      students: student._id,
      payers: payer._id,
      payees: payee.id,
      paymentIntents: intent.id,
    })) {
      made[name] = [id, ...(made[name] ?? [])];
    }
  }
});

const lists = [
  { name: "students", path: "/v2/students" },
  { name: "payers", path: "/v2/payers" },
  { name: "payees", path: "/v2/payees" },
  { name: "paymentIntents", path: "/v2/payment-intents" },
];
const list = async (path: string) => {
  const { status, body } = await client.call<Page>("GET", path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
};
const idsOf = ({ data }: Page) =>
  Object.values(data)
    .flat()
    .map(({ _id }) => _id);

describe.each(lists)("the list of $name", ({ name, path }) => {
  test("is under its own key, newest first, with its counts beside data", async () => {
    const page = await list(path);
    expect(page).toEqual({ data: { [name]: expect.any(Array) }, hasMore: false, count: MADE, total: MADE });
    expect(idsOf(page)).toEqual(made[name]);
  });

  test("has items with both names of their id", async () => {
    for (const item of Object.values((await list(path)).data).flat()) expect(item["id"]).toBe(item._id);
  });

  test.each([
    { query: "limit=0", count: 0, hasMore: true },
    { query: "limit=1", count: 1, hasMore: true },
    { query: `limit=${MADE - 1}`, count: MADE - 1, hasMore: true },
    { query: `limit=${MADE}`, count: MADE, hasMore: false },
    { query: "limit=1000", count: MADE, hasMore: false },
    { query: "skip=2&limit=2", count: 2, hasMore: true },
    { query: `skip=${MADE - 1}`, count: 1, hasMore: false },
    { query: `skip=${MADE}`, count: 0, hasMore: false },
    { query: `skip=${MADE}&limit=0`, count: 0, hasMore: false },
    { query: "skip=100000", count: 0, hasMore: false },
  ])("with $query has $count of them, and says whether more follow", async ({ query, count, hasMore }) => {
    const page = await list(`${path}?${query}`);
    expect(page).toMatchObject({ count, hasMore, total: MADE });
    expect(idsOf(page)).toHaveLength(count);
  });

  test.each([1, 2, 4, 5])("read in pages of %i shows everything once, in order", async (limit) => {
    const met: (string | number)[] = [];
    for (let skip = 0; skip < 2 * MADE; skip += limit) {
      const page = await list(`${path}?limit=${limit}&skip=${skip}`);
      met.push(...idsOf(page));
      expect(page.hasMore).toBe(met.length < MADE);
      if (!page.hasMore) break;
    }
    expect(met).toEqual(made[name]);
  });

  test.each([
    "limit=1001",
    "limit=-1",
    "limit=abc",
    "limit=1.5",
    "limit=",
    "limit=1e2",
    "limit=0x10",
    "limit=%201",
    "limit=1&limit=2",
    "limit[a]=1",
  ])("refuses %s, naming it", async (query) => expectShape(await client.call("GET", `${path}?${query}`), "limit"));

  test.each(["skip=-1", "skip=abc", "skip=1.5", "skip=", "skip=99999999999999999999"])(
    "refuses %s, naming it",
    async (query) => expectShape(await client.call("GET", `${path}?${query}`), "skip"),
  );

  test("refuses parameters it does not know, naming each of them, together with all else that is wrong", async () => {
    const reply = await client.call("GET", `${path}?colour=red&limit=-1&Limit=3&status=draft`);
    expectShape(reply, "colour", "limit", "Limit", "status");
  });

  test("finds one by its id, under both names and in both notations", async () => {
    const [, wanted] = made[name] ?? [];
    for (const filter of [
      `filter[_id]=${wanted}`,
      `filter[id]=${wanted}`,
      `filter._id=${wanted}`,
      `filter%5B_id%5D=${wanted}`,
    ]) {
      const page = await list(`${path}?${filter}`);
      expect(page, filter).toMatchObject({ count: 1, total: 1, hasMore: false });
      expect(idsOf(page)).toEqual([wanted]);
    }
  });

  test("finds nothing by a value or a field that no record has", async () => {
    for (const filter of [
      "filter[_id]=nobody",
      "filter[colour]=red",
      "filter[a][b][c]=1",
      "filter[constructor]=Object",
    ]) {
      expect(await list(`${path}?${filter}`), filter).toEqual({
        data: { [name]: [] },
        hasMore: false,
        count: 0,
        total: 0,
      });
    }
  });
});

describe("equality filters", () => {
  test.each([
    ["students", "filter[email]=student3@example.com", 1],
    ["students", "filter[email]=student3%40example.com", 1],
    ["students", "filter.email=student3@example.com", 1],
    ["students", "filter[firstName]=Ana", 2],
    ["students", "filter[firstName]=Ana&filter[email]=student1@example.com", 1],
    ["students", "filter[firstName]=Rui&filter[email]=student1@example.com", 0],
    ["students", "filter[firstName]=ana", 0],
    ["students", "filter[city]=Recife", MADE],
    ["payers", "filter[email]=payer0@example.com", 1],
    ["payers", "filter[address.city]=Recife", 2],
    ["payers", "filter[address][city]=Recife", 2],
    ["payers", "filter.address.city=Recife", 2],
    ["payers", "filter[address][city]=Recife&filter[address.country]=PT", 0],
    ["payees", "filter[name]=Payee%204", 1],
    ["payees", "filter[name]=Payee+4", 1],
    ["payees", "filter[currencyCode]=AUD", MADE],
    ["payment-intents", "filter[status]=draft", MADE],
    ["payment-intents", "filter[status]=completed", 0],
    ["payment-intents", "filter[deliveryMode]=bulk", 2],
    ["payment-intents", "filter[deliveryMode]=manual&filter[useCase]=supplier_payment", 4],
    ["payment-intents", "filter[deliveryMode]=bulk&filter[useCase]=supplier_payment", 0],
    ["payment-intents", "filter[amountMode]=mixed_composite", 2],
    ["payment-intents", "filter[payer.role]=tenant", MADE],
    ["payment-intents", "filter[payer][role]=student", 0],
    ["payment-intents", "filter[createdFrom.paymentIntentId]=nobody", 0],
    ["payment-intents", "filter[createdFrom][paymentIntentId]=nobody", 0],
  ] as const)("%s?%s finds %i", async (resource, query, found) => {
    const page = await list(`/v2/${resource}?${query}`);
    expect(page).toMatchObject({ count: found, total: found, hasMore: false });
    const paged = await list(`/v2/${resource}?${query}&limit=1`);
    expect(paged).toMatchObject({ count: Math.min(1, found), total: found, hasMore: found > 1 });
    expect(idsOf(paged)).toEqual(idsOf(page).slice(0, 1));
  });

  test("must be an object: a bare filter is refused by name", async () => {
    for (const filter of ["filter=draft", "filter="]) {
      const reply = await client.call<ErrorBody>("GET", `/v2/payment-intents?${filter}`);
      expectShape(reply, "filter");
      expect(problemsOf(reply)[0]).toContain("filter");
    }
  });
});

test("a record is in its list as soon as its creation is answered, and leaves its filter as soon as it changes", async () => {
  const listOf = async (query: string) => (await basic.call<Page>("GET", `/v2/students?${query}`)).body;
  expect(await listOf("")).toEqual({ data: { students: [] }, hasMore: false, count: 0, total: 0 });
  const student = await basic.newStudent({ city: "Olinda" });
  expect(await listOf("filter[city]=Olinda")).toMatchObject({ data: { students: [student] }, total: 1 });
  await basic.must("PUT", `/v2/students/${student._id}`, { body: { city: "Caruaru" } });
  expect(await listOf("filter[city]=Olinda")).toMatchObject({ count: 0, total: 0 });
  expect(await listOf("filter[city]=Caruaru")).toMatchObject({ count: 1, total: 1 });
});
