import { SQSClient } from "@aws-sdk/client-sqs";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { findDeadLetters, readDepth } from "@intents/storage/queue/dead-letters.ts";
import { type Queue, sendMessages } from "@intents/storage/queue/queue.ts";
import { openReconciliation } from "@intents/storage/reviews/reconciliation.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { describe, expect, test } from "vitest";
import { noRateLimit } from "./client.ts";
import type { Run } from "./operator-fixture.ts";
import { pay, payrollBody } from "./scenarios-fixture.ts";
import { openOperatedService } from "./service-fixture.ts";
import { storeCredentials } from "./store-credentials.ts";
import { newDraft } from "./tuition.ts";

const TENANT = "1001";

// Payments that the rail delays (fifteen times as long) stay executing until an operator ends them.
const { client, operator } = await openOperatedService({
  ...noRateLimit,
  RECOVERY_AFTER_SECONDS: "3600",
  SANDBOX_SETTLE_SECONDS: "8",
});

function expectRefusal({ code, stdout, stderr }: Run, why: RegExp, expected = 4): void {
  expect(stderr).toMatch(why);
  expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
}

type Row = Readonly<Record<string, unknown>>;
const intents = (name: string, id: string, ...more: readonly string[]) => [
  ...["intents", name, id, "--tenant", TENANT],
  ...more,
];
/** The JSON that a command prints, which must succeed. */
const change = async (...args: readonly string[]) => (await operator.change(...args)) as unknown;
const timelineOf = async (id: string) => (await change(...intents("timeline", id))) as Row[];

async function executing(reference?: string): Promise<string> {
  const { id } = await newDraft(client, reference === undefined ? {} : { reference });
  expect((await client.submit(id)).status).toBe(200);
  return id;
}

/** The operators' audit entries that name the intent. */
const audited = async (id: string) =>
  (await operator.auditOf(TENANT)).filter(({ data }) => (data as Row | undefined)?.["intentId"] === id);

describe.concurrent("an intent", () => {
  test("is listed by its status, shown whole, and its story told in the order of time", async () => {
    const id = await executing();
    const { status } = await client.waitForStatus(id, "completed");
    expect(await change("intents", "list", "--tenant", TENANT, "--status", status)).toContainEqual(
      expect.objectContaining({ id, status, useCase: "education_provider_tuition" }),
    );
    expect(await change(...intents("show", id))).toMatchObject({ id, status, executions: [{ status }] });
    const timeline = await timelineOf(id);
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => String(at)).toSorted());
    const happened = timeline.map(({ what }) => String(what));
    expect(happened.filter((what) => what.startsWith("paymentIntent."))).toEqual([
      ...["paymentIntent.created", "paymentIntent.terms_accepted", "paymentIntent.submission_claimed"],
      ...["paymentIntent.submitted", "paymentIntent.completed"],
    ]);
    // The times of the execution and of the ledger were read separately, so that their order may vary.
    expect(happened.filter((what) => !what.startsWith("paymentIntent."))).toEqual([
      ...["execution started", "ledger accepted", "ledger accepted"],
      ...["execution completed", "ledger settled", "ledger settled", "commission earned"],
    ]);
    const table = await operator.run(...intents("timeline", id));
    expect(table).toMatchObject({ code: 0, stderr: "" });
    expect(table.stdout).toMatch(/│ at .*│ what .*│ who .*│ detail /);
  });

  test("that is another tenant's, or does not exist, is not found", async () => {
    const { id } = await newDraft(client);
    const other = ["intents", "show", id, "--tenant", "1002"];
    expectRefusal(await operator.run(...other), /Tenant 1002 has no intent/);
    expectRefusal(await operator.run(...intents("timeline", "0".repeat(24))), /Tenant 1001 has no intent 0+/);
  });

  test("that is a draft is cancelled, and its audit and the operators' tell by whom and why", async () => {
    const { id } = await newDraft(client);
    expect(await change(...intents("cancel", id), "--operator", "otto")).toMatchObject({
      ...{ id, before: "draft", status: "cancelled" },
    });
    expect((await client.getIntent(id)).status).toBe("cancelled");
    expect((await timelineOf(id)).at(-1)).toMatchObject({
      ...{ what: "paymentIntent.cancelled", who: "otto", detail: expect.stringContaining("ticket 7") },
    });
    expectRefusal(await operator.run(...intents("cancel", id), "--yes", "--reason", "twice"), /is cancelled, which/);
    // The audit also has the request that was refused.
    const entry = { action: "intents.cancel", at: expect.any(String), data: { intentId: id } };
    expect(await audited(id)).toEqual([
      { ...entry, operator: "otto", reason: "ticket 7" },
      { ...entry, operator: "olga", reason: "twice" },
    ]);
  });

  test("whose outcome was unknown gets the end that an operator has found out, of which its tenant reads no name and no reason", async () => {
    const id = await executing("SANDBOX-OVERDUE");
    const expectRefused = async (code: number, why: RegExp, ...as: readonly string[]) =>
      expectRefusal(await operator.run(...intents("resolve", id, "--as", ...as), "--yes", "--reason", "x"), why, code);
    await expectRefused(4, /is executing: only one in requires_recovery can be resolved/, "completed");
    await expectRefused(2, /--cleared says who was paid/, "partially_completed");
    expect(await change(...intents("lose-track", id))).toMatchObject({ status: "requires_recovery" });
    await expectRefused(4, /no recipient with one of these orders/, "partially_completed", "--cleared", "7");
    await expectRefused(4, /is no batch/, "completed", "--rail-payment", "0=a");
    await expectRefused(4, /has told its own id/, "executing", "--rail-payment", "a");
    expect(await change("intents", "list", "--tenant", TENANT, "--status", "requires_recovery")).toContainEqual(
      expect.objectContaining({ id }),
    );
    expect(await change(...intents("resolve", id, "--as", "failed"), "--operator", "otto")).toMatchObject({
      before: "requires_recovery",
      status: "failed",
    });
    const shown = await client.getIntent(id);
    expect(JSON.stringify(shown)).not.toMatch(/otto|ticket 7/);
    expect(shown).toMatchObject({
      status: "failed",
      executions: [{ cause: "Ended by an operator of the service" }],
      statusHistory: expect.arrayContaining([expect.objectContaining({ status: "failed", by: "operator" })]),
    });
  });
});

test("reconciliation records are closed once with a reason, and kept", async () => {
  const record = {
    ...{ tenantId: "1002", intentId: "i".repeat(24), executionId: "e1", kind: "contradicts_outcome" as const },
    ...{ said: "completed", stands: "cancelled", openedAt: "2026-11-21T09:00:00.000Z" },
  };
  await openReconciliation(operator.table, record, Date.now());
  const [{ id, tenant }] = (await change("reconciliation", "list")) as [{ id: string; tenant: string }];
  expect(tenant).toBe("1002");
  const close = ["reconciliation", "close", id, "--tenant", "1002"];
  expect(await change(...close)).toMatchObject({ by: "olga", reason: "ticket 7" });
  expect(await change("reconciliation", "list", "--tenant", "1002")).toEqual([]);
  expect(await change("reconciliation", "list", "--tenant", "1002", "--all")).toEqual([
    expect.objectContaining({ id, said: "completed", closed: expect.stringMatching(/ by olga: ticket 7$/) }),
  ]);
  expectRefusal(await operator.run(...close, "--yes", "--reason", "x"), /There is no open record/);
});

describe("the queue", () => {
  const openQueues = async (): Promise<{ deadLetters: Queue; close: () => void }> => {
    const { AWS_ENDPOINT_URL_SQS: endpoint = "", QUEUE_URL: url = "" } = operator.environment;
    const credentials = storeCredentials(operator.environment);
    const sqs = new SQSClient({ endpoint, region: "us-east-1", credentials, useQueueUrlAsEndpoint: false });
    return { deadLetters: await findDeadLetters({ client: sqs, url }), close: () => sqs.destroy() };
  };

  test("shows what failed, and sends it once more", async () => {
    const { deadLetters, close } = await openQueues();
    await sendMessages(deadLetters, [
      { message: { kind: "shard", shard: 0 } },
      { message: { kind: "shard", shard: 0 } },
    ]);
    expect(await change("queue", "show")).toMatchObject({
      deadLetters: 2,
      deadLetterSample: [{ body: '{"kind":"shard","shard":0}' }, { body: '{"kind":"shard","shard":0}' }],
      timersOverdue: 0,
      lanes: [{ lane: 1 }, { lane: 2 }],
      questions: [
        { rail: "sandbox-bank embedded", secondsBehind: expect.any(Number), failures: 0 },
        { rail: "sandbox embedded", secondsBehind: expect.any(Number), failures: 0 },
      ],
      notConfigured: [],
    });
    expectRefusal(await operator.run("queue", "redrive", "--yes"), /Say why/, 2);
    expect(await change("queue", "redrive")).toEqual({ moved: 2 });
    expect(await readDepth(deadLetters)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    expect((await operator.auditOf("SERVICE")).at(-1)).toMatchObject({
      action: "queue.redrive",
      data: { messages: 2 },
    });
    close();
  });
});

describe("demo data and the ledger", () => {
  test("a mixture of payments is made through the service's own steps, completes, and verifies", async () => {
    expect(await change("seed", "--tenant", "1002", "--intents", "10")).toEqual({
      ...{ intents: 10, executing: 8, draft: 1, pending_link_payment: 1 },
    });
    const list = async () => (await change("intents", "list", "--tenant", "1002")) as Row[];
    await expect
      .poll(async () => Object.groupBy(await list(), ({ status }) => String(status)))
      .toMatchObject({ completed: { length: 7 }, failed: { length: 1 }, draft: { length: 1 } });
    const verified = await operator.run("ledger", "verify", "--tenant", "1002", "--recount", "--json");
    expect(verified).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(verified.stdout)).toMatchObject({ intents: 10, problems: 0, findings: [] });
    expectRefusal(await operator.run("seed", "--tenant", "2999", "--yes"), /There is no tenant 2999/);
  });

  test("one entry that was tampered with is named, and the command ends with 4", async () => {
    const id = await executing();
    await client.waitForStatus(id, "completed");
    const [entry = {}] = await readPartition(operator.table, keysOf(TENANT).ledger(id, "").PK);
    const put = (Item: Row) => operator.table.db.send(new PutCommand({ TableName: operator.table.name, Item }));
    const doc = String(entry["doc"]).replace(/"amount":"[^"]+"/, '"amount":"1.00"');
    await put({ ...entry, doc });
    const { code, stdout } = await operator.run("ledger", "verify", "--json");
    await put(entry);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      problems: 1,
      findings: [{ tenantId: TENANT, about: id, problem: expect.stringMatching(/has the amount 1\.00 instead of/) }],
    });
    const table = await operator.run("ledger", "verify", "--tenant", TENANT);
    expect(table).toMatchObject({ code: 0, stderr: "" });
    expect(table.stdout).toMatch(/│ settled:provider_principal *│ BRL *│ 0\.00 *│/);
  });

  test("payments of both rails are compared with the books, no further back than a rail remembers", async () => {
    const north = { ...payrollBody(2), instructions: { manualPayment: { countryCode: "NO", purpose: "other" } } };
    for (const body of [payrollBody(2), north]) await client.waitForStatus((await pay(client, body)).id, "completed");
    const { code, stdout } = await operator.run("ledger", "match", "--days", "2", "--json");
    const { young, ...matched } = JSON.parse(stdout) as { young: number };
    expect([code, matched]).toMatchObject([0, { problems: 0, findings: [] }]);
    // These payments are too young to be compared.
    expect(young).toBeGreaterThanOrEqual(4);
    expectRefusal(await operator.run("ledger", "match", "--days", "90"), /a number from 1 to 29/, 2);
  });
});
