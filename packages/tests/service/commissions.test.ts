import { commissionColumns } from "@intents/domain/commissions/csv.ts";
import { planRequest } from "@intents/domain/commissions/request.ts";
import { changeRequest, claimChunk } from "@intents/storage/commissions/commission-requests.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { describe, expect, test } from "vitest";
import type { ErrorBody } from "./client.ts";
import { type Commission, commissionOf, earn, mustRequest, outstandingOf, sumOf } from "./commissions.ts";
import { exportOf, openTenants, rowsOf } from "./commissions-fixture.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { allowanceBody, fixedReceiptBody, pay, splitBody } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { tuition } from "./tuition.ts";

const { client } = await openService();
const tenants = openTenants(client.url);

describe.concurrent("a completed payment", () => {
  test("earns the tenant's spread of the principal, and is listed with all its fields", async () => {
    const { body, quote } = await tuition(client);
    const intent = await pay(client, body);
    const commission = await commissionOf(client, intent.id);
    const payerAmount = (quote.payouts[0]?.payerAmount ?? 0).toFixed(2);
    const cents = Math.round(Number(payerAmount));
    expect(commission).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{26}$/),
      _id: commission?.id,
      paymentId: intent.executions[0]?.connectorPaymentIds[0],
      studentName: "Ana Silva",
      payeeName: "University of Sydney",
      payerAmount,
      payerCurrency: "BRL",
      commissionAmount: (cents / 100).toFixed(2),
      commissionCurrency: "BRL",
      commissionSpread: 0.01,
      paymentDate: expect.stringMatching(/Z$/),
    });
  });

  test("of a split earns nothing on the tenant's own leg", async () => {
    const { body } = await splitBody(client);
    const { id } = await pay(client, body);
    expect(await commissionOf(client, id)).toMatchObject({ payerAmount: body.recipients[0]?.amount.payerAmount });
  });

  test("that completed in part earns on what arrived", async () => {
    const wanted = { payeeIds: [5001, 5010], reference: "SANDBOX-PARTIAL" };
    const { body, quote } = await tuition(client, wanted);
    const { id } = await pay(client, body);
    const intent = await client.waitForStatus(id, "partially_completed");
    const { legs } = intent.executions[0] as unknown as { legs: { status: string; payerAmount: string }[] };
    const cleared = legs.filter(({ status }) => status === "cleared");
    expect([cleared.length, quote.payouts.length]).toEqual([1, 2]);
    expect(await commissionOf(client, id)).toMatchObject({ payerAmount: cleared[0]?.payerAmount });
  });

  test("by a student to somebody else earns, and names the student", async () => {
    const { body } = await allowanceBody(client);
    const { id } = await pay(client, body);
    expect(await commissionOf(client, id)).toMatchObject({ studentName: "Ana Silva", commissionSpread: 0.01 });
  });

  test.each(["supplier_payment", "tenant_funded_refund"])("by the tenant itself earns nothing: %s", async (useCase) => {
    const { body } = await fixedReceiptBody(client, useCase);
    const { id } = await pay(client, body);
    expect(await commissionOf(client, id)).toBeUndefined();
  });

  test("that earns less than half a minor unit earns nothing", async () => {
    const by = await tenants.newTenant({ commissionSpread: "0.000001" });
    const { id } = await pay(by, (await tuition(by, { amount: 100 })).body);
    expect(await commissionOf(by, id)).toBeUndefined();
    expect(await outstandingOf(by)).toEqual({ items: [], totals: [], thresholdMet: false, hasMore: false });
  });
});

describe.concurrent("the outstanding view", () => {
  test("has every commission that no request names, and totals by currency", async () => {
    const by = await tenants.newTenant();
    const [first, second, dear] = await Promise.all([
      earn(by, { amount: 100 }),
      earn(by, { amount: 110 }),
      earn(by, { amount: 120, countryCode: "GB" }),
    ]);
    const { items, totals, thresholdMet } = await outstandingOf(by);
    expect(items.toSorted((one, other) => one.paymentId - other.paymentId)).toEqual(
      [first, second, dear]
        .toSorted((one, other) => one.paymentId - other.paymentId)
        .map(({ paymentId, commissionAmount, commissionCurrency, paymentDate }) => {
          return { paymentId, commissionAmount, commissionCurrency, paymentDate };
        }),
    );
    expect(totals).toEqual([
      { currency: "BRL", amount: sumOf([first.commissionAmount, second.commissionAmount]) },
      { currency: "GBP", amount: dear.commissionAmount },
    ]);
    expect(thresholdMet).toBe(false);
  });

  test("meets the threshold when one currency's total reaches it, which may be the tenant's own", async () => {
    const [by, dear] = await Promise.all([
      tenants.newTenant({ commissionSpread: "0.5" }),
      tenants.newTenant({ commissionThreshold: "1000" }),
    ]);
    await Promise.all([earn(by), earn(dear)]);
    expect(await outstandingOf(by)).toMatchObject({ thresholdMet: true });
    const { totals } = await outstandingOf(dear);
    expect(await outstandingOf(dear)).toMatchObject({ thresholdMet: false });
    await tenants.change("tenants", "set", dear.tenantId, "--commission-threshold", totals[0]?.amount ?? "");
    expect(await outstandingOf(dear)).toMatchObject({ thresholdMet: true });
  });
});

describe.concurrent("an export", () => {
  const student = (firstName: string, lastName: string) => ({
    role: "student",
    details: { firstName, lastName, email: "ana@example.com" },
  });
  const monthOf = ({ paymentDate }: Commission) => paymentDate.slice(0, "yyyy-MM".length);
  const header = ["\uFEFFpaymentId", ...commissionColumns.slice(1)];

  test("is a CSV file of the month's commissions, the oldest first, with everything that is known of them", async () => {
    const by = await tenants.newTenant();
    const [first, second] = [await earn(by), await earn(by, { amount: 2000, payer: student("=Ana", 'O"Neil, B; +C') })];
    await mustRequest(by, [first]);
    const { commissions } = await by.must<{ commissions: Commission[] }>("GET", "/v2/commissions?sort=paymentDate");
    const { status, headers, bytes } = await exportOf(by, monthOf(first));
    expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      200,
      "text/csv; charset=utf-8",
      `attachment; filename*=UTF-8''commissions-${monthOf(first)}.csv`,
    ]);
    const cellOf = (value: string | number | undefined) => String(value ?? "").replace(/^(?==)|(?<=; )(?=\+)/g, "'");
    expect(rowsOf(bytes)).toEqual([
      header,
      ...commissions.map((commission) => commissionColumns.map((column) => cellOf(commission[column]))),
    ]);
    expect(commissions.map(({ studentName }) => studentName)).toEqual(["Ana Silva", '=Ana O"Neil, B; +C']);
    expect(commissions.map(({ commissionRequestDate }) => commissionRequestDate !== undefined)).toEqual([true, false]);
    expect(second.paymentDate > first.paymentDate).toBe(true);
  });

  test.each(["2031-01", "1999-12", "9999-12", "0000-01"])(
    "of %s, in which nothing was paid, is the header",
    async (month) => {
      const { status, bytes } = await exportOf(client, month);
      expect([status, rowsOf(bytes)]).toEqual([200, [header]]);
    },
  );

  test.each(["2026-13", "2026-00", "2026-1", "26-01", "abc", "", "2026-01-01", "2026-01%00"])(
    "of %j is refused with the name of the parameter",
    async (month) => expectShape(await exportOf<ErrorBody>(client, month), "reportPeriod"),
  );

  test("needs its month, and takes nothing else", async () => {
    expectShape(await client.call("GET", "/v2/commissions/export"), "reportPeriod");
    expectShape(await client.call("GET", "/v2/commissions/export?reportPeriod=2026-01&format=xlsx"), "format");
  });
});

test("a claim whose worker is gone is given back by the schedule", async () => {
  const by = await tenants.newTenant();
  const { paymentId } = await earn(by);
  const { table } = tenants;
  const [held] = await findCommissions(table, by.tenantId, [paymentId]);
  if (held === undefined) throw new Error("What was earned is not stored");
  const wish = { paymentIds: [paymentId], commissionTotalAmount: held.commission.commissionAmount };
  const named = { requestId: "0".repeat(24), createdOn: new Date().toISOString() };
  const planned = planRequest(wish, [held], named);
  if (!planned.ok) throw new Error("What was earned cannot be requested");
  const target = { tenantId: by.tenantId, requestId: named.requestId };
  const claiming = { request: planned.value.request, phase: "claiming", chunks: 0 } as const;
  await changeRequest(table, target, undefined, claiming, {
    nowMs: Date.now(),
    wake: { dueAtMs: Date.now() + 1000, shards: 1 },
  });
  await claimChunk(table, target, claiming, [held.commission]);
  expect(await outstandingOf(by)).toMatchObject({ items: [], totals: [] });
  expectEnvelope(await by.call("GET", `/v2/commissions/requests/${named.requestId}`), 404, "[GEN9003]");
  const { PK } = keysOf(by.tenantId).commissionRequest(named.requestId);
  await expect.poll(() => readPartition(table, PK)).toEqual([]);
  expect((await outstandingOf(by)).items).toHaveLength(1);
});
