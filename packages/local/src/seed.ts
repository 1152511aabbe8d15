import { createHash } from "node:crypto";
import { permissions } from "@intents/domain/parties/caller.ts";
import { addPayee } from "@intents/storage/parties/payees.ts";
import { addApiKey, addTenant } from "@intents/storage/parties/tenants.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** The demo's records all have this time, so that seeding again writes the same records. */
const SEEDED_AT = "2026-01-01T00:00:00.000Z";

const tenants = [
  {
    tenantId: "1001",
    name: "Demo Education Group",
    countryCode: "AU",
    currencyCode: "AUD",
    clientId: "demo",
    granted: permissions,
  },
  {
    tenantId: "1002",
    name: "Basic Study Advisers",
    countryCode: "IN",
    currencyCode: "INR",
    clientId: "basic",
    granted: [],
  },
] as const;

/** The public directory of education providers, as the local service knows it. */
const directory = [
  { id: 5001, name: "University of Sydney", countryCode: "AU", currencyCode: "AUD" },
  { id: 5002, name: "University of Toronto", countryCode: "CA", currencyCode: "CAD" },
  { id: 5003, name: "University of Edinburgh", countryCode: "GB", currencyCode: "GBP" },
  { id: 5004, name: "Technical University of Munich", countryCode: "DE", currencyCode: "EUR" },
  { id: 5005, name: "University of Michigan", countryCode: "US", currencyCode: "USD" },
  { id: 5006, name: "Kyoto University", countryCode: "JP", currencyCode: "JPY" },
  { id: 5007, name: "Kuwait University", countryCode: "KW", currencyCode: "KWD" },
  { id: 5008, name: "University of Auckland", countryCode: "NZ", currencyCode: "NZD" },
  { id: 5009, name: "Trinity College Dublin", countryCode: "IE", currencyCode: "EUR" },
  { id: 5010, name: "Melbourne Language Institute", countryCode: "AU", currencyCode: "AUD" },
] as const;

/** The local demo: two tenants with a key each, and the directory. Doing it again changes nothing. */
export async function seed(table: Table): Promise<void> {
  await Promise.all([
    ...tenants.flatMap(({ clientId, granted, ...tenant }) => [
      addTenant(table, { ...tenant, commissionSpread: "0.01", createdAt: SEEDED_AT }),
      addApiKey(table, {
        clientId,
        tenantId: tenant.tenantId,
        userId: `${clientId}-user`,
        userName: `${tenant.name} (${clientId})`,
        permissions: granted,
        secretHashes: [hash(`${clientId}-secret`)],
        gatewayKey: hash(`${clientId}-gateway`).slice(0, 40),
        createdAt: SEEDED_AT,
      }),
    ]),
    ...directory.map((payee) => addPayee(table, { ...payee, kind: "school", createdAt: SEEDED_AT }, false)),
  ]);
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
