import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { namesOf } from "@intents/deployment/names.ts";
import { findApiKey } from "@intents/storage/parties/tenants.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Client,
  type Data,
  fileForm,
  type Intent,
  openClient,
  pdf,
  type Reply,
  type Variant,
} from "../service/client.ts";
import { create, dryRun, newKey, tuition } from "../service/tuition.ts";
import { ACCOUNT, type Emulator, REGION, startEmulator } from "./emulator.ts";
import { findMinistack } from "./ministack.ts";
import { noteCalls } from "./noted.ts";
import { describeOperators } from "./operators.ts";
import { expectRefused } from "./refused.ts";
import { describeRunbooks } from "./runbooks.ts";
import { openStage } from "./stage.ts";
import { describeVersions } from "./versions.ts";

const ministack = await findMinistack();
if ("missing" in ministack) test("deployed tier", ({ skip }) => skip(ministack.missing));
else {
  describe("the runbooks", () => describeRunbooks(ministack.python));
  describe("stage sandbox, deployed", () => deployedTier(ministack.python));
}

const rateHeaders = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
const isCard = ({ settlementMethod }: Variant) => settlementMethod === "card";
type Call = Readonly<{ items: readonly Readonly<Record<string, unknown>>[] }>;

/** One stage from its deployment to its end: each test builds on the state that earlier ones left. */
function deployedTier(python: string): void {
  let emulator: Emulator;
  let stage: ReturnType<typeof openStage>;
  let client: Client;
  let otherTenant: Client;
  let firstKey: string;
  /** A key that a test revokes. */
  let lostKey: string;
  let payeeId: number;
  let paid: Intent;
  let checks = 0;

  const createKey = async (clientId: string, tenantId: string): Promise<string> =>
    String((await stage.operate("keys", "create", clientId, "--tenant", tenantId))["apiKey"]);
  const statusOf = async (path: string): Promise<number> => (await client.call("GET", path)).status;
  const newCardDraft = async () => create(client, (await tuition(client, { payeeIds: [payeeId], pick: isCard })).body);

  beforeAll(async () => {
    emulator = await startEmulator(python);
    stage = openStage(emulator);
    await stage.bootstrap();
    const url = await stage.deploy("deploy");
    await stage.operate("tenants", "create", "1001", "--name", "First", "--country", "AU");
    await stage.operate("tenants", "create", "1002", "--name", "Second", "--country", "IN");
    const keys = [createKey("first-key", "1001"), createKey("second-key", "1002"), createKey("lost-key", "1001")];
    const [first = "", second, lost = ""] = await Promise.all(keys);
    firstKey = first;
    client = openClient(url, first);
    otherTenant = openClient(url, second);
    lostKey = lost;
  }, 400_000);
  afterAll(async () => {
    // Both are undefined when the emulator does not start.
    if (emulator !== undefined) noteCalls(emulator.calls);
    await emulator?.stop();
    const times = [...(stage?.seconds ?? [])].map(([step, seconds]) => `${step} ${seconds.toFixed(1)} s`);
    process.stdout.write(`deployed tier: ${[...times, `${checks} smoke checks`].join(", ")}\n`);
  });
  beforeEach(({ onTestFailed }) => {
    checks++;
    onTestFailed(({ task }) => {
      process.stdout.write(`deployed tier, as "${task.name}" failed:\n${emulator.log()}\n`);
    });
  });

  test("an operator's key is in API Gateway, on the usage plan and in the table, which all lack the secret", async () => {
    const { items: plans } = await emulator.call<Call>("apigateway", "get_usage_plans");
    const plan = plans.find(({ name }) => name === "payment-intents-sandbox");
    const { items } = await emulator.call<Call>("apigateway", "get_usage_plan_keys", { usagePlanId: plan?.["id"] });
    const db = new DynamoDBClient({
      endpoint: emulator.url,
      region: REGION,
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
    });
    const table = { client: db, db: DynamoDBDocumentClient.from(db), name: "payment-intents-sandbox" };
    const stored = await findApiKey(table, "lost-key");
    db.destroy();
    expect(stored).toMatchObject({ tenantId: "1001", gatewayKey: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(items).toContainEqual(
      expect.objectContaining({ name: "payment-intents-sandbox:lost-key", value: stored?.gatewayKey }),
    );
    const [, secret = "none"] = lostKey.split(":");
    expect(JSON.stringify([items, stored])).not.toContain(secret);
  });

  test("no key, a wrong secret and an unknown client are refused in the envelope", async () => {
    for (const key of [null, "first-key:guess", "nobody:guess", "nonsense"]) {
      expectRefused(await client.call("GET", "/v2/users/me", { key }), 401, "[GEN9001]");
    }
  });

  test("a key tells who it is, and how much it may still ask", async () => {
    const headers = async () => rateHeadersOf(await client.call("GET", "/v2/users/me"));
    // The first calls may be answered before they are counted.
    await expect.poll(headers).toHaveLength(3);
    expect(await client.must("GET", "/v2/users/me")).toMatchObject({ tenant: { name: "First", currencyCode: "AUD" } });
  });

  test("operators see who made a key, by the identity that AWS tells, and the day of its last use", async () => {
    const operator = `arn:aws:iam::${ACCOUNT}:root`;
    const made = { action: "keys.create", operator, data: expect.objectContaining({ clientId: "first-key" }) };
    expect(await stage.operate("audit", "--tenant", "1001")).toContainEqual(expect.objectContaining(made));
    const used = { clientId: "first-key", lastUsedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };
    const list = () => stage.operate("keys", "list", "--tenant", "1001");
    await expect.poll(list).toContainEqual(expect.objectContaining(used));
  });

  test("another method is 405 with the methods that there are, and another path 404", async () => {
    const refused = await client.call("DELETE", "/v2/users/me");
    expectRefused(refused, 405, "[GEN9005]");
    expect(refused.headers.get("allow")).toBe("GET, HEAD");
    for (const path of ["/v2/nothing", "/v2/payees/1/nothing"]) {
      expectRefused(await client.call("GET", path), 404, "[GEN9003]");
    }
  });

  test("its own address is a page that knows no key", async () => {
    const { status, body } = await client.call<string>("GET", "/", { key: null });
    expect([status, body]).toEqual([200, expect.stringContaining("Yours; the page keeps it nowhere.")]);
    expect(body).not.toContain("demo-secret");
  });

  test("a file of every byte comes back as it was sent", async () => {
    const bytes = pdf(100_000);
    for (let index = 100; index < bytes.length; index++) bytes[index] = index;
    const { _id } = await client.newStudent();
    const { documentId } = await client.must<{ documentId: string }>("POST", "/v2/documents", {
      form: fileForm(bytes),
    });
    const { legacyDocumentId } = await client.saveDocument(`/v2/students/${_id}`, documentId);
    const content = await client.call("GET", `/v2/students/${_id}/documents/${legacyDocumentId}/content`);
    expect(content.headers.get("content-type")).toBe("application/pdf");
    expect(Buffer.compare(content.bytes, bytes)).toBe(0);
  });

  test("a tuition payment goes from a quote to the rail, once for its Idempotency-Key", async () => {
    payeeId = (await client.newPayee()).id;
    const { id } = await newCardDraft();
    expect((await dryRun(client, id)).rule).toEqual({ status: "enabled", missingRequirements: [] });
    const idempotencyKey = newKey();
    const submitted = await client.submit<Data<Intent>>(id, idempotencyKey);
    expect(submitted.status).toBe(200);
    paid = submitted.body.data;
    expect(paid.status).toBe("executing");
    const replayed = await client.submit<Data<Intent>>(id, idempotencyKey);
    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
    expect(Buffer.compare(replayed.bytes, submitted.bytes)).toBe(0);
  });

  test("the payer pays on the sandbox's page without a key", async () => {
    const address = paid.executions[0]?.checkoutUrl ?? "";
    expect(address).toContain(client.url);
    const page = await fetch(address);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const form = await page.text();
    expect(form).toContain('value="pay"');
    const thanks = await fetch(address, { method: "POST", body: new URLSearchParams({ outcome: "pay" }) });
    expect(thanks.status).toBe(200);
    expect(await thanks.text()).not.toBe(form);
  });

  /** The functions that one rule of the schedule runs: the rule whose schedule matches `times`. */
  async function scheduledBy(times: RegExp): Promise<string[]> {
    type Rule = { Name: string; State: string; ScheduleExpression: string };
    const { Rules: rules } = await emulator.call<{ Rules: Rule[] }>("events", "list_rules");
    const [rule, ...others] = rules.filter(({ ScheduleExpression }) => times.test(ScheduleExpression));
    expect(others).toEqual([]);
    expect(rule?.State).toBe("ENABLED");
    const named = { Rule: rule?.Name };
    const { Targets } = await emulator.call<{ Targets: { Arn: string }[] }>("events", "list_targets_by_rule", named);
    return Targets.map(({ Arn }) => Arn);
  }
  type Invoked = Readonly<{ StatusCode: number; FunctionError?: string; Payload: string }>;
  const invoke = (FunctionName = "", event: object = {}) =>
    emulator.call<Invoked>("lambda", "invoke", { FunctionName, Payload: JSON.stringify(event) });

  test("the schedule runs once a minute, and the function that it runs finds the payment", async () => {
    const targets = await scheduledBy(/^rate\(1 minutes?\)$/);
    expect(targets).toEqual([expect.stringContaining("dispatch-due")]);
    // The tick itself may be a minute away. Timers due within 70 s are sent now, and arrive when they are due.
    const tick = await invoke(targets[0]);
    expect(tick).toMatchObject({ StatusCode: 200, Payload: "null" });
    expect(tick).not.toHaveProperty("FunctionError");
  });

  test("the function that runs once a day has the permissions that it needs", async () => {
    const targets = await scheduledBy(/^cron\(/);
    expect(targets).toEqual([expect.stringContaining("daily")]);
    const day = await invoke(targets[0]);
    expect(day).toMatchObject({ StatusCode: 200, Payload: "null" });
    expect(day).not.toHaveProperty("FunctionError");
  });

  test("a function that queries an index only through a helper in another module may do that, and nothing more", async () => {
    const probe = namesOf({ stage: "sandbox" }).functionOf("outstanding");
    expect(await invoke(probe)).toMatchObject({ StatusCode: 200, Payload: "0" });
    const ExpressionAttributeValues = { ":pk": "T#1001#COMMISSION" };
    for (const of of [
      { KeyConditionExpression: "PK = :pk" },
      { KeyConditionExpression: "listPK = :pk", IndexName: "byCreation" },
    ]) {
      const { FunctionError, Payload } = await invoke(probe, { query: { ...of, ExpressionAttributeValues } });
      expect([FunctionError, Payload]).toEqual([
        "Unhandled",
        expect.stringContaining("not authorized to perform: dynamodb:Query"),
      ]);
    }
  });

  test("another tenant's key finds nothing", async () => {
    expectRefused(await otherTenant.call("GET", `/v2/payment-intents/${paid.id}`), 404, "[GEN9003]");
    expectRefused(await otherTenant.call("GET", `/v2/payees/${payeeId}`), 404, "[GEN9003]");
    expectRefused(await otherTenant.submit(paid.id, newKey()), 404, "[GEN9003]");
  });

  test("sign-up answers that it does not exist yet, and is limited to five calls a minute", async () => {
    const answers: Reply<unknown>[] = [];
    // A new minute may begin meanwhile. A request that is not counted in time is turned away, and may count all the same.
    while (answers.length < 30 && answers.at(-1)?.status !== 429)
      answers.push(await client.call("POST", "/auth/signup", { key: null }));
    const refused = answers.pop();
    const counted = answers.filter(({ status }) => status !== 503);
    expect(answers.length).toBeGreaterThanOrEqual(5);
    expect(counted.length).toBeLessThanOrEqual(10);
    for (const answer of counted) expectRefused(answer, 501, "[GEN9501]");
    expect(refused).toBeDefined();
    if (refused === undefined) return;
    expectRefused(refused, 429);
    expect(rateHeadersOf(refused)).toEqual(["5", "0", expect.stringMatching(/^\d{10}$/)]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("an operator turns callers away by maintenance, and lets them in again", async () => {
    await stage.operate("maintenance", "on", "--retry-after", "7");
    await expect.poll(() => statusOf("/v2/payees")).toBe(503);
    const refused = await client.call("GET", "/v2/payees");
    expectRefused(refused, 503);
    expect(refused.headers.get("retry-after")).toBe("7");
    await stage.operate("maintenance", "off");
    await expect.poll(() => statusOf("/v2/payees")).toBe(200);
  });

  test("a revoked key submits nothing", async () => {
    const lost = openClient(client.url, lostKey);
    const { id } = await newCardDraft();
    expect((await lost.getIntent(id)).status).toBe("draft");
    await stage.operate("keys", "revoke", "lost-key");
    expectRefused(await lost.submit(id, newKey()), 401, "[GEN9001]");
    expect((await client.getIntent(id)).status).toBe("draft");
  });

  test("the payment is completed by polling, through the queue", async () => {
    const status = async () => (await client.getIntent(paid.id)).status;
    await expect.poll(status).toBe("completed");
  });

  describeOperators(() => ({ emulator, stage, otherTenant, paid }));
  describeVersions(() => ({ emulator, stage, client, firstKey, paid, newCardDraft }));

  test("destroyed, it leaves no API and no function, and keeps what was stored", async () => {
    await stage.destroy();
    expect((await emulator.call<Call>("apigateway", "get_rest_apis")).items).toEqual([]);
    expect((await emulator.call<{ Functions: object[] }>("lambda", "list_functions")).Functions).toEqual([]);
    const { TableNames } = await emulator.call<{ TableNames: string[] }>("dynamodb", "list_tables");
    // The tables of both deployments, and the restored one.
    const { mainTable } = stage.names;
    expect(TableNames.toSorted()).toEqual([`acme-${mainTable}`, mainTable, `${mainTable}-1`]);
  });

  const rateHeadersOf = ({ headers }: Reply<unknown>): string[] =>
    rateHeaders.flatMap((name) => headers.get(name) ?? []);
}
