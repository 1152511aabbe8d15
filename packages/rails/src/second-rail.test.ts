import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { findRail, pickRail } from "@intents/domain/rails/description.ts";
import { afterAll, expect, test, vi } from "vitest";
import { openServers } from "../test/http-fixture.ts";
import { openSandboxRail } from "./sandbox/sandbox.ts";
import { sandbox } from "./sandbox/terms.ts";

const ROWS = "@intents/deployment/real-rails.ts";
vi.resetModules();
// A rail is added by a row before the one that serves every corridor.
vi.doMock(ROWS, async (original: () => Promise<typeof import("@intents/deployment/real-rails.ts")>) => {
  const { realRails } = await original();
  const scenarios = { version: "3.0.0", maxRecipients: { manual: 2, link: 1, bulk: 50 } };
  const corridors = [{ from: ["NO", "SE"], to: ["AU"] }];
  const north = { name: "north", place: "north", remembersMs: 1, maxUsd: "9", questionMax: 7, corridors, scenarios };
  return { realRails: [north, ...realRails.slice(-1)] };
});

const { parseAllSettings } = await import("@intents/deployment/settings.ts");
const { openRails } = await import("./open-rails.ts");
const { railAddresses } = await import("./rail-addresses.ts");

const folder = mkdtempSync(join(tmpdir(), "rails-"));
const client = new DynamoDBClient({ region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } });
const { serveOverHttp, closeAll } = openServers();
afterAll(() => {
  // The files of tests after this one have the rows as they are.
  vi.doUnmock(ROWS);
  vi.resetModules();
  closeAll();
  client.destroy();
  rmSync(folder, { recursive: true });
});
const means = {
  ...{ db: DynamoDBDocumentClient.from(client), now: Date.now, random: (count: number) => new Uint8Array(count) },
};

/** A rail that knows no payment, and signs by this secret. */
function serve(secret: string): Promise<string> {
  const options = { tableName: "none", baseUrl: "https://api.example", settleSeconds: 1, dedupSeconds: 1, ...means };
  const { port } = openSandboxRail(options, sandbox);
  return serveOverHttp({ ...port, status: async () => ({ kind: "not_found" }) }, [secret], Date.now);
}
function placeOf(name: string, secret: string): string {
  writeFileSync(join(folder, name), secret);
  return `file:${join(folder, name)}`;
}
const read = (env: Record<string, string>) => parseAllSettings({}, { CONNECTOR: "http", ...env });

test("a second rail is a row and its settings: each is asked at its address, by its name and its secret", async () => {
  const [north, other, left] = await Promise.all([serve("of north"), serve("of http"), serve("of north")]);
  const settings = read({
    CONNECTOR_URL: `north=${north}  http=${other}/`,
    CONNECTOR_SECRET: `http=${placeOf("http", "of http")} north=${placeOf("north", "of north")}`,
    CONNECTOR_FORMER_URLS: `north=${left}`,
  });
  const { rails, sandboxes } = openRails(settings, means);
  const addresses = [
    { name: "north", address: left },
    { name: "north", address: north },
    { name: "http", address: other },
  ];
  expect(rails.map(({ rail: { name, address } }) => ({ name, address }))).toEqual(addresses);
  expect(railAddresses(settings)).toEqual(addresses);
  expect(sandboxes).toEqual([]);
  for (const address of addresses)
    expect(await findRail(rails, address)?.status("1001", "e1")).toEqual({ kind: "not_found" });

  const own = pickRail(rails, { from: "NO", to: ["AU"] });
  expect(own.rail).toMatchObject({ name: "north", address: north, remembersMs: 1, maxUsd: "9", questionMax: 7 });
  const scenario = { useCase: "supplier_payment", deliveryMode: "manual", amountMode: "recipient_fixed" } as const;
  const offer = { provider: "north", version: "3.0.0", maxRecipients: 2 };
  expect(own.describe({ ...scenario, payer: { role: "tenant" } })).toMatchObject(offer);
  expect(pickRail(rails, { from: "NO", to: ["US"] }).rail).toMatchObject({ name: "http", address: other });
});

test.each([
  [{ CONNECTOR_URL: "https://a.example" }, "CONNECTOR_URL: must name each rail once, as in north=… http=…"],
  [{ CONNECTOR_URL: "http=https://a.example" }, "CONNECTOR_URL: must be set with CONNECTOR=http, for each of"],
  [{ CONNECTOR_SECRET: "http=a" }, "CONNECTOR_SECRET: must be set with CONNECTOR=http or CONNECTOR_FORMER_URLS, for"],
  [
    {
      CONNECTOR: "sandbox",
      CONNECTOR_URL: "",
      CONNECTOR_FORMER_URLS: "north=https://a.example",
      CONNECTOR_SECRET: "http=a",
    },
    "CONNECTOR_SECRET: must be set",
  ],
])("settings that leave out a rail are refused: %j", (wrong, line) => {
  const urls = { CONNECTOR_URL: "http=https://a.example north=https://b.example" };
  const right = { ...urls, CONNECTOR_SECRET: "http=a north=b" };
  expect(() => read(right)).not.toThrow();
  expect(() => read({ ...right, ...wrong })).toThrow(line);
});
