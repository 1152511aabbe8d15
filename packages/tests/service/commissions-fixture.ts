import { createHash } from "node:crypto";
import { parseCsv } from "@intents/domain/test/csv-fixture.ts";
import { addApiKey, addTenant } from "@intents/storage/parties/tenants.ts";
import { afterAll } from "vitest";
import { type Client, openClient } from "./client.ts";
import { openOperator } from "./operator-fixture.ts";

let tenants = 3001;

/** Makes new tenants, so that their outstanding commissions are those that the test has earned. */
export function openTenants(url: string) {
  const { table, close, ...operator } = openOperator(url);
  afterAll(close);
  async function newTenant(terms: Readonly<{ commissionSpread?: string; commissionThreshold?: string }> = {}) {
    const tenantId = String(tenants++);
    const createdAt = new Date().toISOString();
    const company = { name: `Tenant ${tenantId}`, countryCode: "AU", currencyCode: "AUD", createdAt };
    await addTenant(table, { tenantId, ...company, commissionSpread: "0.01", ...terms });
    const [clientId, secret] = [`key-${tenantId}`, `secret-${tenantId}`];
    const secretHashes = [createHash("sha256").update(secret).digest("hex")];
    const user = { userId: clientId, userName: clientId, gatewayKey: clientId.padEnd(40, "0") };
    await addApiKey(table, {
      clientId,
      tenantId,
      ...user,
      permissions: ["AllowSplitPayment"],
      secretHashes,
      createdAt,
    });
    return { ...openClient(url, `${clientId}:${secret}`), tenantId };
  }
  return { ...operator, table, newTenant };
}

/** The answer to a month's export. */
export const exportOf = <Body = string>(by: Client, reportPeriod: string) =>
  by.call<Body>("GET", `/v2/commissions/export?reportPeriod=${reportPeriod}`);

/** The rows of an exported file, its mark of UTF-8 included. */
export const rowsOf = (bytes: Uint8Array) => parseCsv(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
