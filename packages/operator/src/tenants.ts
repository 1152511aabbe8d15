import { isDecimal } from "@intents/domain/amounts/money.ts";
import type { Imprint } from "@intents/domain/parties/imprint.ts";
import type { Suspension, Tenant } from "@intents/domain/parties/tenant.ts";
import { pick } from "@intents/domain/pick.ts";
import { findCountry } from "@intents/domain/reference/countries.ts";
import { listTenants } from "@intents/storage/parties/registers.ts";
import { findSuspension, findSuspensions, resumeTenant, suspendTenant } from "@intents/storage/parties/suspensions.ts";
import { addTenant, findTenant, replaceTenant } from "@intents/storage/parties/tenants.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { apartFromImprint, changedImprint, withImprint } from "./imprint.ts";
import { print, printAll } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";

export function tenantCommands(program: Command): void {
  const tenants = program.command("tenants").description("customer organizations");
  tenants
    .command("create")
    .description("adds a customer, and its own company as a payee")
    .argument("<id>", "the tenant's id, a number: also the payee id of its own company", parseTenantId)
    .requiredOption("--name <name>", "the organization's name")
    .addOption(new Option("--country <code>", "ISO 3166-1 alpha-2").argParser(parseCountry).makeOptionMandatory())
    .addOption(spreadOption().default("0.01"))
    .action(async (tenantId: string, options: Fields, command: Command) => {
      const session = await openSession(command);
      await create(session, tenantId, options);
    });
  tenants
    .command("list")
    .description("all customers")
    .action(async (_options: unknown, command: Command) => {
      const session = await openSession(command);
      const all = await listTenants(session.table);
      const suspensions = await findSuspensions(
        session.table,
        all.map(({ tenantId }) => tenantId),
      );
      printAll(
        session,
        all.map((tenant, index) => toRow(tenant, suspensions[index])),
      );
    });
  tenants
    .command("show")
    .description("all that is kept of a customer")
    .argument("<id>", "the tenant's id", parseTenantId)
    .action(async (tenantId: string, _options: unknown, command: Command) => {
      const session = await openSession(command);
      const tenant = await getTenant(session, tenantId);
      const suspended = await findSuspension(session.table, tenantId);
      print(session, { ...tenant, ...(suspended !== undefined && { suspended }) });
    });
  const changing = tenants
    .command("set")
    .description("changes a customer's name, terms, and the legal details that its payers see")
    .argument("<id>", "the tenant's id", parseTenantId)
    .option("--name <name>", "the organization's name")
    .addOption(spreadOption())
    .addOption(thresholdOption());
  withImprint(changing).action(async (tenantId: string, options: Partial<Fields> & Imprint, command: Command) => {
    const session = await openSession(command);
    await set(session, tenantId, options);
  });
  tenants
    .command("suspend")
    .description("stops all new payments and changes of a customer; submitted payments go on to their end")
    .argument("<id>", "the tenant's id", parseTenantId)
    .action(async (tenantId: string, _options: unknown, command: Command) => {
      await suspend(await openSession(command), tenantId);
    });
  tenants
    .command("resume")
    .description("ends a suspension: keys and links work again")
    .argument("<id>", "the tenant's id", parseTenantId)
    .action(async (tenantId: string, _options: unknown, command: Command) => {
      await resume(await openSession(command), tenantId);
    });
}

const toRow = (tenant: Tenant, suspension: Suspension | undefined) => ({
  ...pick(tenant, ["tenantId", "name", "countryCode", "currencyCode", "commissionSpread", "createdAt"]),
  ...(suspension !== undefined && { suspendedAt: suspension.at }),
});

type Fields = Readonly<{ name: string; country: string; commissionSpread: string; commissionThreshold: string }>;

async function create(session: Session, tenantId: string, { name, country, commissionSpread }: Fields): Promise<void> {
  const currencyCode = findCountry(country)?.currencies[0];
  if (currencyCode === undefined) throw new Refusal(`${country} has no currency`);
  const createdAt = new Date().toISOString();
  const tenant: Tenant = { tenantId, name, countryCode: country, currencyCode, commissionSpread, createdAt };
  await session.confirm(`Create tenant ${tenantId}, ${name}?`);
  const added = await addTenant(session.table, tenant, session.change("tenants.create", tenant));
  if (!added) throw new Refusal(`Tenant ${tenantId}, or a payee of that id, exists already`);
  print(session, tenant);
}

async function set(
  session: Session,
  tenantId: string,
  changes: Partial<Omit<Fields, "country">> & Imprint,
): Promise<void> {
  if (Object.keys(changes).length === 0) throw new Refusal("Nothing to set: name what changes", "usage");
  const before = await getTenant(session, tenantId);
  const { imprint, rest } = apartFromImprint(changes);
  const { imprint: known, ...others } = before;
  const imprintAfter = changedImprint(known, imprint);
  const after: Tenant = { ...others, ...rest, ...(imprintAfter !== undefined && { imprint: imprintAfter }) };
  await session.confirm(`Set ${Object.entries(changes).join(", ")} on tenant ${tenantId}?`);
  const replaced = await replaceTenant(session.table, before, after, session.change("tenants.set", changes));
  if (!replaced) throw new Refusal(overtaken);
  print(session, after);
}

async function suspend(session: Session, tenantId: string): Promise<void> {
  const { table, confirm, change } = session;
  const { operator: by, reason } = session.operation();
  const { name } = await getTenant(session, tenantId);
  const known = await findSuspension(table, tenantId);
  if (known !== undefined) throw new Refusal(`Tenant ${tenantId} is suspended since ${known.at}, by ${known.by}`);
  await confirm(`Let nothing new be done or paid in the name of tenant ${tenantId}, ${name}?`);
  const suspended = change("tenants.suspend");
  const suspension = { at: new Date(suspended.atMs).toISOString(), by, reason };
  if (!(await suspendTenant(table, tenantId, suspension, suspended))) throw new Refusal(overtaken);
  const note = "no payment begins from now on, and all else ends within ten seconds; what was submitted goes on";
  print(session, { tenantId, ...suspension, note });
}

async function resume(session: Session, tenantId: string): Promise<void> {
  const { table, confirm, change } = session;
  session.operation();
  const { name } = await getTenant(session, tenantId);
  const known = await findSuspension(table, tenantId);
  if (known === undefined) throw new Refusal(`Tenant ${tenantId} is not suspended`);
  await confirm(`Let tenant ${tenantId}, ${name}, which ${known.by} suspended (${known.reason}), pay again?`);
  const resumed = change("tenants.resume", { suspendedAt: known.at, suspendedBy: known.by });
  if (!(await resumeTenant(table, tenantId, known, resumed))) throw new Refusal(overtaken);
  print(session, { tenantId, note: "its keys and links work again within ten seconds" });
}

const overtaken = "Somebody else changed the tenant meanwhile: try again";

async function getTenant({ table }: Session, tenantId: string): Promise<Tenant> {
  const tenant = await findTenant(table, tenantId);
  if (tenant === undefined) throw new Refusal(`There is no tenant ${tenantId}`);
  return tenant;
}

const spreadOption = () =>
  new Option("--commission-spread <fraction>", "decimal fraction: 0.01 is 1 %").argParser((value: string) => {
    if (!/^0(\.\d{1,6})?$/.test(value)) throw new InvalidArgumentError("a decimal fraction below 1, such as 0.01");
    return value;
  });

const thresholdOption = () =>
  new Option("--commission-threshold <amount>", "smallest payout, in any currency: 100.00").argParser(
    (value: string) => {
      if (!isDecimal(value)) throw new InvalidArgumentError("a decimal amount, such as 100.00");
      return value;
    },
  );

/** The option that names the tenant, without which none of its records can be found. */
export const tenantOption = () => new Option("--tenant <id>", "whose").argParser(parseTenantId).makeOptionMandatory();

/** A tenant id from the command line: digits only, because it is a payee id as well. */
export function parseTenantId(value: string): string {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError("a number of at most nine digits");
  return value;
}

function parseCountry(value: string): string {
  if (findCountry(value) === undefined) throw new InvalidArgumentError("an ISO 3166-1 alpha-2 country code");
  return value;
}
