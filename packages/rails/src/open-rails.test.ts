import { randomBytes } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { findRail, pickRail } from "@intents/domain/rails/description.ts";
import { afterAll, describe, expect, test } from "vitest";
import { openRails, type RailSettings } from "./open-rails.ts";
import { railAddresses } from "./rail-addresses.ts";

const client = new DynamoDBClient({ region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } });
afterAll(() => client.destroy());
const means = { db: DynamoDBDocumentClient.from(client), now: Date.now, random: randomBytes };

const settings: RailSettings = {
  CONNECTOR: "sandbox",
  CONNECTOR_URL: {},
  CONNECTOR_SECRET: {},
  CONNECTOR_FORMER_URLS: {},
  RAIL_TABLE_NAME: "sandbox-rail",
  BASE_URL: "https://api.example",
  SANDBOX_SETTLE_SECONDS: 2,
  SANDBOX_DEDUP_SECONDS: 300,
};
const http = {
  ...settings,
  CONNECTOR: "http",
  CONNECTOR_URL: { http: "https://rail.example/v2" },
  CONNECTOR_SECRET: { http: "s" },
} as const;
const namesOf = (changed: RailSettings) =>
  openRails(changed, means).rails.map(({ rail: { name, address } }) => `${name} ${address}`);

test("the sandbox is two rails, the narrow one first, and both are open to testers", () => {
  expect(namesOf(settings)).toEqual(["sandbox-bank embedded", "sandbox embedded"]);
  const { rails, sandboxes } = openRails(settings, means);
  expect(sandboxes.map(({ port }) => port)).toEqual(rails);
});

test.each([
  ["the sandbox", settings],
  ["HTTP", http],
  [
    "a rail that has moved",
    { ...http, CONNECTOR_FORMER_URLS: { http: ["https://rail.example/v1/", "https://old.example"] } },
  ],
])("the addresses of %s are known without opening it, in the same order", (_, named) => {
  const opened = openRails(named, means).rails.map(({ rail: { name, address } }) => ({ name, address }));
  expect(railAddresses(named)).toEqual(opened);
});

test("HTTP is one rail, and nothing is simulated", () => {
  expect(namesOf(http)).toEqual(["http https://rail.example/v2"]);
  expect(openRails(http, means).sandboxes).toEqual([]);
});

describe("an address that the rail has left", () => {
  const former = ["https://rail.example/v1", "https://old.example"];

  test.each([
    ["http", http],
    ["the sandbox", { ...settings, CONNECTOR_SECRET: { http: "s" } }],
  ])("is asked about payments that it took, and gets no new ones, beside %s", (_, now) => {
    const { rails } = openRails({ ...now, CONNECTOR_FORMER_URLS: { http: former } }, means);
    for (const address of former) expect(findRail(rails, { name: "http", address })).toBeDefined();
    const corridors = [undefined, { from: "BR", to: ["AU"] }, { from: "NO", to: ["US"] }, { from: "NO", to: [] }];
    for (const corridor of corridors) expect(former).not.toContain(pickRail(rails, corridor).rail.address);
  });
});

test.each<[string, RailSettings]>([
  ["an address", { ...http, CONNECTOR_URL: {} }],
  ["a secret", { ...http, CONNECTOR_SECRET: {} }],
  ["a secret for a former address", { ...settings, CONNECTOR_FORMER_URLS: { http: ["https://rail.example"] } }],
])("a rail behind HTTP needs %s", (_, incomplete) => {
  expect(() => openRails(incomplete, means)).toThrow(/^The rail http needs CONNECTOR_(URL|SECRET)/);
});
