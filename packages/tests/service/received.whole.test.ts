import { describe, expect, test } from "vitest";
import { type Data, noRateLimit } from "./client.ts";
import { newSecret, publishLink } from "./links.ts";
import { expectEnvelope } from "./refusals.ts";
import { pay, payrollBody } from "./scenarios-fixture.ts";
import { eventually, openOperatedService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

// Nothing arrives by itself, and no rail is asked by itself, for as long as these tests run.
const { client, operator } = await openOperatedService({
  ...{ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "3600", POLL_INTERVAL_SECONDS: "3600" },
  TWO_PERSONS: "on",
});
const TENANT = "1001";

type Told = Readonly<{
  status: string;
  updatedAt: string;
  connectorPayment: Readonly<Record<string, string>>;
  hold?: Readonly<{ paymentIntentId: string; until?: string }>;
  executions: readonly Readonly<{
    receivedAt?: string;
    feeMoney: string;
    connectorPaymentIds: readonly number[];
    legs: readonly Readonly<{
      status: string;
      money: string;
      payerAmount: string;
      connectorPaymentId: number;
      receivedAt?: string;
    }>[];
  }>[];
}>;
const read = async (id: string) => (await client.getIntent(id)) as unknown as Told;
const decide = async (paymentId: number | string | undefined, what: string) => {
  const { status } = await client.call("POST", `/sandbox/payments/${paymentId}/${what}`);
  expect([what, status]).toEqual([what, 200]);
};
const statesOf = ({ executions }: Told) =>
  executions.flatMap(({ legs, feeMoney }) => [...legs.map(({ money }) => money), feeMoney]);
/** The intent once it tells that money came in. */
const whenReceived = (id: string) =>
  eventually(async () => {
    const intent = await read(id);
    expect(intent.executions[0]?.receivedAt).toMatch(/Z$/);
    return intent;
  });
async function transferred() {
  const { id } = await newDraft(client);
  expect((await client.submit(id)).status).toBe(200);
  return { id, paymentId: (await read(id)).executions[0]?.connectorPaymentIds[0] };
}

describe.concurrent("money that came in, of which the rail tells before it is delivered,", () => {
  test("is told once, is no change of status, and is delivered later", async () => {
    const { id, paymentId } = await transferred();
    expect(statesOf(await read(id))).toEqual(["owed", "owed"]);
    await decide(paymentId, "receive");
    const { status, executions, updatedAt } = await whenReceived(id);
    expect([status, executions[0]?.receivedAt]).toEqual(["executing", updatedAt]);
    expect(statesOf(await read(id))).toEqual(["received", "received"]);
    await decide(paymentId, "receive");
    const { body } = await client.call<Data<{ paymentIntents: object[] }>>(
      "GET",
      `/v2/payment-intents?filter[executions.receivedAt]=${executions[0]?.receivedAt}`,
    );
    expect(body.data.paymentIntents).toMatchObject([{ id }]);
    const [row] = JSON.parse((await operator.run("find", id, "--json")).stdout) as { money: object }[];
    expect(Object.keys(row?.money ?? {})).toEqual(["received"]);
    await decide(paymentId, "settle");
    await client.waitForStatus(id, "completed");
    expect(statesOf(await read(id))).toEqual(["delivered", "delivered"]);
  });

  test("keeps a single-use link without an end: neither payer nor tenant give it up, and nobody is told to pay", async () => {
    const link = await publishLink(client, { isSingleUse: true });
    const secret = newSecret();
    const { paymentIntentId } = await link.payer.open(await link.payer.sessionBody(), secret);
    expect((await read(link.id)).hold?.until).toMatch(/Z$/);
    await decide((await read(paymentIntentId)).executions[0]?.connectorPaymentIds[0], "receive");
    const { executions } = await whenReceived(paymentIntentId);
    const again = await link.payer.again(secret);
    expect(again).toMatchObject({ status: "executing", receivedAt: executions[0]?.receivedAt });
    expect(again).not.toHaveProperty("nextAction");
    expect(again).not.toHaveProperty("held");
    const { body } = await link.payer.askStatus<Data<object>>(paymentIntentId);
    expect(body.data).toMatchObject({ paymentStatus: "executing", money: "received" });
    expectEnvelope(await link.payer.askRelease(secret), 409, "[LNK0007]");
    expectEnvelope(await client.call("POST", `/v2/payment-intents/${link.id}/release-hold`), 409, "[LNK0007]");
    await client.call("POST", `/sandbox/payment-links/${link.token}/expire-hold`);
    expect((await read(link.id)).hold).toEqual({ paymentIntentId });
    await decide(executions[0]?.connectorPaymentIds[0], "settle");
    await client.waitForStatus(paymentIntentId, "completed");
  });

  test("is called off by an operator only with another's consent, and only if the rail gives it back", async () => {
    const { id, paymentId } = await transferred();
    await decide(paymentId, "receive");
    await whenReceived(id);
    const cancel = (by: string) =>
      operator.run("intents", "cancel", id, "--tenant", TENANT, "--yes", "--reason", "x", "--operator", by);
    expect(await cancel("olga")).toMatchObject({ code: 5 });
    const refused = await cancel("pete");
    expect(refused).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^The payer's money came in, and the rail/),
    });
    expect((await read(id)).status).toBe("executing");
  });
});

const cents = (text = "") => Math.round(Number(text) * 100);
const toText = (amount: number) => (amount / 100).toFixed(2);

test("a batch's deposit tells what was announced, what is needed, what came in, and what is owed back", async () => {
  const { id } = await pay(client, payrollBody(3, ["SANDBOX-UNAVAILABLE"]));
  await eventually(async () => {
    const statuses = (await read(id)).executions[0]?.legs.map(({ status }) => status);
    expect(statuses).toEqual(["pending", "executing", "executing"]);
  });
  const { reference, amount = "", announced } = (await read(id)).connectorPayment;
  expect(announced).toBe(amount);
  await decide(reference, "receive");
  await eventually(async () =>
    expect((await read(id)).connectorPayment).toMatchObject({ received: amount, surplus: "0.00" }),
  );
  for (const by of ["olga", "pete"])
    await operator.change("intents", "cancel", id, "--tenant", TENANT, "--operator", by);
  await eventually(async () => {
    const { connectorPayment } = await read(id);
    expect(connectorPayment).toMatchObject({ announced: amount, received: amount });
    expect(cents(connectorPayment["surplus"])).toBe(cents(amount) - cents(connectorPayment["amount"]));
    expect(cents(connectorPayment["surplus"])).toBeGreaterThan(0);
  });
});

test("a recipient whose delivered money never moved leaves the deposit, and its money is owed back", async () => {
  const { id } = await pay(client, payrollBody(2));
  const legs = () => read(id).then(({ executions }) => executions[0]?.legs ?? []);
  await eventually(async () => expect((await legs()).map(({ status }) => status)).toEqual(["executing", "executing"]));
  const { reference, amount } = (await read(id)).connectorPayment;
  await decide(reference, "receive");
  await eventually(async () => expect((await read(id)).connectorPayment).toMatchObject({ surplus: "0.00" }));
  await decide(reference, "settle");
  await client.waitForStatus(id, "completed");
  const [first] = await legs();
  await decide(first?.connectorPaymentId, "return?order=0");
  const recordId = await eventually(async () => {
    const { stdout } = await operator.run("reconciliation", "list", "--tenant", TENANT, "--json");
    const found = (JSON.parse(stdout) as { id: string; intentId: string }[]).find(({ intentId }) => intentId === id);
    expect(found).toBeDefined();
    return found?.id ?? "";
  });
  for (const by of ["olga", "pete"]) {
    const close = ["reconciliation", "close", recordId, "--tenant", TENANT, "--as", "never-moved"];
    await operator.change(...close, "--operator", by);
  }
  const left = cents(amount) - cents(first?.payerAmount);
  const corrected = { received: amount, amount: toText(left), surplus: first?.payerAmount };
  expect((await read(id)).connectorPayment).toMatchObject(corrected);
  const listed = await client.must("GET", `/v2/payment-intents?filter[connectorPayment.surplus]=${first?.payerAmount}`);
  expect(listed).toMatchObject({ paymentIntents: [{ id, connectorPayment: corrected }] });
  const { stdout } = await operator.run("ledger", "verify", "--tenant", TENANT, "--json");
  const { findings } = JSON.parse(stdout) as { findings: { about: string }[] };
  expect(findings.filter(({ about }) => about === id)).toEqual([]);
});
