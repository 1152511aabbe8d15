import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { openClient } from "../../client/src/client.ts";
import { root } from "../house/tidy-fixture.ts";
import { freeReceiverUrl, startProgram, startReceiver } from "./receivers.ts";
import { eventually, openService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

// The receivers of docs/guides/events.md, and `listen`, as a stranger runs them.

const { service, client } = await openService();
const typed = openClient({ baseUrl: service.url, apiKey: "demo:demo-secret" });
const guide = readFileSync(join(root, "docs/guides/events.md"), "utf8");
const blockIn = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? "";
const folder = mkdtempSync(join(tmpdir(), "receivers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const packed = pathToFileURL(join(root, "packages/client/src/webhooks.ts")).href;
const programs = {
  node: [process.execPath, "receiver.mjs", blockIn("js").replace("@intents/client/webhooks", packed)],
  python: ["python3", "receiver.py", blockIn("python")],
} as const;

test.each(["node", "python"] as const)(
  "a receiver of the guide in %s takes what the service sends, through a rotation, and nothing else",
  async (language) => {
    const [command, name, source] = programs[language];
    const file = join(folder, name);
    writeFileSync(file, source);
    const url = await freeReceiverUrl();
    const { id, secret } = await typed.webhookEndpoints.create({ url, types: ["paymentIntent"] });
    const receiver = await startReceiver(command, file, url, secret);
    await newDraft(client, { changes: { externalId: `order/${language}` } });
    const line = new RegExp(`^paymentIntent\\.draft \\S+ order/${language}\\n$`);
    await eventually(async () => expect(receiver.output.text).toMatch(line));
    const rotated = await typed.webhookEndpoints.rotateWebhookSecret(id);
    await newDraft(client);
    await eventually(async () => expect(receiver.output.text.trim().split("\n")).toHaveLength(2));
    await receiver.stop();
    const next = await startReceiver(command, file, url, rotated.secret);
    await newDraft(client);
    await eventually(async () => expect(next.output.text).toMatch(/^paymentIntent\.draft \S+ -\n$/));
    // The service stores an answer after the receiver has printed its line.
    await eventually(async () => {
      const { items } = await firstOf(typed.webhookEndpoints.listDeliveries(id));
      expect(items.map(({ status }) => status)).toEqual(["delivered", "delivered", "delivered"]);
    });
    await typed.webhookEndpoints.delete(id);
    await next.stop();
  },
);

test("listen forwards each delivery, prints a line about it, and takes its endpoint away", async () => {
  const file = join(folder, "listened.mjs");
  writeFileSync(file, programs.node[2]);
  const to = await freeReceiverUrl();
  const listening = startProgram(process.execPath, [
    ...[join(root, "packages/local/src/listen.ts"), "--to", to, "--types", "paymentIntent"],
    ...["--port", new URL(service.url).port],
  ]);
  const [, secret = ""] = await eventually(async () => {
    const line = /signed by (whsec_\S+)\. Ctrl-C ends it\.\n/.exec(listening.output.text);
    expect(line).not.toBeNull();
    return line ?? [];
  });
  const receiver = await startReceiver(process.execPath, file, to, secret);
  const { id } = await newDraft(client);
  await eventually(async () => {
    const line = new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}204 {2}\\d+ ms {2}paymentIntent\\.draft {2}${id} {2}\\S+$`, "m");
    expect(listening.output.text).toMatch(line);
    expect(receiver.output.text).toMatch(/^paymentIntent\.draft \S+ -\n$/);
  });
  await receiver.stop();
  await newDraft(client);
  await eventually(async () => expect(listening.output.text).toContain("  ECONNREFUSED  "));
  const ended = once(listening.child, "exit");
  listening.child.kill("SIGINT");
  expect((await ended)[0]).toBe(0);
  const { items } = await typed.webhookEndpoints.list();
  expect(items.filter(({ description = "" }) => description.startsWith("listen"))).toEqual([]);
});

async function firstOf<Page>(list: { pages(): AsyncGenerator<Page, void, void> }): Promise<Page> {
  for await (const page of list.pages()) return page;
  throw new Error("A list has no page");
}
