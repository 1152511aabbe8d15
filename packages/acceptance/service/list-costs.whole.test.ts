import { describe, expect, test } from "vitest";
import { BASIC, type ErrorBody } from "./client.ts";
import { expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

const { client } = await openService();

type Reads = Readonly<{ storeCalls: number; itemsRead: number; readUnits: number }>;
type Explanation = Readonly<{
  index: string;
  partitions: number;
  order: string;
  total: string;
  reads: Readonly<Record<"page" | "total" | "population", Reads>>;
  stripped: readonly string[];
}>;
type Item = Readonly<{ _id: string; createdAt: string }> & Readonly<Record<string, unknown>>;
type Page = Readonly<{
  data: Readonly<Record<string, readonly Item[]>>;
  hasMore: boolean;
  nextCursor?: string;
  count: number;
  total: number;
  explain?: Explanation;
}>;

const list = async (path: string, headers: Record<string, string> = {}, key?: string) => {
  const reply = await client.call<Page>("GET", path, { headers, ...(key !== undefined && { key }) });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return reply.body;
};
const explained = (path: string, key?: string) => list(path, { "X-Explain": "true" }, key);
const idsOf = ({ data }: Page) => Object.values(data).flatMap((items) => items.map(({ _id }) => _id));
const makeStudents = async (count: number, email = "many@example.com") => {
  for (let at = 0; at < count; at += 20) {
    await Promise.all(Array.from({ length: Math.min(20, count - at) }, () => client.newStudent({ email })));
  }
};

describe("a list with X-Explain", () => {
  test("tells how it was read, and only then", async () => {
    await client.newTuitionIntent();
    const page = await explained("/v2/payment-intents?filter[status]=draft&filter[$where]=1");
    expect(page.explain).toEqual({
      index: expect.stringMatching(/^by(Creation|Facet)$/),
      partitions: 1,
      order: "index",
      total: "counters",
      reads: {
        // The keys and the records, the reviews and the metadata beside them, and a counter's two partitions.
        page: { storeCalls: 4, itemsRead: expect.any(Number), readUnits: expect.any(Number) },
        total: { storeCalls: 2, itemsRead: expect.any(Number), readUnits: expect.any(Number) },
        population: { storeCalls: 0, itemsRead: 0, readUnits: 0 },
      },
      stripped: [expect.stringContaining("$where")],
    });
    expect(page.explain?.reads.page.readUnits).toBeGreaterThan(0);
    expect(page.explain?.reads.total.readUnits).toBeGreaterThan(0);
    for (const headers of [{}, { "X-Explain": "false" }] as Record<string, string>[]) {
      expect(await list("/v2/payment-intents", headers)).not.toHaveProperty("explain");
    }
    const headers = { "X-Explain": "1" };
    expectShape(await client.call<ErrorBody>("GET", "/v2/payment-intents?limit=x", { headers }), "X-Explain", "limit");
    expect((await client.call("GET", "/v2/users/me", { headers })).status).toBe(200);
  });

  test("tells what a sort and a filter without an index cost", async () => {
    const page = await explained("/v2/students?sort=firstName&filter[lastName]=nobody");
    expect(page.explain).toMatchObject({ order: "memory", total: "records", index: "byCreation" });
  });

  test("tells a tenant nothing of another tenant's records", async () => {
    const { explain, total } = await explained("/v2/students", BASIC);
    expect(total).toBe(0);
    expect(explain?.reads.page.itemsRead).toBe(0);
  });
});

test("every record's id begins with its time of creation, on which ranges of dates rely", async () => {
  await Promise.all([client.newTuitionIntent(), client.newStudent(), client.newPayer()]);
  for (const path of ["/v2/payment-intents", "/v2/students", "/v2/payers"]) {
    const items = Object.values((await list(path)).data).flat();
    expect(items.length).toBeGreaterThan(0);
    for (const { _id, createdAt } of items) {
      expect(new Date(Number.parseInt(_id.slice(0, 12), 16)).toISOString(), path).toBe(createdAt);
    }
  }
});

test("pages by cursor show each record once while more are added, and skipped pages are of the list as it stands", async () => {
  await makeStudents(230);
  const before = idsOf(await list("/v2/students?limit=1000", {}));
  const met: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const page: Page = await list(`/v2/students?limit=50${cursor === "" ? "" : `&cursor=${cursor}`}`);
    met.push(...idsOf(page));
    cursor = page.nextCursor;
    await makeStudents(2);
  }
  expect(met).toEqual(before);
  const now = idsOf(await list("/v2/students?limit=1000"));
  expect(now.length).toBe(before.length + 10);
  expect(idsOf(await list("/v2/students?skip=215&limit=20&sort=_id"))).toEqual(now.toReversed().slice(215, 235));
});

test("one worker's pages move nothing in another one's", async () => {
  const email = "pure@example.com";
  await makeStudents(1, email);
  await list(`/v2/students?filter[email]=${email}`);
  await makeStudents(5, email);
  const all = idsOf(await list(`/v2/students?filter[email]=${email}`));
  const page = await list(`/v2/students?filter[email]=${email}&skip=1&limit=2`);
  expect(page).toMatchObject({ count: 2, total: 6, hasMore: true });
  expect(idsOf(page)).toEqual(all.slice(1, 3));
});

describe("a cursor over HTTP", () => {
  const refusedFor = async (query: string, key?: string) => {
    const { status, body } = await client.call<ErrorBody>(
      "GET",
      `/v2/students?${query}`,
      key === undefined ? {} : { key },
    );
    expect(status).toBe(400);
    return JSON.stringify(body);
  };

  test("is refused by name when it is mistyped, of another query, another list or another tenant, or beside skip", async () => {
    await makeStudents(3, "cursor@example.com");
    const { nextCursor = "" } = await list("/v2/students?limit=1");
    const foreign = /cursor must be the nextCursor of an earlier page with the same filter and sort/;
    expect(await refusedFor(`cursor=${nextCursor}x`)).toMatch(foreign);
    expect(await refusedFor(`cursor=${nextCursor}&filter[firstName]=Ana`)).toMatch(foreign);
    expect(await refusedFor(`cursor=${nextCursor}&sort=firstName`)).toMatch(foreign);
    expect(await refusedFor(`cursor=${nextCursor}`, BASIC)).toMatch(foreign);
    const { status } = await client.call("GET", `/v2/payers?cursor=${nextCursor}`);
    expect(status).toBe(400);
    expect(await refusedFor(`cursor=${nextCursor}&skip=1`)).toMatch(/cursor must not be sent together with skip/);
    expect(await refusedFor("cursor=")).toMatch(/cursor must be/);
  });

  test("is what to use beyond the last record that can be skipped to", async () => {
    expect(await refusedFor("skip=100001")).toMatch(/skip must be an integer between 0 and 100000: use cursor/);
    expect(await list("/v2/students?skip=100000")).toMatchObject({ count: 0, hasMore: false });
  });
});

test("references are replaced by what they name", async () => {
  const { id } = await client.newTuitionIntent();
  const query = "population[0][path]=recipients.connectorPayeeId&population[0][select]=name";
  const { data } = await list(`/v2/payment-intents?filter[_id]=${id}&${query}`);
  expect(data["paymentIntents"]?.[0]).toMatchObject({
    recipients: [{ connectorPayeeId: { name: expect.any(String) } }],
  });
});
