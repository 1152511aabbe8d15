import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openClient, type Reply } from "./client.ts";
import { openOperator } from "./operator-fixture.ts";
import { expectEnvelope } from "./refusals.ts";
import { eventually, openHeldService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

const { service } = await openHeldService();
const operator = openOperator(service.url);
afterAll(() => operator.close());
beforeAll(() => operator.newTenant("2001"));

const HERE = "127.0.0.0/8,::1";
const ELSEWHERE = "198.51.100.0/24,2001:db8::/32";

/** A client with a new key that has these limits. */
async function limited(clientId: string, ...limits: readonly string[]) {
  const created = await operator.change("keys", "create", clientId, "--tenant", "2001", ...limits);
  return openClient(service.url, String(created["apiKey"]));
}
function expectForbidden(reply: Reply<unknown>, lacks: string): void {
  expectEnvelope(reply, 403, "[GEN9004]");
  expect(reply.body).toMatchObject({ details: { legacyConstraint: lacks, failedRequirements: [lacks] } });
}

describe("a key", () => {
  test("is refused from the moment it ends, although it was accepted a moment before", async () => {
    const nowMs = await service.moveClock(0);
    const endMs = Math.ceil(nowMs / 60_000 + 60) * 60_000;
    const client = await limited("acme-ending", "--expires", new Date(endMs).toISOString().replace(":00.000", ""));
    await service.moveClock(endMs - nowMs - 1);
    expect((await client.call("GET", "/v2/users/me")).status).toBe(200);
    await service.moveClock(1);
    expectEnvelope(await client.call("GET", "/v2/users/me"), 401, "[GEN9001]");
    expectEnvelope(await client.call("POST", "/v2/quotes", { body: {} }), 401, "[GEN9001]");
    await service.moveClock(60_000);
    expectEnvelope(await client.call("GET", "/v2/users/me"), 401, "[GEN9001]");
    await operator.change("keys", "limit", "acme-ending", "--expires", "never");
    expect((await client.call("GET", "/v2/users/me")).status).toBe(200);
  });

  test("is on the list with the day of its last use, if it was used and not refused", async () => {
    const used = await limited("acme-used");
    const refused = await limited("acme-unused", "--sources", ELSEWHERE);
    const usesOf = async () => {
      const { stdout } = await operator.run("keys", "list", "--tenant", "2001", "--json");
      const keys = JSON.parse(stdout) as Readonly<{ clientId: string; lastUsedOn?: string }>[];
      return ["acme-used", "acme-unused"].map((id) => keys.find(({ clientId }) => clientId === id)?.lastUsedOn);
    };
    for (const days of [0, 1]) {
      const today = new Date(await service.moveClock(days * 86_400_000)).toISOString().slice(0, 10);
      expect((await used.call("GET", "/v2/users/me")).status).toBe(200);
      expectForbidden(await refused.call("GET", "/v2/users/me"), "source");
      await eventually(async () => expect(await usesOf()).toEqual([today, undefined]));
    }
  });

  test("is good only where it may be used", async () => {
    const [here, elsewhere] = [
      await limited("acme-here", "--sources", HERE),
      await limited("acme-elsewhere", "--sources", ELSEWHERE),
    ];
    expect((await here.call("GET", "/v2/users/me")).status).toBe(200);
    const headers = { "X-Forwarded-For": "198.51.100.10", "CloudFront-Viewer-Address": "198.51.100.10:443" };
    expectForbidden(await elsewhere.call("GET", "/v2/users/me", { headers }), "source");
    expectForbidden(await elsewhere.call("POST", "/v2/payment-intents", { body: {} }), "source");
  });

  test("does what its scopes say, whatever route its permit was asked for first", async () => {
    const [reader, writer, payer] = [
      await limited("acme-reader", "--scopes", "read"),
      await limited("acme-writer", "--scopes", "read,write"),
      await limited("acme-payer", "--scopes", "read,pay"),
    ];
    const { id } = await newDraft(writer);
    expect((await reader.call("GET", `/v2/payment-intents/${id}`)).status).toBe(200);
    expect((await reader.call("POST", `/v2/payment-intents/${id}/dry-run`)).status).toBe(200);
    expectForbidden(await reader.call("POST", "/v2/payment-intents", { body: {} }), "scope:write");
    expectForbidden(await writer.submit(id), "scope:pay");
    expectForbidden(await payer.call("POST", `/v2/payment-intents/${id}/draft`), "scope:write");
    expectForbidden(await writer.call("POST", "/v2/commissions/requests", { body: {} }), "scope:pay");
    expect((await payer.submit(id)).status).toBe(200);
  });

  test("that may not pay any more pays nothing from that moment, even if it was accepted a moment before", async () => {
    const client = await limited("acme-bounded");
    const [scoped, sourced] = [await newDraft(client), await newDraft(client)];
    await operator.change("keys", "limit", "acme-bounded", "--scopes", "read,write");
    expectForbidden(await client.submit(scoped.id), "scope:pay");
    await operator.change("keys", "limit", "acme-bounded", "--scopes", "all", "--sources", ELSEWHERE);
    expectForbidden(await client.submit(sourced.id), "source");
    await operator.change("keys", "limit", "acme-bounded", "--sources", "any");
    expect((await client.getIntent(scoped.id)).status).toBe("draft");
    expect((await client.submit(sourced.id)).status).toBe(200);
  });
});
