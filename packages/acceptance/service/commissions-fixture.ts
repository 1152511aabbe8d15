import { createHash } from "node:crypto";
import { addApiKey, addTenant } from "@intents/storage/parties/tenants.ts";
import { afterAll } from "vitest";
import { openClient } from "./client.ts";
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
