import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, describe, expect, test } from "vitest";
import { openClient } from "../../client/src/client.ts";
import type { List } from "../../client/src/lists.ts";
import { expectEnvelope } from "./refusals.ts";
import { eventually, openOperatedService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

const { service, client, basic, operator } = await openOperatedService();
const typed = openClient({ baseUrl: service.url, apiKey: "demo:demo-secret" });

type Received = Readonly<{ path: string; headers: IncomingHttpHeaders; body: string }>;
const received: Received[] = [];
/** The answers of paths; the others are taken at once. */
const statuses = new Map<string, number>();
const receiver = createServer((request, response) => {
  const path = request.url ?? "";
  let body = "";
  request.setEncoding("utf8").on("data", (part: string) => {
    body += part;
  });
  request.on("end", () => {
    received.push({ path, headers: request.headers, body });
    // One that hangs never answers.
    const status = statuses.get(path) ?? 204;
    if (path === "/hangs") return;
    // However slow the machine is, no attempt follows a 503 by itself.
    response.writeHead(status, status === 503 ? { "Retry-After": "3600" } : {}).end(status === 204 ? "" : path);
  });
});
const port = await new Promise<number>((resolve) =>
  receiver.listen(0, "127.0.0.1", () => resolve((receiver.address() as AddressInfo).port)),
);
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
});
/** The first page of a list. */
async function pageOf<Item>(list: List<Item>) {
  for await (const page of list.pages()) return page;
  throw new Error("A list has no page");
}
const at = (path: string) => `http://127.0.0.1:${port}${path}`;
const sentTo = (path: string) => received.filter((each) => each.path === path);
const verified = ({ headers, body }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe("a webhook endpoint", () => {
  test("is sent each event of its tenant, signed, within seconds, beside receivers that hang, fail or are gone", async () => {
    statuses.set("/fails", 500);
    statuses.set("/gone", 410);
    const [good] = await Promise.all(
      ["/good", "/hangs", "/fails", "/gone"].map((path) =>
        typed.webhookEndpoints.create({ url: at(path), types: ["paymentIntent"] }),
      ),
    );
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.push((await newDraft(client)).id);
    const seen = await eventually(async () => {
      const all = sentTo("/good").map((each) => ({ ...each, event: verified(each, good?.secret ?? "") }));
      // Events about one thing come in their order, and those about others beside them.
      const events = all.map(({ event }) => event as { type: string; data: { resource: object } });
      expect(events).toHaveLength(made.length);
      for (const id of made)
        expect(events).toContainEqual(
          expect.objectContaining({
            type: "paymentIntent.draft",
            data: expect.objectContaining({ resource: { type: "paymentIntent", id } }),
          }),
        );
      return all;
    });
    expect(seen.map(({ headers }) => headers["webhook-id"])).toEqual(
      seen.map(({ event }) => (event as { data: { id: string } }).data.id),
    );
    const standings = async () => {
      const { items } = await typed.webhookEndpoints.list();
      return new Map(items.map((endpoint) => [new URL(endpoint.url).pathname, endpoint]));
    };
    await eventually(async () => {
      const known = await standings();
      expect(known.get("/good")).not.toHaveProperty("failing");
      expect(known.get("/fails")).toMatchObject({ status: "enabled", failing: { since: expect.any(String) } });
      expect(known.get("/gone")).toMatchObject({ status: "disabled", disabledReason: "gone" });
    });
    expect(JSON.stringify(await typed.webhookEndpoints.list())).not.toContain("whsec_");
    for (const { id } of (await typed.webhookEndpoints.list()).items) await typed.webhookEndpoints.delete(id);
  });

  test("is tested, rotated, changed and deleted by its tenant alone, which operators see in the audit", async () => {
    const { id, secret } = await typed.webhookEndpoints.create({ url: at("/own"), types: ["commissionRequest"] });
    const { id: testId } = await typed.webhookEndpoints.test(id);
    const [first] = await eventually(async () => {
      const all = sentTo("/own");
      expect(all.map(({ headers }) => headers["webhook-id"])).toEqual([testId]);
      return all;
    });
    expect(verified(first as Received, secret)).toMatchObject({ type: "webhook.test", data: { id: testId } });
    const rotated = await typed.webhookEndpoints.rotateWebhookSecret(id);
    await typed.webhookEndpoints.test(id);
    await eventually(async () => expect(sentTo("/own")).toHaveLength(2));
    for (const by of [secret, rotated.secret]) verified(sentTo("/own")[1] as Received, by);
    const changed = await typed.webhookEndpoints.update(id, { types: null, status: "disabled" });
    expect(changed).toMatchObject({ status: "disabled", disabledReason: "asked" });
    expect(changed).not.toHaveProperty("types");
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/rotate-secret"],
      ["POST", "/test"],
    ] as const) {
      const body = method === "PATCH" ? { body: { status: "enabled" } } : {};
      expect((await basic.call(method, `/v2/webhook-endpoints/${id}${path}`, body)).status).toBe(404);
    }
    await typed.webhookEndpoints.delete(id);
    expect((await client.call("GET", `/v2/webhook-endpoints/${id}`)).status).toBe(404);
    const audit = JSON.stringify(await operator.auditOf("1001"));
    for (const action of ["create", "update", "rotate-secret", "delete"]) expect(audit).toContain(`webhooks.${action}`);
  });

  test("is refused where it may not be called, and beyond ten of a tenant", async () => {
    for (const url of ["http://example.com/", "https://10.0.0.1/", "https://user@example.com/"]) {
      const { status, body } = await client.call<{ message: string[] }>("POST", "/v2/webhook-endpoints", {
        body: { url },
      });
      expect([status, body.message[0]]).toMatchObject([400, expect.stringMatching(/^url /)]);
    }
    const made = await Promise.all(
      Array.from({ length: 14 }, () => basic.call("POST", "/v2/webhook-endpoints", { body: { url: at("/many") } })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const refused of made.filter(({ status }) => status !== 201)) expectEnvelope(refused, 409, "[WHK0001]");
    const { body } = await basic.call<{ data: { items: object[] } }>("GET", "/v2/webhook-endpoints");
    expect(body.data.items).toHaveLength(10);
  });

  test("shows what became of each event, sends one again, and those of a time again, behind what is new", async () => {
    statuses.set("/shown", 503);
    const { id } = await typed.webhookEndpoints.create({ url: at("/shown"), types: ["paymentIntent"] });
    const from = new Date().toISOString();
    const draft = await newDraft(client);
    const { items } = await eventually(async () => {
      const page = await pageOf(typed.webhookEndpoints.listDeliveries(id));
      expect(page.items).toHaveLength(1);
      return page;
    });
    expect(items[0]).toEqual({
      ...{ id: sentTo("/shown")[0]?.headers["webhook-id"], type: "paymentIntent.draft", time: expect.any(String) },
      ...{ resource: { type: "paymentIntent", id: draft.id }, status: "waiting", nextAttemptAt: expect.any(String) },
      attempts: [{ at: expect.any(String), tookMs: expect.any(Number), status: 503 }],
      answer: "/shown",
    });
    statuses.delete("/shown");
    const [{ id: deliveryId } = { id: "" }] = items;
    const listed = await operator.run("webhooks", "list", "--json");
    const [seen] = (JSON.parse(listed.stdout) as { id: string }[]).filter((endpoint) => endpoint.id === id);
    expect(seen).toMatchObject({ tenant: "1001", status: "enabled", waiting: 1, undeliveredSince: items[0]?.time });
    const shown = await operator.run("webhooks", "deliveries", id, "--tenant", "1001", "--status", "waiting", "--json");
    expect(JSON.parse(shown.stdout)).toMatchObject([{ about: draft.id, status: "waiting", attempts: 1, last: 503 }]);
    expect(shown.stdout).not.toContain("/shown");
    await typed.webhookEndpoints.redeliverDelivery(id, deliveryId);
    const delivered = { status: "delivered" } as const;
    await eventually(async () => {
      const [delivery] = (await pageOf(typed.webhookEndpoints.listDeliveries(id, delivered))).items;
      expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 204]);
      expect(delivery).not.toHaveProperty("nextAttemptAt");
    });
    await typed.webhookEndpoints.redeliverDelivery(id, deliveryId);
    await eventually(async () => expect(sentTo("/shown")).toHaveLength(3));
    await typed.webhookEndpoints.replay(id, { from });
    await eventually(async () => {
      expect(sentTo("/shown")).toHaveLength(4);
      expect(await typed.webhookEndpoints.get(id)).not.toHaveProperty("replay");
    });
    expect(new Set(sentTo("/shown").map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    for (const query of [{ status: "failed" }, { type: "leg" }, { resource: "other" }, { after: deliveryId }] as const)
      expect((await pageOf(typed.webhookEndpoints.listDeliveries(id, query))).items).toEqual([]);
    const wrong = [
      ["GET", "/deliveries?after=x", 400],
      ["POST", "/deliveries/x/redeliver", 404],
      ["POST", "/replay", 400],
    ] as const;
    for (const [method, path, status] of wrong) {
      const body = path === "/replay" ? { body: { from: "2020-01-01T00:00:00Z" } } : {};
      expect((await client.call(method, `/v2/webhook-endpoints/${id}${path}`, body)).status).toBe(status);
    }
    await typed.webhookEndpoints.delete(id);
  });
});
