import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { freePort } from "@intents/local/free-port.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClient as openTyped } from "../../client/src/client.ts";
import { API_KEY, findPythonWebhooks, folder, haste } from "../../conformance/src/tools.ts";
import { openClient } from "../service/client.ts";
import { launchService, type RunningService } from "../service/service.ts";
import { eventually } from "../service/service-fixture.ts";
import { newDraft } from "../service/tuition.ts";

let service: RunningService;
beforeAll(async () => {
  service = await launchService(haste);
});
afterAll(() => service.stop());

const port = await freePort();
const url = `http://127.0.0.1:${port}/hook`;

/** Starts the receiver with a secret, until it refuses what nobody signed. */
async function startReceiver(python: string, secret: string) {
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(python, [join(folder, "receivers/python.py")], { env, stdio: ["ignore", "pipe", "inherit"] });
  const output = { text: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    output.text += part;
  });
  await eventually(async () => expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400));
  const stop = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { output, stop };
}

test("Python's standardwebhooks verifies what arrives, through a rotation of the secret", async ({ skip }) => {
  const tools = await findPythonWebhooks();
  if ("missing" in tools) return skip(tools.missing);
  const client = openClient(service.url);
  const { webhookEndpoints } = openTyped({ baseUrl: service.url, apiKey: API_KEY });
  const draft = (externalId: string) => newDraft(client, { changes: { externalId } });
  const lines = (...externalIds: readonly string[]) =>
    new RegExp(`^${externalIds.map((externalId) => `paymentIntent\\.draft \\S+ ${externalId}\n`).join("")}$`);

  const { id, secret } = await webhookEndpoints.create({ url, types: ["paymentIntent"] });
  const before = await startReceiver(tools.python, secret);
  await draft("before");
  await eventually(async () => expect(before.output.text).toMatch(lines("before")));
  const rotated = await webhookEndpoints.rotateWebhookSecret(id);
  await draft("meanwhile");
  await eventually(async () => expect(before.output.text).toMatch(lines("before", "meanwhile")));
  await before.stop();
  const after = await startReceiver(tools.python, rotated.secret);
  await draft("after");
  await eventually(async () => expect(after.output.text).toMatch(lines("after")));
  await after.stop();
});
