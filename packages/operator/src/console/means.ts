import type { Tenant } from "@intents/domain/parties/tenant.ts";
import { listTenants } from "@intents/storage/parties/registers.ts";
import { readOnly } from "@intents/storage/table/read-only.ts";
import type { Where } from "../command-line.ts";
import { Refusal } from "../refusal.ts";
import type { Session } from "../session.ts";

/** The sources of the console's pages. */
export type Means = Readonly<{
  /** The operator's own session, in whose table nothing can be written. */
  session: Session;
  /** The tenant with this id, or the first one. Refuses an id that does not exist. */
  tenant: (tenantId: string | undefined) => Promise<Tenant | undefined>;
  /** All tenants, as they were when one of them was last asked for. */
  tenants: () => readonly Tenant[];
  /** The service as people call it. */
  place: string;
}>;

/** Refuses what the caller may not read, before the first page. */
export async function openMeans(session: Session, where: Where): Promise<Means> {
  // The first list of tenants of all completes their register, which is no matter of pages.
  let tenants: readonly Tenant[] = await listTenants(session.table);
  const settings = await session.settings();
  const run = await session.run();
  const read: Session = {
    ...session,
    table: readOnly(session.table),
    settings: async () => settings,
    run: async () => run,
  };
  const place =
    session.stage === undefined ? `local, port ${where.port}` : [where.prefix, session.stage].filter(Boolean).join(" ");
  return {
    session: read,
    place,
    tenants: () => tenants,
    tenant: async (tenantId) => {
      const find = () => tenants.find((tenant) => tenant.tenantId === tenantId);
      if (tenantId !== undefined && find() === undefined) tenants = await listTenants(read.table);
      const found = tenantId === undefined ? tenants[0] : find();
      if (found === undefined && tenantId !== undefined) throw new Refusal(`There is no tenant ${tenantId}`);
      return found;
    },
  };
}
