import { describe, expect, test } from "vitest";
import type { Changes, Intent } from "./client.ts";
import { payerBody, studentBody } from "./client.ts";
import { publishLink } from "./links.ts";
import { expectShape } from "./refusals.ts";
import { payrollBody, priceLinkBody } from "./scenarios-fixture.ts";
import { openOperatedService } from "./service-fixture.ts";
import { create, railPayments, tuition } from "./tuition.ts";

const { client, basic, operator } = await openOperatedService();

type Item = Readonly<{ _id: string }>;
type Page = Readonly<{
  data: Readonly<Record<string, readonly Item[]>>;
  total: number;
  nextCursor?: string;
  explain: Readonly<{ index: string; partitions: number; total: string; reads: Readonly<{ page: { items: number } }> }>;
}>;

const list = async (path: string, as = client): Promise<Page> => {
  const { status, body } = await as.call<Page>("GET", path, { headers: { "X-Explain": "true" } });
  expect(status).toBe(200);
  return body;
};
const idsIn = ({ data }: Page): string[] => Object.values(data).flatMap((items) => items.map(({ _id }) => _id));
const listed = async (filter: string) => idsIn(await list(`/v2/payment-intents?${filter}`));

let made = 0;
/** A tenant's own id that nothing else has, of all characters that one may have. */
const newId = (name: string): string => `${name}/${Date.now().toString(36)}.${++made}_:#-`;
const encoded = (externalId: string): string => encodeURIComponent(externalId);

/** A draft with its own id, and recipients with theirs. */
async function newNamed(externalId: string, ...recipients: readonly string[]): Promise<Intent> {
  const body = payrollBody(Math.max(1, recipients.length));
  const named = body.recipients.map((one, at) => ({
    ...one,
    ...(recipients[at] !== undefined && { externalId: recipients[at] }),
  }));
  return create(client, { ...body, externalId, recipients: named });
}

describe("a payment is found by the tenant's own id", () => {
  test("of the payment or of a recipient, one or any of several, through the index, and by nobody else", async () => {
    const [order, other, person, colleague] = ["order", "order", "emp", "emp"].map(newId) as [
      string,
      string,
      string,
      string,
    ];
    const first = await newNamed(order, person, colleague, person);
    const second = await newNamed(order);
    const third = await newNamed(other, colleague);
    expect(first).toMatchObject({
      externalId: order,
      recipients: [{ externalId: person }, { externalId: colleague }, { externalId: person }],
    });
    const by = (field: string, id: string) => `filter[${field}]=${encoded(id)}`;
    expect(await listed(by("externalId", order))).toEqual([second.id, first.id]);
    expect(await listed(`${by("externalId][$in][", order)}&${by("externalId][$in][", other)}`)).toEqual([
      third.id,
      second.id,
      first.id,
    ]);
    expect(await listed(by("recipients.externalId", colleague))).toEqual([third.id, first.id]);
    expect(await listed(`${by("externalId", order)}&${by("recipients.externalId", colleague)}`)).toEqual([first.id]);
    expect(idsIn(await list(`/v2/payment-intents?${by("externalId", order)}`, basic))).toEqual([]);

    const page = await list(`/v2/payment-intents?${by("externalId", order)}&limit=1`);
    expect(page).toMatchObject({ total: 2, explain: { index: "byExternalId", partitions: 1, total: "keys" } });
    const rest = await list(`/v2/payment-intents?${by("externalId", order)}&limit=1&cursor=${page.nextCursor}`);
    expect([...idsIn(page), ...idsIn(rest)]).toEqual([second.id, first.id]);
  });

  test("also among hundreds of recipients of a batch", async () => {
    const ids = Array.from({ length: 120 }, () => newId("emp"));
    const { id } = await newNamed(newId("run"), ...ids);
    for (const externalId of [ids[0], ids[49], ids[50], ids[119]])
      expect(await listed(`filter[recipients.externalId]=${encoded(externalId ?? "")}`)).toEqual([id]);
  });

  test("by operators, through the same index, with the ids beside it", async () => {
    const [order, person] = [newId("order"), newId("emp")];
    const { id } = await newNamed(order, person);
    for (const what of [order, person]) {
      const { code, stdout, stderr } = await operator.run("find", what, "--json");
      expect([code, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toMatchObject([{ id, tenantId: "1001", externalIds: [order, person] }]);
    }
    expect(JSON.parse((await operator.run("find", order, "--tenant", "1002", "--json")).stdout)).toEqual([]);
  });
});

test.each([
  ["students", studentBody],
  ["payers", payerBody],
])("%s are found by it, and it stays as it was set", async (path, bodyOf) => {
  const externalId = newId(path);
  const party = await client.must<Item & Changes>("POST", `/v2/${path}`, { body: { ...bodyOf(), externalId } });
  expect(party["externalId"]).toBe(externalId);
  const page = await list(`/v2/${path}?filter[externalId]=${encoded(externalId)}`);
  expect(page).toMatchObject({ data: { [path]: [party] }, total: 1, explain: { index: "byExternalId" } });
  expectShape(await client.call("PUT", `/v2/${path}/${party._id}`, { body: { externalId: "new" } }), "externalId");
  const changed = await client.must<Changes>("PUT", `/v2/${path}/${party._id}`, { body: { email: "new@example.com" } });
  expect(changed["externalId"]).toBe(externalId);
  expect(idsIn(await list(`/v2/${path}?filter[externalId]=${encoded(externalId)}`))).toEqual([party._id]);
});

describe("neither payers, nor rails, nor the history are told", () => {
  test("of a link's, which its payments copy", async () => {
    const [order, person] = [newId("order"), newId("emp")];
    const body = priceLinkBody();
    const recipients = body.recipients.map((one) => ({ ...one, externalId: person }));
    const link = await publishLink(client, {}, { ...body, externalId: order, recipients });
    const session = await link.payer.sessionBody();
    const answers = [await link.payer.details(), await link.payer.open(session), await link.payer.askStatus()];
    const { paymentIntentId: child } = answers[1] as { paymentIntentId: string };
    expect(await client.getIntent(child)).toMatchObject({ externalId: order, recipients: [{ externalId: person }] });
    expect(await listed(`filter[recipients.externalId]=${encoded(person)}`)).toEqual([child, link.id]);
    const page = await client.call<string>("GET", `/pay/plink_${link.token}`, { key: null });
    const timeline = await client.must("GET", `/v2/payment-intents/${child}/timeline`);
    const said = JSON.stringify([answers, page.body, timeline, await railPayments(client, child)]);
    for (const externalId of [order, person]) expect(said).not.toContain(externalId);
  });

  test("of a payment's, whose submit answers with it, and whose reissue does not copy it", async () => {
    const [order, person] = [newId("order"), newId("emp")];
    const { body } = await tuition(client, { reference: "SANDBOX-FAIL" });
    const recipients = body.recipients.map((one) => ({ ...one, externalId: person }));
    const { id } = await create(client, { ...body, externalId: order, recipients });
    const { body: answer } = await client.submit<{ data: Intent }>(id);
    expect(answer.data).toMatchObject({ externalId: order, recipients: [{ externalId: person }] });
    await client.waitForStatus(id, "failed");
    const said = JSON.stringify([
      await railPayments(client, id),
      await client.must("GET", `/v2/payment-intents/${id}/timeline`),
    ]);
    for (const externalId of [order, person]) expect(said).not.toContain(externalId);
    const again = await create(client, {
      ...{ useCase: "legacy_transaction_reissue", deliveryMode: "manual", amountMode: "legacy_reissue" },
      ...{ payer: { role: "student" }, instructions: { reissue: { paymentIntentId: id } }, termsAccepted: true },
    });
    expect(again["recipients"]).toHaveLength(1);
    expect(JSON.stringify(again)).not.toContain("externalId");
  });
});
