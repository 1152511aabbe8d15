import { beforeAll, describe, expect, test } from "vitest";
import { BASIC, type Options } from "./client.ts";
import { expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

// Over HTTP each rule has one case: packages/domain, http and storage prove the laws of filters, sorts and pages.

// The basic key's tenant owns nothing but what one test makes.
const { client, basic } = await openService();

type Item = Readonly<{ _id: string | number }> & Readonly<Record<string, unknown>>;
type Page = Readonly<{
  data: Readonly<Record<string, readonly Item[]>>;
  hasMore: boolean;
  nextCursor?: string;
  count: number;
  total: number;
  explain?: object;
}>;

/** The number of records of each kind; they are made one after the other, so that their order is known. */
const MADE = 4;
/** The ids of the records by the names of their lists, the newest first. */
const made: Record<string, (string | number)[]> = {};
const payment = {
  ...{ useCase: "supplier_payment", deliveryMode: "manual", amountMode: "recipient_fixed", termsAccepted: true },
  payer: { role: "tenant" },
};
const batch = { ...payment, useCase: "payroll_payment", deliveryMode: "bulk", amountMode: "mixed_composite" };

beforeAll(async () => {
  for (let index = 0; index < MADE; index++) {
    const { _id: partyId } = await client.newStudent({ firstName: `Ana ${index}`, city: "Recife" });
    const recipients = [{ connectorPayeeId: 5001, amount: { payeeAmount: `${9 + index}.00` } }];
    const subject = { role: "student", partyId };
    const [payer, payee, intent] = await Promise.all([
      client.newPayer({ profile: { firstName: `Rui ${index}` } }),
      client.newPayee({ name: `Payee ${index}` }),
      client.must<{ id: string }>("POST", "/v2/payment-intents", {
        body: { ...(index < 2 ? batch : payment), subject, recipients },
      }),
    ]);
    for (const [name, id] of Object.entries({
      students: partyId,
      payers: payer._id,
      payees: payee.id,
      paymentIntents: intent.id,
    })) {
      made[name] = [id, ...(made[name] ?? [])];
    }
  }
});

const list = async (path: string, options: Options = {}) => {
  const { status, body } = await client.call<Page>("GET", path, options);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
};
const itemsOf = ({ data }: Page) => Object.values(data).flat();
const idsOf = (page: Page) => itemsOf(page).map(({ _id }) => _id);
const asJson = (name: string, value: unknown) => `${name}=${encodeURIComponent(JSON.stringify(value))}`;

describe.each([
  { name: "students", path: "/v2/students", first: "filter[firstName]=Ana+0" },
  { name: "payers", path: "/v2/payers", first: "filter[profile][firstName]=Rui%200" },
  { name: "payees", path: "/v2/payees", first: "filter.name=Payee+0" },
  { name: "paymentIntents", path: "/v2/payment-intents", first: "filter[recipients.amount.payeeAmount][$lt]=10" },
])("the list of $name", ({ name, path, first }) => {
  test("is under its own key, newest first, with its counts beside data and both names of each id", async () => {
    const page = await list(path);
    expect(page).toEqual({ data: { [name]: expect.any(Array) }, hasMore: false, count: MADE, total: MADE });
    expect(idsOf(page)).toEqual(made[name]);
    for (const item of itemsOf(page)) expect(item["id"]).toBe(item._id);
  });

  test("is read in pages by skip and by cursor, each of which says whether there are more", async () => {
    const [one, two] = [await list(`${path}?limit=3`), await list(`${path}?skip=3&limit=3`)];
    expect([one, two]).toMatchObject([
      { count: 3, total: MADE, hasMore: true, nextCursor: expect.any(String) },
      { count: 1, total: MADE, hasMore: false },
    ]);
    expect([...idsOf(one), ...idsOf(two)]).toEqual(made[name]);
    expect(idsOf(await list(`${path}?limit=3&cursor=${one.nextCursor}`))).toEqual(idsOf(two));
  });

  test("is narrowed by a filter, of both names of an id as well", async () => {
    const [oldest] = made[name]?.slice(-1) ?? [];
    for (const filter of [first, `filter[_id]=${oldest}`, `filter[id]=${oldest}`]) {
      const page = await list(`${path}?${filter}`);
      expect([page, idsOf(page)], filter).toMatchObject([{ count: 1, total: 1, hasMore: false }, [oldest]]);
    }
    const none = { data: { [name]: [] }, hasMore: false, count: 0, total: 0 };
    expect(await list(`${path}?filter[tenantId]=1001`)).toEqual(none);
  });

  test("refuses by name all that it does not know or cannot read, at once", async () => {
    const query = "colour=red&Limit=3&limit=1001&skip=-1&sort=a,b&projection=a+-b&filter[a][$near]=1&filter[b";
    const named = ["colour", "Limit", "limit", "skip", "sort", "projection", "filter.a.$near", "filter[b"];
    expectShape(await client.call("GET", `${path}?${query}`), ...named);
  });
});

test("a filter, a sort and a population may be JSON or stand in brackets", async () => {
  const [last, third] = made["paymentIntents"] ?? [];
  const filter = { $or: [{ deliveryMode: "manual" }, { "subject.partyId": null }], status: { $in: ["draft"] } };
  const population = [{ path: "subject.partyId", select: "firstName city" }];
  for (const query of [
    `${asJson("filter", filter)}&${asJson("population", population)}`,
    "filter[$or][0][deliveryMode]=manual&filter[$or][1][subject.partyId]=x&filter[status][$in][]=draft" +
      "&population[0][path]=subject.partyId&population[0][select]=firstName+city",
  ]) {
    const page = await list(`/v2/payment-intents?${query}&sort=recipients.amount.payeeAmount&projection=subject`);
    const item = (id: unknown, firstName: string) => {
      const subject = { role: "student", partyId: { firstName, city: "Recife" } };
      return { _id: id, id, subject };
    };
    expect(itemsOf(page)).toEqual([item(third, "Ana 2"), item(last, "Ana 3")]);
  }
});

test("a list with X-Explain explains its reads and names the stripped operators, and only then", async () => {
  const path = "/v2/payment-intents?filter[status]=draft&filter[$where]=1";
  const headers = { "X-Explain": "true" };
  const reads = { storeCalls: expect.any(Number), itemsRead: expect.any(Number), readUnits: expect.any(Number) };
  expect((await list(path, { headers })).explain).toEqual({
    ...{ index: expect.stringMatching(/^by(Creation|Facet)$/), partitions: 1, order: "index", total: "counters" },
    reads: { page: reads, total: reads, population: { storeCalls: 0, itemsRead: 0, readUnits: 0 } },
    stripped: [expect.stringContaining("$where")],
  });
  const unindexed = await list("/v2/students?sort=firstName&filter[lastName]=nobody", { headers });
  expect(unindexed.explain).toMatchObject({ index: "byCreation", order: "memory", total: "records" });
  const changed = await list("/v2/students?sort=-updatedAt", { headers });
  expect([changed.explain, idsOf(changed)]).toMatchObject([{ index: "byChange", order: "index" }, made["students"]]);
  expect(await list(path, { headers: { "X-Explain": "false" } })).not.toHaveProperty("explain");
});

test("a cursor of another query or another tenant is refused by name, and so is one with skip", async () => {
  const { nextCursor } = await list("/v2/students?limit=1");
  const asked = [
    client.call("GET", `/v2/students?cursor=${nextCursor}&sort=firstName`),
    client.call("GET", `/v2/students?cursor=${nextCursor}`, { key: BASIC }),
    client.call("GET", `/v2/students?cursor=${nextCursor}&skip=1`),
  ];
  for (const reply of await Promise.all(asked)) expectShape(reply, "cursor");
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
