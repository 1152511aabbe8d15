import { createServer } from "node:http";
import type { EventFile } from "@intents/local/events/event.ts";
import { listenHere } from "@intents/local/free-port.ts";
import { commission, earnCommissions } from "@intents/storage/test/commission-fixture.ts";
import { afterAll, expect, test } from "vitest";
import { payrollBody } from "../service/scenarios-fixture.ts";
import { newKey } from "../service/tuition.ts";
import { budgets, type OperationName } from "./budgets.ts";
import { costOf, openStage, TENANT } from "./stage.ts";

const { table, moveClock, replay } = await openStage({ SANDBOX_SETTLE_SECONDS: "60" });

let delivered = 0;
const receiver = createServer((_, response) => {
  delivered += 1;
  response.writeHead(204).end();
});
const url = await listenHere(receiver);
afterAll(() => void receiver.close());

/** Longer than a container remembers anything, and than an event waits for its delivery. */
const PAUSE_MS = 400_000;

const [DRAFT, SUBMIT, POLL] = [
  "payment-intents/createPaymentIntent.json",
  "payment-intents/submitPaymentIntent.json",
  "advance-intent/question.json",
];
const withBody =
  (body: object) =>
  ({ event, ...file }: EventFile): EventFile => ({ ...file, event: { ...event, body } });

/** Each operation, with everything that it needs before. */
const operations: Readonly<Record<OperationName, () => ReturnType<typeof replay>>> = {
  "a tick of the schedule": () => replay("dispatch-due/tick.json"),
  // Without the payment of their setup.
  "a sweep of no payments": () => replay("advance-intent/sweep.json", { submitPaymentIntent: {} }),
  "a shard of no timers": () => replay("advance-intent/shard.json", { submitPaymentIntent: {} }),
  "a page of ten drafts": async () => {
    for (let count = 0; count < 4; count++) await replay(DRAFT);
    return replay("payment-intents/listPaymentIntents.json");
  },
  "a student is added": () => replay("parties/createStudent.json"),
  "a document is uploaded": () => replay("documents/uploadDocument.json"),
  "a quote is made": () => replay("rates/createQuote.json"),
  "a draft is made": () => replay(DRAFT),
  "a dry run": () => replay("payment-intents/dryRunPaymentIntent.json"),
  "a submit": () => replay(SUBMIT),
  "a replay of a submit": async () => {
    const key = newKey();
    const withKey = (file: EventFile): EventFile => JSON.parse(JSON.stringify(file).replaceAll("{{unique}}", key));
    const { values } = await replay(SUBMIT, {}, withKey);
    return replay(SUBMIT, values, withKey);
  },
  "a payment is read": async () => {
    const { values } = await replay(SUBMIT);
    return replay("payment-intents/getPaymentIntent.json", values);
  },
  "an export of 100 commissions": async () => {
    const earned = Array.from({ length: 50 }, () => commission({ paymentDate: "2026-11-07T09:00:00.000Z" }));
    await earnCommissions(table, TENANT, earned);
    return replay("commissions/exportCommissions.json", { question: {} });
  },
  "a poll without news": () => replay(POLL),
  "a poll that completes a payment": async () => {
    const { values } = await replay(SUBMIT);
    moveClock(60_000);
    return replay(POLL, values);
  },
  "a payer's session": () => replay("payment-links/openPayerSession.json"),
  "a payer reads the payment's status": () => replay("payment-links/getPaymentLinkStatus.json"),
  "ten recipients of a batch are paid": async () => {
    const draft = await replay(DRAFT, {}, withBody(payrollBody(10)));
    const { values } = await replay(SUBMIT, draft.values);
    return replay("advance-intent/timer.json", values);
  },
  "a webhook is delivered": async () => {
    const endpoint = withBody({ url, types: ["paymentIntent"] });
    if (delivered === 0) await replay("webhooks/createWebhookEndpoint.json", {}, endpoint);
    await replay(DRAFT);
    moveClock(PAUSE_MS);
    const before = delivered;
    const delivery = await replay("deliver-webhooks/tenant.json");
    expect(delivered).toBe(before + 1);
    return delivery;
  },
};

test.each(Object.keys(budgets) as OperationName[])("%s costs what its line says", async (name) => {
  moveClock(PAUSE_MS);
  // The first run fills what a container remembers.
  await operations[name]();
  const { calls } = await operations[name]();
  expect(costOf(calls), "If this is meant, write it into budgets.ts and run `pnpm generate`").toEqual(budgets[name]);
});
