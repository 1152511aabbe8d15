import { createHash } from "node:crypto";
import { CreateApiKeyCommand, CreateUsagePlanKeyCommand, UpdateApiKeyCommand } from "@aws-sdk/client-api-gateway";
import { GetFunctionConfigurationCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetCallerIdentityCommand } from "@aws-sdk/client-sts";
import { DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { STORED_FORMAT } from "@intents/deployment/stored-format.ts";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import type { ApiKey } from "@intents/domain/parties/caller.ts";
import { startDynamoDb, useDynamoDb } from "@intents/local/stores/dynamodb.ts";
import { createTables } from "@intents/local/stores/tables.ts";
import { findApiKey } from "@intents/storage/parties/tenants.ts";
import { openTable, type Table } from "@intents/storage/table/table.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { mockApiGateway } from "../test/api-gateway-fixture.ts";
import { mockCaller, OLGA, PETE } from "../test/caller-fixture.ts";
import { createProgram } from "./program.ts";

const TABLE = "payment-intents-sandbox";
const tenantId = String(100_000_000 + Math.floor(Math.random() * 800_000_000));

const caller = mockCaller();
const lambda = mockClient(LambdaClient);
const Variables = { TABLE_NAME: TABLE, STORED_FORMAT: String(STORED_FORMAT) };
lambda.on(GetFunctionConfigurationCommand).resolves({ Environment: { Variables } });

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  const given = process.env["DYNAMODB_ENDPOINT"];
  const store = given === undefined ? await startDynamoDb(undefined) : useDynamoDb(given);
  stop = store.stop;
  Object.assign(process.env, {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    OPERATOR: "olga",
  });
  await createTables(store.endpoint, { [TABLE]: mainTableSchema });
  table = openTable(TABLE);
  await run("tenants", "create", tenantId, "--name", "Acme", "--country", "AU");
});
afterAll(async () => {
  lambda.restore();
  table.client.destroy();
  await stop();
});

let aws: ReturnType<typeof mockApiGateway>;
let clientId: string;
let made = 0;
beforeEach(() => {
  aws = mockApiGateway();
  clientId = `acme-${tenantId}-${++made}`;
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a command, and gives what it prints. Throws the reason when it was not carried out. */
async function run(...args: readonly string[]): Promise<Record<string, unknown>> {
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const program = createProgram().configureOutput({ writeErr: () => undefined });
  const common = ["--stage", "sandbox", "--json", "--yes", "--reason", "ticket 7"];
  try {
    await program.parseAsync([...args, ...common], { from: "user" });
    return JSON.parse(String(written.mock.calls[0]?.[0]));
  } finally {
    written.mockRestore();
  }
}

const create = () => run("keys", "create", clientId, "--tenant", tenantId);
const stored = () => findApiKey(table, clientId);
const auditOf = async (tenant: string) =>
  (await readPartition(table, `T#${tenant}#AUDIT#OPERATOR`)).map(({ doc }) => JSON.parse(String(doc)));

/** Lets the next transaction fail, as a lost network would. */
function failNextWrite(): void {
  const { send } = DynamoDBDocumentClient.prototype;
  vi.spyOn(DynamoDBDocumentClient.prototype, "send").mockImplementation(function (
    this: DynamoDBDocumentClient,
    ...args: unknown[]
  ) {
    if (args[0] instanceof TransactWriteCommand) return Promise.reject(new Error("The network is down"));
    return Reflect.apply(send, this, args);
  } as never);
}

describe("creating a key", () => {
  test("makes it in API Gateway, on the plan, and then stores the value that it is metered by", async () => {
    const storedWhenMade: (ApiKey | undefined)[] = [];
    aws.mock.on(CreateUsagePlanKeyCommand).callsFake(async () => {
      storedWhenMade.push(await stored());
      return {};
    });
    const { apiKey } = await create();
    expect(storedWhenMade).toEqual([undefined]);
    expect(aws.keys).toMatchObject([{ name: `payment-intents-sandbox:${clientId}`, enabled: true }]);
    const key = await stored();
    expect(key?.gatewayKey).toBe(aws.keys[0]?.value);
    // API Gateway takes 20 to 128 letters and digits, and must not learn the secret.
    expect(key?.gatewayKey).toMatch(/^[0-9a-f]{40}$/);
    expect(apiKey).toMatch(new RegExp(`^${clientId}:pik_test_[\\w-]{43}$`));
    expect(JSON.stringify([key, aws.keys, await auditOf(tenantId)])).not.toContain(String(apiKey).split(":")[1]);
  });

  test("stores nothing when API Gateway refuses", async () => {
    aws.mock.on(CreateApiKeyCommand).rejects(new Error("Denied"));
    await expect(create()).rejects.toThrow("Denied");
    expect(await stored()).toBeUndefined();
  });

  test("with a taken client id, or for an unknown tenant, makes nothing in API Gateway", async () => {
    await create();
    await expect(create()).rejects.toThrow("is taken");
    await expect(run("keys", "create", "other-1", "--tenant", "999999999")).rejects.toThrow("There is no tenant");
    expect(aws.keys).toHaveLength(1);
  });
});

describe("a create that fails half way", () => {
  const half = async () => {
    failNextWrite();
    await expect(create()).rejects.toThrow("The network is down");
    vi.restoreAllMocks();
    expect(await stored()).toBeUndefined();
  };

  test("leaves a key in API Gateway, which repair disables once and records in the audit", async () => {
    await half();
    expect(await run("keys", "repair")).toEqual({ checked: 1, disabled: [clientId] });
    expect(aws.keys).toMatchObject([{ enabled: false }]);
    expect((await auditOf("SERVICE")).at(-1)).toEqual({
      operator: OLGA,
      note: "olga",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      action: "keys.repair",
      reason: "ticket 7",
      data: { disabled: [clientId] },
    });
    expect(await run("keys", "repair")).toEqual({ checked: 0, disabled: [] });
  });

  test.each([
    ["at once", false],
    ["after a repair", true],
  ])("may be tried again %s, and what is stored is what API Gateway meters by", async (_when, repaired) => {
    await half();
    if (repaired) await run("keys", "repair");
    await create();
    expect(aws.keys).toMatchObject([{ value: (await stored())?.gatewayKey, enabled: true }]);
    expect(await run("keys", "repair")).toEqual({ checked: 1, disabled: [] });
  });
});

describe("revoking a key", () => {
  test("disables it in API Gateway, too", async () => {
    await create();
    await run("keys", "revoke", clientId);
    expect(aws.keys).toMatchObject([{ enabled: false }]);
    expect((await stored())?.revokedAt).toBeDefined();
  });

  test("holds although API Gateway fails, and may be repeated", async () => {
    await create();
    aws.mock.on(UpdateApiKeyCommand).rejects(new Error("Denied"));
    await expect(run("keys", "revoke", clientId)).rejects.toThrow("Denied");
    aws.mock.on(UpdateApiKeyCommand).callsFake(aws.update);
    const revokedAt = (await stored())?.revokedAt;
    expect(revokedAt).toBeDefined();
    expect(await run("keys", "revoke", clientId)).toMatchObject({ revokedAt });
    expect(aws.keys).toMatchObject([{ enabled: false }]);
  });
});

describe("rotating a key", () => {
  const secretOf = ({ apiKey }: Record<string, unknown>) => String(apiKey).split(":")[1] ?? "";
  const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

  test("adds a second secret, and drops the first at the end, while API Gateway meters by the same key", async () => {
    const first = secretOf(await create());
    const gatewayKey = (await stored())?.gatewayKey;
    const second = secretOf(await run("keys", "rotate", clientId));
    expect(second).not.toBe(first);
    expect((await stored())?.secretHashes).toEqual([hashOf(first), hashOf(second)]);
    await run("keys", "rotate", clientId, "--finish");
    expect(await stored()).toMatchObject({ secretHashes: [hashOf(second)], gatewayKey });
    expect(aws.keys).toMatchObject([{ value: gatewayKey, enabled: true }]);
    const audit = await auditOf(tenantId);
    expect(audit.slice(-2).map(({ action }) => action)).toEqual(["keys.rotate", "keys.rotate.end"]);
    expect(JSON.stringify(audit)).not.toContain(second);
  });

  test("may be cancelled, after which the old secret is the only one", async () => {
    const first = secretOf(await create());
    await run("keys", "rotate", clientId);
    await run("keys", "rotate", clientId, "--cancel");
    expect((await stored())?.secretHashes).toEqual([hashOf(first)]);
  });

  test("must be finished before the next one begins, and begun before it is finished", async () => {
    await create();
    await expect(run("keys", "rotate", clientId, "--finish")).rejects.toThrow("has one secret");
    await run("keys", "rotate", clientId);
    await expect(run("keys", "rotate", clientId)).rejects.toThrow("has two secrets");
    expect((await stored())?.secretHashes).toHaveLength(2);
  });

  test("is refused for a revoked key, which stays revoked", async () => {
    await create();
    await run("keys", "revoke", clientId);
    await expect(run("keys", "rotate", clientId)).rejects.toThrow("was revoked");
    expect((await stored())?.secretHashes).toHaveLength(1);
  });
});

test("limits are changed one by one and taken away, each change audited, and a key without them is as before", async () => {
  const sources = ["203.0.113.0/24", "2001:db8::/32"];
  await run("keys", "create", clientId, "--tenant", tenantId, "--scopes", "write,read", "--sources", sources.join(","));
  expect(await stored()).toMatchObject({ sources, scopes: ["read", "write"] });
  const output = await run("keys", "limit", clientId, "--expires", "2999-01-31", "--scopes", "read");
  expect(output).toMatchObject({ expiresAt: "2999-01-31T00:00:00.000Z", sources, scopes: ["read"] });
  expect((await auditOf(tenantId)).at(-1)).toMatchObject({
    action: "keys.limit",
    data: { clientId, expires: "2999-01-31T00:00:00.000Z", scopes: ["read"] },
  });
  await run("keys", "limit", clientId, "--expires", "never", "--sources", "any", "--scopes", "all");
  expect(Object.keys((await stored()) ?? {}).filter((name) => /expires|sources|scopes/.test(name))).toEqual([]);
  await expect(run("keys", "limit", clientId)).rejects.toThrow("Nothing to limit");
});

describe("whoever changes something on a stage", () => {
  test("is in the audit with the identity that AWS tells, whatever name is given", async () => {
    caller.become(PETE);
    await run("keys", "create", clientId, "--tenant", tenantId, "--operator", "olga");
    caller.become(OLGA);
    await run("keys", "revoke", clientId);
    const entries = (await auditOf(tenantId)).slice(-2);
    expect(entries).toMatchObject([
      { operator: PETE, note: "olga", action: "keys.create" },
      { operator: OLGA, action: "keys.revoke" },
    ]);
  });

  test("is refused where AWS does not know the caller, and nothing is changed", async () => {
    caller.mock.on(GetCallerIdentityCommand).rejects(new Error("The security token is expired"));
    await expect(create()).rejects.toThrow("The security token is expired");
    caller.become(OLGA);
    expect(await stored()).toBeUndefined();
    expect(aws.keys).toEqual([]);
  });
});

test("an unknown permission is not granted, and a revoked key is granted none", async () => {
  await create();
  await expect(run("keys", "grant", clientId, "AllowEverything")).rejects.toThrow("is not a permission");
  await run("keys", "revoke", clientId);
  await expect(run("keys", "grant", clientId, "AllowSplitPayment")).rejects.toThrow("was revoked");
  expect((await stored())?.permissions).toEqual([]);
});
