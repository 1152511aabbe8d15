import { type Route, scopeOf } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { type Client, noRateLimit, openClient } from "./client.ts";
import { openTenants } from "./commissions-fixture.ts";
import { childrenOf, publishLink } from "./links.ts";
import { expectEnvelope } from "./refusals.ts";
import { openHeldService } from "./service-fixture.ts";
import { newDraft, newKey } from "./tuition.ts";

const { service, client: other } = await openHeldService(noRateLimit);
const tenants = openTenants(service.url);

/** Containers rely for so long on what they have read of a tenant. */
const KNOWN_MS = 10_000;

const runJson = async (...args: readonly string[]) =>
  JSON.parse((await tenants.run(...args, "--json")).stdout) as unknown;
const statusOf = async (client: Client, id: string) => (await client.getIntent(id)).status;
const methodOf = ({ on }: Route): string => on.slice(0, on.indexOf(" "));

test("no payment begins in the name of a suspended tenant, from that moment until it is resumed", async () => {
  const client = await tenants.newTenant();
  const [draft, unkeyed] = [await newDraft(client), await newDraft(client)];
  const link = await publishLink(client);
  const session = await link.payer.sessionBody();
  const [paid, key] = [newKey(), newKey()];
  const before = await newDraft(client);
  expect((await client.submit(before.id, paid)).status).toBe(200);

  const suspended = await tenants.change("tenants", "suspend", client.tenantId);
  expect(suspended).toMatchObject({ tenantId: client.tenantId, by: "olga", reason: "ticket 7" });

  // All containers have just read that it is not suspended.
  expectEnvelope(await client.submit(draft.id, key), 403, "[GEN9006]");
  expectEnvelope(await client.submit(before.id, paid), 403, "[GEN9006]");
  expectEnvelope(await client.submit(unkeyed.id), 403, "[GEN9006]");
  expectEnvelope(await link.payer.askSession(session), 410, "[LNK0002]");
  expect([await statusOf(client, draft.id), await statusOf(client, unkeyed.id)]).toEqual(["draft", "draft"]);
  expect((await childrenOf(client, link.id)).total).toBe(0);

  await tenants.change("tenants", "resume", client.tenantId);
  await service.moveClock(KNOWN_MS);
  // The refusal did not bind the key.
  expect((await client.submit(draft.id, key)).status).toBe(200);
  expect((await client.submit(before.id, paid)).headers.get("idempotent-replayed")).toBe("true");
  expect(await link.payer.open(session)).toMatchObject({ paymentIntentId: expect.any(String) });
  expect((await tenants.auditOf(client.tenantId)).map(({ action, reason }) => [action, reason])).toEqual([
    ["tenants.suspend", "ticket 7"],
    ["tenants.resume", "ticket 7"],
  ]);
});

const acme = await tenants.newTenant();
const { id, token, payer } = await publishLink(acme);

describe("ten seconds after a tenant is suspended", () => {
  beforeAll(async () => {
    expect(await payer.details()).toMatchObject({ status: "open" });
    await tenants.change("tenants", "suspend", acme.tenantId);
    await service.moveClock(KNOWN_MS);
  });

  const behindKeys = Object.values<Route>(routes).filter(({ auth }) => auth === "key");
  const changing = behindKeys.filter((route) => scopeOf(route) !== "read");

  test.each(changing)("its keys are refused $on", async (route) => {
    const path = route.on.slice(route.on.indexOf(" ") + 1).replaceAll(/\{\w+\}/g, id);
    expectEnvelope(await acme.call(methodOf(route), path), 403, "[GEN9006]");
  });

  test("a key that is made for it later is refused, too, and all of them read", async () => {
    const later = openClient(service.url, await tenants.newKey("made-later", acme.tenantId));
    for (const each of [acme, later]) {
      expectEnvelope(await each.call("POST", "/v2/students", { body: {} }), 403, "[GEN9006]");
      expect(await statusOf(each, id)).toBe("pending_link_payment");
      expect((await each.call("GET", "/v2/events")).status).toBe(200);
      expect((await each.call("POST", `/v2/payment-intents/${id}/dry-run`)).status).toBe(200);
    }
  });

  test("its links are closed: payers are told so before they enter anything", async () => {
    const { body, status } = await other.call<string>("GET", `/pay/plink_${token}`, { key: null });
    expect([status, body]).toEqual([200, expect.stringContaining("This payment link is closed")]);
    expect(await payer.details()).toMatchObject({ status: "closed" });
    expect((await payer.askStatus()).body).toMatchObject({ data: { status: "closed" } });
    expectEnvelope(await payer.askQuote(), 410, "[LNK0002]");
    expectEnvelope(await payer.askUpload(), 410, "[LNK0002]");
  });

  test("others work as before", async () => {
    expect((await other.submit((await newDraft(other)).id)).status).toBe(200);
  });

  test("operators see it, and suspend nobody twice, nor without a reason", async () => {
    const listed = (await runJson("tenants", "list")) as Readonly<{ tenantId: string; suspendedAt?: string }>[];
    const own = listed.filter(({ tenantId }) => tenantId === acme.tenantId);
    expect(own).toMatchObject([{ suspendedAt: expect.stringMatching(/Z$/) }]);
    const shown = await runJson("tenants", "show", acme.tenantId);
    expect(shown).toMatchObject({ suspended: { by: "olga", reason: "ticket 7" } });
    const twice = await tenants.run("tenants", "suspend", acme.tenantId, "--yes", "--reason", "again");
    expect(twice).toMatchObject({ code: 4, stderr: expect.stringMatching(/is suspended since .*, by olga/) });
    const unexplained = await tenants.run("tenants", "suspend", "1001", "--yes");
    expect(unexplained).toMatchObject({ code: 2, stderr: expect.stringMatching(/--reason/) });
    const awake = await tenants.run("tenants", "resume", "1001", "--yes", "--reason", "again");
    expect(awake).toMatchObject({ code: 4, stderr: expect.stringMatching(/Tenant 1001 is not suspended/) });
  });

  test("it works again ten seconds after it is resumed", async () => {
    await tenants.change("tenants", "resume", acme.tenantId);
    await service.moveClock(KNOWN_MS);
    expect((await acme.newStudent()).email).toMatch(/@/);
    expect(await payer.details()).toMatchObject({ status: "open" });
    expect(await payer.quote()).toMatchObject({ quoteId: expect.any(String) });
  });
});
