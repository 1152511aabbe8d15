import { listResources } from "@intents/domain/lists/resources.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ALL_INTENTS, launchSeeded } from "./list-seed.ts";

let seeded: Awaited<ReturnType<typeof launchSeeded>>;
beforeAll(async () => {
  seeded = await launchSeeded();
});
afterAll(() => seeded.stop());

/** Filters of intents, and the intents that they find, the newest first. `{name}` stands for the id of that intent. */
const filters: readonly (readonly [string, string])[] = [
  // Operators, on one value and on many.
  ["filter[status][$eq]=draft", ALL_INTENTS],
  ["filter[deliveryMode][$ne]=manual", "link none"],
  ["filter[deliveryMode][$not][$eq]=manual", "link none"],
  ["filter[recipients.order][$gt]=3", "two"],
  ["filter[recipients.order][$gte]=3", "one two"],
  ["filter[recipients.order][$lt]=3", "two"],
  ["filter[recipients.order][$lte]=3&filter[recipients.order][$gt]=1", "one two"],
  ["filter[recipients.order][$gt]=10", ""],
  ["filter[deliveryMode][$in][]=bulk&filter[deliveryMode][$in][]=reusable_payment_link", "link none"],
  ["filter[deliveryMode][$nin][]=bulk&filter[deliveryMode][$nin][]=manual", "link"],
  ["filter[$or][0][deliveryMode]=bulk&filter[$or][1][payer.role]=student", "tuition none"],
  ["filter[$or][0][$and][0][useCase]=supplier_payment&filter[$or][0][$and][1][recipients.order]=7", "two"],
  ["filter[$and][0][deliveryMode]=manual&filter[$and][1][payer.role]=tenant", "one two"],
  ["filter[$nor][0][deliveryMode]=manual&filter[$nor][1][deliveryMode]=bulk", "link"],
  ["filter[$not][deliveryMode]=manual", "link none"],
  ["filter[payer.partyId][$exists]=true", "tuition"],
  ["filter[payer.partyId][$exists]=false", "link none one two"],
  ["filter[name][$exists]=true", "link"],
  ["filter[name][$type]=null", "link"],
  ["filter[publicLinkId][$type]=string", "link"],
  ["filter[recipients][$type]=array&filter[createdAt][$type]=date&filter[termsAccepted][$type]=bool", ALL_INTENTS],
  ["filter[recipients.order][$type]=16", "one two"],
  ["filter[createdAt][$type]=string", ""],
  ["filter[recipients][$elemMatch][order]=1&filter[recipients][$elemMatch][connectorPayeeId]=5001", ""],
  ["filter[recipients][$elemMatch][order]=7&filter[recipients][$elemMatch][connectorPayeeId]=5001", "two"],
  [
    "filter[recipients][$elemMatch][$or][0][splitRole]=other&filter[recipients][$elemMatch][$or][1][order]=3",
    "one two",
  ],
  ["filter[recipients][$size]=2", "two"],
  ["filter[recipients][$size]=0", "tuition none"],
  ["filter[recipients.connectorPayeeId][$all][]=5001&filter[recipients.connectorPayeeId][$all][]={Supplier}", "two"],
  ["filter[instructions.paymentLink.lockedFields][$all]=pay_from_country", "link"],
  ["filter[status][$all]=draft", ALL_INTENTS],
  // Encodings.
  ["filter[payer][role]=student", "tuition"],
  ["filter.payer.role=student", "tuition"],
  ["filter[payer.role]=student", "tuition"],
  ["filter%5Bpayer%5D%5Brole%5D=student", "tuition"],
  ["filter%5Bpayer.role%5D%5B%24ne%5D=tenant", "link tuition"],
  ["filter[deliveryMode]=bulk&filter[deliveryMode]=reusable_payment_link", "link none"],
  ["filter[deliveryMode][]=bulk&filter[deliveryMode][]=reusable_payment_link", "link none"],
  ["filter[deliveryMode][0]=bulk&filter[deliveryMode][1]=reusable_payment_link", "link none"],
  ["filter[deliveryMode][$in][0]=bulk&filter[deliveryMode][$in][25]=reusable_payment_link", "link none"],
  [`filter[deliveryMode][$in][]=bulk${"&filter[deliveryMode][$in][]=x".repeat(200)}`, "none"],
  ["filter[recipients.0.order]=7", ""],
  ["filter[recipients.1.order]=7", "two"],
  ["filter[recipients][1][order]=7", "two"],
  // Values of the fields' types.
  ["filter[termsAccepted]=true", ALL_INTENTS],
  ["filter[instructions.manualPayment.quotePayoutOrderConfirmed]=false", "tuition"],
  ["filter[instructions][paymentLink][isSingleUse][$ne]=true", "tuition none one two"],
  ["filter[instructions.manualPayment.selectedQuoteVariantId]=4.0", "tuition"],
  ["filter[subject.details.dob][$gte]=2010-05-06", "tuition"],
  ["filter[subject.details.dob][$gt]=2010-05-06", ""],
  ["filter[createdAt][$gte]=2026-01-01&filter[createdAt][$lt]=2999-12-31T23:59:59%2B05:30", ALL_INTENTS],
  ["filter[createdAt][$lt]=2020-01-01T00:00:00Z", ""],
  ["filter[lastConnectorPaymentId]=null", ALL_INTENTS],
  // Amounts are compared by what they are worth, not as texts.
  ["filter[recipients.amount.payeeAmount][$gte]=9", "two"],
  ["filter[recipients.amount.payeeAmount][$lt]=10", "link"],
  ["filter[recipients.amount.payeeAmount]=5", "link"],
  ["filter[recipients.amount.payeeAmount][$in][]=10.000&filter[recipients.amount.payeeAmount][$in][]=5.0", "link two"],
  ["filter[recipients.amount.payeeAmount][$ne]=10", "link tuition none one"],
  ["filter[recipients][$elemMatch][amount.payeeAmount][$gt]=-1", "link two"],
  // Both names of an id.
  ["filter[id]={two}", "two"],
  ["filter[_id][$in][]={two}&filter[_id][$in][]={one}", "one two"],
  ["filter[$or][0][id]={two}&filter[$or][1][_id]={link}", "link two"],
  ["filter[id][$lt]={one}", "two"],
  // Stripped as if never sent, with what it leaves empty.
  ...["$regex", "$options", "$where", "$expr", "$lookup", "$unionWith", "$merge", "$out", "$function"].map(
    (name) => [`filter[status][${name}]=x&filter[${name}]=x&filter[deliveryMode]=bulk`, "none"] as const,
  ),
  ...["$accumulator", "$comment", "password", "apiKey", "secret", "accessToken", "refreshToken", "privateKey"].map(
    (name) => [`filter[payer][${name}]=x&filter[$or][0][${name}][$ne]=x&filter[deliveryMode]=bulk`, "none"] as const,
  ),
  ["filter[$or][0][password]=x", ALL_INTENTS],
  ["filter[$or][0][password]=x&filter[$or][1][deliveryMode]=bulk", "none"],
  ["filter[$nor][0][status][$regex]=.", ALL_INTENTS],
  ["filter[status][$not][$regex]=.", ALL_INTENTS],
  ["filter[recipients][$elemMatch][secret]=x", ALL_INTENTS],
  ["filter[a.secret.b]=x", ALL_INTENTS],
  [`filter${"[$and][0]".repeat(12)}[status]=completed`, ALL_INTENTS],
  [`filter${"[$and][0]".repeat(200)}[status]=completed&filter[deliveryMode]=bulk`, "none"],
  [`filter${"[a]".repeat(500)}=x`, ALL_INTENTS],
  // Bookkeeping and prototypes are no fields.
  ["filter[tenantId][$exists]=true", ""],
  ["filter[version][$gte]=0", ""],
  ["filter[auditHead][$exists]=true", ""],
  ["filter[constructor][$exists]=true", ""],
  ["filter[toString]=x", ""],
  ["filter[recipients.length]=2", ""],
  // A value that no intent has finds nothing.
  ["filter[status]=%E0%A4%A", ""],
  ["filter[status]=100%", ""],
  ["filter[status]=%00", ""],
  ["filter[status]=", ""],
];

describe("a filter", () => {
  test.each(filters)("%s finds %j", async (query, expected) => {
    const found = expected.split(" ").filter((name) => name !== "");
    expect(await seeded.namesOf(`payment-intents?${query}`)).toBe(expected);
    expect(await seeded.namesOf(`payment-intents?${query}&limit=1`)).toBe(found[0] ?? "");
    const page = await seeded.list(`payment-intents?${query}`);
    expect(page).toMatchObject({ count: found.length, total: found.length, hasMore: false });
  });

  test.each([
    ["students?filter[email]=ana@example.com", "Ana"],
    ["students?filter[dob][$gt]=2001-02-03&filter[dob][$lte]=2003-02-03", "Caio Bea"],
    ["students?filter[dob]=null", "Duda"],
    ["students?filter[city][$in][]=Natal&filter[city][$in][]=Olinda", "Bea"],
    ["payees?filter[id]={Zebra}", "Zebra"],
    ["payees?filter[_id][$ne]={Zebra}", "Supplier"],
    ["payees?filter[currencyCode][$gte]=B", "Supplier"],
  ])("of %s finds %j", async (path, expected) => {
    expect(await seeded.namesOf(path)).toBe(expected);
  });
});

/** Filters as JSON, each with what it finds and with a filter in brackets that is the same, if there is one. */
const jsonFilters: readonly (readonly [object, string, string?])[] = [
  [{}, ALL_INTENTS, ""],
  [{ deliveryMode: "bulk" }, "none", "filter[deliveryMode]=bulk"],
  [{ "recipients.order": { $gte: 3 } }, "one two", "filter[recipients.order][$gte]=3"],
  [
    { deliveryMode: { $in: ["bulk", "manual"] } },
    "tuition none one two",
    "filter[deliveryMode][$in][]=bulk&filter[deliveryMode][$in][]=manual",
  ],
  [
    { deliveryMode: ["bulk", "reusable_payment_link"] },
    "link none",
    "filter[deliveryMode][]=bulk&filter[deliveryMode][]=reusable_payment_link",
  ],
  [
    { $or: [{ deliveryMode: "bulk" }, { payer: { role: "student" } }] },
    "tuition none",
    "filter[$or][0][deliveryMode]=bulk&filter[$or][1][payer.role]=student",
  ],
  [
    { recipients: { $elemMatch: { order: 7, connectorPayeeId: 5001 } } },
    "two",
    "filter[recipients][$elemMatch][order]=7&filter[recipients][$elemMatch][connectorPayeeId]=5001",
  ],
  [
    { termsAccepted: true, "recipients.amount.payeeAmount": 10.0 },
    "two",
    "filter[termsAccepted]=true&filter[recipients.amount.payeeAmount]=10",
  ],
  [
    { status: "draft", createdAt: { $gte: "2026-01-01" } },
    ALL_INTENTS,
    "filter[status]=draft&filter[createdAt][$gte]=2026-01-01",
  ],
  [{ lastConnectorPaymentId: null }, ALL_INTENTS, "filter[lastConnectorPaymentId]=null"],
  // In brackets `null` is a word where texts are; in JSON it is null, which what is missing is, too.
  [{ name: null }, ALL_INTENTS],
  [{ name: "null" }, "", "filter[name]=null"],
  [{ publicLinkId: { $ne: null } }, "link"],
  [{ "payer.partyId": null }, "link none one two", "filter[payer.partyId]=null"],
  [{ status: { $in: ["completed", null] } }, ""],
  [{ status: null }, ""],
  [{ _id: null }, ""],
  [{ _id: { $gt: null } }, ""],
  [{ "createdFrom.paymentIntentId": null }, ALL_INTENTS, "filter[createdFrom.paymentIntentId]=null"],
  [
    { $where: "while(true){}", payer: { password: {} }, deliveryMode: "bulk" },
    "none",
    "filter[$where]=1&filter[payer][password]=x&filter[deliveryMode]=bulk",
  ],
];
const asJson = (filter: unknown) => `filter=${encodeURIComponent(JSON.stringify(filter))}`;

describe("a filter as JSON", () => {
  test.each(jsonFilters)("%j finds %j", async (filter, expected, brackets) => {
    expect(await seeded.namesOf(`payment-intents?${asJson(filter)}`)).toBe(expected);
    if (brackets !== undefined) expect(await seeded.namesOf(`payment-intents?${brackets}`)).toBe(expected);
  });

  test("of students finds those who lack a field", async () => {
    expect(await seeded.namesOf(`students?${asJson({ city: null })}`)).toBe("Duda");
    expect(await seeded.namesOf(`students?${asJson({ email: null })}`)).toBe("");
    expect(await seeded.namesOf(`students?${asJson({ email: { $in: [null, "ana@example.com"] } })}`)).toBe("Ana");
  });

  test("leads on from a page that was asked for in brackets, and the other way round", async () => {
    const [brackets, json] = ["filter[status]=draft&sort=-createdAt", `${asJson({ status: "draft" })}&sort=-createdAt`];
    const first = await seeded.list(`payment-intents?${brackets}&limit=2`);
    const second = await seeded.list(`payment-intents?${json}&limit=2&cursor=${first.nextCursor}`);
    const third = await seeded.namesOf(`payment-intents?${brackets}&limit=2&cursor=${second.nextCursor}`);
    expect(third).toBe("two");
  });

  test("has references populated as JSON asks for them", async () => {
    const population = encodeURIComponent(JSON.stringify([{ path: "payer.partyId", select: "firstName city" }]));
    const query = `${asJson({ id: seeded.ids["tuition"] })}&population=${population}`;
    const [item] = await seeded.itemsOf(`payment-intents?${query}`);
    expect(item?.["payer"]).toEqual({ role: "student", partyId: { firstName: "Ana", city: "Recife" } });
  });
});

test.each([
  `filter${"[$and][0]".repeat(900)}[status]=draft`,
  asJson(JSON.parse(`${'{"$and":['.repeat(500)}{"status":"draft"}${"]}".repeat(500)}`)),
  `filter=${"[".repeat(9000)}`,
  `filter=${"[".repeat(4500)}${"]".repeat(4500)}`,
  asJson({ name: { $in: JSON.parse(`${"[".repeat(1500)}1${"]".repeat(1500)}`) } }),
  'filter={"__proto__":{"status":"x"},"constructor":{"prototype":{"polluted":1}}}',
  'filter={"a.b.$ne..":1e999,"":{"":""},"a][b":-1e-999}',
  `filter=${"%00".repeat(100)}`,
  'population=[{"path":{"$ne":null}},null,[[]],7]',
  `filter[${"a.".repeat(4000)}a]=1`,
  `filter${"[a]".repeat(2500)}=1`,
  `filter[status][$in]${"[0]".repeat(2500)}=1`,
  "filter[$or][0][$or][0][$or][0][$where]=while(true){}",
  "filter[status][$regex]=(a%2B)%2B$&filter[$expr][$function][body]=process.exit()",
  "filter[status][$eq][$ne][$gt]=",
  "%00=%00&filter[%00]=%00&[]=&=&&&filter=",
  "%FF[%FF]=%FF",
])("an answer below 500 and no delay for %.60s", async (query) => {
  const started = performance.now();
  const { status } = await seeded.client.call("GET", `/v2/payment-intents?${query}`);
  expect(status).toBeLessThan(500);
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(await seeded.namesOf("payment-intents")).toBe(ALL_INTENTS);
});

test.each([
  "",
  "filter[tenantId]=1002",
  "filter[$or][0][tenantId][$ne]=1001&filter[$or][1][_id][$exists]=true",
  "filter[$nor][0][status]=completed",
  "filter[status][$ne]=completed&sort=createdAt",
  "filter[_id][$exists]=true&limit=1000&sort=-tenantId",
])("never another tenant's record, with %s", async (query) => {
  const strangers = /[0-9a-f]{24}|\d{6,}/;
  for (const resource of ["payment-intents", "students", "payees"]) {
    expect(await seeded.namesOf(`${resource}?${query}`)).not.toMatch(strangers);
  }
});

describe("the table of types", () => {
  test.each([
    ["payment-intents", "INTENT"],
    ["students", "STUDENT"],
    ["payees", "PAYEE"],
  ] as const)("says what the fields of %s are", async (resource, kind) => {
    const fields: Readonly<Record<string, string>> = listResources[kind].fields;
    const items = await seeded.itemsOf(resource);
    expect(items.length).toBeGreaterThan(0);
    for (const [path, value] of items.flatMap((item) => leaves(item, []))) {
      expect([path, typeOf(value)]).toEqual([path, (fields[path] ?? "string").replace("id", "number")]);
    }
  });
});

const typeOf = (value: unknown): string => {
  if (typeof value !== "string") return typeof value;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return "day";
  if (/^\d+\.\d\d$/.test(value)) return "decimal";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) ? "date" : "string";
};

/** All values of a document with their paths, without nulls, which have no type. */
function leaves(node: unknown, path: readonly string[]): [string, unknown][] {
  if (Array.isArray(node)) return node.flatMap((element) => leaves(element, path));
  if (typeof node !== "object") return [[path.join("."), node]];
  return Object.entries(node ?? {}).flatMap(([name, below]) => leaves(below, [...path, name]));
}
