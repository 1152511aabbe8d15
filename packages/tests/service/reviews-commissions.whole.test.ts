import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reviewCommissions } from "@intents/storage/reviews/commissions.ts";
import { closeReconciliation, openReconciliation, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { afterAll, expect, test } from "vitest";
import { type Client, noRateLimit, pdf } from "./client.ts";
import {
  type Commission,
  earn,
  earnMany,
  fieldsFor,
  mustRequest,
  type Outstanding,
  request,
  sumOf,
} from "./commissions.ts";
import { openTenants } from "./commissions-fixture.ts";
import { enterConsole, startConsole } from "./console-fixture.ts";
import { openService } from "./service-fixture.ts";

const { service } = await openService(noRateLimit);
const tenants = openTenants(service.url);
const folder = mkdtempSync(join(tmpdir(), "reviews-"));
const proof = join(folder, "proof.pdf");
writeFileSync(proof, pdf());
afterAll(() => rmSync(folder, { recursive: true }));

test("a commission whose payment is under review is not outstanding, nor requested, nor paid out", async () => {
  const client = await tenants.newTenant();
  const { tenantId } = client;
  const [requested, free] = await Promise.all([earn(client), earn(client)]);
  const { requestId } = await mustRequest(client, [requested]);
  const listed = async ({ paymentId }: Commission) =>
    (await client.must<{ commissions: Commission[] }>("GET", `/v2/commissions?filter[paymentId]=${paymentId}`))
      .commissions[0];
  const outstanding = () => client.must<Outstanding>("GET", "/v2/commissions/outstanding");

  const records = await Promise.all([requested, free].map((one) => review(client, one)));
  for (const one of [requested, free]) expect(await listed(one)).toHaveProperty("underReview.since");
  expect(await outstanding()).toMatchObject({ items: [], totals: [], thresholdMet: false });
  expect((await request(client, fieldsFor([free]))).body).toMatchObject({
    details: { reason: "The payments of these commissions are under review", paymentIds: [free.paymentId] },
  });
  const of = ["--tenant", tenantId];
  const pay = ["commission-requests", "pay", requestId, ...of, "--proof", proof];
  const refused = await tenants.run(...pay, "--yes", "--reason", "ticket 7");
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringMatching(`under review.* ${requested.paymentId}`) });
  const tasks = JSON.parse((await tenants.run("todo", ...of, "--json")).stdout) as { what: string }[];
  expect(tasks.filter(({ what }) => what.includes(`request ${requestId} for its commission waits`))).toHaveLength(1);
  for (const close of records) await close();
  expect(await listed(free)).toEqual(free);
  expect(await outstanding()).toMatchObject({
    items: [{ paymentId: free.paymentId }],
    totals: [{ amount: free.commissionAmount }],
  });
  expect(await tenants.change(...pay)).toMatchObject({ status: "paid" });
});

test("money that comes back takes its commission back: in lists, totals, its request and the CSV", async () => {
  const client = await tenants.newTenant();
  const { tenantId } = client;
  const of = ["--tenant", tenantId];
  const decide = (name: string, id: string) =>
    ["commission-requests", name, id, ...of, ...(name === "pay" ? ["--proof", proof] : [])] as const;
  const outstanding = () => client.must<Outstanding>("GET", "/v2/commissions/outstanding");
  /** An operator finds that the money of a payment came back. */
  async function comeBack(one: Commission) {
    await review(client, one);
    const { stdout } = await tenants.run("reconciliation", "list", ...of, "--json");
    const [{ id = "" } = {}] = JSON.parse(stdout) as { id?: string }[];
    await tenants.change("reconciliation", "close", id, ...of, "--as", "came-back");
  }
  const [paid, lost, free] = (await earnMany(client, 3)) as [Commission, Commission, Commission];
  await tenants.change(...decide("pay", (await mustRequest(client, [paid])).requestId));
  const { requestId } = await mustRequest(client, [lost]);

  await comeBack(paid);
  const { commissions } = await client.must<{ commissions: (Commission & { correction?: number })[] }>(
    "GET",
    "/v2/commissions?filter[commissionAmount][$lt]=0",
  );
  const [{ paymentDate = "" } = {}] = commissions;
  const taken = `-${paid.commissionAmount}`;
  expect(commissions).toMatchObject([
    { paymentId: paid.paymentId, correction: 1, payerAmount: `-${paid.payerAmount}`, commissionAmount: taken },
  ]);
  const left = sumOf([free.commissionAmount, taken]);
  expect((await outstanding()).totals).toEqual([{ currency: "BRL", amount: left }]);
  const { bytes } = await client.call("GET", `/v2/commissions/export?reportPeriod=${paymentDate.slice(0, 7)}`);
  expect(Buffer.from(bytes).toString()).toMatch(
    new RegExp(`${paid.paymentId},.*,-${paid.payerAmount},BRL,${taken},BRL,`),
  );

  const both = { paymentIds: JSON.stringify([paid.paymentId, free.paymentId]), commissionTotalAmount: left };
  expect((await request(client, both)).body).toMatchObject({ data: { totalAmount: left, paymentCount: 2 } });

  // A request that holds a commission when its money comes back is not paid.
  await comeBack(lost);
  const refused = await tenants.run(...decide("pay", requestId), "--yes", "--reason", "x");
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining(`reject the request ${lost.paymentId}`) });
  const tasks = JSON.parse((await tenants.run("todo", ...of, "--json")).stdout) as { next: string }[];
  const reject = expect.stringContaining(`reject ${requestId}`);
  expect(tasks).toContainEqual(expect.objectContaining({ about: requestId, next: reject }));
  const running = await startConsole(service.url);
  const page = await (await enterConsole(running))(`requests?tenant=${tenantId}&status=submitted`);
  running.stop();
  expect(page).toContain(`come back: ${lost.paymentId}`);
  expect(page).not.toContain(`pay ${requestId}`);
  await tenants.change(...decide("reject", requestId));
  expect((await outstanding()).totals).toEqual([]);
});

/** Opens a record about the payment of a commission, and gives what closes it. */
async function review(client: Client & Readonly<{ tenantId: string }>, { paymentId }: Commission) {
  const { tenantId } = client;
  const { paymentIntents } = await client.must<{ paymentIntents: Payment[] }>(
    "GET",
    `/v2/payment-intents?filter[lastConnectorPaymentId]=${paymentId}`,
  );
  const [{ id: intentId = "", executions = [] } = {}] = paymentIntents;
  const record = {
    kind: "contradicts_outcome",
    ...{ tenantId, intentId, executionId: executions[0]?.executionId ?? "" },
    ...{ said: "failed: recipient 0 failed", stands: "completed", openedAt: new Date().toISOString() },
  } as const;
  await openReconciliation(tenants.table, record, Date.now(), { reviewCommissions });
  const change = { operator: "olga", action: "reconciliation.close", reason: "ticket 7", atMs: Date.now() };
  return () =>
    closeReconciliation(
      tenants.table,
      tenantId,
      reconciliationId(record),
      { ...change, atMs: Date.now() },
      { reviewCommissions },
    );
}

type Payment = Readonly<{ id: string; executions: readonly Readonly<{ executionId: string }>[] }>;
