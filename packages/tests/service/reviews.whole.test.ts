import { afterAll, expect, test } from "vitest";
import { type ErrorBody, noRateLimit } from "./client.ts";
import { openOperator } from "./operator-fixture.ts";
import { expectEnvelope } from "./refusals.ts";
import { eventually, openHeldService } from "./service-fixture.ts";
import { create, dryRun, newDraft } from "./tuition.ts";

const { service, client: demo } = await openHeldService({ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "1" });
const operator = openOperator(service.url);
afterAll(operator.close);
/** Events are told once nothing can come to stand before them. */
const SETTLED_MS = 16_000;

/**
 * A payment that an operator has given up as failed, a reissue of it that is ready to be submitted, and the rail's word
 * that the first one has arrived after all.
 */
async function underReview() {
  const { id } = await newDraft(demo, { reference: "SANDBOX-DELAY" });
  await demo.submit(id);
  await operator.change("intents", "lose-track", id, "--tenant", "1001");
  await operator.change("intents", "resolve", id, "--as", "failed", "--tenant", "1001");
  const [quote, payerIdentityDocumentId] = await Promise.all([demo.newQuote(), demo.uploadPdf()]);
  const manualPayment = {
    ...{ quoteId: quote.quoteId, selectedQuoteVariantId: quote.variants[0]?.id, purpose: "undergraduate" },
    countryCode: quote.countryCode,
    payerIdentityDocumentId,
  };
  const reissue = await create(demo, {
    ...{ useCase: "legacy_transaction_reissue", deliveryMode: "manual", amountMode: "legacy_reissue" },
    payer: { role: "student" },
    instructions: { reissue: { paymentIntentId: id }, manualPayment },
    termsAccepted: true,
  });
  expect((await dryRun(demo, reissue.id)).rule).toMatchObject({ missingRequirements: [] });
  const { executions } = await demo.getIntent(id);
  await demo.must("POST", `/sandbox/payments/${executions.at(-1)?.connectorPaymentIds[0]}/settle`);
  await service.moveClock(120_000);
  await eventually(async () => expect(await demo.getIntent(id)).toHaveProperty("underReview"));
  const listed = await operator.run("reconciliation", "list", "--tenant", "1001", "--json");
  const records = JSON.parse(listed.stdout) as { id: string; intentId: string }[];
  const recordId = records.find(({ intentId }) => intentId === id)?.id ?? "";
  const close = (...as: readonly string[]) =>
    operator.change("reconciliation", "close", recordId, "--tenant", "1001", ...as);
  return { id, reissueId: reissue.id, recordId, close };
}

test("a payment under review says so, and nothing pays it again until the review has ended, by the same key then", async () => {
  const { id, reissueId, close } = await underReview();
  const { since = "" } = ((await demo.getIntent(id)) as { underReview?: { since: string } }).underReview ?? {};
  const review = { since, about: ["contradicts_outcome"] };
  expect(await demo.getIntent(id)).toMatchObject({ status: "failed", underReview: review });
  const list = async (filter: string) => (await demo.call("GET", `/v2/payment-intents?${filter}`)).body;
  const filters = ["filter[underReview.about]=contradicts_outcome", `filter[underReview.since][$gte]=${since}`];
  for (const filter of [...filters, "filter[underReview][$exists]=true"])
    expect(await list(filter)).toMatchObject({ data: { paymentIntents: [{ id, underReview: review }] } });

  const path = "instructions.reissue.paymentIntentId";
  expect((await dryRun(demo, reissueId)).rule).toMatchObject({ missingRequirements: [path] });
  const key = crypto.randomUUID();
  const refused = await demo.submit<ErrorBody>(reissueId, key);
  expectEnvelope(refused, 400, "[GEN9002]");
  expect(refused.body).toMatchObject({ details: { missingRequirements: [path] } });
  const compiled = await demo.call("POST", `/v2/payment-intents/${reissueId}/draft`);
  expect(compiled.body).toMatchObject({ message: refused.body.message, details: { missingRequirements: [path] } });

  await close("--as", "never-moved");
  expect(await demo.getIntent(id)).not.toHaveProperty("underReview");
  expect((await demo.submit(reissueId, key)).status).toBe(200);
  expect(await list("filter[underReview][$exists]=true")).toMatchObject({ data: { paymentIntents: [] } });

  const timeline = JSON.stringify((await demo.call("GET", `/v2/payment-intents/${id}/timeline`)).body);
  for (const news of ["reviewOpened", "reviewClosed"])
    expect(timeline).toMatch(new RegExp(`paymentIntent.${news}.*?"about":"contradicts_outcome"`));
  await service.moveClock(SETTLED_MS);
  const events = JSON.stringify((await demo.call("GET", "/v2/events?limit=1000")).body);
  for (const news of ["reviewOpened", "reviewClosed"])
    expect(events).toMatch(new RegExp(`"type":"paymentIntent.${news}"[^}]*"id":"${id}"},"status":"failed"`));
});

test("an operator's finding is shown as a correction, and the money follows it", async () => {
  const { id, reissueId, recordId, close } = await underReview();
  const untold = ["reconciliation", "close", recordId, "--tenant", "1001", "--yes", "--reason", "ticket 7"];
  const refused = await operator.run(...untold);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("Say what has become of the money") });
  const read = async (name: string) =>
    JSON.parse((await operator.run("intents", name, id, "--tenant", "1001", "--json")).stdout);
  expect(await read("show")).toMatchObject({
    underReview: expect.stringMatching(/^since .*: contradicts_outcome$/),
    money: [
      { part: "recipient", order: 0, state: "failed" },
      { part: "fee", state: "failed" },
    ],
    corrections: [],
  });
  expect(await close("--recipient", "0=arrived")).toMatchObject({ found: "recipient 0 arrived" });
  expect(await read("show")).toMatchObject({
    money: [{ order: 0, state: "delivered" }, {}],
    corrections: [{ outcome: "arrived" }],
  });
  const detail = expect.stringMatching(/^recipient 0 arrived: payer pays [\d.]+ BRL, payee gets [\d.]+ AUD$/);
  expect(await read("timeline")).toContainEqual(expect.objectContaining({ what: "correction 1", detail }));
  expect(await demo.getIntent(id)).toMatchObject({
    status: "failed",
    corrections: [{ number: 1, order: 0, outcome: "arrived" }],
    executions: [{ legs: [{ status: "failed", money: "delivered" }] }],
  });
  const { missingRequirements } = (await dryRun(demo, reissueId)).rule;
  expect(missingRequirements).toEqual(["instructions.reissue.paymentIntentId", "recipients.0.connectorPayeeId"]);
  const timeline = JSON.stringify((await demo.call("GET", `/v2/payment-intents/${id}/timeline`)).body);
  expect(timeline).toContain("paymentIntent.corrected");
});
