import { describe, expect, test } from "vitest";
import { noRateLimit, type Variant } from "./client.ts";
import { finishCheckout, publishLink } from "./links.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, newDraft, type RailPayment, tuition } from "./tuition.ts";

const SETTLE_MS = 2_000;

// Former addresses of the rail, where nobody listens: a request that were sent there would not arrive.
const former = {
  CONNECTOR_FORMER_URLS: "http=http://127.0.0.1:1/v1 http://127.0.0.1:1/v2",
  CONNECTOR_SECRET: `http=file:${import.meta.filename}`,
};
const times = { SANDBOX_SETTLE_SECONDS: String(SETTLE_MS / 1000) };
const { client } = await openService({ ...noRateLimit, ...former, ...times });

const listed = async (query = "limit=1000") =>
  (await client.must<{ payments: (RailPayment & { rail: string })[] }>("GET", `/sandbox/payments?${query}`)).payments;
const isCard = ({ settlementMethod }: Variant) => settlementMethod === "card";
/** A payer in Norway, from where payments to Australia go by a rail of their own. */
const NORWAY = { countryCode: "NO" };

describe("the most that a bank transfer takes", () => {
  const mostOf = async (payeeId: number) => {
    const { variants } = await client.newQuote({ ...NORWAY, payouts: [{ payeeId, amount: 1000 }] });
    return Number(variants[0]["maxAmount"]);
  };

  test("from one country is 1.5 million dollars where its own rail pays, and two where the other does", async () => {
    const { id: brazilian } = await client.newPayee({ countryCode: "BR", currencyCode: "BRL" });
    // Limits are rounded outwards, to the next øre.
    expect(4 * (await mostOf(5001))).toBeCloseTo(3 * (await mostOf(brazilian)), 0);
  });

  test("is the same for payers of a link, in which the tenant's own leg does not count as a corridor", async () => {
    const split = {
      useCase: "education_provider_tuition_with_tenant_split",
      deliveryMode: "reusable_payment_link",
      amountMode: "free_entry_with_portions",
      payer: { role: "unknown_link_payer" },
      recipients: [
        { role: "education_provider", connectorPayeeId: 5001, amount: { portionBps: 9000, currency: "AUD" } },
        { role: "tenant", connectorPayeeId: 1001, amount: { portionBps: 1000, currency: "AUD" } },
      ],
      termsAccepted: true,
    };
    const [plain, shared] = await Promise.all([publishLink(client), publishLink(client, {}, split)]);
    const most = await mostOf(5001);
    const from = { payerCountryCode: NORWAY.countryCode };
    expect((await plain.payer.quote(from)).variants[0].maxAmount).toBe(most);
    expect((await shared.payer.quote({ ...from, amount: 100 })).variants[0].maxAmount).toBe(most);
  });
});

describe("a second rail", () => {
  test("gets the payments in its corridors, and the first rail gets all others", async () => {
    const [own, other] = await Promise.all([newDraft(client, NORWAY), newDraft(client)]);
    expect(await dryRun(client, own.id)).toMatchObject({
      connector: { provider: "sandbox-bank", version: "2.0.0" },
      limits: { maxRecipients: 6 },
    });
    expect(await dryRun(client, other.id)).toMatchObject({
      connector: { provider: "sandbox", version: "1.0.0" },
      limits: { maxRecipients: 10 },
    });
    const startedAt = performance.now();
    for (const { id } of [own, other]) expect((await client.submit(id)).status).toBe(200);
    const byRail = (await listed()).map(({ rail, paymentIntentId }) => `${rail} ${paymentIntentId}`);
    expect(byRail).toEqual(expect.arrayContaining([`sandbox-bank ${own.id}`, `sandbox ${other.id}`]));
    const paid = await client.waitForStatus(own.id, "completed");
    await client.waitForStatus(other.id, "completed");
    expect(performance.now() - startedAt).toBeGreaterThan(1.5 * SETTLE_MS);
    expect(paid["connectorPayment"]).toMatchObject({ transactionBankDetails: { bankName: "Sandbox Nordic Bank" } });
  });

  test("serves the same checkout page", async () => {
    const { body } = await tuition(client, { ...NORWAY, pick: isCard });
    const { id } = await create(client, body);
    const submitted = await client.submit(id);
    const [execution] = submitted.body.data.executions;
    const checkoutUrl = execution?.checkoutUrl ?? "";
    expect(await (await fetch(checkoutUrl)).text()).toContain("Pay this test payment");
    expect(await finishCheckout(checkoutUrl, "pay")).toContain("Test payment paid");
    await client.waitForStatus(id, "completed");
  });

  test("heeds the tester's references", async () => {
    const failing = await newDraft(client, { ...NORWAY, reference: "SANDBOX-FAIL" });
    expect((await client.submit(failing.id)).status).toBe(200);
    await client.waitForStatus(failing.id, "failed");
    const unavailable = await newDraft(client, { ...NORWAY, reference: "SANDBOX-UNAVAILABLE" });
    expect((await client.submit(unavailable.id)).status).toBe(503);
  });
});

test("the tester's list holds the payments of both rails, newest first, narrowed as one list", async () => {
  for (const countryCode of ["NO", "BR", "SE"]) {
    const { id } = await newDraft(client, { countryCode });
    expect((await client.submit(id)).status).toBe(200);
    // Nothing of it changes any more while the lists are compared.
    await client.waitForStatus(id, "completed");
  }
  const all = await listed();
  expect(all.slice(0, 3).map(({ rail }) => rail)).toEqual(["sandbox-bank", "sandbox", "sandbox-bank"]);
  const ids = all.map(({ executionId }) => executionId);
  expect(ids).toEqual(ids.toSorted().toReversed());
  expect(await listed("limit=2")).toEqual(all.slice(0, 2));
  for (const payment of all.slice(0, 2)) {
    expect(await listed(`executionId=${payment.executionId}`)).toEqual([payment]);
  }
});
