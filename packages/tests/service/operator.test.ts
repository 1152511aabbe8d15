import { existsSync } from "node:fs";
import { runningFile } from "@intents/deployment/running-file.ts";
import { freePort } from "@intents/local/free-port.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { openClient, quoteBody } from "./client.ts";
import { operate, operateAlone, type Run } from "./operator-fixture.ts";
import { expectEnvelope } from "./refusals.ts";
import { openOperatedService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

const { service, operator } = await openOperatedService();
beforeAll(() => operator.newTenant("2001"));

type Me = Readonly<{ clientId: string; permissions: string[]; paymentAccess: { tenantId: number } }>;
const clientOf = (key: string) => openClient(service.url, key);
const twoPayouts = {
  body: {
    ...quoteBody,
    payouts: [
      { payeeId: 5001, amount: 900 },
      { payeeId: 5010, amount: 100 },
    ],
  },
};

/** A refusal: nothing on stdout, and one line on stderr that says why. */
function expectRefusal({ code, stdout, stderr }: Run, why: RegExp, expected = 4): void {
  expect(stderr).toMatch(why);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
}

// These tests run at the same time: their commands are processes that mostly wait, each about its own tenant or key.
describe.concurrent("tenants", () => {
  test("are created, shown and changed, and their company with them", async () => {
    const created = await operator.change("tenants", "create", "2002", "--name", "Acme", "--country", "IN");
    expect(created).toEqual({
      tenantId: "2002",
      name: "Acme",
      countryCode: "IN",
      currencyCode: "INR",
      commissionSpread: "0.01",
      createdAt: expect.stringMatching(/Z$/),
    });
    const changes = ["--name", "Acme Ltd", "--commission-spread", "0.025"];
    const changed = await operator.change("tenants", "set", "2002", ...changes);
    expect(changed).toEqual({ ...created, name: "Acme Ltd", commissionSpread: "0.025" });
    expect(await operator.change("tenants", "show", "2002")).toEqual(changed);
    const client = clientOf(await operator.newKey("acme-2002", "2002"));
    expect(await client.must("GET", "/v2/payees/2002")).toMatchObject({ name: "Acme Ltd", currencyCode: "INR" });
  });

  test.each([
    ["a tenant", "1001"],
    ["a payee", "5001"],
  ])("are not created under the id of %s that exists", async (_what, id) => {
    const twice = await operator.run("tenants", "create", id, "--name", "Two", "--country", "AU", "--yes");
    expectRefusal(twice, /exists already/);
    expect(await operator.auditOf(id)).toEqual([]);
  });

  test("that do not exist are neither shown nor given keys", async () => {
    expectRefusal(await operator.run("tenants", "show", "2999"), /There is no tenant 2999/);
    expectRefusal(await operator.run("keys", "create", "acme-x", "--tenant", "2999", "--yes"), /There is no tenant/);
  });
});

describe.concurrent("a key", () => {
  test("works at once, and tells whose it is and what it may do", async () => {
    const key = await operator.newKey("acme-works", "2001", "AllowBulkPayment");
    expect(key).toMatch(/^acme-works:pik_test_[\w-]{43}$/);
    const me = await clientOf(key).must<Me>("GET", "/v2/users/me");
    expect(me).toMatchObject({
      clientId: "acme-works",
      permissions: ["AllowBulkPayment"],
      paymentAccess: { tenantId: 2001 },
    });
    expectEnvelope(await clientOf("acme-works:guess").call("GET", "/v2/users/me"), 401, "[GEN9001]");
  });

  test("is made once, and its secret is printed only then", async () => {
    const [, secret = ""] = (await operator.newKey("acme-once", "2001")).split(":");
    const twice = await operator.run("keys", "create", "acme-once", "--tenant", "2001", "--yes");
    expectRefusal(twice, /acme-once is taken/);
    const granted = await operator.change("keys", "grant", "acme-once", "AllowSplitPayment");
    const revoked = await operator.change("keys", "revoke", "acme-once");
    expect(JSON.stringify([twice, granted, revoked])).not.toContain(secret);
  });

  test("may do what it is granted, and no longer what is taken back", async () => {
    const [granted, ungranted] = await Promise.all([
      operator.newKey("acme-granted", "2001"),
      operator.newKey("acme-ungranted", "2001", "AllowSplitPayment", "AllowBulkPayment"),
    ]);
    expect(await operator.change("keys", "grant", "acme-granted", "AllowSplitPayment")).toMatchObject({
      permissions: ["AllowSplitPayment"],
    });
    const ungrant = ["keys", "ungrant", "acme-ungranted", "AllowSplitPayment"];
    expect(await operator.change(...ungrant)).toMatchObject({ permissions: ["AllowBulkPayment"] });
    expect((await clientOf(granted).call("POST", "/v2/quotes", twoPayouts)).status).toBe(201);
    expectEnvelope(await clientOf(ungranted).call("POST", "/v2/quotes", twoPayouts), 403, "[GEN9004]");
    expectRefusal(await operator.run(...ungrant, "--yes"), /does not have AllowSplitPayment/);
  });

  test("that is revoked pays nothing from that moment, hears nothing more of what it paid, and binds no Idempotency-Key", async () => {
    const [revoked = "", other = ""] = await Promise.all(
      ["acme-replays", "acme-replays-too"].map((name) => operator.newKey(name, "2001")),
    );
    const [paid, unpaid] = [await newDraft(clientOf(revoked)), await newDraft(clientOf(revoked))];
    expect((await clientOf(revoked).submit(paid.id, `key-${paid.id}`)).status).toBe(200);
    await operator.change("keys", "revoke", "acme-replays");
    for (const { id } of [paid, unpaid])
      for (const wrong of [{}, { "Preview-Hash": "x" }]) {
        const how = { headers: { "Idempotency-Key": `key-${id}`, ...wrong } };
        expectEnvelope(await clientOf(revoked).call("POST", `/v2/payment-intents/${id}/submit`, how), 401, "[GEN9001]");
      }
    const replay = await clientOf(other).submit(paid.id, `key-${paid.id}`);
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    const first = await clientOf(other).submit(unpaid.id, `key-${unpaid.id}`);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([200, null]);
  });

  test("that is revoked before its first use is refused everywhere", async () => {
    const key = await operator.newKey("acme-unused", "2001");
    await operator.change("keys", "revoke", "acme-unused");
    expectEnvelope(await clientOf(key).call("GET", "/v2/users/me"), 401, "[GEN9001]");
  });
});

describe.concurrent("lists", () => {
  const listOf = async (...command: readonly string[]) => {
    const { stdout, stderr } = await operator.run(...command, "--json");
    expect(stderr).toBe("");
    return JSON.parse(stdout) as Record<string, unknown>[];
  };

  test("tell all tenants, and all keys of one, revoked ones too, without their secrets", async () => {
    await operator.newTenant("2101");
    const secrets = [
      await operator.newKey("list-b", "2101"),
      await operator.newKey("list-a", "2101", "AllowBulkPayment"),
    ];
    await operator.change("keys", "revoke", "list-b");
    const tenants = (await listOf("tenants", "list")).map(({ tenantId }) => tenantId);
    expect(tenants).toEqual(expect.arrayContaining(["1001", "1002", "2101"]));
    const keys = await listOf("keys", "list", "--tenant", "2101");
    expect(keys).toMatchObject([
      { clientId: "list-a", permissions: ["AllowBulkPayment"], secrets: 1 },
      { clientId: "list-b", permissions: [], revokedAt: expect.stringMatching(/Z$/) },
    ]);
    const listed = JSON.stringify(keys);
    expect(listed).not.toMatch(/hash|gatewayKey/i);
    for (const secret of secrets) expect(listed).not.toContain(secret.split(":")[1]);
    const table = await operator.run("keys", "list", "--tenant", "2101");
    expect(table.stdout).toMatch(/│ clientId │.*\n(.*\n)*│ list-a +│/u);
    expectRefusal(await operator.run("keys", "list", "--tenant", "2102"), /There is no tenant 2102/);
  });

  test("tell what operators changed, the newest first and as many as asked for, of a tenant or of the service", async () => {
    await operator.newTenant("2103");
    await operator.change("tenants", "set", "2103", "--commission-spread", "0.02");
    await operator.change("tenants", "set", "2103", "--name", "Acme");
    const entry = { operator: "olga", reason: "ticket 7", at: expect.stringMatching(/Z$/) };
    expect(await listOf("audit", "--tenant", "2103", "--limit", "2")).toEqual([
      { ...entry, action: "tenants.set", data: { name: "Acme" } },
      { ...entry, action: "tenants.set", data: { commissionSpread: "0.02" } },
    ]);
    expect(await listOf("audit", "--tenant", "2103")).toHaveLength(3);
    await operator.change("maintenance", "off");
    const all = await listOf("audit");
    expect(all).toContainEqual(expect.objectContaining({ action: "maintenance.off" }));
    expect(all).toContainEqual({ ...entry, tenant: "2103", action: "tenants.set", data: { name: "Acme" } });
    expect(all).toEqual(all.toSorted((one, other) => String(other["at"]).localeCompare(String(one["at"]))));
  });
});

describe.concurrent("every command", () => {
  test.each([
    ["tenants", "show", "1001"],
    ["keys", "repair"],
    ["maintenance", "off"],
  ])("prints a table, or one line of JSON with --json: %s %s", async (...command) => {
    const [table, json] = await Promise.all([
      operator.run(...command, "--yes"),
      operator.run(...command, "--yes", "--json"),
    ]);
    expect(table).toMatchObject({ code: 0, stderr: "" });
    expect(table.stdout).toMatch(/^┌[─┬]+┐\n(│.*│\n|├[─┼]+┤\n)+└[─┴]+┘\n$/u);
    expect(json).toMatchObject({ code: 0, stderr: "" });
    expect(json.stdout).toMatch(/^[^\n]+\n$/);
    for (const [name, value] of Object.entries(JSON.parse(json.stdout))) {
      expect(table.stdout).toMatch(new RegExp(`│ ${name} +│ ${String(value)} *│`));
    }
  });

  test("that changes something is in the audit, with who, when and why, and without secrets", async () => {
    const startMs = Date.now();
    await operator.newTenant("2005");
    const [, secret = ""] = (await operator.newKey("acme-audit", "2005", "AllowSplitPayment")).split(":");
    await operator.change("tenants", "set", "2005", "--commission-spread", "0.02");
    await operator.change("keys", "grant", "acme-audit", "AllowBulkPayment");
    await operator.change("keys", "revoke", "acme-audit");
    const audit = await operator.auditOf("2005");
    expect(audit.map(({ action, data }) => [action, data])).toEqual([
      ["tenants.create", expect.objectContaining({ tenantId: "2005" })],
      ["keys.create", { clientId: "acme-audit", permissions: ["AllowSplitPayment"] }],
      ["tenants.set", { commissionSpread: "0.02" }],
      ["keys.grant", { clientId: "acme-audit", permissions: ["AllowBulkPayment"] }],
      ["keys.revoke", { clientId: "acme-audit" }],
    ]);
    for (const { operator: who, at, reason } of audit) {
      expect({ who, reason }).toEqual({ who: "olga", reason: "ticket 7" });
      expect(Date.parse(at)).toBeGreaterThanOrEqual(startMs);
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
    }
    expect(JSON.stringify(audit)).not.toContain(secret);
    expect(JSON.stringify(audit)).not.toMatch(/hash|gatewayKey/i);
  });

  test("that changes something needs --yes where there is no terminal, and changes nothing without", async () => {
    const command = ["tenants", "create", "2006", "--name", "Six", "--country", "AU"];
    expectRefusal(await operator.run(...command), /repeat with --yes/, 2);
    expectRefusal(await operator.run("tenants", "show", "2006"), /There is no tenant/);
    expectRefusal(await operator.run("maintenance", "on"), /repeat with --yes/, 2);
  });
});

test("a command of a machine whose clock is wrong looks, and changes nothing", async () => {
  const slow = "const now = Date.now; Date.now = () => now() - 8000;";
  const wrong = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(slow)}` };
  const { port } = new URL(service.url);
  const as = (...command: readonly string[]) => operateAlone(["--port", port, ...command], wrong);
  expect(await as("maintenance", "status")).toMatchObject({ code: 0 });
  const create = ["tenants", "create", "2099", "--name", "Late", "--country", "AU", "--yes"];
  expectRefusal(await as(...create), /^Nothing was changed: the clock of this machine is at least \d s behind/);
  expectRefusal(await operator.run("tenants", "show", "2099"), /There is no tenant 2099/);
});

test("a command without a service says so in one line", async () => {
  const unusedPort = async (): Promise<number> => {
    const port = await freePort();
    // A service that was killed may have left its file.
    return existsSync(runningFile(port)) ? unusedPort() : port;
  };
  const port = await unusedPort();
  const run = await operate(["--port", String(port), "tenants", "show", "1001"]);
  expectRefusal(run, new RegExp(`No service runs on port ${port}`), 3);
});
