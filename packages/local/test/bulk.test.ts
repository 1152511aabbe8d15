import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BASIC, type Client, type Data, type ErrorBody, noRateLimit, openClient } from "./client.ts";
import { expectEnvelope } from "./refusals.ts";
import { type Paid, pay, payrollBody, refusedFor, submitNew, withRecipient } from "./scenarios-fixture.ts";
import { launchService, type RunningService } from "./service.ts";
import { create, dryRun, type Evaluation, missingIn, newKey, railPayments } from "./tuition.ts";

let service: RunningService;
let client: Client;
beforeAll(async () => {
  service = await launchService({ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "0.2", POLL_INTERVAL_SECONDS: "0.3" });
  client = openClient(service.url);
});
afterAll(() => service.stop());

const ended = ["completed", "failed", "partially_completed"];

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
      expect(completed).not.toHaveProperty("connectorPayment");
      expect(completed["lastConnectorPaymentId"]).toBe(ids.at(-1));
    },
  );

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

  test("are not those of one reference who differ in amount or payee", async () => {
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
