import { spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { railTableSchema } from "@intents/deployment/table-schema.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import type { FundingOrder, PaymentLeg, PaymentOrder } from "@intents/domain/rails/rail.ts";
import { openSandboxRail } from "../src/sandbox/sandbox.ts";
import type { SandboxTerms } from "../src/sandbox/terms.ts";

const START_TRIES_MAX = 200;

/**
 * For tests: an empty rail table, and how to end it. Its store is an in-memory one of its own, or, on platforms for
 * which there is no embedded store, the one at `DYNAMODB_ENDPOINT`.
 */
export async function startRailTable() {
  const port = await freePort();
  const tableName = `sandbox-rail-${port}`;
  const given = process.env["DYNAMODB_ENDPOINT"];
  const store = given === undefined ? startStore(port) : undefined;
  const client = new DynamoDBClient({
    endpoint: given ?? `http://127.0.0.1:${port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  await untilItAnswers(client);

  const { partitionKey, sortKey } = railTableSchema;
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [partitionKey, sortKey].map(({ name, type }) => ({
        AttributeName: name,
        AttributeType: type,
      })),
      KeySchema: [
        { AttributeName: partitionKey.name, KeyType: "HASH" },
        { AttributeName: sortKey.name, KeyType: "RANGE" },
      ],
    }),
  );
  return {
    tableName,
    db: DynamoDBDocumentClient.from(client),
    stop() {
      client.destroy();
      store?.kill();
    },
  };
}

export const SETTLE_MS = 2_000;
export const DEDUP_MS = 300_000;
export const CHECKOUT_MS = 30 * 60_000;

/** For tests: a sandbox rail on an empty table, whose clock and tenant a test may set. */
export async function startSandbox() {
  const table = await startRailTable();
  const clock = { ms: Date.UTC(2026, 10, 1) };
  const open = (db: DynamoDBDocumentClient, terms?: SandboxTerms) => {
    const times = { settleSeconds: SETTLE_MS / 1000, dedupSeconds: DEDUP_MS / 1000, now: () => clock.ms };
    const options = { db, tableName: table.tableName, baseUrl: "https://api.example", ...times, random: randomBytes };
    return openSandboxRail(options, terms);
  };
  /** A rail on the same table whose client fails the first `count` commands, before or after they took effect. */
  function failing(command: string, count: number, when: "before" | "after", error: () => Error, terms?: SandboxTerms) {
    let left = count;
    const client = DynamoDBDocumentClient.from(table.db);
    client.middlewareStack.add(
      (next, context) => async (args) => {
        if (context["commandName"] !== command || left === 0) return next(args);
        left -= 1;
        if (when === "after") await next(args);
        throw error();
      },
      { step: "initialize", name: "faults", override: true },
    );
    return { rail: open(client, terms), failuresLeft: () => left, heal: () => client.middlewareStack.remove("faults") };
  }
  return { ...table, clock, open, failing, rail: open(table.db), newId: () => newRecordId(clock.ms, randomBytes) };
}

function startStore(port: number) {
  const binary = fileURLToPath(import.meta.resolve("@dynoxide/linux-x64/dynoxide"));
  const store = spawn(binary, ["--port", String(port)], { stdio: "ignore" });
  process.once("exit", () => store.kill());
  return store;
}

async function untilItAnswers(client: DynamoDBClient): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.send(new ListTablesCommand({}));
      return;
    } catch (error) {
      if (tries === START_TRIES_MAX) throw error;
      await pause(25);
    }
  }
}

/** A port of the loopback address that nobody listens on, and that no outgoing connection is given meanwhile. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const port = randomInt(10_240, 32_768);
    const server = createServer().once("error", () => resolve(freePort()));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(port)));
  });

export const leg = (changes: Partial<PaymentLeg> = {}): PaymentLeg => ({
  order: 0,
  payeeId: 11,
  payeeName: "Harbour University",
  payerAmount: "900.00",
  payeeAmount: "590.40",
  payeeCurrency: "USD",
  ...changes,
});

export const order = (changes: Partial<PaymentOrder> = {}): PaymentOrder => ({
  tenantId: "1001",
  intentId: "6540000000000000000000aa",
  connectorPaymentId: 700000001,
  settlementMethod: "dmt",
  settlementChannel: "bank",
  payerCurrency: "AUD",
  totalAmount: "912.50",
  fee: "12.50",
  payerKey: "payer@example.com",
  payer: { firstName: "Ada", lastName: "Lovelace", email: "payer@example.com" },
  legs: [leg()],
  returnUrl: "https://pay.example/back",
  ...changes,
});

export const funding = (changes: Partial<FundingOrder> = {}): FundingOrder => ({
  tenantId: "1001",
  intentId: "6540000000000000000000bb",
  fundingReference: "700000002",
  currency: "AUD",
  amount: "9125.00",
  ...changes,
});
