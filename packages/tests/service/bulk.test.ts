import { describe, expect, test } from "vitest";
import { BASIC, type Data, type ErrorBody, openClient } from "./client.ts";
import { expectEnvelope } from "./refusals.ts";
import { type Paid, pay, payrollBody, refusedFor, submitNew, withRecipient } from "./scenarios-fixture.ts";
import { eventually, openService } from "./service-fixture.ts";
import { create, dryRun, type Evaluation, missingIn, newKey, railPayments } from "./tuition.ts";

const { client, service } = await openService();

const ended = ["completed", "failed", "partially_completed"];

type Deposit = Readonly<{
  amount: string;
  currency: string;
  reference: string;
  payouts: readonly Readonly<{ payeeAmount: string; reference: string }>[];
}>;
type Leg = Readonly<{ status: string; connectorPaymentId: number; reason?: string; waitingUntil?: string }>;

describe.concurrent("a payroll", () => {
  test.each([2, 40])(
    "of %i is answered at once as executing, then pays everybody by a payment of their own",
    async (count) => {
      const body = payrollBody(count);
      const { id, status, bulkProgress } = await pay(client, body);
      expect([status, bulkProgress]).toEqual(["executing", { total: count, completed: 0, failed: 0 }]);
      const completed = (await client.waitForStatus(id, ended)) as Paid;
      expect(completed).toMatchObject({
        status: "completed",
        bulkProgress: { total: count, completed: count, failed: 0 },
      });
      const payments = await railPayments(client, id);
      const ids = completed.executions[0]?.connectorPaymentIds ?? [];
      expect(new Set(ids).size).toBe(count);
      expect(payments.map(({ connectorPaymentId }) => connectorPaymentId).toSorted()).toEqual(ids.toSorted());
      expect(new Set(payments.map(({ executionId }) => executionId)).size).toBe(count);
      expect(completed["lastConnectorPaymentId"]).toBe(ids.at(-1));
    },
  );

  test("is funded by one deposit, which names what every recipient gets, from the submit's answer on", async () => {
    const body = payrollBody(3);
    const paid = await pay(client, body);
    const { connectorPayment } = paid as unknown as { connectorPayment: Deposit };
    expect(connectorPayment).toMatchObject({
      transactionBankDetails: { beneficiaryName: expect.any(String), accountNumber: expect.any(String) },
      reference: expect.stringMatching(/^\d+$/),
      dueDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      currency: "AUD",
    });
    expect(connectorPayment.payouts.map(({ payeeAmount, reference }) => ({ payeeAmount, reference }))).toEqual(
      body.recipients.map(({ amount: { payeeAmount }, reference }) => ({ payeeAmount, reference })),
    );
    const after = await client.waitForStatus(paid.id, ended);
    expect(after["connectorPayment"]).toEqual(connectorPayment);
    const payments = await railPayments(client, paid.id);
    expect(payments.map(({ fundingReference }) => fundingReference)).toEqual(
      Array.from({ length: 3 }, () => connectorPayment.reference),
    );
    const cents = (amount: string) => Math.round(Number(amount) * 100);
    const sent = payments.reduce((sum, { totalAmount }) => sum + cents(totalAmount), 0);
    expect(cents(connectorPayment.amount)).toBe(sent);
  });

  test("is read recipient by recipient, each with its amounts, rate, fee, status and payment id; lists are spared that", async () => {
    const { id } = await pay(client, payrollBody(2, ["SANDBOX-FAIL"]));
    const { executions } = (await client.waitForStatus(id, ended)) as unknown as { executions: [{ legs: Leg[] }] };
    const [failed, cleared] = executions[0].legs;
    expect(failed).toMatchObject({ order: 0, status: "failed", reason: "rejected by the beneficiary bank" });
    expect(cleared).toEqual({
      order: 1,
      payeeId: 5010,
      payeeName: "Melbourne Language Institute",
      splitRole: "principal_provider_amount",
      payerAmount: expect.stringMatching(/^\d+\.\d\d$/),
      payerCurrency: "AUD",
      payeeAmount: expect.stringMatching(/^\d+\.\d\d$/),
      payeeCurrency: "AUD",
      fxRate: "1",
      fee: expect.stringMatching(/^\d+\.\d\d$/),
      feeCurrency: "AUD",
      money: "delivered",
      feeMoney: "delivered",
      reference: "pay 1",
      status: "cleared",
      connectorPaymentId: expect.any(Number),
      acceptedAt: expect.stringMatching(/Z$/),
      endedAt: expect.stringMatching(/Z$/),
      endedBy: "rail",
    });
    const payments = await railPayments(client, id);
    const byOrder = new Map(payments.map(({ legs, connectorPaymentId }) => [legs[0]?.order, connectorPaymentId]));
    expect([byOrder.get(0), byOrder.get(1)]).toEqual([failed?.connectorPaymentId, cleared?.connectorPaymentId]);
    const { paymentIntents } = await client.must<{ paymentIntents: Paid[] }>(
      "GET",
      "/v2/payment-intents?filter[deliveryMode]=bulk&limit=1000",
    );
    const item = paymentIntents.find((each) => each["_id"] === id);
    expect(item?.executions[0]).not.toHaveProperty("legs");
  });

  test("of equal wages pays all of them, and sent a second time says that it waits, why and until when", async () => {
    const [wage] = payrollBody(1).recipients;
    const { reference: _none, ...line } = wage ?? { reference: "" };
    const body = { ...payrollBody(1), recipients: [line, line, line] };
    const first = await pay(client, body);
    const paid = (await client.waitForStatus(first.id, ended)) as Paid;
    expect(paid["bulkProgress"]).toEqual({ total: 3, completed: 3, failed: 0 });
    const second = await pay(client, body);
    const legsOf = async () =>
      ((await client.getIntent(second.id)) as unknown as { executions: [{ legs: Leg[] }] }).executions[0].legs;
    await eventually(async () =>
      expect((await legsOf()).map(({ status }) => status)).toEqual(["waiting", "waiting", "waiting"]),
    );
    const [waiting] = await legsOf();
    expect(waiting).toMatchObject({ reason: "the connector found a duplicate transaction" });
    expect(Date.parse(waiting?.waitingUntil ?? "")).toBeGreaterThan(Date.now());
    expect((await railPayments(client, second.id)).length).toBe(0);
    expect((await client.getIntent(second.id)).status).toBe("executing");
  });

  test("names recipients that are equal in everything, the reference included, and tells which they repeat", async () => {
    const [one] = payrollBody(1, ["June"]).recipients;
    const body = { ...payrollBody(1), recipients: [one, { ...one, reference: "July" }, one] };
    const paths = ["recipients.0.reference", "recipients.2.reference"];
    expect((await missingIn(client, body)).toSorted()).toEqual(paths);
    expect(await refusedFor(client, body)).toMatchObject({ status: 400, code: "[GEN9002]" });
  });

  test("is partly completed when one leg fails, and failed when all do", async () => {
    const [partly, never] = await Promise.all([
      pay(client, payrollBody(3, ["SANDBOX-FAIL"])),
      pay(client, payrollBody(2, ["SANDBOX-FAIL", "SANDBOX-FAIL"])),
    ]);
    const [some, none] = await Promise.all([partly, never].map(({ id }) => client.waitForStatus(id, ended)));
    expect(some).toMatchObject({
      status: "partially_completed",
      bulkProgress: { total: 3, completed: 2, failed: 1 },
      executions: [{ legs: [{ status: "failed" }, { status: "cleared" }, { status: "cleared" }] }],
    });
    expect(none).toMatchObject({ status: "failed", bulkProgress: { total: 2, completed: 0, failed: 2 } });
  });

  test("is paid once however often it is submitted; the list shows how far it has come", async () => {
    const { id } = await create(client, payrollBody(4));
    const key = newKey();
    const first = await client.submit<Data<Paid>>(id, key);
    const replay = await client.submit<Data<Paid>>(id, key);
    expect([first.status, replay.body]).toEqual([200, first.body]);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expectEnvelope(await client.submit<ErrorBody>(id, newKey()), 409, "[GEN9009]");
    await client.waitForStatus(id, "completed");
    expect(await railPayments(client, id)).toHaveLength(4);
    const { paymentIntents } = await client.must<{ paymentIntents: Paid[] }>(
      "GET",
      "/v2/payment-intents?filter[deliveryMode]=bulk&limit=1000",
    );
    expect(paymentIntents.find((item) => item["_id"] === id)).toMatchObject({
      bulkProgress: { total: 4, completed: 4, failed: 0 },
    });
  });

  test("names what a recipient lacks, and a currency that is not the payee's", async () => {
    const body = payrollBody(2);
    const bare = withRecipient(
      body,
      1,
      { connectorPayeeId: undefined },
      { payeeAmount: undefined, currency: undefined },
    );
    const paths = ["amount.currency", "amount.payeeAmount", "connectorPayeeId"].map((path) => `recipients.1.${path}`);
    expect((await missingIn(client, bare)).toSorted()).toEqual(paths);
    const wrong = withRecipient(body, 0, {}, { currency: "AUD" });
    const refusal = { status: 400, code: "[GEN9002]", missing: ["recipients.0.amount.currency"] };
    expect(await refusedFor(client, wrong)).toEqual(refusal);
  });
});

describe("equal recipients of a payroll", () => {
  const equal = (count: number, changes: object = {}) => {
    const body = payrollBody(1);
    const { reference, ...wage } = body.recipients[0]!;
    return { ...body, recipients: Array.from({ length: count }, () => ({ ...wage, ...changes })) };
  };

  test("without references are all paid, as lines of one batch", async () => {
    const { id } = await pay(client, equal(3));
    const completed = (await client.waitForStatus(id, ended)) as Paid;
    expect(completed).toMatchObject({ status: "completed", bulkProgress: { total: 3, completed: 3, failed: 0 } });
    expect(await railPayments(client, id)).toHaveLength(3);
  });

  test("with one reference are each named, and with it the others, before anything is paid", async () => {
    const body = withRecipient(equal(3, { reference: "June" }), 1, { reference: "June, overtime" });
    const { rule, requirements } = await dryRun(client, (await create(client, body)).id);
    const paths = ["recipients.0.reference", "recipients.2.reference"];
    expect(rule.missingRequirements).toEqual(paths);
    expect(requirements.map(({ reason }) => reason)).toEqual([
      "Payee, amount, currency and reference are those of recipients 2",
      "Payee, amount, currency and reference are those of recipients 0",
    ]);
    expect(await refusedFor(client, body)).toEqual({ status: 400, code: "[GEN9002]", missing: paths });
  });

  test("are not recipients with one reference that differ in amount or payee", async () => {
    const body = payrollBody(4, ["June", "June", "June", "June"]);
    expect(await missingIn(client, body)).toEqual([]);
    expect((await client.waitForStatus((await pay(client, body)).id, ended)).status).toBe("completed");
  });
});

describe("a key without AllowBulkPayment", () => {
  test("may draft a payroll, and is told that it is gated; its submit is refused", async () => {
    const basic = openClient(service.url, BASIC);
    const scenario = { useCase: "payroll_payment", deliveryMode: "bulk", amountMode: "mixed_composite" };
    const body = { ...scenario, payer: { role: "tenant" } };
    const preview = await basic.must<Evaluation>("POST", "/v2/payment-intents/requirements", { body });
    expect(preview.rule.status).toBe("contract_gated");
    expect(preview.limits.maxRecipients).toBe(500);

    const { id } = await create(basic, payrollBody(2));
    expect((await dryRun(basic, id)).rule).toEqual({ status: "contract_gated", missingRequirements: [] });
    const refused = await basic.submit<ErrorBody>(id, newKey());
    expectEnvelope(refused, 403, "[GEN9004]");
    expect(refused.body.details).toEqual({
      reason: expect.any(String),
      legacyConstraint: expect.any(String),
      failedRequirements: ["AllowBulkPayment"],
    });
    expect(await basic.getIntent(id)).toMatchObject({ status: "draft", executions: [] });
  });
});

test("a payroll from a country without a rail is refused before anything is paid", async () => {
  const body = { ...payrollBody(2), instructions: { manualPayment: { countryCode: "KP", purpose: "other" } } };
  const refused = await submitNew<ErrorBody>(client, body);
  expectEnvelope(refused, 400, "[GEN9002]");
  expect(refused.body.details).toMatchObject({ missingRequirements: ["instructions.manualPayment.countryCode"] });
});
