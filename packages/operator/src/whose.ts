import { listTenants } from "@intents/storage/parties/registers.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import { Option } from "commander";
import type { Session } from "./session.ts";
import { parseTenantId } from "./tenants.ts";

/** Tenants read side by side. */
const AT_ONCE = 10;

/** The option of a list that one tenant has, and all of them together. */
export const whoseOption = (all = "of all tenants") =>
  new Option("--tenant <id>", `whose; without it, ${all}`).argParser(parseTenantId);

/** The tenants that a list is about: the one that was named, or all. */
export const tenantsOf = async ({ table }: Pick<Session, "table">, tenant: string | undefined): Promise<string[]> =>
  tenant === undefined ? (await listTenants(table)).map(({ tenantId }) => tenantId) : [tenant];

/** The items of each tenant, in the tenants' order. */
export const ofEach = async <Item>(
  tenantIds: readonly string[],
  read: (tenantId: string) => Promise<readonly Item[]>,
): Promise<Item[]> => (await mapInTurns(tenantIds, AT_ONCE, read)).flat();
