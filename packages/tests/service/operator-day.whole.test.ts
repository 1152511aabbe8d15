import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReconciliation } from "@intents/storage/reviews/reconciliation.ts";
import { afterAll, expect, test } from "vitest";
import { noRateLimit, pdf } from "./client.ts";
import { earn, mustRequest } from "./commissions.ts";
import { openTenants } from "./commissions-fixture.ts";
import { pay, payrollBody } from "./scenarios-fixture.ts";
import { eventually, openService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

// A payment that the rail delays takes fifteen times as long: longer than the test.
const { service } = await openService({
  ...noRateLimit,
  TWO_PERSONS: "on",
  RECOVERY_AFTER_SECONDS: "3600",
  SANDBOX_SETTLE_SECONDS: "20",
});
const tenants = openTenants(service.url);
const folder = mkdtempSync(join(tmpdir(), "day-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Task = Readonly<{ since: string; tenant?: string; what: string; about: string; next: string }>;
type Fields = Readonly<Record<string, unknown>>;

/** The words of a command that is shown, as the shell has them, without the program's own. */
const wordsOf = (line: string): string[] =>
  (line.replace("npx -y pnpm@12 operator ", "").match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""));

test("an operator's day: find, hold, resolve, pay, reject, match and verify, until nothing is left to do", async () => {
  const client = await tenants.newTenant();
  const { tenantId } = client;
  const tenant = ["--tenant", tenantId];
  const by = (operator: string, ...args: readonly string[]) => tenants.change(...args, "--operator", operator);
  const read = async <Read>(...args: readonly string[]) =>
    JSON.parse((await tenants.run(...args, "--json")).stdout) as Read;
  const tasks = () => read<Task[]>("todo", ...tenant);
  await by("olga", "keys", "grant", `key-${tenantId}`, "AllowBulkPayment");
  expect(await tasks()).toEqual([]);

  const earning = Promise.all([earn(client), earn(client)]);

  // A payer asks after a payment, and knows no more than the reference that the bank was told.
  const { id } = await newDraft(client, { reference: "SANDBOX-OVERDUE" });
  expect((await client.submit(id)).status).toBe(200);
  const reference = String(((await client.getIntent(id)) as unknown as Fields)["lastConnectorPaymentId"]);
  expect(await read<Fields[]>("find", reference)).toMatchObject([{ id, tenantId, payer: { name: "Ana Silva" } }]);
  expect(await read<Fields[]>("intents", "timeline", id, ...tenant)).toContainEqual(
    expect.objectContaining({ what: "execution started" }),
  );
  await by("olga", "intents", "lose-track", id, ...tenant);

  // A tenant wants its payroll stopped.
  const batch = await pay(client, payrollBody(2, ["SANDBOX-UNAVAILABLE"]));
  const isHalfSent = { executions: [{ connectorPaymentIds: [expect.any(Number)] }] };
  await eventually(async () => expect(await client.getIntent(batch.id)).toMatchObject(isHalfSent));
  await eventually(() => by("olga", "intents", "hold", batch.id, ...tenant));
  const withFirst = (status: string) => ({
    executions: [{ legs: expect.arrayContaining([expect.objectContaining({ order: 0, status })]) }],
  });
  expect(await client.getIntent(batch.id)).toMatchObject(withFirst("held"));

  // Commissions: two requests, and what a rail said too late.
  const [one, other] = await earning;
  const [paid, rejected] = [await mustRequest(client, [one]), await mustRequest(client, [other])];
  const record = { tenantId, intentId: id, executionId: "e1", kind: "contradicts_outcome", said: "cleared" } as const;
  await openReconciliation(
    tenants.table,
    { ...record, stands: "failed", openedAt: new Date().toISOString() },
    Date.now(),
  );

  const open = await tasks();
  expect(open.map(({ since }) => since)).toEqual(open.map(({ since }) => since).toSorted());
  const abouts = (found: readonly Task[]) => found.map(({ about }) => about).toSorted();
  expect(abouts(open)).toEqual([id, id, batch.id, paid.requestId, rejected.requestId].toSorted());
  // Pasted as it is, a command waits for what only a person can say, and names the service that was asked.
  for (const { next } of open) {
    expect(next).toMatch(
      new RegExp(`^npx -y pnpm@12 operator .*--tenant ${tenantId} .*--reason '\\.\\.\\.' --port \\d+$`),
    );
    expect(await tenants.run(...wordsOf(next))).toMatchObject({ code: 2 });
  }
  const held = open.find(({ about }) => about === batch.id);
  const said = wordsOf(held?.next ?? "").map((word) => (word === "..." ? "the payroll is right" : word));
  await eventually(async () => expect(await tenants.run(...said, "--yes")).toMatchObject({ code: 0 }));
  await eventually(async () => expect(await client.getIntent(batch.id)).toMatchObject(withFirst("pending")));
  await eventually(() => by("olga", "intents", "hold", batch.id, ...tenant));

  // A change to the course of money takes two persons: the second finds the first's proposal listed.
  const resolve = ["intents", "resolve", id, ...tenant, "--as", "failed"];
  expect(await by("olga", ...resolve)).toMatchObject({ proposed: "intents.resolve" });
  expect(await tasks()).toContainEqual(
    expect.objectContaining({ what: expect.stringMatching(/^olga proposed intents.resolve: /) }),
  );
  expect(await by("pete", ...resolve)).toMatchObject({ before: "requires_recovery", status: "failed" });

  const proof = join(folder, "proof.pdf");
  writeFileSync(proof, pdf());
  const payOut = ["commission-requests", "pay", paid.requestId, ...tenant, "--proof", proof];
  await by("olga", ...payOut);
  expect(await by("pete", ...payOut)).toMatchObject({ status: "paid" });
  expect(await by("olga", "commission-requests", "reject", rejected.requestId, ...tenant)).toMatchObject({
    status: "rejected",
  });
  await eventually(() => by("olga", "intents", "cancel", batch.id, ...tenant));
  const [{ id: recordId } = { id: "" }] = await read<{ id: string }[]>("reconciliation", "list", ...tenant);
  await by("olga", "reconciliation", "close", recordId, ...tenant);
  await eventually(async () => expect(await tasks()).toEqual([]));
  expect(await client.waitForStatus(batch.id, "partially_completed")).toMatchObject({
    bulkProgress: { total: 2, completed: 1, failed: 0, cancelled: 1 },
  });

  expect(await tenants.run("ledger", "match", ...tenant)).toMatchObject({ code: 0 });
  expect(await read<Fields>("ledger", "verify", ...tenant)).toMatchObject({ problems: 0 });
  const audit = await read<{ action: string }[]>("audit", ...tenant, "--limit", "all");
  expect(new Set(audit.map(({ action }) => action))).toEqual(
    new Set([
      ...[
        "intents.lose-track",
        "intents.hold",
        "intents.resume",
        "intents.resolve.propose",
        "intents.resolve.agree",
        "intents.resolve",
      ],
      ...["commission-requests.pay.propose", "commission-requests.pay.agree", "commission-requests.paid"],
      ...["keys.grant", "commission-requests.rejected", "intents.cancel", "reconciliation.close"],
    ]),
  );
});
