import type { Tenant } from "@intents/domain/parties/tenant.ts";
import { listTenants } from "@intents/storage/parties/registers.ts";
import { readOnly } from "@intents/storage/table/read-only.ts";
import { Refusal } from "../refusal.ts";
import type { Session } from "../session.ts";

/** What the console's pages are read with. */
export type Means = Readonly<{
  /** The operator's own session, in whose table nothing can be written. */
  session: Session;
  /** The tenant with this id, or the first one. Refuses an id that does not exist. */
  tenant: (tenantId: string | undefined) => Promise<Tenant | undefined>;
  /** All tenants, as they were when one of them was last asked for. */
  tenants: () => readonly Tenant[];
  /** The service as people call it. */
  place: string;
  /** A command of the operator's on the same service; it says why where that is asked for. */
  command: (...words: readonly string[]) => string;
}>;

const LOCAL_PORT = "3000";

/** The options by which the operator has named the service. */
export type Where = Readonly<{ port: string; prefix?: string; table?: string }>;

/** The same options for the commands that the console shows. */
const toOptions = ({ port, prefix, table }: Where, stage: string | undefined): string[] => {
  const named = stage === undefined ? { port: port === LOCAL_PORT ? undefined : port } : { stage, prefix };
  return Object.entries({ ...named, table }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
};

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
    command: (...words) =>
      ["npx -y pnpm@12 operator", ...[...words, ...toOptions(where, session.stage)].map(quote)].join(" "),
  };
}

/** The option of a command that says why: the reason has to be written by whoever sends it. */
export const WHY = ["--reason", "..."] as const;

const quote = (word: string): string =>
  /^[\w.:=,-]+$/.test(word) && word !== "..." ? word : `'${word.replaceAll("'", "'\\''")}'`;
