import { describe, expect, test } from "vitest";
import { type Changes, type Data, type Intent, payerBody, studentBody } from "./client.ts";
import { publishLink } from "./links.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { payrollBody, priceLinkBody } from "./scenarios-fixture.ts";
import { openOperatedService } from "./service-fixture.ts";
import { create, newDraft, newKey, railPayments, tuition } from "./tuition.ts";

const { client, operator } = await openOperatedService();

type Listed = Readonly<{ data: { paymentIntents: readonly Intent[] }; total: number }>;

const pathOf = (id: string) => `/v2/payment-intents/${id}`;
const patch = <Body = Data<Intent>>(id: string, metadata: unknown, headers: Record<string, string> = {}) =>
  client.call<Body>("PATCH", pathOf(id), { body: { metadata }, headers });
const note = async (id: string, metadata: Changes) => {
  const { status, body } = await patch(id, metadata);
  expect(status).toBe(200);
  return body.data["metadata"];
};
const timelineOf = (id: string) => client.must<object>("GET", `${pathOf(id)}/timeline`);
const listedBy = async (query: string) =>
  (await client.call<Listed>("GET", `/v2/payment-intents?${query}`)).body.data.paymentIntents;

let made = 0;
/** A text that nothing else holds. */
const mark = (): string => `note ${Date.now().toString(36)} ${++made}`;

describe("the metadata of a payment", () => {
  test("are answered as they were sent, merged by a change, and told in lists and to operators alone", async () => {
    const [one, two] = [mark(), mark()];
    const { body } = await tuition(client);
    const draft = await create(client, { ...body, metadata: { one, "two-2_": "x" } });
    expect(draft["metadata"]).toEqual({ one, "two-2_": "x" });
    expect(await note(draft.id, { one: null, three: two })).toEqual({ "two-2_": "x", three: two });
    const metadata = { "two-2_": "x", three: two };
    const read = await client.getIntent(draft.id);
    expect(read["metadata"]).toEqual(metadata);
    const [item] = await listedBy(`filter[id]=${draft.id}`);
    expect(item).toMatchObject({ id: draft.id, metadata });
    expect(await listedBy(`filter[metadata.three]=${encodeURIComponent(two)}&sort=metadata.three`)).toMatchObject([
      { id: draft.id },
    ]);
    expect(await listedBy(`filter[metadata.one]=${encodeURIComponent(one)}`)).toEqual([]);
    const { stdout } = await operator.run("find", draft.id, "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ id: draft.id, metadata }]);
    expect(await note(draft.id, { "two-2_": null, three: null })).toBeUndefined();
    expect(await client.getIntent(draft.id)).not.toHaveProperty("metadata");
  });

  test("stand beside it: its `updatedAt`, its timeline and a submit know nothing of a change, and its answer tells it", async () => {
    const { id, ...before } = await newDraft(client);
    const timeline = await timelineOf(id);
    const text = mark();
    expect(await note(id, { text })).toEqual({ text });
    expect(await client.getIntent(id)).toEqual({ id, ...before, metadata: { text } });
    expect(await timelineOf(id)).toEqual(timeline);
    const key = newKey();
    const { status, body } = await client.submit<Data<Intent>>(id, key);
    expect([status, body.data["metadata"]]).toEqual([200, { text }]);
    await client.waitForStatus(id, "completed");
    const ended = await client.getIntent(id);
    expect(await note(id, { text: null, later: text })).toEqual({ later: text });
    expect(await client.getIntent(id)).toEqual({ ...ended, metadata: { later: text } });
    // A repetition gets the first answer, as it was.
    expect((await client.submit<Data<Intent>>(id, key)).body).toEqual(body);
    const said = JSON.stringify([await timelineOf(id), await railPayments(client, id)]);
    expect(said).not.toContain(text);
  });

  test("of a batch and of a compiled draft are told as well", async () => {
    const batch = await create(client, { ...payrollBody(2), metadata: { run: "11" } });
    expect((await client.submit<Data<Intent>>(batch.id)).body.data["metadata"]).toEqual({ run: "11" });
    expect(await client.getIntent(batch.id)).toMatchObject({ metadata: { run: "11" } });
    const { id } = await newDraft(client, { changes: { metadata: { a: "b" } } });
    expect(await client.must("POST", `${pathOf(id)}/draft`)).toMatchObject({ metadata: { a: "b" } });
  });

  test("of a link are copied when a payer's session is made, and told to no payer", async () => {
    const [early, late] = [mark(), mark()];
    const link = await publishLink(client, {}, { ...priceLinkBody(), metadata: { early } });
    await note(link.id, { late });
    const answers = [
      await link.payer.details(),
      await link.payer.open(await link.payer.sessionBody()),
      (await client.call("GET", `/pay/plink_${link.token}`, { key: null })).body,
    ];
    const { paymentIntentId: child } = answers[1] as { paymentIntentId: string };
    await note(link.id, { early: null });
    expect(await client.getIntent(child)).toMatchObject({ metadata: { early, late } });
    expect(await client.getIntent(link.id)).toMatchObject({ metadata: { late } });
    expect(await note(child, { late: null })).toEqual({ early });
    for (const text of [early, late]) expect(JSON.stringify(answers)).not.toContain(text);
  });

  test("change with `If-Match` only as the caller knows them, and by metadata alone", async () => {
    const { id } = await newDraft(client);
    const { headers } = await client.call("GET", pathOf(id));
    const known = { "If-Match": headers.get("etag") ?? "" };
    const changed = await patch(id, { a: "1" }, known);
    expect(changed.status).toBe(200);
    expectEnvelope(await patch(id, { a: "2" }, known), 412, "[GEN9012]");
    expect((await patch(id, { a: "2" }, { "If-Match": changed.headers.get("etag") ?? "" })).status).toBe(200);
    expect(await client.getIntent(id)).toMatchObject({ metadata: { a: "2" } });
    expectShape(await client.call("PATCH", pathOf(id), { body: { name: "x" } }), "metadata", "name");
  });
});

test.each([
  ["students", studentBody],
  ["payers", payerBody],
])("%s have metadata, merged by a PUT, within the same bounds for the result", async (path, bodyOf) => {
  type Party = Readonly<{ _id: string; metadata?: object }>;
  const keys = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key${at}`, "x"]));
  const { _id } = await client.must<Party>("POST", `/v2/${path}`, { body: { ...bodyOf(), metadata: keys } });
  const put = (metadata: unknown) => client.call<Data<Party>>("PUT", `/v2/${path}/${_id}`, { body: { metadata } });
  const { key0, ...left } = keys;
  expect((await put({ key0: null, other: "y" })).body.data.metadata).toEqual({ ...left, other: "y" });
  expectShape(await client.call("PUT", `/v2/${path}/${_id}`, { body: { metadata: { one: "more" } } }), "metadata");
  const { body } = await client.call<{ data: Record<string, Party[]> }>("GET", `/v2/${path}?filter[metadata.other]=y`);
  expect(body.data[path]).toMatchObject([{ _id, metadata: { other: "y" } }]);
  expect((await put(null)).body.data).not.toHaveProperty("metadata");
});
