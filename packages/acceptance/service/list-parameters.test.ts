import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorBody } from "./client.ts";
import { ALL_INTENTS, launchSeeded } from "./list-seed.ts";
import { expectShape } from "./refusals.ts";

let seeded: Awaited<ReturnType<typeof launchSeeded>>;
beforeAll(async () => {
  seeded = await launchSeeded();
});
afterAll(() => seeded.stop());

describe("a sort", () => {
  test.each([
    ["payment-intents?sort=createdAt", "two one none tuition link"],
    ["payment-intents?sort=-createdAt", ALL_INTENTS],
    ["payment-intents?sort=_id", "two one none tuition link"],
    ["payment-intents?sort=-id", ALL_INTENTS],
    ["payment-intents?sort=deliveryMode", "none tuition one two link"],
    ["payment-intents?sort=-deliveryMode%20useCase", "link tuition one two none"],
    ["payment-intents?sort=-deliveryMode+useCase&skip=1&limit=2", "tuition one"],
    ["payment-intents?sort=recipients.order", "link tuition none two one"],
    ["payment-intents?sort=-recipients.order", "two one link tuition none"],
    ["payment-intents?sort=status", ALL_INTENTS],
    ["payment-intents?sort=unheardOf", ALL_INTENTS],
    ["students?sort=city", "Duda Bea Caio Ana"],
    ["students?sort=-city+firstName", "Ana Caio Bea Duda"],
    ["students?sort=taxIdentificationNumber&filter[city][$exists]=true", "Ana Bea Caio"],
    ["payees?sort=-name", "Zebra Supplier"],
  ])("%s is %s", async (path, expected) => {
    expect(await seeded.namesOf(path)).toBe(expected);
  });
});

describe("a projection", () => {
  test.each([
    ["status", ["_id", "id", "status"]],
    ["id", ["_id", "id"]],
    ["_id status", ["_id", "id", "status"]],
    ["-_id -id status", ["status"]],
    ["unheardOf", ["_id", "id"]],
    ["tenantId submission", ["_id", "id"]],
  ])("%s keeps %j", async (projection, expected) => {
    for (const item of await seeded.itemsOf(`payment-intents?projection=${encodeURIComponent(projection)}`)) {
      expect(Object.keys(item).toSorted()).toEqual(expected);
    }
  });

  test("of part of each recipient keeps that part", async () => {
    const [item] = await seeded.itemsOf(
      `payment-intents?filter[id]=${seeded.ids["two"]}&projection=recipients.order+payer`,
    );
    expect(item).toEqual({
      _id: seeded.ids["two"],
      id: seeded.ids["two"],
      payer: { role: "tenant" },
      recipients: [{ order: 1 }, { order: 7 }],
    });
  });

  test("with hyphens keeps all else", async () => {
    const path = `payment-intents?filter[id]=${seeded.ids["two"]}`;
    const [[whole], [rest]] = await Promise.all([
      seeded.itemsOf(path),
      seeded.itemsOf(`${path}&projection=-recipients.amount%20-status`),
    ]);
    const { status, ...expected } = whole ?? { _id: "" };
    const recipients = expected["recipients"] as object[];
    expect(rest).toEqual({
      ...expected,
      recipients: recipients.map((recipient) => ({ ...recipient, amount: undefined })),
    });
    expect(status).toBe("draft");
  });

  test("does not keep a filter and a sort from what it leaves out", async () => {
    const [first] = await seeded.itemsOf("students?filter[city]=Recife&sort=dob&projection=firstName");
    expect(first).toEqual({ _id: seeded.ids["Ana"], id: seeded.ids["Ana"], firstName: "Ana" });
  });
});

describe("a population", () => {
  test.each([
    ["population[0][path]=payer.partyId&population[0][select]=firstName%20city", { firstName: "Ana", city: "Recife" }],
    ["population[0].path=payer.partyId&population[0][select][]=firstName", { firstName: "Ana" }],
    ["population[path]=payer.partyId&population[select]=email", { email: "ana@example.com" }],
    ["population%5B0%5D%5Bpath%5D=payer.partyId", expect.objectContaining({ _id: expect.any(String), city: "Recife" })],
  ])("by %s puts the student in place of the id", async (query, expected) => {
    const [item] = await seeded.itemsOf(`payment-intents?filter[id]=${seeded.ids["tuition"]}&${query}`);
    expect(item?.["payer"]).toEqual({ role: "student", partyId: expected });
  });

  test("of several paths puts each in its place", async () => {
    const query =
      "population[0][path]=recipients.connectorPayeeId&population[0][select]=name&population[1][path]=payer.partyId";
    const [item] = await seeded.itemsOf(
      `payment-intents?filter[id]=${seeded.ids["two"]}&projection=recipients.connectorPayeeId&${query}`,
    );
    expect(item?.["recipients"]).toEqual([
      { connectorPayeeId: { name: "Supplier" } },
      { connectorPayeeId: { name: "University of Sydney" } },
    ]);
  });
});

describe("refused, each problem by its name", () => {
  test.each<[string, string[]]>([
    ["filter=draft", ["filter"]],
    ["filter[]=draft", ["filter"]],
    ["filter=%7B%22status%22", ["filter"]],
    ["filter=%5B%5D", ["filter"]],
    ["filter=%7B%7D&filter=%7B%7D", ["filter"]],
    ["filter=%7B%22name%22:%22a%22%7D&filter[status]=draft", ["filter"]],
    ["filter.status=draft&filter=%7B%22name%22:%22a%22%7D", ["filter"]],
    ["filter=%7B%22status%22:%7B%22$in%22:%5B%5D%7D%7D", ["filter.status.$in"]],
    ["filter=%7B%22a%22:%7B%22$near%22:1%7D%7D", ["filter.a.$near"]],
    ["population=%5B%7B%22path%22:%22tenantId%22%7D%5D", ["population.0.path"]],
    ["filter[status][$foo]=1", ["filter.status.$foo"]],
    ["filter[$or][0][a][$near]=1&filter[$text]=x", ["filter.$or.0.a.$near", "filter.$text"]],
    ["filter[$or]=draft", ["filter.$or"]],
    ["filter[$or][][status]=a&filter[$or][][name]=b", ["filter[$or][]"]],
    ["filter[recipients][$size]=two", ["filter.recipients.$size"]],
    ["filter[name][$exists]=maybe", ["filter.name.$exists"]],
    ["filter[name][$type]=text", ["filter.name.$type"]],
    ["filter[recipients.order]=abc", ["filter.recipients.order"]],
    ["filter[createdAt][$gte]=yesterday", ["filter.createdAt.$gte"]],
    ["filter[status][$gt][]=1&filter[status][$gt][]=2", ["filter.status.$gt"]],
    ["filter[status", ["filter[status"]],
    ["filter[status]x=draft", ["filter[status]x"]],
    ["filter[__proto__][polluted]=1", ["filter[__proto__][polluted]"]],
    ["sort=status,name", ["sort"]],
    ["sort=%7B%22status%22:-1%7D", ["sort"]],
    ["sort[status]=-1", ["sort"]],
    ["sort=$natural", ["sort"]],
    ["sort=a&sort=b", ["sort"]],
    ["sort=status%20-status", ["sort"]],
    ["sort=", ["sort"]],
    ["projection=status%20-name", ["projection"]],
    ["projection=sum(amount)", ["projection"]],
    ["projection[status]=1", ["projection"]],
    ["population[0][path]=tenantId", ["population.0.path"]],
    ["population[0][select]=name", ["population.0.path"]],
    ["population[0][path]=payer.partyId&population[0][match][a]=1", ["population.0.match"]],
    ["population[0][path]=payer.partyId&population[0][select]=-name", ["population.0.select"]],
    ["constructor=1&toString[a]=2&hasOwnProperty=3", ["constructor", "hasOwnProperty", "toString"]],
    [
      "filter[a][$b]=1&sort=,&projection=,&population[0][path]=x&skip=x&limit=x&explain=true",
      ["explain", "filter.a.$b", "limit", "population.0.path", "projection", "skip", "sort"],
    ],
  ])("%s", async (query, problems) => {
    expectShape(await seeded.client.call<ErrorBody>("GET", `/v2/payment-intents?${query}`), ...problems);
  });

  test("population of what refers to nothing", async () => {
    const reply = await seeded.client.call<ErrorBody>("GET", "/v2/students?population[0][path]=payer.partyId");
    expectShape(reply, "population.0.path");
  });

  test("more than a thousand parameters, rather than dropping the last of them", async () => {
    const reply = await seeded.client.call<ErrorBody>("GET", `/v2/students?${"limit=&".repeat(1001)}`);
    expectShape(reply, "query");
  });
});
