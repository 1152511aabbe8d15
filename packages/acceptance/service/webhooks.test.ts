import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, describe, expect, test } from "vitest";
import { openClient } from "../../client/src/client.ts";
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
    if (path !== "/hangs") response.writeHead(statuses.get(path) ?? 204).end();
  });
});
const port = await new Promise<number>((resolve) =>
  receiver.listen(0, "127.0.0.1", () => resolve((receiver.address() as AddressInfo).port)),
);
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
});
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
      const told = all.map(({ event }) => event as { type: string; data: { resource: object } });
      expect(told).toHaveLength(made.length);
      for (const id of made)
        expect(told).toContainEqual(
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
      Array.from({ length: 10 }, () =>
        basic.must<{ id: string }>("POST", "/v2/webhook-endpoints", { body: { url: at("/many") } }),
      ),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(10);
    expectEnvelope(await basic.call("POST", "/v2/webhook-endpoints", { body: { url: at("/many") } }), 409, "[WHK0001]");
  });
});
