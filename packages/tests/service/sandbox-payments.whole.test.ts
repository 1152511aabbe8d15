import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Rail } from "@intents/domain/rails/rail.ts";
import { byHttp, httpTerms, openServers } from "@intents/rails/test/http-fixture.ts";
import { findReconciliations } from "@intents/storage/reviews/reconciliation.ts";
import { afterAll, describe, expect, test } from "vitest";
import { BASIC, type Client, type Data, type ErrorBody, noRateLimit, openClient, type Reply } from "./client.ts";
import { finishCheckout } from "./links.ts";
import { expectEnvelope } from "./refusals.ts";
import { type Paid, pay, payrollBody } from "./scenarios-fixture.ts";
import { eventually, openOperatedService, openService } from "./service-fixture.ts";
import { newDraft, railPayments, type tuition } from "./tuition.ts";

// Nothing arrives by itself, and no rail is asked by itself, for as long as these tests run.
const still = { ...noRateLimit, SANDBOX_SETTLE_SECONDS: "3600", POLL_INTERVAL_SECONDS: "3600" };
const { client, service, operator } = await openOperatedService(still);
const TENANT = "1001";

const folder = mkdtempSync(join(tmpdir(), "real-rail-"));
const secret = join(folder, "secret");
writeFileSync(secret, "secret\n");
const { serveOverHttp, closeAll } = openServers();
afterAll(() => {
  closeAll();
  rmSync(folder, { recursive: true });
});
/** A rail that takes every payment, and never tells the end of one. */
const realRail: Rail = {
  rail: { ...httpTerms.rail, address: "here" },
  describe: () => ({ provider: "", action: "", version: "", maxRecipients: 1, acceptedLimitations: [] }),
  execute: async (_, id) => ({ kind: "accepted", railPaymentId: id, expectedSettlementMs: Date.now() + 86_400_000 }),
  status: async () => ({ kind: "pending" }),
  cancel: async () => ({ kind: "pending" }),
  fund: async () => ({ kind: "refused", reason: "no batches here" }),
  list: async () => ({ kind: "page", payments: [] }),
};

type Payment = Readonly<{
  rail: string;
  status: string;
  connectorPaymentId: number;
  legs: readonly Readonly<{ order: number; outcome?: string; reason?: string; delayedUntil?: string }>[];
}>;
type Payments = Data<{ payments: readonly Payment[] }>;

const decide = <Body = ErrorBody>(by: Client, paymentId: number | string, what: string): Promise<Reply<Body>> =>
  by.call<Body>("POST", `/sandbox/payments/${paymentId}/${what}`);

/** Makes something happen to a payment; what the rail says of it then. */
async function decided(paymentId: number, what: string): Promise<readonly Payment[]> {
  const { status, body } = await decide<Payments>(client, paymentId, what);
  expect([what, status]).toEqual([what, 200]);
  return body.data.payments;
}

/** A submitted payment to these payees. */
async function submitted(wanted: Parameters<typeof tuition>[1] = {}, payeeIds: readonly number[] = [5001]) {
  const { id } = await newDraft(client, { ...wanted, payeeIds });
  const { status, body } = await client.submit(id);
  expect(status).toBe(200);
  const [execution] = body.data.executions;
  return { id, paymentId: execution?.connectorPaymentIds[0] ?? 0, checkoutUrl: execution?.checkoutUrl ?? "" };
}
const pickCard = ({ settlementMethod }: Readonly<{ settlementMethod: string }>) => settlementMethod === "card";
/** Why something is refused, which the intent's status alone does not tell. */
async function refusedWith(paymentId: number | string, what: string): Promise<string> {
  const refused = await decide(client, paymentId, what);
  expectEnvelope(refused, 409, "[PAY0006]");
  return String(refused.body.details?.["reason"]);
}
const ENDED = "it has ended, and an end stays as it is";
const NOTHING_LEFT = "no money of it has arrived, or is left, that could be returned";
const executionOf = async (id: string) =>
  ((await client.getIntent(id)) as Paid & { executions: readonly object[] }).executions[0];
const recordsOf = (id: string) => findReconciliations(operator.table, TENANT, id);

test.each([
  ["sandbox", "BR"],
  ["sandbox-bank", "NO"],
])(
  "at the rail %s a payment settles now, once; what has cleared is returned, and leaves one record",
  async (rail, countryCode) => {
    const { id, paymentId } = await submitted({ countryCode });
    const early = await decide(client, paymentId, "return");
    expectEnvelope(early, 409, "[PAY0006]");
    expect(early.body.details).toMatchObject({ status: "executing", reason: expect.stringContaining("nothing") });
    expect(await decided(paymentId, "settle")).toMatchObject([
      { rail, status: "settled", legs: [{ outcome: "cleared" }] },
    ]);
    await client.waitForStatus(id, "completed");
    await decided(paymentId, "settle");
    expect(await refusedWith(paymentId, "fail")).toBe(`${ENDED}; what has cleared can still be returned`);
    expect(await recordsOf(id)).toEqual([]);
    for (let repetition = 0; repetition < 2; repetition++)
      expect(await decided(paymentId, "return")).toMatchObject([{ legs: [{ outcome: "failed" }] }]);
    await eventually(async () => {
      expect(await recordsOf(id)).toMatchObject([
        { kind: "contradicts_outcome", said: "failed: recipient 0 failed", stands: "completed" },
      ]);
    });
    expect((await client.getIntent(id)).status).toBe("completed");
    for (const what of ["settle", "fail"]) expect(await refusedWith(paymentId, what)).toBe(ENDED);
  },
);

test("a payment fails now, and its intent shows why", async () => {
  const { id, paymentId } = await submitted();
  await decided(paymentId, "fail");
  await client.waitForStatus(id, "failed");
  expect(await executionOf(id)).toMatchObject({ cause: "rejected by the beneficiary bank" });
  for (const what of ["settle", "delay?seconds=60"]) expect(await refusedWith(paymentId, what)).toBe(ENDED);
  expect(await refusedWith(paymentId, "return")).toBe(NOTHING_LEFT);
});

describe("of several recipients", () => {
  test("one fails, the others clear, and of those one is returned", async () => {
    const { id, paymentId } = await submitted({}, [5001, 5010]);
    const [first, second] = (await railPayments(client, id))[0]?.legs.map(({ order }) => order) ?? [];
    expect(await decided(paymentId, `fail?order=${second}`)).toMatchObject([{ status: "pending" }]);
    expect((await client.getIntent(id)).status).toBe("executing");
    await decided(paymentId, "settle");
    await client.waitForStatus(id, "partially_completed");
    expect(await executionOf(id)).toMatchObject({ legs: [{ status: "cleared" }, { status: "failed" }] });
    expect(await refusedWith(paymentId, `return?order=${second}`)).toBe(NOTHING_LEFT);
    expect(await decided(paymentId, `return?order=${first}`)).toMatchObject([{ legs: [{ outcome: "failed" }, {}] }]);
  });

  test.each(["order=7", "order=-1", "order=x", "order=0&order=1"])("%s is refused by its name", async (query) => {
    const { paymentId } = await submitted({}, [5001, 5010]);
    const { status, body } = await decide<{ message: string[] }>(client, paymentId, `settle?${query}`);
    expect([status, body.message.join()]).toEqual([400, expect.stringContaining("order")]);
  });
});

describe("a delay", () => {
  test("keeps a payment from arriving, until it is settled all the same", async () => {
    const { id, paymentId } = await submitted();
    const [payment] = await decided(paymentId, "delay?seconds=86400");
    expect(Date.parse(payment?.legs[0]?.delayedUntil ?? "")).toBeGreaterThan(Date.now() + 86_000_000);
    await decided(paymentId, "settle");
    await client.waitForStatus(id, "completed");
  });

  test.each(["delay", "delay?seconds=0", "delay?seconds=1.5", "delay?seconds=99999999"])(
    "%s is refused",
    async (what) => {
      const { paymentId } = await submitted();
      const { status, body } = await decide<{ message: string[] }>(client, paymentId, what);
      expect([status, body.message.join()]).toEqual([400, expect.stringContaining("seconds")]);
    },
  );
});

test("a checkout that nobody has paid is settled as paid, and its page shows it; another one fails", async () => {
  const { id, paymentId, checkoutUrl } = await submitted({ pick: pickCard });
  await decided(paymentId, "settle");
  await client.waitForStatus(id, "completed");
  expect(await finishCheckout(checkoutUrl, "decline")).toContain("Test payment paid");
  const other = await submitted({ pick: pickCard });
  await decided(other.paymentId, "fail");
  await client.waitForStatus(other.id, "failed");
});

describe("a batch", () => {
  const paidBatch = async (count: number) => {
    const { id, connectorPayment } = await pay(client, payrollBody(count));
    const payments = await eventually(async () => {
      const sent = await railPayments(client, id);
      expect(sent).toHaveLength(count);
      return sent;
    });
    return { id, payments, batchId: Number(connectorPayment?.reference) };
  };

  test("by its own payment id settles whole, but for the recipient that failed before", async () => {
    const { id, payments, batchId } = await paidBatch(3);
    const [, second] = payments.toSorted((one, other) => (one.legs[0]?.order ?? 0) - (other.legs[0]?.order ?? 0));
    await decided(second?.connectorPaymentId ?? 0, "fail");
    const rest = await eventually(async () => decided(batchId, "settle"));
    expect(rest).toHaveLength(2);
    const ended = (await client.waitForStatus(id, "partially_completed")) as Paid;
    expect(ended.bulkProgress).toEqual({ total: 3, completed: 2, failed: 1 });
    // Again, the same happens to nobody else.
    expect(await decided(batchId, "fail")).toMatchObject([{ connectorPaymentId: second?.connectorPaymentId }]);
    expectEnvelope(await decide(client, batchId, "delay?seconds=60"), 409, "[PAY0006]");
    const order = second?.legs[0]?.order ?? 0;
    expectEnvelope(await decide(client, batchId, `return?order=${order}`), 409, "[PAY0006]");
    await decided(batchId, "return");
    await eventually(async () => expect(await recordsOf(id)).toHaveLength(2));
  });
});

describe("is not found", () => {
  test.each(["1", "0", "abc", "9007199254740993", "-1"])("the payment %s", async (paymentId) => {
    for (const what of ["settle", "fail", "return", "delay?seconds=5"])
      expectEnvelope(await decide(client, paymentId, what), 404, "[GEN9003]");
  });

  test("another tenant's payment, which stays as it is", async () => {
    const { id, paymentId } = await submitted();
    const other = openClient(service.url, BASIC);
    for (const what of ["settle", "fail", "return", "delay?seconds=5"])
      expectEnvelope(await decide(other, paymentId, what), 404, "[GEN9003]");
    expect((await client.getIntent(id)).status).toBe("executing");
    expect(await railPayments(client, id)).toMatchObject([{ status: "pending" }]);
  });
});

test("a key that may only read cannot make anything happen", async () => {
  const reader = String(
    (await operator.change("keys", "create", "reader", "--tenant", TENANT, "--scopes", "read"))["apiKey"],
  );
  const { paymentId } = await submitted();
  const refused = await decide(openClient(service.url, reader), paymentId, "settle");
  expectEnvelope(refused, 403, "[GEN9004]");
});

test("at a rail over HTTP a payment is not a tester's to decide", async () => {
  const { client: real } = await openService({
    ...still,
    ...byHttp(await serveOverHttp(realRail, ["secret"], Date.now), secret),
  });
  const { id } = await newDraft(real);
  const { body } = await real.submit(id);
  const paymentId = body.data.executions[0]?.connectorPaymentIds[0] ?? 0;
  for (const what of ["settle", "fail", "return", "delay?seconds=5"])
    expectEnvelope(await decide(real, paymentId, what), 409, "[PAY0005]");
  expect((await real.getIntent(id)).status).toBe("executing");
});
