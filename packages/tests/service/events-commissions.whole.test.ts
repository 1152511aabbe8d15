import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Client, fileForm, noRateLimit, pdf } from "./client.ts";
import { type Commission, commissionOf, fieldsFor, mustRequest, request } from "./commissions.ts";
import { openTenants } from "./commissions-fixture.ts";
import { eventually, openHeldService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

// The service's clock stands still while operators decide by that of this machine, and then passes it.
const { service } = await openHeldService(noRateLimit);
const tenants = openTenants(service.url);
const folder = mkdtempSync(join(tmpdir(), "events-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The commission of a payment that a tester has settled. */
async function earn(by: Client, amount: number): Promise<Commission> {
  const { id } = await newDraft(by, { amount });
  const { body } = await by.submit(id);
  const [paymentId] = body.data.executions[0]?.connectorPaymentIds ?? [];
  await by.must("POST", `/sandbox/payments/${paymentId}/settle`);
  const commission = await commissionOf(by, id);
  if (commission === undefined) throw new Error(`Intent ${id} completed without a commission`);
  return commission;
}

type Event = Readonly<{ type: string; resource: Readonly<{ type: string; id: string }>; status: string }>;
const eventsOf = async (by: Client) =>
  (await by.must<{ events: Event[] }>("GET", "/v2/events?type=commissionRequest")).events;

test("the events of a tenant tell of each request for commissions that it is made, and paid or rejected", async () => {
  const [by, other] = [await tenants.newTenant(), await tenants.newTenant()];
  const [first, second, third] = [await earn(by, 1500), await earn(by, 1501), await earn(by, 1502)];
  const paid = await mustRequest(by, [first]);
  const rejected = await mustRequest(by, [second]);
  const open = await mustRequest(by, [third]);
  const again = await request(by, fieldsFor([first]));
  expect(again.status).toBe(409);
  const form = fileForm(pdf(), "a.pdf", "application/pdf", "invoice");
  await by.must("PUT", `/v2/commissions/requests/${open.requestId}`, { form });
  const proof = join(folder, "proof.pdf");
  writeFileSync(proof, pdf());
  const tenant = ["--tenant", by.tenantId];
  await tenants.change("commission-requests", "pay", paid.requestId, ...tenant, "--proof", proof);
  await tenants.change("commission-requests", "reject", rejected.requestId, ...tenant);

  const events = await eventually(async () => {
    await service.moveClock(16_000);
    const all = await eventsOf(by);
    expect(all.map(({ status }) => status)).toContain("rejected");
    return all;
  });
  const of = (id: string) => events.filter(({ resource }) => resource.id === id).map(({ type }) => type);
  expect([paid, rejected, open].map(({ requestId }) => of(requestId))).toEqual([
    ["commissionRequest.submitted", "commissionRequest.paid"],
    ["commissionRequest.submitted", "commissionRequest.rejected"],
    ["commissionRequest.submitted"],
  ]);
  // A request that was refused, and a new invoice, are no change of status.
  expect(events).toHaveLength(5);
  expect(await eventsOf(other)).toEqual([]);
});
