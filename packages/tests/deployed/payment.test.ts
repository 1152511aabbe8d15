import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { type Emulator, startEmulator } from "./emulator.ts";
import { findMinistack } from "./ministack.ts";
import { beginPayment, endPayment } from "./payments.ts";
import { openStage } from "./stage.ts";

const ministack = await findMinistack();
let emulator: Emulator | undefined;
afterAll(() => emulator?.stop());

/** Serves at the receiver's name, and gives what is sent there. */
async function openReceiver({ receiver: { port, certificate, key } }: Emulator) {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const tls = { cert: readFileSync(certificate), key: readFileSync(key) };
  const server = createServer(tls, async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  return received;
}

test("a stage that `cdk deploy` makes takes a payment from its quote to its end", async ({ skip, onTestFailed }) => {
  if ("missing" in ministack) return skip(ministack.missing);
  emulator = await startEmulator(ministack.python);
  const { log, receiver } = emulator;
  onTestFailed(() => void process.stdout.write(`deployed tier: ${log()}\n`));
  const stage = openStage(emulator);
  const client = await stage.begin();
  const { id: payeeId } = await client.newPayee();
  const received = await openReceiver(emulator);
  const hook = await client.must<{ id: string; secret: string }>("POST", "/v2/webhook-endpoints", {
    body: { url: receiver.url, types: ["paymentIntent.completed"] },
  });
  const intent = await beginPayment(client, payeeId);
  await endPayment(emulator, stage, client, intent);

  // Its event goes through queue and deliverer, with the rights of each, and arrives.
  type Page = Readonly<{ deliveries: readonly unknown[] }>;
  await expect
    .poll(async () => (await client.must<Page>("GET", `/v2/webhook-endpoints/${hook.id}/deliveries`)).deliveries)
    .toMatchObject([{ resource: { id: intent.id }, status: "delivered", attempts: [{ status: 204 }] }]);
  const [{ headers, body } = { headers: {}, body: "" }, ...others] = received;
  expect(others).toEqual([]);
  expect(new Webhook(hook.secret).verify(body, headers)).toMatchObject({
    type: "paymentIntent.completed",
    data: { resource: { id: intent.id }, status: "completed" },
  });
});
