import { createHash, randomBytes } from "node:crypto";
import { type ApiKey, type Permission, permissions } from "@intents/domain/caller.ts";
import { operatorAudit, SERVICE_TENANT } from "@intents/storage/operator-audit.ts";
import { addApiKey, findApiKey, findTenant, replaceApiKey } from "@intents/storage/tenants.ts";
import { transact } from "@intents/storage/transact.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { print } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";
import { parseTenantId } from "./tenants.ts";

export function keyCommands(program: Command): void {
  const keys = program.command("keys").description("API keys");
  keys
    .command("create")
    .argument("<clientId>", "letters, digits, dots, dashes and underscores", parseClientId)
    .addOption(new Option("--tenant <id>", "whose key it is").argParser(parseTenantId).makeOptionMandatory())
    .option("--user <name>", "who uses it", "API user")
    .addOption(new Option("--grant <permission...>", "permissions").choices(permissions).default([]))
    .action(async (clientId: string, options: NewKey, command: Command) => {
      await create(openSession(command), clientId, options);
    });
  keys
    .command("revoke")
    .argument("<clientId>")
    .action(async (clientId: string, _options: unknown, command: Command) => {
      await revoke(openSession(command), clientId);
    });
  keys
    .command("grant")
    .argument("<clientId>")
    .argument("<permission...>", permissions.join(", "))
    .action(async (clientId: string, granted: string[], _options: unknown, command: Command) => {
      await grant(openSession(command), clientId, granted.map(parsePermission));
    });
  keys
    .command("repair")
    .description("finds keys that API Gateway knows and the service does not, and disables them")
    .action(async (_options: unknown, command: Command) => {
      await repair(openSession(command));
    });
}

type NewKey = Readonly<{ tenant: string; user: string; grant: Permission[] }>;

/** In the gateway first: a key that the service knows and the gateway does not would be refused as unmetered (H46). */
async function create(
  session: Session,
  clientId: string,
  { tenant: tenantId, user, grant: granted }: NewKey,
): Promise<void> {
  const { table, gateway, confirm, change } = session;
  if ((await findTenant(table, tenantId)) === undefined) throw new Refusal(`There is no tenant ${tenantId}`);
  if ((await findApiKey(table, clientId)) !== undefined) throw new Refusal(`The client id ${clientId} is taken`);
  await confirm(`Create key ${clientId} for tenant ${tenantId}?`);
  const secret = randomBytes(32).toString("base64url");
  const gatewayKey = await gateway.add(clientId, randomBytes(20).toString("hex"));
  const key: ApiKey = {
    clientId,
    tenantId,
    userId: `user-${clientId}`,
    userName: user,
    permissions: granted,
    secretHashes: [createHash("sha256").update(secret).digest("hex")],
    gatewayKey,
    createdAt: new Date().toISOString(),
  };
  if (!(await addApiKey(table, key, change("keys.create", { clientId, permissions: granted })))) {
    throw new Refusal(`The client id ${clientId} is taken`);
  }
  print(session, {
    clientId,
    tenantId,
    permissions: granted,
    apiKey: `${clientId}:${secret}`,
    note: "shown only once",
  });
}

async function revoke(session: Session, clientId: string): Promise<void> {
  const { table, gateway, confirm, change } = session;
  const before = await getKey(session, clientId);
  await confirm(`Revoke key ${clientId} of tenant ${before.tenantId}?`);
  const after = { ...before, revokedAt: before.revokedAt ?? new Date().toISOString() };
  // Here first: from this write on the key pays nothing, whatever the gateway still lets through.
  if (!(await replaceApiKey(table, before, after, change("keys.revoke", { clientId }))))
    throw new Refusal(changedMeanwhile);
  await gateway.disable(clientId);
  print(session, { clientId, tenantId: after.tenantId, revokedAt: after.revokedAt });
}

async function grant(session: Session, clientId: string, granted: readonly Permission[]): Promise<void> {
  const { table, confirm, change } = session;
  const before = await getKey(session, clientId);
  if (before.revokedAt !== undefined) throw new Refusal(`The key ${clientId} was revoked on ${before.revokedAt}`);
  const after = {
    ...before,
    permissions: permissions.filter((name) => [...before.permissions, ...granted].includes(name)),
  };
  await confirm(`Grant ${granted.join(", ")} to key ${clientId}?`);
  const entry = change("keys.grant", { clientId, permissions: granted });
  if (!(await replaceApiKey(table, before, after, entry))) throw new Refusal(changedMeanwhile);
  print(session, { clientId, permissions: after.permissions, note: "in effect within a minute" });
}

/** A create that stopped half way leaves a gateway key that nobody owns: it is disabled, until a create takes it over. */
async function repair(session: Session): Promise<void> {
  const { table, gateway, confirm, change } = session;
  const clientIds = await gateway.list();
  const known = await Promise.all(clientIds.map((clientId) => findApiKey(table, clientId)));
  const halves = clientIds.filter((_, index) => known[index] === undefined);
  if (halves.length > 0) {
    await confirm(`Disable ${halves.join(", ")} in API Gateway?`);
    await transact(table, () => [operatorAudit(table, SERVICE_TENANT, change("keys.repair", { disabled: halves }))]);
    for (const clientId of halves) await gateway.disable(clientId);
  }
  print(session, { checked: clientIds.length, disabled: halves });
}

const changedMeanwhile = "Somebody else changed the key meanwhile: try again";

async function getKey({ table }: Session, clientId: string): Promise<ApiKey> {
  const key = await findApiKey(table, clientId);
  if (key === undefined) throw new Refusal(`There is no key ${clientId}`);
  return key;
}

function parseClientId(value: string): string {
  if (!/^[\w.-]{3,64}$/.test(value))
    throw new InvalidArgumentError("3 to 64 letters, digits, dots, dashes, underscores");
  return value;
}

function parsePermission(value: string): Permission {
  const permission = permissions.find((name) => name === value);
  if (permission === undefined) throw new Refusal(`${value} is not a permission: ${permissions.join(", ")}`);
  return permission;
}
