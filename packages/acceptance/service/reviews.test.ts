import { closeReconciliation, openReconciliation, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { afterAll, expect, test } from "vitest";
import { noRateLimit } from "./client.ts";
import { openOperator } from "./operator-fixture.ts";
import { expectEnvelope } from "./refusals.ts";
import { openHeldService } from "./service-fixture.ts";
import { create, dryRun, newDraft } from "./tuition.ts";

const { service, client: demo } = await openHeldService({ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "1" });
const operator = openOperator(service.url);
afterAll(operator.close);
/** Events are told once nothing can come to stand before them. */
const SETTLED_MS = 16_000;

/** A reissue of a failed payment, and a record that the rail has paid that one after all. */
async function underReview() {
  const { id } = await newDraft(demo, { reference: "SANDBOX-FAIL" });
  await demo.submit(id);
  await service.moveClock(30_000);
  await demo.waitForStatus(id, "failed");
  const [quote, payerIdentityDocumentId] = await Promise.all([demo.newQuote(), demo.uploadPdf()]);
  const manualPayment = {
    ...{ quoteId: quote.quoteId, selectedQuoteVariantId: quote.variants[0]?.id, purpose: "undergraduate" },
    ...{ countryCode: quote.countryCode, payerIdentityDocumentId },
  };
  const reissue = await create(demo, {
    ...{ useCase: "legacy_transaction_reissue", deliveryMode: "manual", amountMode: "legacy_reissue" },
    ...{ payer: { role: "student" }, instructions: { reissue: { paymentIntentId: id }, manualPayment } },
    termsAccepted: true,
  });
  const [execution] = (await demo.getIntent(id)).executions as readonly { executionId?: string }[];
  const record = {
    kind: "contradicts_outcome",
    ...{ tenantId: "1001", intentId: id, executionId: execution?.executionId ?? "" },
    ...{ said: "completed: recipient 0 cleared", stands: "failed", openedAt: new Date().toISOString() },
  } as const;
  await openReconciliation(operator.table, record, Date.now());
  const change = { operator: "olga", action: "reconciliation.close", reason: "ticket 7" };
  const close = () =>
    closeReconciliation(operator.table, "1001", reconciliationId(record), { ...change, atMs: Date.now() });
  return { id, reissueId: reissue.id, since: record.openedAt, close };
}

test("a payment under review says so, and nothing pays it again until the review has ended, by the same key then", async () => {
  const { id, reissueId, since, close } = await underReview();
  const review = { since, about: ["contradicts_outcome"] };
  expect(await demo.getIntent(id)).toMatchObject({ status: "failed", underReview: review });
  const list = async (filter: string) => (await demo.call("GET", `/v2/payment-intents?${filter}`)).body;
  const filters = ["filter[underReview.about]=contradicts_outcome", `filter[underReview.since][$gte]=${since}`];
  for (const filter of [...filters, "filter[underReview][$exists]=true"])
    expect(await list(filter)).toMatchObject({ data: { paymentIntents: [{ id, underReview: review }] } });

  const path = "instructions.reissue.paymentIntentId";
  expect((await dryRun(demo, reissueId)).rule).toMatchObject({ missingRequirements: [path] });
  const key = crypto.randomUUID();
  const refused = await demo.submit(reissueId, key);
  expectEnvelope(refused, 400, "[GEN9002]");
  expect(refused.body).toMatchObject({ details: { missingRequirements: [path] } });

  await close();
  expect(await demo.getIntent(id)).not.toHaveProperty("underReview");
  expect((await demo.submit(reissueId, key)).status).toBe(200);
  expect(await list("filter[underReview][$exists]=true")).toMatchObject({ data: { paymentIntents: [] } });

  const timeline = JSON.stringify((await demo.call("GET", `/v2/payment-intents/${id}/timeline`)).body);
  expect(timeline).toMatch(/reviewOpened.*contradicts_outcome.*reviewClosed/);
  await service.moveClock(SETTLED_MS);
  const told = JSON.stringify((await demo.call("GET", "/v2/events?limit=1000")).body);
  for (const news of ["reviewOpened", "reviewClosed"])
    expect(told).toMatch(new RegExp(`"type":"paymentIntent.${news}"[^}]*"id":"${id}"},"status":"failed"`));
});

test("an operator's finding is told as a correction, the money stands by it, and what has arrived is not paid again", async () => {
  const { id, reissueId } = await underReview();
  const [{ id: recordId = "" } = {}] = JSON.parse(
    (await operator.run("reconciliation", "list", "--tenant", "1001", "--json")).stdout,
  ) as { id?: string }[];
  const close = ["reconciliation", "close", recordId, "--tenant", "1001"];
  const refused = await operator.run(...close, "--yes", "--reason", "ticket 7");
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("Say what has become of the money") });
  expect(await operator.change(...close, "--recipient", "0=arrived")).toMatchObject({ found: "recipient 0 arrived" });

  const corrected = await demo.getIntent(id);
  expect(corrected).toMatchObject({
    status: "failed",
    corrections: [{ number: 1, order: 0, outcome: "arrived" }],
    executions: [{ legs: [{ status: "failed", money: "delivered" }] }],
  });
  expect(corrected).not.toHaveProperty("underReview");
  const { missingRequirements } = (await dryRun(demo, reissueId)).rule;
  expect(missingRequirements).toEqual(["recipients.0.connectorPayeeId"]);
  expectEnvelope(await demo.submit(reissueId), 400, "[GEN9002]");
  const timeline = JSON.stringify((await demo.call("GET", `/v2/payment-intents/${id}/timeline`)).body);
  expect(timeline).toContain("paymentIntent.corrected");
  const verified = await operator.run("ledger", "verify", "--tenant", "1001", "--json");
  expect(verified).toMatchObject({ code: 0 });
});
