import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClient as openTyped } from "../../client/src/client.ts";
import { openClient } from "../service/client.ts";
import { freeReceiverUrl, startReceiver } from "../service/receivers.ts";
import { launchService, type RunningService } from "../service/service.ts";
import { eventually } from "../service/service-fixture.ts";
import { newDraft } from "../service/tuition.ts";
import { API_KEY, findTools, folder, haste } from "./tools/tools.ts";

let service: RunningService;
beforeAll(async () => {
  service = await launchService(haste);
});
afterAll(() => service.stop());

test("Python's standardwebhooks verifies what arrives, through a rotation of the secret", async ({ skip }) => {
  const tools = await findTools("python");
  if ("missing" in tools) return skip(tools.missing);
  const python = `${tools["PYTHON_TOOLS"]}/bin/python`;
  const [file, url] = [join(folder, "receivers/python.py"), await freeReceiverUrl()];
  const client = openClient(service.url);
  const { webhookEndpoints } = openTyped({ baseUrl: service.url, apiKey: API_KEY });
  const draft = (externalId: string) => newDraft(client, { changes: { externalId } });
  const lines = (...externalIds: readonly string[]) =>
    new RegExp(`^${externalIds.map((externalId) => `paymentIntent\\.draft \\S+ ${externalId}\n`).join("")}$`);

  const { id, secret } = await webhookEndpoints.create({ url, types: ["paymentIntent"] });
  const before = await startReceiver(python, file, url, secret);
  await draft("before");
  await eventually(async () => expect(before.output.text).toMatch(lines("before")));
  const rotated = await webhookEndpoints.rotateWebhookSecret(id);
  await draft("meanwhile");
  await eventually(async () => expect(before.output.text).toMatch(lines("before", "meanwhile")));
  await before.stop();
  const after = await startReceiver(python, file, url, rotated.secret);
  await draft("after");
  await eventually(async () => expect(after.output.text).toMatch(lines("after")));
  await after.stop();
});
