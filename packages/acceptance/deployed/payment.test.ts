import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { type Data, type Intent, openClient, type Variant } from "../service/client.ts";
import { create, newKey, tuition } from "../service/tuition.ts";
import { type Emulator, startEmulator } from "./emulator.ts";
import { findMinistack } from "./ministack.ts";
import { openStage } from "./stage.ts";

// The sample of this tier: `deployed.whole.test.ts` tries everything else that is deployed.

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

const isCard = ({ settlementMethod }: Variant) => settlementMethod === "card";

test("a stage that `cdk deploy` makes takes a payment from its quote to its end", async ({ skip, onTestFailed }) => {
  if ("missing" in ministack) return skip(ministack.missing);
  emulator = await startEmulator(ministack.python);
  const { log, call } = emulator;
  onTestFailed(() => void process.stdout.write(`deployed tier: ${log()}\n`));
  const stage = openStage(emulator);
  await stage.bootstrap();
  const url = await stage.deploy("deploy");
  await stage.operate("tenants", "create", "1001", "--name", "First", "--country", "AU");
  const client = openClient(
    url,
    String((await stage.operate("keys", "create", "first", "--tenant", "1001"))["apiKey"]),
  );

  const { id: payeeId } = await client.newPayee();
  const received = await openReceiver(emulator);
  const hook = await client.must<{ id: string; secret: string }>("POST", "/v2/webhook-endpoints", {
    body: { url: emulator.receiver.url, types: ["paymentIntent.completed"] },
  });
  const draft = await create(client, (await tuition(client, { payeeIds: [payeeId], pick: isCard })).body);
  const { status, body } = await client.submit<Data<Intent>>(draft.id, newKey());
  expect([status, body.data.status]).toEqual([200, "executing"]);
  const address = body.data.executions[0]?.checkoutUrl ?? "";
  expect((await fetch(address, { method: "POST", body: new URLSearchParams({ outcome: "pay" }) })).status).toBe(200);
  // The schedule's own tick may be a minute away.
  const FunctionName = stage.names.functionOf("dispatch-due");
  expect(await call("lambda", "invoke", { FunctionName, Payload: "{}" })).toMatchObject({ StatusCode: 200 });
  await expect.poll(async () => (await client.getIntent(draft.id)).status).toBe("completed");

  // Its event goes through queue and deliverer, with the rights of each, and arrives.
  type Page = Readonly<{ deliveries: readonly unknown[] }>;
  await expect
    .poll(async () => (await client.must<Page>("GET", `/v2/webhook-endpoints/${hook.id}/deliveries`)).deliveries)
    .toMatchObject([
      {
        resource: { id: draft.id },
        status: "delivered",
        attempts: [{ status: 204 }],
      },
    ]);
  const [{ headers, body: sent } = { headers: {}, body: "" }, ...others] = received;
  expect(others).toEqual([]);
  expect(new Webhook(hook.secret).verify(sent, headers)).toMatchObject({
    type: "paymentIntent.completed",
    data: { resource: { id: draft.id }, status: "completed" },
  });
});
