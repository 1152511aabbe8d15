import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reviewCommissions } from "@intents/storage/reviews/commissions.ts";
import { closeReconciliation, openReconciliation, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { afterAll, expect, test } from "vitest";
import { noRateLimit, pdf } from "./client.ts";
import { type Commission, earn, fieldsFor, mustRequest, type Outstanding, request } from "./commissions.ts";
import { openTenants } from "./commissions-fixture.ts";
import { openService } from "./service-fixture.ts";

const { service } = await openService(noRateLimit);
const tenants = openTenants(service.url);
const folder = mkdtempSync(join(tmpdir(), "reviews-"));
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

  const records = await Promise.all([requested, free].map((one) => review(one)));
  for (const one of [requested, free]) expect(await listed(one)).toHaveProperty("underReview.since");
  expect(await outstanding()).toMatchObject({ items: [], totals: [], thresholdMet: false });
  expect((await request(client, fieldsFor([free]))).body).toMatchObject({
    details: { reason: "The payments of these commissions are under review", paymentIds: [free.paymentId] },
  });
  const proof = join(folder, "proof.pdf");
  writeFileSync(proof, pdf());
  const of = ["--tenant", tenantId];
  const pay = ["commission-requests", "pay", requestId, ...of, "--proof", proof];
  const refused = await tenants.run(...pay, "--yes", "--reason", "ticket 7");
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringMatching(`under review ${requested.paymentId}`) });
  const tasks = JSON.parse((await tenants.run("todo", ...of, "--json")).stdout) as { what: string }[];
  expect(tasks.filter(({ what }) => what.includes(`request ${requestId} for its commission waits`))).toHaveLength(1);
  expect(tasks).toHaveLength(2);

  for (const close of records) await close();
  expect(await listed(free)).toEqual(free);
  expect(await outstanding()).toMatchObject({
    items: [{ paymentId: free.paymentId }],
    totals: [{ amount: free.commissionAmount }],
  });
  expect(await tenants.change(...pay)).toMatchObject({ status: "paid" });

  // Money that came back has earned nothing: its commission stays out, and a request for it can only be rejected.
  const lost = await earn(client);
  const other = await mustRequest(client, [lost]);
  await review(lost);
  const [{ id = "" } = {}] = JSON.parse((await tenants.run("reconciliation", "list", ...of, "--json")).stdout) as {
    id?: string;
  }[];
  await tenants.change("reconciliation", "close", id, ...of, "--as", "came-back");
  const again = ["commission-requests", "pay", other.requestId, ...of, "--proof", proof, "--yes", "--reason", "x"];
  expect(await tenants.run(...again)).toMatchObject({ code: 4 });
  expect(await tenants.change("commission-requests", "reject", other.requestId, ...of)).toMatchObject({
    status: "rejected",
  });
  expect(await outstanding()).toMatchObject({ items: [{ paymentId: free.paymentId }] });

  /** Opens a record about the payment of a commission, and gives what closes it. */
  async function review({ paymentId }: Commission) {
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
});

type Payment = Readonly<{ id: string; executions: readonly Readonly<{ executionId: string }>[] }>;
