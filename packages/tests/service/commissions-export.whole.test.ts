import { commissionColumns } from "@intents/domain/commissions/csv.ts";
import { commissionItem } from "@intents/storage/commissions/commissions.ts";
import { commission } from "@intents/storage/test/commission-fixture.ts";
import { expect, test } from "vitest";
import { writeItems } from "./collections.ts";
import { exportOf, openTenants, rowsOf } from "./commissions-fixture.ts";
import { openService } from "./service-fixture.ts";

const { client } = await openService();
const tenants = openTenants(client.url);

test("an export that is large is a link to all of it, which needs no key and is the tenant's alone", async () => {
  const by = await tenants.newTenant();
  const studentName = "日".repeat(281);
  const stored = Array.from({ length: 7_000 }, () => commission({ studentName }));
  const other = commission({ paymentDate: "2026-11-01T00:00:00.000Z" });
  await writeItems(
    tenants.table,
    [...stored, other].map((one) => commissionItem(by.tenantId, one)),
  );
  const { status, headers } = await exportOf(by, "2026-10");
  expect(status).toBe(303);
  const link = new URL(headers.get("location") ?? "");
  expect(link.pathname).toMatch(new RegExp(`/exports/${by.tenantId}/[0-9a-f]{64}$`));
  expect(link.searchParams.get("X-Amz-Expires")).toBe("300");
  const file = await fetch(link);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  const rows = rowsOf(new Uint8Array(await file.arrayBuffer()));
  expect(rows.slice(1).map(([paymentId]) => Number(paymentId))).toEqual(stored.map(({ paymentId }) => paymentId));
  expect(rows.every(({ length }) => length === commissionColumns.length)).toBe(true);
  expect((await exportOf(client, "2026-10")).status).toBe(200);
});
