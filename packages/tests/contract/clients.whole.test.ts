import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openClient } from "../service/client.ts";
import { launchService, type RunningService } from "../service/service.ts";
import { newKey } from "../service/tuition.ts";
import { clients, openClient as openGenerated } from "./tools/clients.ts";
import { fill, requests } from "./tools/requests.ts";
import { findTools, haste } from "./tools/tools.ts";

let service: RunningService;
beforeAll(async () => {
  service = await launchService(haste);
});
afterAll(() => service.stop());

test.for(clients)("a client in $name compiles, pays, and lists payments page by page", async (row, { skip }) => {
  const tools = await findTools(...row.tools);
  if ("missing" in tools) return skip(tools.missing);
  const { ask, close } = await openGenerated(row, tools, service.url);
  onTestFinished(close);
  const client = openClient(service.url);
  const { id: earlier } = await client.newTuitionIntent();
  await client.submit(earlier, newKey());
  await client.waitForStatus(earlier, "completed");

  const answers: Record<string, unknown> = {};
  for (const request of requests) {
    const filled = fill(request, answers);
    if (request.once !== undefined) await client.waitForStatus(JSON.parse(filled).id, request.once);
    answers[request.as ?? request.operation] = await ask(filled);
  }
  const { id } = (answers["createPaymentIntent"] as { data: { id: string } }).data;
  expect(answers).toMatchObject({
    dryRunPaymentIntent: { data: { rule: { missingRequirements: [] } } },
    getPaymentIntent: {
      data: {
        status: "completed",
        connectorPayment: { transactionBankDetails: { accountNumber: expect.any(String) } },
        executions: [{ connectorPaymentIds: [expect.any(Number)] }],
      },
    },
    newest: { data: { paymentIntents: [{ id }] } },
    next: { data: { paymentIntents: [{ id: earlier }] } },
    found: { data: { paymentIntents: [{ id }] } },
  });
});
