import { toIntentAnswer } from "@intents/domain/answers/intent-answer.ts";
import { findAnswer } from "@intents/storage/intents/submissions.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startWorld } from "../../test/execution-fixture.ts";
import { publishLink } from "./publish.ts";

const world = await startWorld();
afterAll(world.stop);

describe("a submit", () => {
  test.each([
    ["a payment", () => world.newDraft()],
    ["a batch", () => world.newBatch(3)],
    ["a link", () => world.newLink()],
  ])("of %s answers with the intent as it was stored, and keeps that answer for its key", async (_, create) => {
    const { id } = await create();
    const claimedAtMs = world.clock.ms;
    const submitted = await world.submit(id, `key of ${id}`);
    const intent = await world.get(id);
    if (!submitted.ok) throw new Error(submitted.failure.kind);
    const { body } = submitted.value;
    expect(JSON.parse(body)).toEqual({ data: JSON.parse(JSON.stringify(toIntentAnswer(intent))) });
    const [{ executionId } = { executionId: "" }] = intent.executions;
    const stored = { keyHash: `key of ${id}`, executionId, claimedAtMs, body };
    expect(await findAnswer(world.table, "1001", id)).toEqual(stored);
  });

  test("without a key keeps an answer that no key gets", async () => {
    for (const { id } of [await world.newDraft(), await world.newLink()]) {
      await world.submit(id);
      expect(await findAnswer(world.table, "1001", id)).not.toHaveProperty("keyHash");
    }
  });
});

describe("the execution that a submit begins", () => {
  test("of a payment names the one payment that the rail holds, and what was paid", async () => {
    const { id } = await world.newDraft({ payeeIds: [5001, 5002] });
    await world.submit(id);
    const { executions, lastConnectorPaymentId, lastExecutionConnector, connectorPayment } = await world.get(id);
    const [payment] = await world.paymentsOf(id);
    expect(lastExecutionConnector).toBe("sandbox");
    expect(executions).toMatchObject([{ connectorPaymentIds: [payment?.connectorPaymentId], legs: [{}, {}] }]);
    expect(lastConnectorPaymentId).toBe(payment?.connectorPaymentId);
    const [owner] = await readPartition(world.table, `PAYMENT#${lastConnectorPaymentId}`);
    expect(JSON.parse(String(owner?.["doc"]))).toEqual({ tenantId: "1001", intentId: id });
    expect(connectorPayment).toMatchObject({ reference: String(payment?.connectorPaymentId), payouts: [{}, {}] });
  });

  test("keeps the payer and for whom the payer pays, as they were stated", async () => {
    const details = { firstName: "Eva", lastName: "Silva", dob: "2010-05-06" };
    const { id } = await world.newDraft({ subject: { role: "student", details } });
    await world.submit(id);
    const { executions } = await world.get(id);
    expect(executions).toMatchObject([{ payer: { firstName: "Ana" }, subject: details }]);
    const { id: other } = await world.newDraft();
    await world.submit(other);
    expect((await world.get(other)).executions[0]).not.toHaveProperty("subject");
  });

  test("of a link is no payment: no ids, no legs, no fee, nobody who pays, and the way to its page", async () => {
    const { id } = await world.newLink();
    await world.submit(id);
    const { executions, lastPaymentLinkUrl, publicLinkId, lastExecutionConnector } = await world.get(id);
    expect(lastExecutionConnector).toBe("sandbox");
    expect(executions).toEqual([
      {
        executionId: expect.stringMatching(/^[0-9a-f]+$/),
        connector: "sandbox",
        status: "executing",
        startedAt: new Date(world.clock.ms).toISOString(),
        connectorPaymentIds: [],
        paymentLinkUrl: lastPaymentLinkUrl,
        payer: {},
        currency: "AUD",
        fee: "0",
        legs: [],
      },
    ]);
    const published = (await world.eventsOf(id)).at(-1);
    expect(published).toMatchObject({ event: "paymentIntent.link_published", actor: "demo-user" });
    expect(lastPaymentLinkUrl).toBe(`https://pay.example/pay/plink_${publicLinkId}`);
  });
});

test("a link without a token is not published", async () => {
  const { publicLinkId, ...link } = await world.newLink();
  await expect(
    publishLink(world.run, link, { payees: new Map(), metadata: undefined }, { caller: world.caller }),
  ).rejects.toThrow(`${link.id} has no token`);
  expect((await world.get(link.id)).status).toBe("draft");
});
